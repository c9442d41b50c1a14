#include "host/nrpa/player.hpp"

#include <algorithm>
#include <array>

#include "host/nrpa/cell_vector.hpp"

namespace chainshot::host::nrpa {
namespace {

// A board and its legal moves, kept up to date from move to move: only groups that the last move could change are
// flooded again.
template <class Cells, int Planes>
class GroupBoard {
 public:
  using Bits = typename Cells::Bits;
  using Words = typename Cells::Words;
  using Lane = typename Cells::Lane;

  GroupBoard(const game::Position& board, const PlayerRules& rules) : rules_(rules) {
    // A colour that the planes cannot hold is not on the board.
    if (rules.tabu_color != PlayerRules::kNoColor && (rules.tabu_color + 1) >> Planes == 0)
      tabu_color_ = rules.tabu_color;
    for (int c = 0; c < board.columns(); ++c)
      for (int r = 0; r < board.rows(); ++r)
        for (int p = 0; p < Planes; ++p)
          if ((board.color_at(c, r) + 1) >> p & 1) lanes(start_[p])[c] |= static_cast<Lane>(Lane{1} << r);
    for (int color = 0; color < game::kMaxColors; ++color)
      for (int size = 0; size <= PlayerRules::kMostBiasedSize; ++size) {
        first_logit_[color][size] = rules.first_logit(color, std::max(size, 2));
        first_weight_[color][size] = weight_of(first_logit_[color][size]);
      }
    for (int n = 0; n <= game::kMaxCells; ++n)
      points_[n] = rules.scoring.group_points(n);
  }

  CHAINSHOT_INLINE void play(const Policy& policy, const game::PlayoutKey& key, Rollout& out) {
    begin(policy, out);
    game::DrawSequence draws(key);
    int points = 0;
    for (int step = 0; sum_ != 0; ++step) {
      make_room(out);
      const int cell = draw(draws.next());
      points += points_[size_[cell]];
      out.moves.append(
          {static_cast<std::uint8_t>(cell / Cells::kRows), static_cast<std::uint8_t>(cell % Cells::kRows)});
      out.played.append(life_[cell]);
      out.fingerprint = (out.fingerprint ^ out.lives[life_[cell]].code) * 0x9E3779B97F4A7C15u;
      make_move(cell, step, policy, out);
    }
    out.score = points + final_points();
  }

 private:
  struct Links {
    Bits up, right;  // the cell above, or on the right, is of the same colour
    Bits occupied;
  };

  static Lane* lanes(Words& words) { return reinterpret_cast<Lane*>(words.word); }

  CHAINSHOT_INLINE void begin(const Policy& policy, Rollout& out) {
    out.clear();
    for (int p = 0; p < Planes; ++p)
      plane_[p] = start_[p];
    for (std::uint64_t& word : firsts_.word)
      word = 0;
    sum_ = 0;
    only_tabu_ = false;
    find_links();
    make_room(out);
    const Bits everywhere = ~Bits{};
    add_moves(everywhere, 0, policy, out);
  }

  // For all that one step can add.
  static CHAINSHOT_INLINE void make_room(Rollout& out) {
    out.moves.make_room(1);
    out.played.make_room(1);
    out.lives.make_room(Cells::kCells / 2);
  }

  CHAINSHOT_INLINE int draw(std::uint32_t random) const {
    Weight left = draw_below(sum_, random);
    for (int w = 0; w < Cells::kWords; ++w)
      for (std::uint64_t word = firsts_.word[w]; word != 0; word &= word - 1) {
        const int cell = 64 * w + std::countr_zero(word);
        if (left < weight_[cell]) return cell;
        left -= weight_[cell];
      }
    return -1;  // not reached: the weights add up to sum_
  }

