// Lanes: a few Words full of games, fed from a source until it has no more. Every few turns, lanes whose game is over
// hand in their result and take the next game, and all lanes draw random numbers for the turns to come.
#pragma once

#include <bit>
#include <cstring>

#include "game/lanes/bundle.hpp"
#include "game/lanes/lane_program.hpp"
#include "game/lanes/turn.hpp"

namespace chainshot::cpu {

using lanes::Board;
using lanes::Bundle;
using lanes::Draw;
using lanes::LaneGame;
using lanes::LaneProgram;
using lanes::LaneResult;
using lanes::LaneSource;
using lanes::unroll;
// Operations for Words that do not define their own.
using game::and_not;
using game::or3;
using game::or_and;
using game::or_and_not;
using game::popcount_parts;
using game::select;
using game::sum_parts;

// Random numbers of all lanes, eight words each: draw d is word d mod 8. A refill computes the block of four that holds
// draw d + 3, so that draws d to d + 3 are there until the next refill.
template <class W, class W32>
struct RandomRing {
  static constexpr int kWords = 8;
  static constexpr int kWides = sizeof(typename W::Lane) == 2 ? 2 : 1;  // 16-bit lanes take two words of 32-bit lanes

  Draw<W> word[kWords];
  W next;  // the number of the lane's next draw
  // The lanes' counters, by parts of the bundle. With 16-bit lanes, [0] holds the even lanes and [1] the odd ones.
  struct Counters {
    alignas(64) std::uint32_t playout[kWides][W32::kLanes];
    alignas(64) std::uint32_t request_low[kWides][W32::kLanes];
    alignas(64) std::uint32_t request_high[kWides][W32::kLanes];
  } counters[W::kParts];
};

// A mask of lanes in which bit N of `a` is set.
template <int N, class W>
CHAINSHOT_HD W bit_mask(W a) {
  return sign(shl<8 * static_cast<int>(sizeof(typename W::Lane)) - 1 - N>(a));
}

// Lanes of 16 bits as 32-bit numbers: even lanes, or odd ones.
template <int Wide, class W>
CHAINSHOT_HD auto widen(W a) {
  if constexpr (sizeof(typename W::Lane) == 4) {
    return a;
  } else {
    const auto pairs = as_pairs(a);
    if constexpr (Wide == 0) {
      return pairs & decltype(pairs)::fill(0xFFFF);
    } else {
      return shr<16>(pairs);
    }
  }
}
template <class W, class W32>
CHAINSHOT_HD W join_low(const W32 (&part)[sizeof(typename W::Lane) == 2 ? 2 : 1]) {
  if constexpr (sizeof(typename W::Lane) == 4) {
    return part[0];
  } else {
    return as_halves(select(W32::fill(0xFFFF), part[0], shl<16>(part[1])));
  }
}
template <class W, class W32>
CHAINSHOT_HD W join_high(const W32 (&part)[sizeof(typename W::Lane) == 2 ? 2 : 1]) {
  if constexpr (sizeof(typename W::Lane) == 4) {
    return part[0];
  } else {
    return as_halves(select(W32::fill(0xFFFF), shr<16>(part[0]), part[1]));
  }
}

// The keys of Philox4x32-10 (Salmon et al. 2011), one pair per round. It is a template on the word only so that every
// instruction set has a type of its own.
template <class W32>
struct PhiloxKeys {
  std::uint32_t round[10][2];

