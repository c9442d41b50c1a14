// Which part of a machine each rank of a run has, where several ranks run on one machine: processors, memory and CUDA
// devices are divided among them, unless the launcher has divided them already.
#pragma once

#include <string>
#include <vector>

namespace chainshot::machine {

// Where a rank runs and what the launcher left to it.
struct RankPlace {
  std::string host;             // for people
  std::string machine;          // equal for ranks of one machine, whatever their hosts are called
  std::string process_space;    // equal for ranks that see each other's process numbers
  int process = 0;              // its number
  std::vector<int> processors;  // of its affinity mask
  int usable = 1;               // processors that all limits together leave to it
  bool is_task = false;         // `usable` was granted to this rank alone, as Slurm does
  std::string visible_devices;  // of CUDA_VISIBLE_DEVICES; `all` if that is not set
};

struct RankShare {
  int processors = 1;
  int local_rank = 0;   // among the ranks of its machine
  int local_ranks = 1;  // on its machine
  // Among the ranks that were given the same devices.
  int device_rank = 0;
  int device_ranks = 1;
};

RankPlace this_place();

// Returns the share of each rank. A processor that several ranks may use goes to the one that has fewest; a rank has
// at least one.
std::vector<RankShare> share_machines(const std::vector<RankPlace>& places);

// Returns which of the devices a rank uses, as a value of CUDA_VISIBLE_DEVICES: those that are left to it if there are
// at least as many devices as ranks, else one that it shares. Empty if there is nothing to divide: one rank, or no
// device. `installed` counts the devices of the machine, for `all`.
std::string devices_of_share(const std::string& visible, int installed, const RankShare& share);

// Counts the NVIDIA devices that the driver lists, without starting CUDA.
int installed_devices();

}  // namespace chainshot::machine
