// Counts the positions that an iteration of IDA* cut off, by f, and chooses the threshold of the next iteration from
// them (IDA*_CR: Sarkar et al. 1991).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace chainshot::host {

class CutOffCounts {
 public:
  // No f is lower or higher than these. Ranges of f share a count where there are many values.
  CutOffCounts(int lowest, int highest)
      : lowest_(lowest), width_((highest - lowest) / kMostCounts + 1), counts_(index_of(highest) + 1) {}

  void clear() { std::fill(counts_.begin(), counts_.end(), 0); }
  void add(int f) { ++counts_[index_of(f)]; }

  // Returns the highest threshold, but not more than `most`, that at least `wanted` of the positions reach; all of them
  // reach it if there are not so many.
  int threshold_for(double wanted, int most) const {
    double reached = 0;
    std::size_t lowest = index_of(most);
    for (std::size_t i = index_of(most) + 1; i-- > 0;) {
      if (counts_[i] == 0) continue;
      lowest = i;
      reached += static_cast<double>(counts_[i]);
      if (reached >= wanted) break;
    }
    return std::min(most, lowest_ + static_cast<int>(lowest) * width_);
  }

 private:
  static constexpr int kMostCounts = 1 << 14;

  std::size_t index_of(int f) const { return static_cast<std::size_t>(std::max(0, f - lowest_) / width_); }

  int lowest_;
  int width_;
  std::vector<std::uint64_t> counts_;
};

}  // namespace chainshot::host
