// A file that grows by whole lines while work goes on, so that it can be read at any time. A line that cannot be
// written in full, for example on a full disk, is removed again; later lines are still tried.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>

namespace chainshot::host {

class AppendFile {
 public:
  using Notice = std::function<void(const std::string& sentence)>;

  // Truncates the file. Calls `notice` when the first line is lost. Throws std::runtime_error.
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
  off_t size_ = 0;
  std::string problem_;
};

}  // namespace chainshot::host
