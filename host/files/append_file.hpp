// A file that grows by whole lines while work goes on, so that it can be read at any time. It keeps what it has; if a
// killed program left half a line at its end, the next line starts below it. A line that cannot be written in full, for
// example on a full disk, is removed again; later lines are still tried. One program at a time may append to a file: it
// holds an flock on it, so lines of two programs never mix and none removes a line of the other.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>

namespace chainshot::host {

class AppendFile {
 public:
  using Notice = std::function<void(const std::string& sentence)>;

  // Calls `notice` when the first line is lost. Throws std::invalid_argument if another program appends to the file,
  // and std::runtime_error if it cannot be opened.
  explicit AppendFile(std::string path, Notice notice = {});
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  // Appends `line`, which ends in a newline.
  void append(std::string_view line);
  // Returns why lines were lost; empty if none were.
  const std::string& problem() const { return problem_; }

 private:
  std::string path_;
  Notice notice_;
  int descriptor_;
  off_t size_ = 0;           // of a regular file
  bool starts_line_ = true;  // the next line starts at the beginning of a line
  std::string problem_;
};

}  // namespace chainshot::host
