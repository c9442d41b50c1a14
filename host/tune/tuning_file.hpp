// The file that keeps the state of a tuning. One process at a time works on it; the lock is a file beside it, which the
// kernel unlocks when the process ends. A write replaces the file as a whole.
#pragma once

#include <optional>
#include <string>

#include "host/files/shared_file.hpp"
#include "host/tune/tuning_state.hpp"

namespace chainshot::host {

class TuningFile {
 public:
  // Throws std::invalid_argument with one sentence if another process works on the file, and std::runtime_error if the
  // file system refuses the lock.
  explicit TuningFile(const std::string& path);
  ~TuningFile();
  TuningFile(const TuningFile&) = delete;
  TuningFile& operator=(const TuningFile&) = delete;

  // Returns nothing if there is no file or an empty one. Throws game::ParseError.
  std::optional<TuningState> read() const;
  // Returns why the file could not be written, or an empty text.
  std::string write(const TuningState& state) const;

 private:
  std::string path_;
  std::optional<SharedFile> lock_;
};

}  // namespace chainshot::host
