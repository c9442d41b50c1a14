#include "host/tree/moves/move_shares.hpp"

#include <algorithm>
#include <cmath>

namespace chainshot::host {
namespace {

constexpr int kMoves = 30;
constexpr double kMovesOfAGame = 64.4;  // mean of random games

double share_of_move(Allocation allocation, int i, double least) {
  switch (allocation) {
    case Allocation::kPerGame:
      return i == 0 ? 1 : 0;
    case Allocation::kUniform:
      return 1.0 / kMoves;
    case Allocation::kLinear: {
      constexpr double kFirst = 1 / 12.2, kLast = 1.0 / 64;
      constexpr double kLift = 1.0 / kMoves - (kFirst + kLast) / 2;
      return kFirst + kLift - i * (kFirst - kLast) / (kMoves - 1);
    }
    case Allocation::kExponential:
      return std::max(least, std::pow(6.0 / 7, i) / 7);
    case Allocation::kEveryMove:
      return 1 / kMovesOfAGame;
  }
  return 0;
}

}  // namespace

std::vector<double> spent_after_moves(Allocation allocation, double least) {
  std::vector<double> spent;
  double sum = 0;
  const int moves = allocation == Allocation::kEveryMove ? static_cast<int>(std::ceil(kMovesOfAGame)) : kMoves;
  for (int i = 0; i < moves && sum < 1; ++i) {
    sum += share_of_move(allocation, i, least);
    spent.push_back(std::min(sum, 1.0));
  }
  // One more move gets what the exponential allocation leaves over.
  if (allocation == Allocation::kExponential && spent.back() < 1) spent.push_back(1);
  spent.back() = 1;  // rounding
  return spent;
}

std::vector<SearchShare> search_shares(int first, int second) {
  std::vector<SearchShare> shares;
  const auto add = [&](int count, double begin, double of_all) {
    for (int i = 0; i < count; ++i)
      shares.push_back({begin + of_all * i / count, of_all / count});
  };
  add(first, 0, second > 0 ? 0.5 : 1);
  add(second, 0.5, 0.5);
  return shares;
}

}  // namespace chainshot::host
