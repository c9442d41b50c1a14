// Tests what a warp issues, on graphs small enough to count by hand. Blocks are numbered in the order of the text.
#include "../runtime/replay.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace ptxcpu {
namespace {

Flow falls(uint32_t instrs, uint32_t follows) {
  return {instrs, kFalls, false, 0, 0, follows, follows};
}
Flow jumps(uint32_t instrs, uint32_t target) {
  return {instrs, kJumps, false, 1, target, 0, target};
}
Flow branches(uint32_t instrs, uint32_t target, uint32_t follows, uint32_t meets) {
  return {instrs, kJumps, true, 1, target, follows, meets};
}
Flow calls(uint32_t instrs, uint32_t target, uint32_t follows) {
  return {instrs, kCalls, false, 1, target, follows, follows};
}
Flow returns(uint32_t instrs) {
  return {instrs, kReturns, false, 0, 0, kReturned, kReturned};
}

// A warp whose lane l makes the decisions path(l), a string with a '1' or '0' per decision.
class Warp32 {
 public:
  Warp32(std::vector<Flow> flow, const std::function<std::string(int)>& path, std::vector<uint32_t> choices = {0})
      : flow_(std::move(flow)), choices_(std::move(choices)), decisions_(32) {
    for (int lane = 0; lane < 32; lane++)
      paths_.push_back(path(lane));
    issues_.warps.resize(flow_.size());
    issues_.lanes.resize(flow_.size());
  }

  uint64_t replay() {
    Replay replay(graph(), ~0u, issues_);
    for (int lane = 0; lane < 32; lane++)
      give(lane, 0, paths_[lane].size());
    EXPECT_TRUE(replay.advance(decisions_.begin()));
    return warp_instrs(graph(), issues_);
  }

  // Replays with the decisions of each lane given piece by piece, and forgets those that were used.
  uint64_t replay_in_pieces(size_t piece) {
    Replay replay(graph(), ~0u, issues_);
    bool ended = false;
    for (size_t from = 0; !ended; from += piece) {
      for (int lane = 0; lane < 32; lane++)
        give(lane, from, from + piece);
      ended = replay.advance(decisions_.begin());
      for (Decisions& d : decisions_)
        d.forget_used();
    }
    return warp_instrs(graph(), issues_);
  }

  const Issues& issues() const { return issues_; }

 private:
  FlowGraph graph() const { return {flow_.data(), choices_.data(), (uint32_t)flow_.size(), 0}; }

  // Every piece but the last consists of whole words, as from a running lane.
  void give(int lane, size_t from, size_t to) {
    const std::string& path = paths_[lane];
    Decisions& d = decisions_[lane];
    for (size_t i = from; i < std::min(to, path.size()); i += 64) {
      uint64_t word = 0;
      size_t bits = std::min<size_t>(64, path.size() - i);
      for (size_t b = 0; b < bits; b++)
        word |= (uint64_t)(path[i + b] == '1') << b;
      d.add(word, (uint32_t)bits);
    }
    d.complete = to >= path.size();
  }