  explicit PhiloxKeys(std::uint64_t seed) {
    for (std::uint32_t i = 0; i < 10; ++i) {
      round[i][0] = static_cast<std::uint32_t>(seed) + i * 0x9E3779B9u;
      round[i][1] = static_cast<std::uint32_t>(seed >> 32) + i * 0xBB67AE85u;
    }
  }
};
// Runs N words of counters through each round together, because a round waits for the one before.
template <class W32, int N>
CHAINSHOT_HD void philox(W32 (&counters)[N][4], const PhiloxKeys<W32>& keys) {
  const W32 m0 = W32::fill(0xD2511F53u), m1 = W32::fill(0xCD9E8D57u);
  CHAINSHOT_LOOP
  for (const auto& key : keys.round) {
    for (W32(&counter)[4] : counters) {
      const auto p0 = multiply_wide(counter[0], m0), p1 = multiply_wide(counter[2], m1);
      counter[0] = p1.high ^ counter[1] ^ W32::fill(key[0]);
      counter[2] = p0.high ^ counter[3] ^ W32::fill(key[1]);
      counter[1] = p1.low;
      counter[3] = p0.low;
    }
  }
}

template <class W, class W32>
CHAINSHOT_HD void refill_ring(RandomRing<W, W32>& ring, const PhiloxKeys<W32>& keys) {
  using H = typename W::Part;
  constexpr int kWides = RandomRing<W, W32>::kWides;
  H block[W::kParts];
  W32 counters[W::kParts * kWides][4];
  unroll<W::kParts>([&](auto part) CHAINSHOT_INLINE_LAMBDA {
    block[part] = shr<2>(ring.next.part[part] + H::fill(3));
    unroll<kWides>([&](auto wide) CHAINSHOT_INLINE_LAMBDA {
      const auto& lanes = ring.counters[part];
      W32(&counter)[4] = counters[part * kWides + wide];
      counter[0] = widen<wide.value>(block[part]);
      std::memcpy(&counter[1], lanes.playout[wide], sizeof(W32));
      std::memcpy(&counter[2], lanes.request_low[wide], sizeof(W32));
      std::memcpy(&counter[3], lanes.request_high[wide], sizeof(W32));
    });
  });
  philox(counters, keys);
  unroll<W::kParts>([&](auto part) CHAINSHOT_INLINE_LAMBDA {
    const H upper = bit_mask<0>(block[part]);  // odd blocks are words 4 to 7
    for (int w = 0; w < 4; ++w) {
      W32 words[kWides];
      for (int wide = 0; wide < kWides; ++wide)
        words[wide] = counters[part * kWides + wide][w];
      const auto keep = [&](W Draw<W>::*half, H value) CHAINSHOT_INLINE_LAMBDA {
        H& first = (ring.word[w].*half).part[part];
        H& second = (ring.word[w + 4].*half).part[part];
        first = select(upper, first, value);
        second = select(upper, value, second);
      };
      keep(&Draw<W>::high, join_high<H, W32>(words));
      if constexpr (sizeof(typename W::Lane) == 2) keep(&Draw<W>::low, join_low<H, W32>(words));
    }
  });
}

// One body plays every policy. Policies differ by a few steps before the pick, behind branches that go the same way for
// a whole run.
template <class W, class W32, int Rows, int Planes>
class Lanes {
 public:
  using Part = typename W::Part;
  using Lane = typename W::Lane;
  static constexpr int kCodes = 1 << Planes;

  Lanes(const LaneProgram& program, LaneSource& source)
      : program_(program), turns_per_refill_(4 / program.draws_per_pick), keys_(program.seed), source_(source) {
    std::memset(static_cast<void*>(&board_), 0, sizeof board_);
    std::memset(static_cast<void*>(&ring_), 0, sizeof ring_);
    std::memset(static_cast<void*>(color_counts_), 0, sizeof color_counts_);
    std::memset(static_cast<void*>(dump_), 0, sizeof dump_);
    fresh_ = W::fill(static_cast<Lane>(~Lane{0}));
    second_ = {W::fill(0), W::fill(0)};
    board_.over = W::fill(static_cast<Lane>(~Lane{0}));
    board_.top = Rows;
  }

  void run() {
    while (refill())
      for (int t = 0; t < turns_per_refill_; ++t)
        turn();
  }

 private:
  // Hands in finished games and starts new ones. False once nothing is left to play.
  bool refill() {
    bool more = true, started = false;
    const std::uint64_t all_over = sign_bits(board_.over);
    for (std::uint64_t over = keeps_cohort(all_over) ? 0 : all_over; over != 0; over &= over - 1) {
      const int lane = __builtin_ctzll(over);
      const std::uint64_t bit = std::uint64_t{1} << lane;
      if ((busy_ & bit) != 0) finish(lane);
      LaneGame game;
      if (more && source_.take(game)) {
        start(lane, game);
        busy_ |= bit;
        started = true;
      } else {
        more = false;
        busy_ &= ~bit;
      }
    }
    if (busy_ == 0) {
      hand_in();
      return false;
    }
    while (board_.top > board_.kLeastTop && is_empty(board_.row[board_.top - 1].cells))
      --board_.top;
    if (started) cohort_top_ = board_.top;
    refill_ring(ring_, keys_);
    return true;
  }

