// Types that host and device share: boards, pieces of requests, and the arguments of the kernels. Plain types only.
#pragma once

#include <cstdint>

#include "game/engine.hpp"

namespace chainshot::cuda {

// A board as kernels read it: the planes of colour codes, the number of blocks, the number of blocks of every colour,
// and last how many boards the request has (one per colour where the tabu colour is drawn, else one). Small boards have
// 24 words of planes (word j of plane p at 3j + p, with rows j and j + 8), the blocks, two words of 8-bit counts, and
// the last word. Wide boards have 128 words of planes (row r of plane p at 4r + p), the blocks, eight words of 16-bit
// counts, two unused words, and the last word.
inline constexpr int kSmallBoardWords = 28;
inline constexpr int kWideBoardWords = 140;
inline constexpr int kSmallPlaneWords = 24;  // of these, the words of planes
inline constexpr int kWidePlaneWords = 128;

// Consecutive playouts of one request in a launch. A piece ends where the next begins.
struct PieceStart {
  std::uint32_t board;    // its number
  std::uint32_t key_low;  // the request's
  std::uint32_t key_high;
  std::uint32_t numbering;  // playout i of the launch is number i + numbering of the request, modulo 2^32
};

// How a game picks its next group.
enum class Picking : std::uint8_t {
  kTabu,      // one word per pick; the tabu is lifted only where nothing else is left
  kCounting,  // one or two words per pick; the tabu is lifted also with few blocks left, or at random
  kRoulette,  // two words per pick: a colour, then a group of it
};

inline constexpr int kPhiloxRounds = 10;
struct PhiloxKeys {
  std::uint32_t round[kPhiloxRounds][2];
};
// The keys of all rounds of a seed.
constexpr PhiloxKeys philox_keys(std::uint64_t seed) {
  PhiloxKeys keys{};
  for (std::uint32_t i = 0; i < kPhiloxRounds; ++i) {
    keys.round[i][0] = static_cast<std::uint32_t>(seed) + i * 0x9E3779B9u;
    keys.round[i][1] = static_cast<std::uint32_t>(seed >> 32) + i * 0xBB67AE85u;
  }
  return keys;
}

// Points of a playout that its word holds, either way.
inline constexpr std::int64_t kMostPlayoutPoints = (std::int64_t{1} << 21) - 1;

struct PlayoutArguments {
  const std::uint32_t* boards;
  const PieceStart* pieces;
  const std::uint32_t* first_playout;  // of every piece, and the end of the last one
  std::uint32_t playouts;
  std::uint32_t pieces_count;
  PhiloxKeys keys;
  std::uint32_t draws_per_pick;
  std::uint32_t epsilon;
  std::uint32_t random_below;
  std::uint32_t has_tabu;    // 0: all candidates are drawn from
  std::uint32_t draws_tabu;  // each playout draws one of the boards of its piece, which differ in the tabu colour
  game::Polynomial points;   // of a group
  std::uint32_t colors;      // of the roulette wheel
  const std::uint32_t* roulette;
  std::uint32_t* final_boards;  // planes of the last position of every playout
  std::uint32_t* final_games;   // points of groups << 10 | length; points have 22 bits and a sign
};

// The results of a piece.
struct Tally {
  long long sum;
  unsigned long long sum_of_squares;
  unsigned long long moves;
  unsigned long long digest;
  int best;
  int worst;
  std::uint32_t best_playout;
  std::uint32_t count;
};

struct TallyArguments {
  const std::uint32_t* final_boards;
  const std::uint32_t* final_games;
  const PieceStart* pieces;
  const std::uint32_t* first_playout;
  const int* points_before;         // of every piece
  const std::uint32_t* histograms;  // of every piece: the number of its histogram
  std::uint32_t pieces_count;
  game::Scoring scoring;
  game::HistogramSpec histogram;
  Tally* tallies;
  std::uint32_t* bin_counts;  // [histogram][bin]
};

}  // namespace chainshot::cuda
