// One process at a time works on a run, which is known by its unique name. The lock is a file beside the archive,
// `.NAME.run-UID.lock`, which the kernel unlocks when the process ends; it is removed when the run stops in good order.
#pragma once

#include <optional>
#include <string>

#include "host/files/shared_file.hpp"

namespace chainshot::host {

class RunLock {
 public:
  // Throws std::invalid_argument with one sentence if another process works on the run.
  RunLock(const std::string& archive, const std::string& uid);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  std::optional<SharedFile> lock_;
};

}  // namespace chainshot::host