  // On wide boards, games that started together lose their upper rows together, and turns get cheaper. Once they have,
  // lanes whose game is over wait until few others still play: that takes 8 % more lane-turns with 17 % fewer rows
  // each. It is done only where all lanes started with equally many blocks; otherwise lanes would wait for long games.
  bool keeps_cohort(std::uint64_t over) const {
    constexpr std::uint64_t kAll = ~std::uint64_t{0} >> (64 - W::kLanes);
    if (!Board<W, Rows, Planes>::kWide || busy_ != kAll || board_.top >= cohort_top_ - 2) return false;
    if (8 * std::popcount(over) >= 7 * W::kLanes) return false;
    for (int lane = 1; lane < W::kLanes; ++lane)
      if (game_[lane].blocks != game_[0].blocks) return false;
    return true;
  }

  CHAINSHOT_HD void turn() {
    W all = W::fill(0);
    unroll<W::kParts>([&](auto p)
                          CHAINSHOT_INLINE_LAMBDA { all.part[p.value] = lanes::settle_and_link<p.value>(board_); });
    next_draw();
    W code = W::fill(0);
    if (program_.roulette != nullptr) {
      unroll<W::kParts>([&](auto p) CHAINSHOT_INLINE_LAMBDA { code.part[p.value] = roulette_code<p.value>(); });
      keep_code(code);
    } else {
      all = tabu_off(all);
    }
    const auto low_half = [&]() CHAINSHOT_INLINE_LAMBDA {
      return program_.draws_per_pick == 2 ? draw_at_even(0, &Draw<W>::low) : draw(&Draw<W>::low);
    };
    lanes::pick_and_flood(board_, all, low_half);
    book();
    if (program_.roulette != nullptr) count_off(code);
  }

  // Takes this turn's first word for the pick, and a second one where the policy uses two. Picks of two words start at
  // even draws.
  CHAINSHOT_HD void next_draw() {
    if (program_.draws_per_pick == 2) {
      board_.random = draw_at_even(0, &Draw<W>::high);
      const Draw<W> odd = {draw_at_even(1, &Draw<W>::high), draw_at_even(1, &Draw<W>::low)};
      second_ = {select(fresh_, odd.high, second_.high), select(fresh_, odd.low, second_.low)};
    } else {
      board_.random = draw(&Draw<W>::high);
    }
  }
  // One half of the lane's next draw, and of the draw `first` after it where that one is even.
  CHAINSHOT_HD W draw(W Draw<W>::*half) const {
    return select(bit_mask<0>(ring_.next), draw_at_even(1, half), draw_at_even(0, half));
  }
  CHAINSHOT_HD W draw_at_even(int first, W Draw<W>::*half) const {
    const W b1 = bit_mask<1>(ring_.next), b2 = bit_mask<2>(ring_.next);
    const auto& word = ring_.word;
    return select(b2, select(b1, word[first + 6].*half, word[first + 4].*half),
                  select(b1, word[first + 2].*half, word[first].*half));
  }

  // A mask of lanes that draw from all candidates.
  CHAINSHOT_HD W tabu_off(W any_open) const {
    const W none_open = zero_mask(any_open);
    if (!program_.tabu) return ~W::fill(0);
    W all = none_open | sign(board_.left - W::fill(static_cast<Lane>(program_.random_below + 1)));
    if (program_.epsilon != 0) {
      if constexpr (sizeof(Lane) == 4) {
        all = all | below(second_.high, W::fill(program_.epsilon));
      } else {
        const W high = W::fill(static_cast<Lane>(program_.epsilon >> 16));
        const W low = W::fill(static_cast<Lane>(program_.epsilon));
        all = or3(all, below(second_.high, high), zero_mask(second_.high ^ high) & below(second_.low, low));
      }
    }
    return all;
  }
  static bool is_empty(const game::Cells<W, Planes>& row) { return sign_bits(~zero_mask(game::occupied(row))) == 0; }
  // A mask of lanes with a < b, unsigned.
  static CHAINSHOT_HD W below(W a, W b) { return ~zero_mask(unsigned_min(a, b) ^ b); }

