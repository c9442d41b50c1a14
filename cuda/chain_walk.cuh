// A chain's walk on the device, by the rules of game/reference_chain.hpp. Eight chains share a warp and one flat loop:
// in a turn each of them plays at most one group, whatever it is doing. Short cuts are those of the CPU's chain:
// - A move that the change has not reached is only noted as repeated, and made if the change is accepted.
// - When the position equals one of the old line again, the rest of the old line is the rest of the new one.
// - A change that cannot reach the fitness it needs is given up.
//
// The trial has two forms of record. Of a move that was played: x = columns that held blocks before it | columns it
// touched << 16; y as in a line. Of a repeated one: x = columns that differ from the old line | number of the old
// position they were compared with << 16 | kRepeated; y = old move | slot of what it goes on from << 8 | points gained
// << 16.
#pragma once

#include "cuda/chain_board.cuh"
#include "cuda/chain_points.cuh"
#include "cuda/philox.cuh"

namespace chainshot::cuda {

class ChainWalk {
 public:
  __device__ __forceinline__ ChainWalk(const ChainAdvance& advance, ChainScratch& scratch, int chain, bool exists);

  // All chains of the warp take a turn together.
  __device__ __forceinline__ void turn();
  __device__ __forceinline__ bool rests() const { return stage_ == Stage::kRests; }
  // An evaluation that has not ended is repeated by the next launch.
  __device__ __forceinline__ void save();

 private:
  // What a chain does in a turn.
  enum class Stage : int {
    kRests,
    kNew,     // begins an evaluation
    kFollow,  // looks for the next move of the old line that the change has reached
    kNamed,   // plays the block that an old move is named by, or else the first piece of its group
    kPieces,  // plays the next piece
    kPlayed,  // what was to be played beside an old move has been
    kRandom,
    kOver,
  };
  // Which part of an evaluation it is in.
  enum class Part : int { kGiven, kFirst, kFollow, kLate, kEnd };

  static constexpr std::uint32_t kRepeated = 1u << 31;
  static constexpr std::uint32_t kLeaveOut = 20, kInsert = 40, kReplace = 60,
                                 kMoveElsewhere = 98;  // per cent, summed up
  // What is needed of an evaluation that cannot be accepted, and of the line a chain begins with.
  static constexpr int kHopeless = 1 << 30, kNothing = kHopeless + 1, kBeginning = -(1 << 29);
  static constexpr std::uint32_t kFirstRandomDraw = 4, kDrawsAtOnce = 2 * kChainLanes;

  // Keeps the compiler from following the stages that lead to each other, with a copy of all that is known in each.
  __device__ __forceinline__ void join() {
    asm volatile("" : "+r"(reinterpret_cast<int&>(stage_)), "+r"(reinterpret_cast<int&>(part_)), "+r"(need_));
  }

  __device__ __forceinline__ int fitness_here() const;
  __device__ __forceinline__ void begin_evaluation();
  __device__ __forceinline__ void propose(std::uint32_t kind, std::uint32_t move, std::uint32_t to);
  __device__ __forceinline__ void next_given();
  __device__ __forceinline__ void compare(bool& is_in_doubt, std::uint32_t& met);
  __device__ __forceinline__ void give_up_if_hopeless();
  __device__ __forceinline__ void follow();
  __device__ __forceinline__ void repeat_moves(std::uint32_t end);
  __device__ __forceinline__ void end_evaluation(std::uint32_t met);
  __device__ __forceinline__ void count(bool accepted, bool has_met);
  __device__ __forceinline__ void accept(int fitness, std::uint32_t met);
  __device__ __forceinline__ ChainRecord made(ChainRecord repeated, std::uint32_t name) const;
  __device__ __forceinline__ void move_rest(std::uint32_t rest, int distance, int gained);
  __device__ __forceinline__ void keep_if_best();

  __device__ __forceinline__ LaneWords candidates(bool& is_named);
  __device__ __forceinline__ std::uint32_t pick(const LaneWords& choice, bool is_named, bool& exists);
  __device__ __forceinline__ std::uint32_t describe(std::uint32_t word, std::uint32_t bit, std::uint32_t alive) const;
  __device__ __forceinline__ int drawn(int total);
  __device__ __forceinline__ void drop_pieces(bool is_owner, std::uint32_t owner, std::uint32_t word,
                                              std::uint32_t bit);
  __device__ __forceinline__ void take_out(LaneWords& group, std::uint32_t code, bool has_group);
  __device__ __forceinline__ void after_group(bool had_group, bool has_more_pieces);

