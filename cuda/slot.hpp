// A slot carries one launch at a time through a device: pinned buffers, device buffers, a stream and events, made once
// and used again. Copies of one slot overlap the kernels of another.
#pragma once

#include <memory>
#include <vector>

#include "cuda/launch_plan.hpp"
#include "cuda/resources.hpp"

namespace chainshot::cuda {

class Slot {
 public:
  // Buffers are on the current device. Throws CudaError.
  Slot(const SlotSizes& sizes, int multiprocessors);

  // Writes the launch's boards, and queues copies and kernels. Throws CudaError.
  void begin(Launch launch);
  // Blocks until the launch is done. Throws CudaError for anything that went wrong since `begin`.
  void wait();
  // Adds the results of the launch to the outcome of its batch.
  void deliver();
  const Launch& launch() const { return launch_; }
  void clear() { launch_ = {}; }

  const Event& kernels_begin() const { return kernels_begin_; }
  const Event& kernels_end() const { return kernels_end_; }

 private:
  struct Upload;  // the layout of the upload buffer

  PlayoutArguments playout_arguments(const Upload& upload);
  TallyArguments tally_arguments(const Upload& upload);
  void bring_roulette(const std::shared_ptr<const game::PlayoutRules>& rules);

  const SlotSizes sizes_;
  const int multiprocessors_;
  Stream stream_;
  Event kernels_begin_, kernels_end_, done_;
  PinnedBuffer upload_, download_;
  DeviceBuffer device_upload_, device_download_, finals_, roulette_;
  std::shared_ptr<const game::PlayoutRules> roulette_rules_;  // whose table is on the device
  Launch launch_;
};

}  // namespace chainshot::cuda
