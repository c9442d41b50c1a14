#include "game/chain.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "game/random.hpp"

namespace chainshot::game {
namespace {

constexpr double kMostLoss = 1 << 28;  // more than any game has points, and far from the end of the integers

// The blocks of every column that holds one, from the bottom: as the rules see the board, without empty columns.
std::vector<std::vector<BlockId>> columns_of(const Position& board) {
  std::vector<std::vector<BlockId>> columns(static_cast<std::size_t>(board.columns()));
  for (int c = 0; c < board.columns(); ++c)
    for (int r = 0; r < board.rows(); ++r)
      if (board.color_at(c, r) != kEmpty)
        columns[static_cast<std::size_t>(c)].push_back({static_cast<std::uint8_t>(c), static_cast<std::uint8_t>(r)});
  std::erase_if(columns, [](const auto& column) { return column.empty(); });
  return columns;
}

void remove(std::vector<std::vector<BlockId>>& columns, const CellSet& group) {
  for (std::size_t c = 0; c < columns.size(); ++c)
    for (std::size_t r = columns[c].size(); r-- > 0;)
      if ((group[r] >> c & 1) != 0) columns[c].erase(columns[c].begin() + static_cast<std::ptrdiff_t>(r));
  std::erase_if(columns, [](const auto& column) { return column.empty(); });
}

}  // namespace

AcceptanceTable::AcceptanceTable(double temperature, double soft, const Scoring& scoring) {
  for (int i = 0; i < kDraws; ++i)
    loss[i] = static_cast<int>(std::min(kMostLoss, -temperature * std::log((i + 0.5) / kDraws)));
  for (int left = 0; left < kSoft; ++left)
    bonus[left] = static_cast<int>(scoring.clear_bonus * std::max(0.0, 1 - left / soft));
}

ResampleTable::ResampleTable(double from_temperature, double to_temperature) {
  const double rate = std::max(0.0, 1 / to_temperature - 1 / from_temperature);
  // The last entry stands for all lines that are further behind; by then the weight is below 1.
  const double range = std::log(2) * (kWeightBits + 1) / std::max(rate, 1e-9);
  points_per_weight = static_cast<int>(std::clamp(std::ceil(range / (kWeights - 1)), 1.0, kMostLoss));
  for (int i = 0; i < kWeights; ++i)
    weights[i] =
        static_cast<std::uint32_t>(std::lround(std::exp2(kWeightBits) * std::exp(-rate * i * points_per_weight)));
}

std::uint64_t resampling_draw(std::uint64_t seed, int island) {
  return mix64(seed ^ mix64(static_cast<std::uint64_t>(island)));
}

std::vector<int> resampled_slots(std::span<const int> fitness, const ResampleTable& table, int members,
                                 std::uint64_t draw) {
  const int best = *std::max_element(fitness.begin(), fitness.end());
  std::uint64_t sum = 0;
  for (const int f : fitness)
    sum += table.weight(best - f);
  const std::uint64_t offset = (draw >> 40) * sum >> 24;
  const auto size = static_cast<std::size_t>(members);
  std::vector<int> slots(size, -1), moving;
  std::uint64_t reached = 0, below = 0;
  for (std::size_t i = 0; i < fitness.size(); ++i) {
    reached += table.weight(best - fitness[i]);
    const std::uint64_t upto = (reached * size + offset) / sum;
    std::uint64_t copies = upto - std::exchange(below, upto);
    if (copies > 0 && i < size) {
      slots[i] = static_cast<int>(i);
      --copies;
    }
    moving.insert(moving.end(), copies, static_cast<int>(i));
  }
  auto next = moving.begin();
  for (int& slot : slots)
    if (slot < 0) slot = *next++;
  return slots;
}

ChainCounts& ChainCounts::operator+=(const ChainCounts& other) {
  evaluations += other.evaluations;
  accepted += other.accepted;
  moves += other.moves;
  repeated += other.repeated;
  met += other.met;
  cut += other.cut;
  return *this;
}

std::vector<BlockId> blocks_of(const Position& board, std::span<const Cell> moves) {
  std::vector<std::vector<BlockId>> columns = columns_of(board);
  Position now = board;
  std::vector<BlockId> blocks;
  for (const Cell move : moves) {
    if (move.column >= columns.size() || move.row >= columns[move.column].size())
      throw std::invalid_argument("a line plays where there is no block");
    const CellSet group = now.component(move);
    if (count(group) < 2) throw std::invalid_argument("a line plays a block that stands alone");
    blocks.push_back(columns[move.column][move.row]);
    remove(columns, group);
    now.remove(group);
  }
  return blocks;
}

std::vector<Cell> cells_of(const Position& board, std::span<const BlockId> blocks) {
  std::vector<std::vector<BlockId>> columns = columns_of(board);
  Position now = board;
  std::vector<Cell> cells;
  for (const BlockId block : blocks) {
    const auto column = std::find_if(columns.begin(), columns.end(),
                                     [&](const auto& c) { return std::find(c.begin(), c.end(), block) != c.end(); });
    if (column == columns.end()) throw std::invalid_argument("a line plays a block that is gone");
    const auto row = std::find(column->begin(), column->end(), block) - column->begin();
    cells.push_back({static_cast<std::uint8_t>(column - columns.begin()), static_cast<std::uint8_t>(row)});
    const CellSet group = now.component(cells.back());
    if (count(group) < 2) throw std::invalid_argument("a line plays a block that stands alone");
    remove(columns, group);
    now.remove(group);
  }
  return cells;
}

}  // namespace chainshot::game
