// Finds the instructions that a warp issues: follows the decisions of its lanes through the basic blocks with a
// reconvergence stack.
//
// Lanes that diverge at the end of a block run one side after another until the immediate post-dominator of the block
// and continue together from there; a call is a frame whose lanes meet where the function returns. This is the baseline
// of Fung, Sham, Yuan, Aamodt: Dynamic warp formation and scheduling for efficient GPU control flow (MICRO 2007). On
// GPUs since Volta, lanes may meet earlier or later, as ptxas chooses.
#pragma once
#include <cstddef>
#include <vector>

#include "ptxcpu.hpp"

namespace ptxcpu {

// The decisions of one lane that the replay has not used yet. A word holds 64 of them; the last word may hold fewer.
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

// Counts, for each block of a module, how often warps issued it and how many lanes took part in total.
struct Issues {
  std::vector<uint64_t> warps, lanes;
};

class Replay {
 public:
  // The replay adds what the warp issues to `issues`, which has one entry per block. `lanes` is a mask.
  Replay(const FlowGraph& graph, uint32_t lanes, Issues& issues);

  // Replays as far as the known decisions reach. Returns true when every lane has ended. `lanes` has one entry per
  // lane.
  bool advance(std::vector<Decisions>::iterator lanes);

 private:
  // A group of lanes that run together from `block` until `meet`.
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
