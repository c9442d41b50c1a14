// What a warp issues: the decisions of its lanes are followed through the basic blocks with a reconvergence stack.
//
// Lanes that part at the end of a block run one side after another until the block's immediate post-dominator and go on
// from there together; a call is a frame whose lanes meet where the function returns. This is the baseline of Fung,
// Sham, Yuan, Aamodt: Dynamic warp formation and scheduling for efficient GPU control flow (MICRO 2007). GPUs since
// Volta may meet earlier or later, as ptxas chooses.

#pragma once
#include <cstddef>
#include <vector>

#include "ptxcpu.hpp"

namespace ptxcpu {

// The decisions of one lane that the replay has not used yet. A word holds 64 of them, the last word perhaps fewer.
struct Decisions {
  std::vector<uint64_t> words;
  uint64_t used = 0, known = 0;  // bits
  bool complete = false;         // the lane has ended

  void add(uint64_t word, uint32_t bits) {
    words.push_back(word);
    known += bits;
  }
  bool has(uint32_t bits) const { return known - used >= bits; }
  uint32_t next() {
    uint32_t bit = words[used >> 6] >> (used & 63) & 1;
    used++;
    return bit;
  }
  void forget_used();
};

// For each block of a module: how often warps issued it, and the sum of the lanes that took part.
struct Issues {
  std::vector<uint64_t> warps, lanes;
};

class Replay {
 public:
  // Adds what the warp issues to `issues`, which has an entry for each block. `lanes` is a mask.
  Replay(const FlowGraph& graph, uint32_t lanes, Issues& issues);

  // Goes on as far as the decisions known reach; true when every lane has ended. `lanes` has an entry for each lane.
  bool advance(std::vector<Decisions>::iterator lanes);

 private:
  // Lanes that run together from `block` until `meet`.
  struct Group {
    uint32_t block, meet, lanes;
  };
  struct Side {
    uint32_t block, lanes;
  };

  bool known(const Flow& f, uint32_t lanes, std::vector<Decisions>::iterator decisions) const;
  void step(const Flow& f, std::vector<Decisions>::iterator decisions);
  void add_side(uint32_t block, uint32_t lanes);
  void part(const Flow& f);

  FlowGraph graph_;
  uint32_t live_;
  std::vector<Group> stack_;
  std::vector<Side> sides_;
  Issues* issues_;
};

uint64_t warp_instrs(const FlowGraph& graph, const Issues& issues);

}  // namespace ptxcpu