  static __device__ __forceinline__ std::uint32_t slot_of(ChainRecord record) { return record.y & 0xFF; }
  static __device__ __forceinline__ std::uint32_t block_of(ChainRecord record) { return record.y >> 8 & 0xFF; }
  static __device__ __forceinline__ int points_of(ChainRecord record) { return static_cast<int>(record.y >> 16); }
  __device__ __forceinline__ LaneWords position_in(std::uint32_t slot) const {
    return lanes_.load(memory_.position[slot]);
  }
  // Sets out to play the group of an old move.
  __device__ __forceinline__ void play_blocks_of(std::uint32_t move) {
    const ChainRecord record = memory_.line[move];
    const LaneWords before = position_in(slot_of(memory_.line[move - 1])), after = position_in(slot_of(record));
#pragma unroll
    for (int i = 0; i < kLaneWords; ++i)
      pieces_.word[i] = before.word[i] & ~after.word[i];
    block_ = block_of(record);
    stage_ = Stage::kNamed;
  }
  __device__ __forceinline__ void clear_pieces() {
#pragma unroll
    for (int i = 0; i < kLaneWords; ++i)
      pieces_.word[i] = 0;
  }
  // Books how far the position is from that after an old move.
  __device__ __forceinline__ void measure_against(ChainRecord old) {
    const uint2 counts = memory_.counts[slot_of(old)];
    counts_ahead_ = make_uint2(counts_.x - counts.x, counts_.y - counts.y);
    points_ahead_ = points_ - points_of(old);
  }

  const ChainAdvance& advance_;
  const ChainTable& table_;
  const ChainLanes lanes_;
  ChainBoard board_;
  const uint2 (&start_)[kChainPlanes][kChainLanes];

  ChainMemory& memory_;

  // The chain.
  std::uint32_t moves_, free_;  // of its line; slots
  int fitness_;
  std::uint32_t evaluation_, todo_;
  bool begins_;
  LaneWords tabu_;             // blocks of the colour
  std::uint32_t counter_ = 0;  // one of the totals, another in each lane

  // The evaluation.
  Stage stage_;
  Part part_ = Part::kFirst;
  std::uint32_t from_ = 0;                        // the position that the change goes on from
  std::uint32_t move_ = 0;                        // the old move that is being followed
  std::uint32_t skipped_ = 0;                     // an old move to leave out
  std::uint32_t late_after_ = 0;                  // play move from_ + 1 after it; of given moves, the last one
  std::uint32_t tried_ = 0, names_left_ = 0;      // records of the trial; free slots that it has not taken
  int need_ = 0;                                  // fitness
  std::uint32_t last_ = 0, spare_ = kFirstSpare;  // the slot that repeated moves go on from; the next spare one
  bool is_ahead_ = false;                         // the position is that after repeated moves
  std::uint32_t changed_ = 0;                     // columns that differ from the old line
  std::uint32_t draws_ = 0;                       // drawn so far
  std::uint32_t even_draw_ = 0, odd_draw_ = 0;    // a pair of the draws in each lane