  CHAINSHOT_INLINE void find_links() {
    Bits differ_up{}, differ_right{}, occupied{};
    for (int p = 0; p < Planes; ++p) {
      Bits plane, right;
      Cells::load(plane, plane_[p]);
      Cells::from_right(right, plane);
      occupied |= plane;
      differ_up |= plane ^ (plane >> 1);
      differ_right |= plane ^ right;
    }
    links_.up = occupied & ~differ_up;
    links_.right = occupied & ~differ_right;
    links_.occupied = occupied;
  }

  CHAINSHOT_INLINE void spread(Bits& cells) const {
    Bits right, left;
    const Bits to_right = cells & links_.right;
    Cells::from_left(right, to_right);
    Cells::from_right(left, cells);
    cells |= ((cells & links_.up) << 1) | ((cells >> 1) & links_.up) | right | (left & links_.right);
  }
  CHAINSHOT_INLINE void flood(Bits& cells) const {
    for (;;) {
      spread(cells);
      const Bits before = cells;
      spread(cells);
      if (!Cells::any(cells ^ before)) return;
    }
  }

  CHAINSHOT_INLINE void make_move(int cell, int step, const Policy& policy, Rollout& out) {
    Bits removed;
    Cells::load(removed, mask_[cell]);
    moved_ = {};
    remove(mask_[cell]);
    Bits moved;
    Cells::load(moved, moved_);
    moved |= removed | (Bits{} - removed);  // in every column, all cells from the lowest removed one up
    if (only_tabu_) moved = ~Bits{};
    // A group that loses cells leaves pieces behind, each with a cell that was linked to one that moved.
    Bits changed = moved & links_.occupied;
    spread(changed);
    find_links();
    changed = (changed | moved) & links_.occupied;
    flood(changed);
    const Bits ended = changed | moved;
    end_groups(ended, step, out);
    add_moves(changed, step + 1, policy, out);
  }

  // Takes the cells of a group out of the planes, drops what lies above them and closes empty columns. Marks the
  // columns that moved.
  CHAINSHOT_INLINE void remove(const Words& group) {
    int emptied = -1;
    for (int w = 0; w < Cells::kWords; ++w)
      for (std::uint64_t word = group.word[w]; word != 0;) {
        const int in_word = std::countr_zero(word) / Cells::kRows;
        const int lane = w * Cells::kLanesPerWord + in_word;
        const auto rows = static_cast<Lane>(word >> (in_word * Cells::kRows));
        if constexpr (Cells::kLanesPerWord > 1) {
          word &= ~(std::uint64_t{static_cast<Lane>(~Lane{0})} << (in_word * Cells::kRows));
        }
        if (drop(lane, rows) == 0 && emptied < 0) emptied = lane;
      }
    if (emptied >= 0) close_columns(emptied);
  }

  // Returns the blocks left in the column.
  CHAINSHOT_INLINE Lane drop(int lane, Lane rows) {
    Lane column[Planes];
    for (int p = 0; p < Planes; ++p)
      column[p] = lanes(plane_[p])[lane];
    for (Lane left = rows; left != 0;) {
      const int low = std::countr_zero(left);
      const int run = std::countr_one(static_cast<Lane>(left >> low));
      const auto below = static_cast<Lane>((Lane{1} << low) - 1);
      // A run of all rows would be a shift by the width of a lane, which C++ leaves open: hence two shifts.
      const auto falls = [&](Lane x) {
        return static_cast<Lane>((x & below) | (static_cast<Lane>(x >> 1 >> (run - 1)) & ~below));
      };
      for (int p = 0; p < Planes; ++p)
        column[p] = falls(column[p]);
      left = falls(left);
    }
    Lane occupied = 0;
    for (int p = 0; p < Planes; ++p) {
      lanes(plane_[p])[lane] = column[p];
      occupied |= column[p];
    }
    return occupied;
  }