  // Draws a colour by the roulette wheel among those that have a candidate, and returns its code. The arithmetic is
  // that of game/playout.cpp, on 32-bit lanes.
  template <int P>
  CHAINSHOT_HD Part roulette_code() const {
    Part found[kCodes] = {};  // candidates, by code
    for (int r = 0; r < board_.rows_in_use(); ++r) {
      const auto& row = board_.row[r];
      game::Cells<Part, Planes> cells;
      for (int p = 0; p < Planes; ++p)
        cells.plane[p] = row.cells.plane[p].part[P];
      add_by_code<Planes - 1, 0>(found, row.open.part[P] | row.reserved.part[P], cells);
    }
    W32 code[RandomRing<W, W32>::kWides];
    unroll<RandomRing<W, W32>::kWides>([&](auto wide) CHAINSHOT_INLINE_LAMBDA {
      constexpr int w = wide.value;
      const W32 left = widen<w>(board_.left.part[P]);
      const W32 first = shr<1>(multiply_low(left, left + W32::fill(1)));
      W32 weight[16], sum = W32::fill(1);
      for (int c = 0; c < program_.colors; ++c) {
        weight[c] = gather(program_.roulette, first + widen<w>(color_counts_[c].part[P]));
        sum = sum + weight[c];
      }
      W32 up_to[16], total = W32::fill(0);
      for (int c = 0; c < program_.colors; ++c) {
        total = total + and_not(sum - weight[c], zero_mask(widen<w>(found[c + 1])));
        up_to[c] = total;
      }
      const W32 ball = multiply_high(random_word<P, w>(), total);
      code[w] = W32::fill(static_cast<std::uint32_t>(program_.colors + 1));
      for (int c = 0; c < program_.colors; ++c)
        code[w] = code[w] + sign(ball - up_to[c]);
    });
    return join_low<Part, W32>(code);
  }
  // Adds cells whose code is First in the planes above P to the sets of their codes.
  template <int P, int First>
  static CHAINSHOT_HD void add_by_code(Part (&found)[kCodes], Part set, const game::Cells<Part, Planes>& cells) {
    if constexpr (P == 0) {
      found[First] = or_and_not(found[First], set, cells.plane[0]);
      found[First + 1] = or_and(found[First + 1], set, cells.plane[0]);
    } else {
      add_by_code<P - 1, First>(found, and_not(set, cells.plane[P]), cells);
      add_by_code<P - 1, First + (1 << P)>(found, set & cells.plane[P], cells);
    }
  }
  // The second word of a pick as 32-bit numbers.
  template <int P, int Wide>
  CHAINSHOT_HD W32 random_word() const {
    const Part high = second_.high.part[P], low = second_.low.part[P];
    if constexpr (sizeof(Lane) == 4) {
      return high;
    } else if constexpr (Wide == 0) {
      return shl<16>(as_pairs(high)) | widen<0>(low);
    } else {
      return select(W32::fill(0xFFFF), widen<1>(low), as_pairs(high));
    }
  }
  // Leaves only candidates of each lane's code.
  CHAINSHOT_HD void keep_code(W code) {
    const W bit[4] = {bit_mask<0>(code), bit_mask<1>(code), bit_mask<2>(code), bit_mask<3>(code)};
    game::Cells<W, Planes> wanted;
    for (int p = 0; p < Planes; ++p)
      wanted.plane[p] = bit[p];
    for (int r = 0; r < board_.rows_in_use(); ++r) {
      auto& row = board_.row[r];
      row.open = and_not(row.open | row.reserved, game::walls(row.cells, wanted));
      row.reserved = W::fill(0);
    }
  }
  // Subtracts the groups that were removed from the counts of their colours.
  CHAINSHOT_HD void count_off(W code) {
    for (int c = 0; c < program_.colors; ++c) {
      const W of_color = zero_mask(code ^ W::fill(static_cast<Lane>(c + 1)));
      color_counts_[c] = color_counts_[c] - (board_.size & board_.accepted & of_color);
    }
  }

  // Books the results of the turn: points, length, blocks left, and the step to the next draw.
  CHAINSHOT_HD void book() {
    const W accepted = board_.accepted, size = board_.size;
    if (program_.degree >= 0) board_.points = board_.points + (group_points(size) & accepted);
    board_.length = board_.length - accepted;
    board_.left = board_.left - (size & accepted);
    ring_.next = ring_.next + (board_.closed & W::fill(static_cast<Lane>(program_.draws_per_pick)));
    fresh_ = select(board_.closed, accepted, fresh_);
  }

  // By Horner's rule, modulo what a lane holds.
  CHAINSHOT_HD W group_points(W size) const {
    const auto coefficient = [&](int power)
                                 CHAINSHOT_INLINE_LAMBDA { return W::fill(static_cast<Lane>(program_.points[power])); };
    W points = coefficient(program_.degree);
    for (int power = program_.degree; power-- > 0;)
      points = multiply_low(points, size) + coefficient(power);
    return points;
  }

  // Vector types may alias their lanes.
  template <class AnyWord>
  static Lane& lane_of(AnyWord& word, int lane) {
    return reinterpret_cast<Lane*>(&word)[lane];
  }