  std::vector<Flow> flow_;
  std::vector<uint32_t> choices_;
  std::vector<std::string> paths_;
  std::vector<Decisions> decisions_;
  Issues issues_;
};

TEST(Replay, IssuesStraightCodeOnce) {
  Warp32 warp({falls(5, 1), returns(2)}, [](int) { return ""; });
  EXPECT_EQ(warp.replay(), 5u + 2u);
  EXPECT_EQ(warp.issues().lanes[0], 32u);
}

TEST(Replay, IssuesEachSideOfABranchOnce) {
  // 0: if (odd) goto 2;  1: ..., goto 3;  2: ...;  3: return
  std::vector<Flow> flow = {branches(3, 2, 1, 3), jumps(10, 3), falls(20, 3), returns(1)};
  EXPECT_EQ(Warp32(flow, [](int lane) { return lane % 2 ? "1" : "0"; }).replay(), 3u + 10u + 20u + 1u);
  EXPECT_EQ(Warp32(flow, [](int) { return "1"; }).replay(), 3u + 20u + 1u);
  EXPECT_EQ(Warp32(flow, [](int) { return "0"; }).replay(), 3u + 10u + 1u);
}

TEST(Replay, LanesWaitAtTheEndOfALoopForTheSlowest) {
  // 0: ...;  1: if (done) goto 3;  2: ..., goto 1;  3: return. Lane l takes l turns, at most 31.
  // 4 + 32 heads of 2 + 31 bodies of 5 + 1 = 224
  std::vector<Flow> flow = {falls(4, 1), branches(2, 3, 2, 3), jumps(5, 1), returns(1)};
  Warp32 warp(flow, [](int lane) { return std::string(lane, '0') + "1"; });
  EXPECT_EQ(warp.replay(), 224u);
  // The body is executed by 31 + 30 + ... + 1 lanes.
  EXPECT_EQ(warp.issues().lanes[2], 496u);
}

TEST(Replay, LanesMeetInALatchBeforeTheHeader) {
  // 0: ..., goto 2;  1 (latch): ...;  2 (header): if (done) goto 5;  3: if (c) goto 1;  4: ..., goto 1;  5: return
  // The loop has ten turns; in turn k lane l skips block 4 if l + k is odd. 3 + 11 * 2 + 10 * (2 + 7 + 1) + 1 = 126. If
  // the lanes at the earliest block went first, those that skip block 4 would run ahead through latch and header, and
  // the others would never catch up with them.
  std::vector<Flow> flow = {jumps(3, 2),          falls(1, 2), branches(2, 5, 3, 5),
                            branches(2, 1, 4, 1), jumps(7, 1), returns(1)};
  Warp32 warp(flow, [](int lane) {
    std::string path;
    for (int k = 0; k < 10; k++)
      path += (lane + k) % 2 ? "01" : "00";
    return path + "1";
  });
  EXPECT_EQ(warp.replay(), 126u);
}

TEST(Replay, LanesMeetAfterABranchInEveryTurnOfALoop) {
  // 0: if (done) goto 4;  1: if (!c) goto 3;  2: ...;  3: ..., goto 0;  4: return
  // Lane l takes l % 4 turns, and in turn k takes block 2 if (l / 4 + k) is odd. The longest lanes take
  // 3 turns, and in each turn some lanes take block 2 and some do not: 4 heads of 2 + 3 * (3 + 7 + 5) + 1 = 54
  std::vector<Flow> flow = {branches(2, 4, 1, 4), branches(3, 3, 2, 3), falls(7, 3), jumps(5, 0), returns(1)};
  Warp32 warp(flow, [](int lane) {
    std::string path;
    for (int k = 0; k < lane % 4; k++)
      path += (lane / 4 + k) % 2 ? "00" : "01";
    return path + "1";
  });
  EXPECT_EQ(warp.replay(), 54u);
}

TEST(Replay, LanesWaitForTheLongestInnerLoop) {
  // 0: if (done) goto 3;  1: if (inner again) goto 1;  2: ..., goto 0;  3: return. The outer loop has three turns; in
  // turn k lane l runs block 1 once and (l + k) % 5 times more, at most 4, so each turn issues block 1 five times.
  // 4 heads of 2 + 3 * (5 * 4 + 6) + 1 = 87
  std::vector<Flow> flow = {branches(2, 3, 1, 3), branches(4, 1, 2, 2), jumps(6, 0), returns(1)};
  Warp32 warp(flow, [](int lane) {
    std::string path;
    for (int k = 0; k < 3; k++)
      path += "0" + std::string((lane + k) % 5, '1') + "0";
    return path + "1";
  });
  EXPECT_EQ(warp.replay(), 87u);
}

TEST(Replay, NobodyWaitsForLanesThatHaveEnded) {
  // 0: if (a) goto 2;  1: @b exit;  then 2: ...;  3: return. Lanes with a = 0 meet the others in 2 even though some
  // of them have ended.
  std::vector<Flow> flow = {branches(2, 2, 1, 2), {3, kEnds, true, 0, 0, 2, 2}, falls(8, 3), returns(1)};
  Warp32 warp(flow, [](int lane) { return lane < 16 ? "1" : lane < 24 ? "00" : "01"; });
  EXPECT_EQ(warp.replay(), 2u + 3u + 8u + 1u);
  EXPECT_EQ(warp.issues().lanes[2], 24u);
}

TEST(Replay, StopsWhenAllLanesHaveEnded) {
  std::vector<Flow> flow = {{3, kEnds, false, 0, 0, kReturned, kReturned}};
  EXPECT_EQ(Warp32(flow, [](int) { return ""; }).replay(), 3u);
}

TEST(Replay, LanesLeaveACallTogether) {
  // Main: 0: if (odd) goto 2;  1: call f, then 3;  2: ..., goto 4;  3: ..., goto 4;  4: call f, then 5;  5: return.
  // f: 6: @c return;  7: ..., return. Even lanes take 1, f and 3, odd lanes take 2, and all take 4, f and 5. In f they
  // diverge by l / 2 and meet at its end, so each call issues 2 + 9. The sum is 3 + (1 + 11 + 4) + 6 + (1 + 11) + 2 =
  // 39
  std::vector<Flow> flow = {branches(3, 2, 1, 4),
                            calls(1, 6, 3),
                            falls(6, 4),
                            jumps(4, 4),
                            calls(1, 6, 5),
                            returns(2),
                            {2, kReturns, true, 0, 0, 7, kReturned},
                            returns(9)};
  Warp32 warp(flow, [](int lane) {
    std::string in_f = lane / 2 % 2 ? "1" : "0";
    return lane % 2 ? "1" + in_f : "0" + in_f + in_f;
  });
  EXPECT_EQ(warp.replay(), 39u);
  EXPECT_EQ(warp.issues().lanes[5], 32u);
}

TEST(Replay, DeeperCallsOfARecursionMeetFirst) {
  // Main: 0: call f;  1: return.  f: 2: if (last) goto 4;  3: call f, then 4;  4: return. Lane l calls l + 1 deep, 32
  // at most. The sum is 1 + 1 + 32 * 2 + 31 * 1 + 32 * 3: block 4 is issued once per depth, as deeper frames meet
  // first.
  std::vector<Flow> flow = {calls(1, 2, 1), returns(1), branches(2, 4, 3, 4), calls(1, 2, 4), returns(3)};
  EXPECT_EQ(Warp32(flow, [](int lane) { return std::string(lane, '0') + "1"; }).replay(), 2u + 64u + 31u + 96u);
}

TEST(Replay, TheOtherLanesWaitDuringAGuardedCall) {
  // 0: @p call 2, then 1;  1: return;  2: ..., return
  std::vector<Flow> flow = {{1, kCalls, true, 1, 2, 1, 1}, returns(1), returns(10)};
  EXPECT_EQ(Warp32(flow, [](int lane) { return lane < 3 ? "1" : "0"; }).replay(), 12u);
  EXPECT_EQ(Warp32(flow, [](int) { return "0"; }).replay(), 2u);
}

TEST(Replay, IssuesEachTargetOfAChoiceOnce) {
  // Three targets need two bits, the lowest first; the first and the third target are the same block.
  std::vector<Flow> flow = {{2, kChooses, false, 3, 0, 0, 3}, falls(10, 3), falls(100, 3), returns(1)};
  auto path = [](int lane) { return lane % 3 == 0 ? "00" : lane % 3 == 1 ? "10" : "01"; };
  EXPECT_EQ(Warp32(flow, path, {1, 2, 1}).replay(), 2u + 10u + 100u + 1u);
  EXPECT_EQ(Warp32(flow, [](int) { return "10"; }, {1, 2, 1}).replay(), 2u + 100u + 1u);
}

TEST(Replay, ReplaysPieceByPieceToTheSameResult) {
  // These are the nested loops from above with 1000 turns: 1001 heads of 2 + 1000 * (5 * 4 + 6) + 1 = 28003
  std::vector<Flow> flow = {branches(2, 3, 1, 3), branches(4, 1, 2, 2), jumps(6, 0), returns(1)};
  auto path = [](int lane) {
    std::string text;
    for (int k = 0; k < 1000; k++)
      text += "0" + std::string((lane + k) % 5, '1') + "0";
    return text + "1";
  };
  EXPECT_EQ(Warp32(flow, path).replay(), 28003u);
  EXPECT_EQ(Warp32(flow, path).replay_in_pieces(64), 28003u);
  EXPECT_EQ(Warp32(flow, path).replay_in_pieces(640), 28003u);
}

}  // namespace
}  // namespace ptxcpu
