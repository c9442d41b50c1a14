#include "host/tree/parallel/open_set.hpp"

#include <cstdint>
#include <iterator>
#include <unordered_map>
#include <utility>

namespace chainshot::host {
namespace {

// The positions of a layer, without duplicates.
class Layer {
 public:
  explicit Layer(bool merges_symmetric) : merges_symmetric_(merges_symmetric) {}

  void add(OpenPosition&& open) {
    const game::Position shape = merges_symmetric_ ? open.position.canonical() : open.position;
    const auto [found, is_new] = place_of_.try_emplace(shape.hash(), list_.size());
    if (is_new) {
      list_.push_back(std::move(open));
    } else if (OpenPosition& known = list_[found->second]; known.points < open.points) {
      known = std::move(open);
    }
  }
  std::size_t size() const { return list_.size(); }
  std::vector<OpenPosition> take() { return std::move(list_); }

 private:
  bool merges_symmetric_;
  std::vector<OpenPosition> list_;
  std::unordered_map<std::uint64_t, std::size_t> place_of_;  // by hash
};

OpenPosition after(const OpenPosition& before, const game::Group& group, const game::Scoring& scoring) {
  OpenPosition next = before;
  next.points += scoring.group_points(next.position.apply(group.cell));
  next.way.push_back(group.cell);
  return next;
}

}  // namespace

OpenSet open_positions(const game::Position& root, int points, SetSize size, const TreeSettings& settings,
                       const game::Scoring& scoring, const std::function<bool()>& halted) {
  OpenSet set;
  set.open.push_back({root, points, {}});
  while (set.open.size() < size.wanted) {
    Layer layer(settings.merges_symmetric);
    std::vector<OpenPosition> ended;
    for (const OpenPosition& before : set.open) {
      if (halted()) return set;
      for (const game::Group& group : before.position.groups()) {
        OpenPosition next = after(before, group, scoring);
        if (next.position.has_moves()) {
          layer.add(std::move(next));
        } else {
          next.points += next.position.final_points(scoring);
          ended.push_back(std::move(next));
        }
      }
      if (layer.size() > size.most) return set;
    }
    std::move(ended.begin(), ended.end(), std::back_inserter(set.ended));
    set.open = layer.take();
    if (set.open.empty()) break;
  }
  return set;
}

}  // namespace chainshot::host