  CHAINSHOT_INLINE void close_columns(int first_empty) {
    int to = first_empty;
    for (int from = first_empty; from < Cells::kLanes; ++from) {
      Lane occupied = 0;
      for (int p = 0; p < Planes; ++p)
        occupied |= lanes(plane_[p])[from];
      lanes(moved_)[from] = static_cast<Lane>(~Lane{0});
      if (occupied == 0) continue;
      for (int p = 0; p < Planes; ++p)
        lanes(plane_[p])[to] = lanes(plane_[p])[from];
      ++to;
    }
    for (; to < Cells::kLanes; ++to)
      for (int p = 0; p < Planes; ++p)
        lanes(plane_[p])[to] = 0;
  }

  CHAINSHOT_INLINE void end_groups(const Bits& dead, int step, Rollout& out) {
    Words words;
    Cells::store(words, dead);
    for (int w = 0; w < Cells::kWords; ++w) {
      std::uint64_t ends = firsts_.word[w] & words.word[w];
      firsts_.word[w] ^= ends;
      for (; ends != 0; ends &= ends - 1) {
        const int cell = 64 * w + std::countr_zero(ends);
        sum_ -= weight_[cell];
        out.lives[life_[cell]].death = static_cast<std::uint16_t>(step + 1);
      }
    }
  }

  CHAINSHOT_INLINE void color_cells(Bits& cells, int color) const {
    cells = links_.occupied;
    for (int p = 0; p < Planes; ++p) {
      Bits plane;
      Cells::load(plane, plane_[p]);
      cells &= (color + 1) >> p & 1 ? plane : ~plane;
    }
  }

  // Makes legal moves of the groups within `changed`, a set that no group straddles; if that leaves no move at all, of
  // all groups of the tabu colour.
  CHAINSHOT_INLINE void add_moves(const Bits& changed, int step, const Policy& policy, Rollout& out) {
    only_tabu_ = false;
    Bits cells = changed;
    for (;;) {
      add_groups(cells, step, policy, out);
      if (sum_ != 0 || only_tabu_ || tabu_color_ == PlayerRules::kNoColor) return;
      only_tabu_ = true;
      cells = ~Bits{};
    }
  }

  CHAINSHOT_INLINE void add_groups(const Bits& cells, int step, const Policy& policy, Rollout& out) {
    // A group's first cell has no equal cell below or on its left, and if the cell above is equal, the one left of that
    // is not. Few other cells are like that; `add_group` finds them out.
    Bits left;
    Cells::from_left(left, links_.right);
    Bits seeds = cells & (links_.up | links_.right) & ~(links_.up << 1) & ~left & ~(links_.up & (left >> 1));
    if (tabu_color_ != PlayerRules::kNoColor) {
      Bits of_color;
      color_cells(of_color, tabu_color_);
      seeds &= only_tabu_ ? of_color : ~of_color;
    }
    Words words;
    Cells::store(words, seeds);
    for (int w = 0; w < Cells::kWords; ++w)
      for (std::uint64_t word = words.word[w]; word != 0; word &= word - 1)
        add_group(w, word & -word, step, policy, out);
  }

  CHAINSHOT_INLINE void add_group(int w, std::uint64_t seed, int step, const Policy& policy, Rollout& out) {
    Words group;
    Bits cells;
    Cells::from_word(cells, w, seed);
    flood(cells);
    Cells::store(group, cells);
    std::uint64_t before = group.word[w] & (seed - 1);
    for (int i = 0; i < w; ++i)
      before |= group.word[i];
    if (before != 0) return;  // not the group's first cell
    const int bit = std::countr_zero(seed), cell = 64 * w + bit;
    std::uint64_t color_code = 0;
    for (int p = 0; p < Planes; ++p)
      color_code |= (plane_[p].word[w] >> bit & 1) << p;
    Code code = code_part(-1, color_code);
    int size = 0;
    for (int i = 0; i < Cells::kWords; ++i) {
      size += std::popcount(group.word[i]);
      code += code_part(i, group.word[i]);
    }
    code |= code == 0;
    const auto color = static_cast<std::size_t>(color_code - 1);
    const auto biased_size = static_cast<std::size_t>(std::min(size, PlayerRules::kMostBiasedSize));
    const Weight weight = policy.weight(code, first_weight_[color][biased_size]);
    mask_[cell] = group;
    size_[cell] = static_cast<std::uint16_t>(size);
    weight_[cell] = weight;
    life_[cell] = static_cast<std::uint32_t>(out.lives.size());
    sum_ += weight;
    firsts_.word[w] |= seed;
    out.lives.append({code, first_logit_[color][biased_size], static_cast<std::uint16_t>(step), 0});
  }

