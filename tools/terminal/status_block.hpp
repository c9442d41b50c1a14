// Several lines on the standard error that are redrawn in place: a small table about work that takes hours. Drawn only
// on a terminal that can move its cursor; elsewhere the caller prints plain lines.
#pragma once

#include <string>
#include <vector>

namespace chainshot::tools {

class StatusBlock {
 public:
  StatusBlock();
  ~StatusBlock();
  StatusBlock(const StatusBlock&) = delete;
  StatusBlock& operator=(const StatusBlock&) = delete;

  bool redraws() const { return redraws_; }
  // Columns and rows that a block may take.
  int width() const;
  int height() const;
  void show(const std::vector<std::string>& lines);
  // Removes the block, to make room for other output.
  void erase();

 private:
  bool redraws_;
  int drawn_ = 0;  // lines
};

}  // namespace chainshot::tools
