#include "game/reference.hpp"

#include <cstdint>

namespace chainshot::game {
namespace {

std::string size_of(const ReferenceBoard& board) {
  const auto counted = [](int n, const char* noun) { return std::to_string(n) + ' ' + noun + (n == 1 ? "" : "s"); };
  return counted(board.columns(), "column") + " and " + counted(board.rows(), "row");
}

std::string why_illegal(const ReferenceBoard& board, Cell cell) {
  if (cell.column >= board.columns() || cell.row >= board.rows())
    return "it lies outside the board of " + size_of(board);
  if (board.color_at(cell.column, cell.row) == kEmpty) return "the cell is empty";
  return "the block has no equal neighbour";
}

// The terms one by one, modulo 2^32 as everywhere.
std::uint32_t value_of(const Polynomial& polynomial, int n) {
  std::uint32_t value = 0, power_of_n = 1;
  for (int power = 0; power <= Polynomial::kMaxDegree; ++power) {
    value += static_cast<std::uint32_t>(polynomial.coefficient(power)) * power_of_n;
    power_of_n *= static_cast<std::uint32_t>(n);
  }
  return value;
}

std::uint32_t final_points(const ReferenceBoard& board, const Scoring& scoring) {
  int total = 0;
  std::uint32_t deducted = 0;
  for (int left : board.color_counts()) {
    total += left;
    if (left > 0) deducted += value_of(scoring.left_per_color, left);
  }
  if (total == 0) return static_cast<std::uint32_t>(scoring.clear_bonus);
  return 0 - deducted - value_of(scoring.left, total);
}

int sum_of(int score, std::uint32_t points) {
  return static_cast<int>(static_cast<std::uint32_t>(score) + points);
}

int count_blocks(const ReferenceBoard& board) {
  int blocks = 0;
  for (int n : board.color_counts())
    blocks += n;
  return blocks;
}

bool contains(const std::vector<int>& values, int wanted) {
  for (int v : values)
    if (v == wanted) return true;
  return false;
}

bool contains(const std::vector<Cell>& cells, Cell wanted) {
  for (Cell c : cells)
    if (c == wanted) return true;
  return false;
}

// Rows 0, 8, 1, 9, ..., 7, 15 and then 16 to 31: the order in which candidates are numbered.
std::vector<int> rows_in_order() {
  std::vector<int> rows;
  for (int low = 0; low < 8; ++low) {
    rows.push_back(low);
    rows.push_back(low + 8);
  }
  for (int r = 16; r < kMaxRows; ++r)
    rows.push_back(r);
  return rows;
}

// A candidate has no equal block below or to the left, one above or to the right, and none below right that is joined
// to it by the right one.
bool is_candidate(const ReferenceBoard& board, int c, int r) {
  const int color = board.color_at(c, r);
  const auto same = [&](int column, int row) { return board.color_at(column, row) == color; };
  if (color == kEmpty || same(c - 1, r) || same(c, r - 1)) return false;
  if (same(c + 1, r)) return !same(c + 1, r - 1);
  return same(c, r + 1);
}

std::vector<Cell> all_candidates(const ReferenceBoard& board) {
  std::vector<Cell> found;
  for (int r : rows_in_order())
    for (int c = 0; c < board.columns(); ++c)
      if (is_candidate(board, c, r)) found.push_back({static_cast<std::uint8_t>(c), static_cast<std::uint8_t>(r)});
  return found;
}

// One playout: the board, its random words one after the other, and what was decided at the start.
class ReferenceGame {
 public:
  ReferenceGame(const Position& position, const PlayoutRules& rules, const PlayoutKey& key)
      : board_(position), policy_(rules.policy()), table_(rules.roulette()), key_(key), tabu_(choose_tabu()) {}

  const ReferenceBoard& board() const { return board_; }

  // Plays a move and returns the size of its group; 0 if none is left.
  int move() {
    const std::vector<Cell> candidates = all_candidates(board_);
    if (candidates.empty()) return 0;
    std::uint64_t first_word = next_word();
    const std::uint64_t second_word = takes_two_words() ? next_word() : 0;
    const std::vector<int> colors = playable_colors(candidates, second_word);
    std::vector<Cell> eligible;
    for (Cell c : candidates)
      if (contains(colors, board_.color_at(c.column, c.row))) eligible.push_back(c);
    if (policy_.by_points) return board_.apply(draw_ticket(colors, first_word));
    for (;;) {
      const std::size_t k = first_word * eligible.size() / kWordRange;
      if (is_last_of_its_group(eligible, k)) return board_.apply(eligible[k]);
      first_word = next_word();
      if (takes_two_words()) next_word();
    }
  }