  void start(int lane, const LaneGame& game) {
    for (int r = 0; r < Rows; ++r)
      for (int p = 0; p < Planes; ++p)
        lane_of(board_.row[r].cells.plane[p], lane) = static_cast<Lane>(game.cells[r * Planes + p]);
    board_.top = Rows;
    lane_of(board_.points, lane) = 0;
    lane_of(board_.length, lane) = 0;
    lane_of(board_.left, lane) = static_cast<Lane>(game.blocks);
    lane_of(ring_.next, lane) = 0;
    lane_of(fresh_, lane) = static_cast<Lane>(~Lane{0});
    constexpr int kWides = RandomRing<W, W32>::kWides;
    auto& counters = ring_.counters[lane / Part::kLanes];
    const int wide = lane % kWides, element = lane % Part::kLanes / kWides;
    counters.playout[wide][element] = game.playout;
    counters.request_low[wide][element] = static_cast<std::uint32_t>(game.request);
    counters.request_high[wide][element] = static_cast<std::uint32_t>(game.request >> 32);
    if (program_.roulette != nullptr)
      for (int c = 0; c < program_.colors; ++c)
        lane_of(color_counts_[c], lane) = game.color_counts[c];
    game_[lane] = game;
  }

  // Moves a finished game's board to the dump. The blocks left on dumped boards are counted for all of them at once.
  void finish(int lane) {
    for (int r = 0; r < Rows; ++r)
      for (int p = 0; p < Planes; ++p)
        lane_of(dump_[r].plane[p], dumped_) = lane_of(board_.row[r].cells.plane[p], lane);
    LaneResult& result = dumped_result_[dumped_];
    result.points = lane_of(board_.points, lane);
    result.length = lane_of(board_.length, lane);
    result.playout = game_[lane].playout;
    result.owner_index = game_[lane].owner_index;
    result.owner = game_[lane].owner;
    if (++dumped_ == Part::kLanes) hand_in();
  }

  void hand_in() {
    // At most four of eight cells in a row hold the same colour, since no two of them touch. So a byte counts 32 rows.
    Part left[kCodes];
    unroll<kCodes - 1>([&](auto index) CHAINSHOT_INLINE_LAMBDA {
      constexpr int code = index.value + 1;
      game::Cells<Part, Planes> wanted;
      for (int p = 0; p < Planes; ++p)
        wanted.plane[p] = Part::fill(static_cast<Lane>(code >> p & 1 ? ~Lane{0} : 0));
      left[code] = Part::fill(0);
      for (int r = 0; r < Rows; ++r)
        left[code] = left[code] + popcount_parts(~game::walls(dump_[r], wanted));
      left[code] = sum_parts(left[code]);
    });
    for (int i = 0; i < dumped_; ++i) {
      LaneResult& result = dumped_result_[i];
      for (int code = 1; code < kCodes; ++code)
        result.left_by_code[code] = lane_of(left[code], i);
      source_.finish(result);
    }
    dumped_ = 0;
  }

  const LaneProgram program_;
  const int turns_per_refill_;
  const PhiloxKeys<W32> keys_;
  LaneSource& source_;
  Board<W, Rows, Planes> board_;
  RandomRing<W, W32> ring_;
  W color_counts_[16];
  Draw<W> second_;  // the second word of a pick, in force until the pick is accepted
  W fresh_;         // mask: the next pick takes a new second word
  std::uint64_t busy_ = 0;
  int cohort_top_ = 0;  // board_.top when a game was started last
  LaneGame game_[W::kLanes];
  game::Cells<Part, Planes> dump_[Rows];
  LaneResult dumped_result_[Part::kLanes];
  int dumped_ = 0;
};

// Boards of fewer rows run with empty rows on top. SmallBundle and WideBundle are how many words play side by side.
template <class Word16, class Word32, int SmallBundle, int WideBundle>
void run_lanes(const LaneProgram& program, LaneSource& source) {
  using Small = Bundle<Word16, SmallBundle>;
  using Wide = Bundle<Word32, WideBundle>;
  if (program.wide && program.planes == 4) {
    Lanes<Wide, Word32, 32, 4>(program, source).run();
  } else if (program.wide) {
    Lanes<Wide, Word32, 32, 3>(program, source).run();
  } else if (program.rows == 16) {
    Lanes<Small, Word32, 16, 3>(program, source).run();
  } else {
    Lanes<Small, Word32, 15, 3>(program, source).run();
  }
}

}  // namespace chainshot::cpu
