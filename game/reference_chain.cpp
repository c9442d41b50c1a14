#include "game/reference_chain.hpp"

#include <algorithm>
#include <bit>

#include "game/geometry.hpp"

namespace chainshot::game {
namespace {

constexpr int kNoScore = -(1 << 30);

// Small boards have 16 columns, of which words of a device hold j and j + 8 together.
std::vector<int> columns_in_order(const Position& board) {
  std::vector<int> order;
  if (fits_small(board.columns(), board.rows(), board.colors())) {
    for (int c = 0; c < 8; ++c) {
      order.push_back(c);
      order.push_back(c + 8);
    }
  } else {
    for (int c = 0; c < kMaxColumns; ++c)
      order.push_back(c);
  }
  return order;
}

bool contains(const std::vector<BlockId>& blocks, BlockId wanted) {
  return std::find(blocks.begin(), blocks.end(), wanted) != blocks.end();
}

BlockId named(int column, int row) {
  return {static_cast<std::uint8_t>(column), static_cast<std::uint8_t>(row)};
}

// How many blocks of its column are below a block.
int height_of(std::uint32_t column, BlockId block) {
  int height = 0;
  for (int row = 0; row < block.row; ++row)
    height += column >> row & 1;
  return height;
}

}  // namespace

ReferenceChain::ReferenceChain(const Position& board, const Scoring& scoring)
    : scoring_(scoring), column_order_(columns_in_order(board)), best_score_(kNoScore) {
  Step start;
  for (int c = 0; c < board.columns(); ++c)
    for (int r = 0; r < board.rows(); ++r) {
      colors_[c][r] = board.color_at(c, r);
      if (colors_[c][r] != kEmpty) start.alive[c] |= 1u << r;
    }
  line_.push_back(start);
}

void ReferenceChain::start(std::span<const BlockId> line, int tabu_color, std::uint32_t seed) {
  tabu_color_ = tabu_color;
  seed_ = seed;
  line_.resize(1);
  for (const BlockId block : line)
    play(line_, block);
  ChainDraws draws(seed, 0);
  finish(line_, draws);
  next_evaluation_ = 1;
  keep_best();
}

void ReferenceChain::advance(const AcceptanceTable& table, std::uint64_t evaluations) {
  for (std::uint64_t i = 0; i < evaluations; ++i)
    evaluate(table);
}

void ReferenceChain::take_line(const ReferenceChain& other) {
  line_ = other.line_;
  tabu_color_ = other.tabu_color_;
}

std::vector<BlockId> ReferenceChain::line() const {
  std::vector<BlockId> blocks;
  for (int k = 1; k <= length(); ++k)
    blocks.push_back(step(k).block);
  return blocks;
}

std::vector<Cell> ReferenceChain::moves() const {
  std::vector<Cell> cells;
  for (int k = 1; k <= length(); ++k) {
    const Alive& alive = step(k - 1).alive;
    const BlockId block = step(k).block;
    int columns = 0;
    for (int c = 0; c < block.column; ++c)
      columns += alive[c] != 0;
    cells.push_back(
        {static_cast<std::uint8_t>(columns), static_cast<std::uint8_t>(height_of(alive[block.column], block))});
  }
  return cells;
}

int ReferenceChain::fitness(const AcceptanceTable& table) const {
  return line_.back().points + final_points(line_.back().alive, table.bonus);
}

int ReferenceChain::score() const {
  const std::array<int, 1> bonus = {scoring_.clear_bonus};
  return line_.back().points + final_points(line_.back().alive, bonus);
}

int ReferenceChain::color_of(BlockId block) const {
  return colors_[block.column][block.row];
}

// The deduction, and a bonus by the number of blocks left.
int ReferenceChain::final_points(const Alive& alive, std::span<const int> bonus) const {
  std::array<int, kMaxColors> counts{};
  int left = 0;
  for (const BlockId block : in_order(alive)) {
    ++counts[color_of(block)];
    ++left;
  }
  int points = left < static_cast<int>(bonus.size()) ? bonus[static_cast<std::size_t>(left)] : 0;
  if (left == 0) return points;
  for (const int n : counts)
    if (n > 0) points -= scoring_.left_per_color.at(n);
  return points - scoring_.left.at(left);
}

std::optional<BlockId> ReferenceChain::block_at(const Alive& alive, int column, int height) const {
  for (int row = 0; row < kMaxRows; ++row)
    if ((alive[column] >> row & 1) != 0 && height-- == 0) return named(column, row);
  return std::nullopt;
}

std::optional<BlockId> ReferenceChain::above(const Alive& alive, BlockId block) const {
  return block_at(alive, block.column, height_of(alive[block.column], block) + 1);
}

std::optional<BlockId> ReferenceChain::below(const Alive& alive, BlockId block) const {
  const int height = height_of(alive[block.column], block);
  return height == 0 ? std::nullopt : block_at(alive, block.column, height - 1);
}

std::optional<BlockId> ReferenceChain::beside(const Alive& alive, BlockId block, int direction) const {
  for (int c = block.column + direction; c >= 0 && c < kMaxColumns; c += direction)
    if (alive[c] != 0) return block_at(alive, c, height_of(alive[block.column], block));
  return std::nullopt;
}

bool ReferenceChain::equal(std::optional<BlockId> other, BlockId block) const {
  return other && color_of(*other) == color_of(block);
}

std::vector<BlockId> ReferenceChain::group_of(const Alive& alive, BlockId block) const {
  std::vector<BlockId> group = {block};
  for (std::size_t i = 0; i < group.size(); ++i) {
    const BlockId from = group[i];
    for (const auto neighbour :
         {above(alive, from), below(alive, from), beside(alive, from, -1), beside(alive, from, 1)})
      if (equal(neighbour, from) && !contains(group, *neighbour)) group.push_back(*neighbour);
  }
  return group;
}

std::vector<BlockId> ReferenceChain::in_order(const Alive& blocks) const {
  std::vector<BlockId> list;
  for (const int column : column_order_)
    for (int row = 0; row < kMaxRows; ++row)
      if ((blocks[column] >> row & 1) != 0) list.push_back(named(column, row));
  return list;
}

// One block of every group, sometimes two: equal to the one above it or on its right, but not to the one below it or on
// its left.
std::vector<BlockId> ReferenceChain::candidates(const Alive& alive) const {
  std::vector<BlockId> found;
  for (const BlockId block : in_order(alive))
    if ((equal(above(alive, block), block) || equal(beside(alive, block, 1), block)) &&
        !equal(below(alive, block), block) && !equal(beside(alive, block, -1), block))
      found.push_back(block);
  return found;
}

ReferenceChain::Line ReferenceChain::beginning(int moves) const {
  return {line_.begin(), line_.begin() + moves + 1};
}

// Plays the group a block is in now; false if the block is gone or stands alone.
bool ReferenceChain::play(Line& line, BlockId block) const {
  Step next = line.back();
  if ((next.alive[block.column] >> block.row & 1) == 0) return false;
  const std::vector<BlockId> group = group_of(next.alive, block);
  if (group.size() < 2) return false;
  for (const BlockId gone : group)
    next.alive[gone.column] &= ~(1u << gone.row);
  const int size = static_cast<int>(group.size());
  next.points += scoring_.group_points(size);
  next.block = block;
  line.push_back(next);
  return true;
}

// Plays what is left of the group of move k of the old line: first the group of the block it was named by, then each
// piece that a change has torn off it. A piece is named by the first of its blocks. True if anything was played.
bool ReferenceChain::play_blocks_of(Line& line, int k) const {
  bool played = play(line, step(k).block);
  Alive removed{};
  for (int c = 0; c < kMaxColumns; ++c)
    removed[c] = step(k - 1).alive[c] & ~step(k).alive[c];
  for (const BlockId block : in_order(removed))
    played |= play(line, block);
  return played;
}

// Plays a random group, of the tabu colour only if there is no other; false if there is none.
bool ReferenceChain::play_random(Line& line, ChainDraws& draws) const {
  std::vector<BlockId> all = candidates(line.back().alive), others;
  if (all.empty()) return false;
  for (const BlockId block : all)
    if (color_of(block) != tabu_color_) others.push_back(block);
  if (!others.empty()) all = others;
  return play(line, all[static_cast<std::size_t>(draws.next_below(static_cast<int>(all.size())))]);
}

void ReferenceChain::finish(Line& line, ChainDraws& draws) const {
  while (play_random(line, draws)) {
  }
}

// Plays the rest of a changed line: the old line as far as its moves can be played, and then at random. Where the
// position is one of the old line again, the rest of the old line is the rest of the new one.
void ReferenceChain::follow(Line& line, const Following& following, ChainDraws& draws) const {
  for (int k = following.next; k <= length(); ++k) {
    if (k != following.skipped) play_blocks_of(line, k);
    if (k == following.late_after) play_blocks_of(line, following.late);
    if (k < following.late_after || line.back().alive != step(k).alive) continue;
    const int gained = line.back().points - step(k).points;
    for (int rest = k + 1; rest <= length(); ++rest) {
      line.push_back(step(rest));
      line.back().points += gained;
    }
    return;
  }
  finish(line, draws);
}

// Draws a change of the line; nothing if it turns out to change nothing.
std::optional<ReferenceChain::Line> ReferenceChain::changed_line(ChainDraws& draws) const {
  const int n = length();
  const int kind = draws.below(100, ChainDraws::kKind);
  if (n < 2 || kind >= 98) {  // play the end anew
    Line line = beginning(draws.below(n + 1, ChainDraws::kMove));
    finish(line, draws);
    return line;
  }
  const int k = 1 + draws.below(n, ChainDraws::kMove);
  Line line = beginning(k - 1);
  if (kind < 20) {  // leave move k out
    follow(line, {.next = k + 1}, draws);
    return line;
  }
  if (kind < 40) {  // insert a move before it
    if (!play_random(line, draws)) return std::nullopt;
    follow(line, {.next = k}, draws);
    return line;
  }
  if (kind < 60) {  // replace it
    if (!play_random(line, draws) || line.back().alive == step(k).alive) return std::nullopt;
    follow(line, {.next = k + 1}, draws);
    return line;
  }
  int to = 1 + draws.below(n - 1, ChainDraws::kDestination);
  if (to >= k) ++to;
  if (to > k) {  // play it later, after move `to`
    follow(line, {.next = k + 1, .late_after = to, .late = k}, draws);
    return line;
  }
  line = beginning(to - 1);  // play it earlier, before move `to`
  if (!play_blocks_of(line, k)) return std::nullopt;
  follow(line, {.next = to, .skipped = k}, draws);
  return line;
}

void ReferenceChain::evaluate(const AcceptanceTable& table) {
  ChainDraws draws(seed_, next_evaluation_++);
  const std::uint32_t draw = draws.draw(ChainDraws::kAcceptance);
  const int need = fitness(table) - table.loss[draw >> (32 - AcceptanceTable::kDrawBits)];
  std::optional<Line> line = changed_line(draws);
  if (!line || line->back().points + final_points(line->back().alive, table.bonus) < need) return;
  line_ = std::move(*line);
  keep_best();
}

void ReferenceChain::keep_best() {
  if (score() <= best_score_) return;
  best_score_ = score();
  best_moves_ = moves();
}

}  // namespace chainshot::game
