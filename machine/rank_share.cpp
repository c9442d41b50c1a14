#include "machine/rank_share.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <system_error>
#include <utility>

#include "machine/allowance.hpp"

namespace chainshot::machine {
namespace {

constexpr const char* kAllDevices = "all";

std::string variable(const char* name, const char* otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : text;
}

std::string first_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string link_target(const char* path) {
  std::error_code error;
  return std::filesystem::read_symlink(path, error).string();
}

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "localhost";
}

std::vector<int> processors_of_mask() {
  std::vector<int> processors;
  constexpr int kBits = 1 << 16;
  cpu_set_t* const mask = CPU_ALLOC(static_cast<std::size_t>(kBits));
  if (mask == nullptr) return processors;
  const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(kBits));
  CPU_ZERO_S(bytes, mask);
  if (::sched_getaffinity(0, bytes, mask) == 0)
    for (int i = 0; i < kBits; ++i)
      if (CPU_ISSET_S(static_cast<std::size_t>(i), bytes, mask)) processors.push_back(i);
  CPU_FREE(mask);
  return processors;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    if (end > at) parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// Gives each processor to the rank that may use it and has the fewest so far; the first of equals.
void share_processors(const std::vector<RankPlace>& places, const std::vector<std::size_t>& ranks,
                      std::vector<RankShare>& shares) {
  std::map<int, std::vector<std::size_t>> users;  // of each processor
  for (const std::size_t rank : ranks)
    for (const int processor : places[rank].processors)
      users[processor].push_back(rank);
  std::map<std::size_t, int> given;
  for (const auto& [processor, of_processor] : users)
    ++given[*std::min_element(of_processor.begin(), of_processor.end(),
                              [&](std::size_t a, std::size_t b) { return given[a] < given[b]; })];
  for (const std::size_t rank : ranks) {
    const RankPlace& place = places[rank];
    const int granted = place.is_task ? place.usable : place.usable / static_cast<int>(ranks.size());
    // Limits below the mask are those of a container, which all ranks in it share.
    const bool is_limited = place.usable < static_cast<int>(place.processors.size());
    const int of_mask = place.processors.empty() ? granted : given[rank];
    shares[rank].processors = std::max(1, is_limited ? std::min(of_mask, granted) : of_mask);
  }
}

}  // namespace

RankPlace this_place() {
  RankPlace place;
  place.host = host_name();
  place.machine = first_line("/proc/sys/kernel/random/boot_id");
  if (place.machine.empty()) place.machine = place.host;
  place.process_space = place.machine + link_target("/proc/self/ns/pid");
  place.process = static_cast<int>(::getpid());
  place.processors = processors_of_mask();
  place.usable = usable_processors();
  place.is_task = std::getenv("SLURM_CPUS_PER_TASK") != nullptr;
  place.visible_devices = variable("CUDA_VISIBLE_DEVICES", kAllDevices);
  return place;
}

std::vector<RankShare> share_machines(const std::vector<RankPlace>& places) {
  std::vector<RankShare> shares(places.size());
  std::map<std::string, std::vector<std::size_t>> machines;
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> devices;
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    machines[places[rank].machine].push_back(rank);
    devices[{places[rank].machine, places[rank].visible_devices}].push_back(rank);
  }
  for (const auto& [machine, ranks] : machines) {
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      shares[ranks[i]].local_rank = static_cast<int>(i);
      shares[ranks[i]].local_ranks = static_cast<int>(ranks.size());
    }
    share_processors(places, ranks, shares);
  }
  for (const auto& [of, ranks] : devices)
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      shares[ranks[i]].device_rank = static_cast<int>(i);
      shares[ranks[i]].device_ranks = static_cast<int>(ranks.size());
    }
  return shares;
}

std::string devices_of_share(const std::string& visible, int installed, const RankShare& share) {
  std::vector<std::string> devices = split(visible);
  if (visible == kAllDevices) {
    devices.clear();
    for (int i = 0; i < installed; ++i)
      devices.push_back(std::to_string(i));
  }
  if (share.device_ranks <= 1 || devices.empty()) return {};
  const auto rank = static_cast<std::size_t>(share.device_rank), ranks = static_cast<std::size_t>(share.device_ranks);
  if (ranks >= devices.size()) return devices[rank % devices.size()];
  std::string mine;
  for (std::size_t i = rank; i < devices.size(); i += ranks)
    mine += (mine.empty() ? "" : ",") + devices[i];
  return mine;
}

int installed_devices() {
  std::error_code error;
  const std::filesystem::directory_iterator folder("/proc/driver/nvidia/gpus", error);
  if (error) return 0;
  return static_cast<int>(std::distance(begin(folder), end(folder)));
}

}  // namespace chainshot::machine
