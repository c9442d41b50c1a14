#include "host/analysis/clearing_search.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "game/random.hpp"
#include "host/analysis/lost_positions.hpp"
#include "host/analysis/packed_board.hpp"

namespace chainshot::host {
namespace {

constexpr std::uint64_t kFirstTry = 200;      // positions before the first restart
constexpr std::uint64_t kStopCheck = 1024;    // positions between looks at the stop token
constexpr int kSingleWeight = 4, kNoise = 8;  // random preferences are worth up to two blocks without a neighbour

template <int Words, int Planes>
class PackedClearingSearch final : public ClearingSearch {
 public:
  PackedClearingSearch(int columns, int rows, int colors) : rules_(columns, rows), colors_(colors) {}

  ClearingAnswer decide(const game::Position& position, const ClearingLimit& limit) override {
    const Board board = rules_.pack(position);
    answer_ = {};
    noise_ = 0;
    if (board.is_empty()) {
      answer_.clearable = Clearable::kYes;
      return answer_;
    }
    if (badness(board) == kLost) {
      answer_.clearable = Clearable::kNo;
      return answer_;
    }
    lost_.clear();
    stop_ = limit.stop;
    std::uint64_t room = kFirstTry;
    for (; answer_.clearable == Clearable::kUnknown && answer_.nodes < limit.nodes && !stopped_; ++noise_) {
      until_ = room < limit.nodes - answer_.nodes ? answer_.nodes + room : limit.nodes;
      room += room / 4;
      children_.clear();
      order_.clear();
      answer_.clearable = search(board);
    }
    stopped_ = false;
    std::reverse(answer_.moves.begin(), answer_.moves.end());
    return std::move(answer_);
  }

 private:
  using Rules = PackedRules<Words, Planes>;
  using Board = typename Rules::Board;
  using CellBits = typename Rules::CellBits;
  struct Child {
    Board board;
    game::Cell cell;
  };
  static constexpr int kLost = -1;

  // Counts blocks without an equal neighbour, with some noise after a restart. kLost if a colour has one block.
  int badness(const Board& board) const {
    int singles = 0;
    for (int color = 0; color < colors_; ++color) {
      const CellBits cells = Rules::cells_of_color(board, color), paired = rules_.with_neighbor(cells);
      int blocks = 0;
      for (int w = 0; w < Words; ++w) {
        blocks += std::popcount(cells[w]);
        singles += std::popcount(cells[w] & ~paired[w]);
      }
      if (blocks == 1) return kLost;
    }
    if (noise_ == 0) return singles * kSingleWeight;
    return singles * kSingleWeight + static_cast<int>(hash(board, noise_) % kNoise);
  }

  // Appends the positions after every move, but not lost ones. Returns true if a move clears the board; the answer
  // has it then.
  bool add_children(const Board& board) {
    for (int color = 0; color < colors_; ++color) {
      const CellBits cells = Rules::cells_of_color(board, color);
      CellBits rest = rules_.with_neighbor(cells);
      for (int w = 0; w < Words; ++w) {
        while (rest[w] != 0) {
          CellBits group{};
          group[w] = rest[w] & (~rest[w] + 1);
          const game::Cell cell = rules_.layout().cell_of(w, std::countr_zero(rest[w]));
          group = rules_.flood(group, cells);
          for (int v = w; v < Words; ++v)
            rest[v] &= ~group[v];
          Child child{board, cell};
          rules_.remove(child.board, group);
          if (child.board.is_empty()) {
            answer_.moves.push_back(cell);
            return true;
          }
          const int singles = badness(child.board);
          if (singles == kLost) continue;
          order_.emplace_back(singles, children_.size());
          children_.push_back(child);
        }
      }
    }
    return false;
  }

  // Searches a position that is not empty. Moves come into the answer from the last to the first.
  Clearable search(const Board& board) {
    if (answer_.nodes >= until_ || stopped_) return Clearable::kUnknown;
    if (++answer_.nodes % kStopCheck == 0) stopped_ = stop_.stop_requested();
    const std::size_t first = children_.size();
    Clearable found = Clearable::kNo;
    if (add_children(board)) {
      found = Clearable::kYes;
    } else {
      std::sort(order_.begin() + static_cast<std::ptrdiff_t>(first), order_.end());
      for (std::size_t i = first, end = order_.size(); i < end && found == Clearable::kNo; ++i)
        found = search_child(order_[i].second);
    }
    children_.resize(first);
    order_.resize(first);
    return found;
  }

  Clearable search_child(std::size_t i) {
    const Board board = children_[i].board;
    const LostPositions::Key key = key_of(board);
    if (lost_.contains(key)) return Clearable::kNo;
    const game::Cell cell = children_[i].cell;
    const Clearable found = search(board);
    if (found == Clearable::kYes) answer_.moves.push_back(cell);
    if (found == Clearable::kNo) lost_.insert(key);
    return found;
  }

  static std::uint64_t hash(const Board& board, std::uint64_t seed) {
    for (const auto& words : board.plane)
      for (const std::uint64_t word : words)
        seed = game::mix64(seed ^ word);
    return seed;
  }
  // Small boards of up to three colours are their own keys. Others have 128 bits of hash: a million positions share one
  // with a probability of 1e-27.
  static LostPositions::Key key_of(const Board& board) {
    if constexpr (Words == 1 && Planes == 2) return {board.plane[0][0], board.plane[1][0]};
    return {hash(board, 0x243F6A8885A308D3u), hash(board, 0x13198A2E03707344u)};
  }

  Rules rules_;
  int colors_;
  LostPositions lost_;
  std::vector<Child> children_;                     // of all positions on the path
  std::vector<std::pair<int, std::size_t>> order_;  // how bad each of them is, and its number
  ClearingAnswer answer_;
  std::stop_token stop_;
  std::uint64_t until_ = 0;
  std::uint64_t noise_ = 0;
  bool stopped_ = false;
};

template <int Words>
std::unique_ptr<ClearingSearch> make_with_words(int columns, int rows, int colors) {
  if (colors <= 3) return std::make_unique<PackedClearingSearch<Words, 2>>(columns, rows, colors);
  if (colors <= 7) return std::make_unique<PackedClearingSearch<Words, 3>>(columns, rows, colors);
  return std::make_unique<PackedClearingSearch<Words, 4>>(columns, rows, colors);
}

}  // namespace

std::unique_ptr<ClearingSearch> make_clearing_search(int columns, int rows, int colors) {
  const int words = PackedLayout(columns, rows).words();
  if (words == 1) return make_with_words<1>(columns, rows, colors);
  if (words == 2) return make_with_words<2>(columns, rows, colors);
  if (words <= 4) return make_with_words<4>(columns, rows, colors);
  return make_with_words<game::kMaxColumns>(columns, rows, colors);
}

}  // namespace chainshot::host