 private:
  static constexpr std::uint64_t kWordRange = std::uint64_t{1} << 32;

  std::uint64_t next_word() {
    const std::uint32_t word = random_block(key_, words_used_ / 4)[words_used_ % 4];
    ++words_used_;
    return word;
  }

  bool is_tabu() const {
    return policy_.kind == PolicyKind::kTabuRandom || policy_.kind == PolicyKind::kTabuColorRandom;
  }
  bool takes_two_words() const { return policy_.kind == PolicyKind::kRoulette || (is_tabu() && policy_.epsilon > 0); }

  int choose_tabu() const {
    const std::vector<int> counts = board_.color_counts();
    if (policy_.kind == PolicyKind::kTabuColorRandom) {
      if (policy_.tabu_color >= 0) return policy_.tabu_color;
      int most = 0;
      for (int c = 0; c < kMaxColors; ++c)
        if (counts[c] > counts[most]) most = c;
      return most;
    }
    std::vector<int> present;
    for (int c = 0; c < kMaxColors; ++c)
      if (counts[c] > 0) present.push_back(c);
    if (policy_.kind != PolicyKind::kTabuRandom || present.empty()) return kEmpty;
    const std::uint64_t word = random_block(key_, kSetupBlock)[0];
    return present[word * present.size() / kWordRange];
  }

  std::vector<int> playable_colors(const std::vector<Cell>& candidates, std::uint64_t second_word) const {
    std::vector<int> available;
    for (int color = 0; color < kMaxColors; ++color)
      for (Cell c : candidates)
        if (board_.color_at(c.column, c.row) == color && !contains(available, color)) available.push_back(color);
    if (policy_.kind == PolicyKind::kRoulette) return {spin_wheel(available, second_word)};
    if (!is_tabu() || count_blocks(board_) <= policy_.random_below || second_word < policy_.epsilon) return available;
    std::vector<int> others;
    for (int color : available)
      if (color != tabu_) others.push_back(color);
    return others.empty() ? available : others;
  }

  int spin_wheel(const std::vector<int>& available, std::uint64_t second_word) const {
    const std::vector<int> counts = board_.color_counts();
    const int left = count_blocks(board_);
    std::int64_t sum = 1;
    for (int n : counts)
      sum += table_.weight(left, n);
    std::int64_t total = 0;
    for (int color : available)
      total += sum - table_.weight(left, counts[color]);
    std::int64_t ball = static_cast<std::int64_t>(second_word * static_cast<std::uint64_t>(total) / kWordRange);
    for (int color : available) {
      ball -= sum - table_.weight(left, counts[color]);
      if (ball < 0) return color;
    }
    return available.back();
  }

  // A lottery: a group of n blocks holds (n - 2)^2 + 1 tickets.
  Cell draw_ticket(const std::vector<int>& colors, std::uint64_t word) const {
    std::vector<Cell> tickets;
    for (const std::vector<Cell>& group : board_.groups()) {
      if (!contains(colors, board_.color_at(group.front().column, group.front().row))) continue;
      const std::size_t points = (group.size() - 2) * (group.size() - 2);
      tickets.insert(tickets.end(), points + 1, group.front());
    }
    return tickets[word * tickets.size() / kWordRange];
  }

  bool is_last_of_its_group(const std::vector<Cell>& eligible, std::size_t k) const {
    const std::vector<Cell> group = board_.component(eligible[k]);
    for (std::size_t later = k + 1; later < eligible.size(); ++later)
      if (contains(group, eligible[later])) return false;
    return true;
  }

