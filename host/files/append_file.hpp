// A file that grows by whole lines while work goes on. A line that does not fit, on a full disk say, is left out whole,
// and the next one is tried again, so the file can be read at any time.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <string_view>

namespace chainshot::host {

class AppendFile {
 public:
  using Notice = std::function<void(const std::string& sentence)>;

  // Begins the file anew. `notice` hears of the first line that is lost. Throws std::runtime_error.
  explicit AppendFile(std::string path, Notice notice = {});
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  // Appends a line, which has its end.
  void append(std::string_view line);
  // Why lines were lost; empty if none were.
  const std::string& problem() const { return problem_; }

 private:
  std::string path_;
  Notice notice_;
  int descriptor_;
  off_t size_ = 0;
  std::string problem_;
};

}  // namespace chainshot::host
