#include "host/record/run_lock.hpp"

#include <fmt/format.h>

#include <chrono>
#include <stdexcept>

#include "host/files/replace_file.hpp"

namespace chainshot::host {
namespace {

constexpr auto kPatience = std::chrono::milliseconds(500);  // for a process that is about to end

}  // namespace

RunLock::RunLock(const std::string& archive, const std::string& uid)
    : lock_(SharedFile::lock(fmt::format("{}.run-{}", target_of(archive), uid), kPatience)) {
  if (!lock_)
    throw std::invalid_argument(
        fmt::format("run {} of {} is still going on in another process; expected it to have ended, or no --resume",
                    uid.substr(0, 8), archive));
}

RunLock::~RunLock() {
  lock_->remove_lock_file();
}

}  // namespace chainshot::host