  ReferenceBoard board_;
  const Policy& policy_;
  const RouletteTable& table_;
  PlayoutKey key_;
  std::uint32_t words_used_ = 0;
  int tabu_;
};

}  // namespace

ReferenceBoard::ReferenceBoard(const Position& position) : rows_(position.rows()), column_limit_(position.columns()) {
  for (int c = 0; c < position.columns(); ++c) {
    std::vector<int> blocks;
    for (int r = 0; r < position.rows(); ++r)
      if (position.color_at(c, r) != kEmpty) blocks.push_back(position.color_at(c, r));
    if (!blocks.empty()) columns_.push_back(blocks);
  }
}

int ReferenceBoard::columns() const {
  return column_limit_;
}

int ReferenceBoard::rows() const {
  return rows_;
}

int ReferenceBoard::color_at(int column, int row) const {
  if (column < 0 || column >= static_cast<int>(columns_.size())) return kEmpty;
  if (row < 0 || row >= static_cast<int>(columns_[column].size())) return kEmpty;
  return columns_[column][row];
}

std::vector<Cell> ReferenceBoard::component(Cell cell) const {
  const int color = color_at(cell.column, cell.row);
  if (color == kEmpty) return {};
  std::vector<Cell> found = {cell};
  std::vector<bool> seen(static_cast<std::size_t>(column_limit_) * rows_);
  seen[cell.column * rows_ + cell.row] = true;
  for (std::size_t next = 0; next < found.size(); ++next) {
    const int c = found[next].column, r = found[next].row;
    const int neighbours[4][2] = {{c + 1, r}, {c - 1, r}, {c, r + 1}, {c, r - 1}};
    for (const auto& [column, row] : neighbours) {
      if (color_at(column, row) != color || seen[column * rows_ + row]) continue;
      seen[column * rows_ + row] = true;
      found.push_back({static_cast<std::uint8_t>(column), static_cast<std::uint8_t>(row)});
    }
  }
  return found;
}

std::vector<std::vector<Cell>> ReferenceBoard::groups() const {
  std::vector<std::vector<Cell>> groups;
  std::vector<bool> seen(static_cast<std::size_t>(column_limit_) * rows_);
  for (int r = 0; r < rows_; ++r) {
    for (int c = 0; c < column_limit_; ++c) {
      if (color_at(c, r) == kEmpty || seen[c * rows_ + r]) continue;
      const std::vector<Cell> cells = component({static_cast<std::uint8_t>(c), static_cast<std::uint8_t>(r)});
      for (Cell cell : cells)
        seen[cell.column * rows_ + cell.row] = true;
      if (cells.size() >= 2) groups.push_back(cells);
    }
  }
  return groups;
}

int ReferenceBoard::apply(Cell cell) {
  const std::vector<Cell> group = component(cell);
  if (group.size() < 2) return 0;
  for (Cell c : group)
    columns_[c.column][c.row] = kEmpty;
  for (std::vector<int>& column : columns_)
    std::erase(column, kEmpty);
  std::erase_if(columns_, [](const std::vector<int>& column) { return column.empty(); });
  return static_cast<int>(group.size());
}

std::vector<int> ReferenceBoard::color_counts() const {
  std::vector<int> counts(kMaxColors);
  for (const std::vector<int>& column : columns_)
    for (int color : column)
      ++counts[color];
  return counts;
}

Position ReferenceBoard::to_position() const {
  Position position(column_limit_, rows_);
  for (int c = 0; c < column_limit_; ++c)
    for (int r = 0; r < rows_; ++r)
      position.set(c, r, color_at(c, r));
  return position;
}

ReplayResult replay(const Position& position, const std::vector<Cell>& moves, const Scoring& scoring, int points) {
  ReferenceBoard board(position);
  ReplayResult result;
  result.score = points;
  for (Cell cell : moves) {
    const int size = board.apply(cell);
    if (size == 0) {
      result.error = "move " + std::to_string(result.moves + 1) + " at column " + std::to_string(cell.column) +
                     ", row " + std::to_string(cell.row) + " is illegal: " + why_illegal(board, cell);
      break;
    }
    result.score = sum_of(result.score, value_of(scoring.points, size));
    ++result.moves;
  }
  if (result.error.empty()) result.score = sum_of(result.score, final_points(board, scoring));
  result.left = count_blocks(board);
  result.cleared = result.left == 0;
  result.over = board.groups().empty();
  return result;
}

Playout reference_play(const Position& position, const PlayoutRules& rules, const PlayoutKey& key, int points) {
  ReferenceGame game(position, rules, key);
  Playout out{.score = points};
  for (int size = game.move(); size > 0; size = game.move()) {
    out.score = sum_of(out.score, value_of(rules.scoring().points, size));
    ++out.length;
  }
  out.score = sum_of(out.score, final_points(game.board(), rules.scoring()));
  return out;
}

}  // namespace chainshot::game
