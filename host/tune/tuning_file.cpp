#include "host/tune/tuning_file.hpp"

#include <chrono>
#include <stdexcept>

namespace chainshot::host {
namespace {

constexpr auto kPatience = std::chrono::milliseconds(500);  // for a process that is about to end

}  // namespace

TuningFile::TuningFile(const std::string& path) : path_(path), lock_(SharedFile::lock(path, kPatience)) {
  if (!lock_)
    throw std::invalid_argument("another process works on the tuning in " + path +
                                "; expected it to have ended, or another --state");
}

TuningFile::~TuningFile() {
  if (lock_) lock_->remove_lock_file();
}

std::optional<TuningState> TuningFile::read() const {
  const std::string text = content_of(path_);
  if (text.empty()) return std::nullopt;
  return parse_tuning(text, path_);
}

std::string TuningFile::write(const TuningState& state) const try {
  lock_->replace(tuning_text(state));
  return {};
} catch (const std::runtime_error& error) {
  return error.what();
}

}  // namespace chainshot::host
