// A file that grows by whole lines while work goes on. A line that does not fit, on a full disk say, is left out whole,
// and the next one is tried again: what is there can be read at any time.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace chainshot::tools {

class GrowingFile {
 public:
  // Begins it anew. Throws std::runtime_error.
  explicit GrowingFile(std::string path);
  ~GrowingFile();
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  // A line with its end. The first one that is lost is told on the standard error.
  void append(std::string_view line);
  // Empty, or why lines were lost.
  const std::string& problem() const { return problem_; }

 private:
  std::string path_;
  int descriptor_;
  off_t size_ = 0;
  std::string problem_;
};

}  // namespace chainshot::tools