  int final_points() const {
    std::array<int, game::kMaxColors> left{};
    for (int w = 0; w < Cells::kWords; ++w) {
      std::uint64_t occupied = 0;
      for (int p = 0; p < Planes; ++p)
        occupied |= plane_[p].word[w];
      for (; occupied != 0; occupied &= occupied - 1) {
        const int bit = std::countr_zero(occupied);
        std::size_t code = 0;
        for (int p = 0; p < Planes; ++p)
          code |= (plane_[p].word[w] >> bit & 1) << p;
        ++left[code - 1];
      }
    }
    return rules_.scoring.final_points(left);
  }

  const PlayerRules rules_;
  int tabu_color_ = PlayerRules::kNoColor;
  std::array<Words, Planes> start_{}, plane_{};
  Links links_;
  Words firsts_{};  // the first cells of legal moves
  Words moved_{};
  Weight sum_ = 0;  // of the weights of legal moves
  bool only_tabu_ = false;
  // By the first cell of a group:
  std::array<Words, Cells::kCells> mask_;
  std::array<Weight, Cells::kCells> weight_;
  std::array<std::uint16_t, Cells::kCells> size_;
  std::array<std::uint32_t, Cells::kCells> life_;
  std::array<std::array<Logit, PlayerRules::kMostBiasedSize + 1>, game::kMaxColors> first_logit_;
  std::array<std::array<Weight, PlayerRules::kMostBiasedSize + 1>, game::kMaxColors> first_weight_;
  std::array<int, game::kMaxCells + 1> points_;
};

template <class Board>
class PortablePlayer final : public Player {
 public:
  PortablePlayer(const game::Position& board, const PlayerRules& rules) : board_(board, rules) {}
  void play(const Policy& policy, const game::PlayoutKey& key, Rollout& out) override { board_.play(policy, key, out); }
  std::uint64_t bytes() const override { return sizeof *this; }

 private:
  Board board_;
};

#if defined(__x86_64__)
template <class Board>
class Avx2Player final : public Player {
 public:
  Avx2Player(const game::Position& board, const PlayerRules& rules) : board_(board, rules) {}
  __attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt"))) void play(const Policy& policy, const game::PlayoutKey& key,
                                                                  Rollout& out) override {
    board_.play(policy, key, out);
  }
  std::uint64_t bytes() const override { return sizeof *this; }

 private:
  Board board_;
};

bool has_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("lzcnt");
}
#endif

template <class Board>
std::unique_ptr<Player> make(const game::Position& board, const PlayerRules& rules, PlayerCode code) {
#if defined(__x86_64__)
  if (code == PlayerCode::kFastest && has_avx2()) return std::make_unique<Avx2Player<Board>>(board, rules);
#endif
  (void)code;
  return std::make_unique<PortablePlayer<Board>>(board, rules);
}

}  // namespace

std::unique_ptr<Player> make_player(const game::Position& board, const PlayerRules& rules, PlayerCode code,
                                    PlayerGeometry geometry) {
  if (geometry == PlayerGeometry::kFitting && game::fits_small(board.columns(), board.rows(), board.colors()))
    return make<GroupBoard<SmallCells, 3>>(board, rules, code);
  return make<GroupBoard<WideCells, 4>>(board, rules, code);
}

}  // namespace chainshot::host::nrpa