  // The position.
  LaneWords alive_{};
  LaneWords pieces_{};  // blocks of the group that is followed
  std::uint32_t block_ = 0;
  uint2 counts_{}, counts_ahead_{};
  int points_ = 0, points_ahead_ = 0;
  int base_ = -1;           // a slot whose position to go on from, ...
  std::uint32_t kept_ = 0;  // ... but for these columns
};

__device__ __forceinline__ ChainWalk::ChainWalk(const ChainAdvance& advance, ChainScratch& scratch, int chain,
                                                bool exists)
    : advance_(advance),
      table_(*advance.table),
      board_(lanes_, scratch),
      start_(scratch.start),
      memory_(advance.arrays.memory[chain]) {
  const ChainState state = memory_.state;
  moves_ = static_cast<std::uint32_t>(state.moves);
  free_ = static_cast<std::uint32_t>(state.free);
  evaluation_ = state.evaluation;
  todo_ = advance.fresh ? advance.evaluations : state.todo;
  begins_ = state.given >= 0;
  stage_ = exists ? Stage::kNew : Stage::kRests;
  tabu_ = {0x7FFF7FFFu, 0x7FFF7FFFu};
#pragma unroll
  for (int p = 0; p < kChainPlanes; ++p) {
    const uint2 plane = start_[p][lanes_.lane];
    const std::uint32_t inverted = state.tabu >> p & 1 ? 0 : ~0u;
    tabu_.word[0] &= plane.x ^ inverted;
    tabu_.word[1] &= plane.y ^ inverted;
  }
  asm volatile("" : "+r"(tabu_.word[0]), "+r"(tabu_.word[1]));  // made once, not in every turn
  counts_ = memory_.counts[slot_of(memory_.line[moves_])];
  points_ = points_of(memory_.line[moves_]);
  fitness_ = fitness_here();
}

__device__ __forceinline__ void ChainWalk::save() {
  ChainState& state = memory_.state;
  ChainTotals& totals = *advance_.totals;
  switch (lanes_.lane) {
    case 0: {
      const bool has_begun = state.given >= 0 && !begins_;
      atomicAdd(&totals.begun, has_begun ? 1 : 0);
      atomicAdd(&totals.evaluations, evaluation_ - state.evaluation - (has_begun ? 1 : 0));
      atomicAdd(&totals.accepted, counter_);
      state.moves = static_cast<int>(moves_);
      state.free = static_cast<int>(free_);
      if (has_begun) state.given = -1;
      state.evaluation = evaluation_;
      state.todo = todo_;
      break;
    }
    case 1:
      atomicAdd(&totals.moves, counter_);
      break;
    case 2:
      atomicAdd(&totals.repeated, counter_);
      break;
    default:
      atomicAdd(&totals.met, counter_ & 0xFFFF);
      atomicAdd(&totals.cut, counter_ >> 16);
  }
}

// Returns the fitness of a game that ends here.
__device__ __forceinline__ int ChainWalk::fitness_here() const {
  return points_ + LeftBlocks(counts_).end(advance_.points, table_);
}

__device__ __forceinline__ void ChainWalk::give_up_if_hopeless() {
  const LeftBlocks now(counts_);
  if (points_ + now.most(advance_.points, table_) + table_.bonus[now.singles] >= need_) return;
  stage_ = Stage::kOver;
  need_ = kHopeless;
}

// Plays the next move that the chain begins with, or goes on at random.
__device__ __forceinline__ void ChainWalk::next_given() {
  if (++move_ <= late_after_) {
    block_ = block_of(memory_.line[move_]);
#pragma unroll
    for (std::uint32_t i = 0; i < kLaneWords; ++i)
      pieces_.word[i] = block_ >> 5 == lanes_.word + i ? 1u << (block_ & 31) : 0;
    stage_ = Stage::kNamed;
  } else {
    part_ = Part::kEnd;
    stage_ = Stage::kRandom;
  }
}

__device__ __forceinline__ void ChainWalk::begin_evaluation() {
  if (todo_ == 0 && !begins_) {
    stage_ = Stage::kRests;
    clear_pieces();
    return;
  }
  even_draw_ = philox_pair(evaluation_, lanes_.lane, memory_.state.seed, odd_draw_);
  draws_ = kFirstRandomDraw;
  tried_ = 0;
  names_left_ = free_;
  spare_ = kFirstSpare;
  is_ahead_ = false;
  skipped_ = late_after_ = 0;
  const std::uint32_t heat = lanes_.from(even_draw_, 0), kind = lanes_.from(odd_draw_, 0);
  const std::uint32_t move = lanes_.from(even_draw_, 1), to = lanes_.from(odd_draw_, 1);
  need_ = fitness_ - table_.loss[heat >> (32 - game::AcceptanceTable::kDrawBits)];
  if (begins_) {
    need_ = kBeginning;
    from_ = move_ = 0;
    late_after_ = static_cast<std::uint32_t>(memory_.state.given);
    part_ = Part::kGiven;
    next_given();
  } else {
    propose(kind, move, to);
  }
  const ChainRecord record = memory_.line[from_];
  last_ = slot_of(record);
  base_ = static_cast<int>(last_);
  counts_ = memory_.counts[last_];
  points_ = points_of(record);
  if (stage_ == Stage::kFollow) {  // a move is left out
    const ChainRecord left_out = memory_.line[move_ - 1];
    changed_ = unpacked_high(left_out.x);
    measure_against(left_out);
    alive_ = position_in(last_);
  }
}

__device__ __forceinline__ void ChainWalk::propose(std::uint32_t kind_draw, std::uint32_t move_draw,
                                                   std::uint32_t to_draw) {
  const std::uint32_t kind = __umulhi(kind_draw, 100);
  const std::uint32_t move = 1 + __umulhi(move_draw, moves_);
  part_ = Part::kFollow;
  if (moves_ < 2 || kind >= kMoveElsewhere) {  // plays the end anew
    from_ = __umulhi(move_draw, moves_ + 1);
    stage_ = Stage::kRandom;
    part_ = Part::kEnd;
    return;
  }
  from_ = move - 1;
  if (kind < kLeaveOut) {
    stage_ = Stage::kFollow;
    move_ = move + 1;
  } else if (kind < kReplace) {
    stage_ = Stage::kRandom;
    part_ = Part::kFirst;
    move_ = kind < kInsert ? move - 1 : move;
  } else {
    std::uint32_t to = 1 + __umulhi(to_draw, moves_ - 1);
    to += to >= move;
    if (to > move) {
      stage_ = Stage::kFollow;
      move_ = move + 1;
      late_after_ = to;
    } else {
      from_ = move_ = to - 1;
      part_ = Part::kFirst;
      skipped_ = move;
      play_blocks_of(move);
    }
  }
}

// Compares the position with the old one after the same move.
__device__ __forceinline__ void ChainWalk::compare(bool& is_in_doubt, std::uint32_t& met) {
  if (part_ == Part::kGiven) {
    next_given();
    return;
  }
  const ChainRecord record = memory_.line[move_];
  LaneWords differ = position_in(slot_of(record));
#pragma unroll
  for (int i = 0; i < kLaneWords; ++i)
    differ.word[i] ^= alive_.word[i];
  changed_ = lanes_.columns_of(differ, lanes_.mask);
  measure_against(record);
  if (part_ == Part::kFollow && move_ == late_after_) {
    part_ = Part::kLate;
    play_blocks_of(from_ + 1);
  } else if (changed_ == 0 && (part_ == Part::kFirst || move_ >= late_after_)) {
    stage_ = Stage::kOver;
    met = move_;
    if (part_ == Part::kFirst) need_ = kNothing;
  } else {
    ++move_;
    stage_ = Stage::kFollow;
    is_in_doubt = part_ != Part::kFirst;
  }
}

// Notes moves that the change has not reached as repeated.
__device__ __forceinline__ void ChainWalk::repeat_moves(std::uint32_t end) {
  if (is_ahead_ && move_ < end) {
    lanes_.store(memory_.position[spare_], alive_);
    if (lanes_.is_first()) memory_.counts[spare_] = counts_;
    last_ = spare_++;
    is_ahead_ = false;
  }
  const std::uint32_t x = packed(changed_) | (move_ - 1) << 16 | kRepeated;
  const std::uint32_t y = last_ << 8 | static_cast<std::uint32_t>(points_ahead_) << 16;
  std::uint32_t to = tried_ + lanes_.lane;
  for (std::uint32_t j = move_ + lanes_.lane; j < end; j += kChainLanes, to += kChainLanes)
    memory_.trial[to] = make_uint2(x, y | j);
  tried_ += end - move_;
}

// Goes to the next move that the change has reached, or after which one is to be played. Where repeated moves would
// need one spare slot too many, every move counts as reached. The change always reaches the move to leave out, because
// some of its blocks are gone already.
__device__ __forceinline__ void ChainWalk::follow() {
  const std::uint32_t changed =
      is_ahead_ && spare_ >= static_cast<std::uint32_t>(advance_.slots_end) ? 0xFFFFu : packed(changed_);
  std::uint32_t hit = moves_ + 1;
  for (std::uint32_t first = move_; first <= moves_; first += 2 * kChainLanes) {
    const std::uint32_t j = first + lanes_.lane;
    const bool is_hit = (memory_.line[j].x & changed) != 0 || j == late_after_;
    const bool is_hit_later = (memory_.line[j + kChainLanes].x & changed) != 0 || j + kChainLanes == late_after_;
    const std::uint32_t hits = lanes_.ballot(is_hit) | lanes_.ballot(is_hit_later) << kChainLanes;
    if (hits != 0) {
      hit = min(hit, first + __ffs(static_cast<int>(hits)) - 1);  // what lies behind the line does not count
      break;
    }
  }
  const ChainRecord record = memory_.line[hit];
  const bool reached = hit <= moves_ && (record.x & changed) != 0;
  const std::uint32_t end = reached ? hit : min(hit, moves_) + 1;
  repeat_moves(end);
  const ChainRecord before = memory_.line[end - 1];
  if (move_ < end) {
    base_ = static_cast<int>(slot_of(before));
    kept_ = changed_;
    is_ahead_ = true;
  }
  const uint2 counts = memory_.counts[slot_of(before)];
  counts_ = make_uint2(counts.x + counts_ahead_.x, counts.y + counts_ahead_.y);
  points_ = points_of(before) + points_ahead_;
  move_ = hit;
  if (reached) {
    part_ = Part::kFollow;
    const LaneWords was = position_in(slot_of(before)), then = position_in(slot_of(record));
    block_ = block_of(record);
    stage_ = Stage::kNamed;
#pragma unroll
    for (int i = 0; i < kLaneWords; ++i)
      pieces_.word[i] = was.word[i] & ~then.word[i];
    if (hit == skipped_) clear_pieces();
  } else if (hit <= moves_) {
    part_ = Part::kLate;
    play_blocks_of(from_ + 1);
  } else {
    part_ = Part::kEnd;
    stage_ = Stage::kRandom;
  }
}

}  // namespace chainshot::cuda
