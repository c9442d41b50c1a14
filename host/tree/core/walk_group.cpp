#include "host/tree/core/walk_group.hpp"

#include <algorithm>

#include "host/tree/core/bounds.hpp"
#include "host/tree/core/duplicates.hpp"
#include "host/tree/core/expansion.hpp"
#include "host/tree/core/global_exploration.hpp"
#include "host/tree/core/move_selection.hpp"
#include "host/tree/core/node_exploration.hpp"
#include "host/tree/core/proven_moves.hpp"
#include "host/tree/core/pruned_moves.hpp"
#include "host/tree/core/statistics.hpp"

namespace chainshot::host {

void WalkGroup::descend(std::span<Walk> walks, std::span<Descent> descents) {
  // Where nodes may move to other parents walks go down one by one: a walk could take over a node on another's path.
  const std::size_t at_once = tree_.keeps_parents ? walks.size() : 1;
  for (std::size_t first = 0; first < walks.size(); first += at_once) {
    walks_ = walks.subspan(first, at_once);
    descents_ = descents.subspan(first, at_once);
    ended_ = 0;
    int left = static_cast<int>(at_once);
    if (!tree_.is_proven()) {
      add_virtual_visits(tree_, tree_.nodes.root(), left);
      left = send({tree_.nodes.root_link(), tree_.root_points, {}}, left);
      add_virtual_visits(tree_, tree_.nodes.root(), -left);
    }
    count_finished_games();
    while (ended_ < at_once)
      end_walk(tree_.is_proven() ? Descent::kProven : Descent::kBlocked);
  }
}

// Until the whole group is down, games that ended in the tree are in flight like other walks.
void WalkGroup::count_finished_games() {
  for (std::size_t i = 0; i < finished_.size(); ++i)
    back_up_.add_game(*finished_[i].walk, finished_[i].points,
                      i + 1 < finished_.size() ? finished_[i + 1].walk : nullptr);
  for (const FinishedGame& game : finished_)
    lower_upper_bound(tree_, tree_.nodes.node(game.walk->leaf()), game.points);
  finished_.clear();
}

// The next walk, with the path to where the group is.
Walk& WalkGroup::begin_walk() {
  Walk& walk = walks_[ended_];
  walk.steps.assign(path_.begin(), path_.end());
  walk.rest.clear();
  return walk;
}

// Walks come to a node, which counts their virtual visits already.
int WalkGroup::send(const Walk::Step& at, int count) {
  Node& here = tree_.nodes.node(at.node);
  int left = count;
  path_.push_back(at);
  while (left > 0 && !is_done(tree_, here, at.points)) {
    const bool is_first_visit = here.visits + here.virtual_visits == static_cast<std::uint32_t>(left);
    if (here.move_block != 0 || (!is_first_visit && expand(tree_, here, tree_.nodes.position_of(here)))) {
      left = distribute(at, left);
      break;
    }
    Walk& walk = begin_walk();
    walk.position = tree_.nodes.position_of(here);
    walk.points = at.points;
    end_walk(Descent::kLeaf);
    --left;
  }
  path_.pop_back();
  return left;
}

// Distributes walks among the moves of a node, and again those that come back.
int WalkGroup::distribute(const Walk::Step& at, int count) {
  Node& here = tree_.nodes.node(at.node);
  const MoveBlock moves = tree_.nodes.moves_of(here);
  const std::size_t first = shares_.size();
  for (int left = count;;) {
    while (left > 0 && !here.is_closed()) {
      const SelectedMove selected = select_move(tree_, here, at.points, left);
      if (selected.index < 0) break;
      if (selected.index == here.opened) {
        left -= open_move(at, selected.index) ? 1 : 0;
        continue;
      }
      if (is_proven_move(tree_, moves, selected.index)) {
        count_proven_move(at, selected.index);
        --left;
        continue;
      }
      Node& next = tree_.nodes.node(moves.node(selected.index));
      add_virtual_visits(tree_, next, selected.walks);
      tree_.nodes.prefetch_moves(next);
      left -= selected.walks;
      add_share(first, {selected.index, selected.walks});
    }
    if (shares_.size() == first) return left;
    for (std::size_t i = first; i < shares_.size(); ++i)
      left += send_over(at, shares_[i]);
    shares_.resize(first);
  }
}

// The walk ends at a proven move, whose score counts as the result of a game.
void WalkGroup::count_proven_move(const Walk::Step& at, int index) {
  const MoveBlock moves = tree_.nodes.moves_of(tree_.nodes.node(at.node));
  Node& proven = tree_.nodes.node(moves.node(index));
  Walk& walk = begin_walk();
  const int points = at.points + proven.gain;
  walk.steps.push_back({moves.node(index), points, moves.move(index).cell});
  walk.points = points + proven.best;
  tree_.counts.resource_eighths += static_cast<std::uint64_t>(walk.length() - 1);
  add_virtual_visits(tree_, proven, 1);
  finished_.push_back({&walk, proven.best});
  end_walk(Descent::kKnown);
}

// The shares of the node begin at `first`.
void WalkGroup::add_share(std::size_t first, Share share) {
  const auto same = std::find_if(shares_.begin() + static_cast<std::ptrdiff_t>(first), shares_.end(),
                                 [&](const Share& other) { return other.index == share.index; });
  if (same == shares_.end())
    shares_.push_back(share);
  else
    same->walks += share.walks;
}

// Walks come back if the move is closed, or if all below it is in flight. No walk takes it until a result from below,
// if there is any to come, writes its terms anew.
int WalkGroup::send_over(const Walk::Step& at, Share share) {
  const MoveBlock moves = tree_.nodes.moves_of(tree_.nodes.node(at.node));
  const Move move = moves.move(share.index);
  const Link link = moves.node(share.index);
  const int back = send({link, at.points + tree_.scoring.group_points(move.size), move.cell}, share.walks);
  if (back > 0) {
    add_virtual_visits(tree_, tree_.nodes.node(link), -back);
    moves.value(share.index) = kNever;
  }
  return back;
}

// The first visit of a position: a walk ends here, unless the position is known.
bool WalkGroup::open_move(const Walk::Step& at, int index) {
  Walk& walk = begin_walk();
  const Node& parent = tree_.nodes.node(at.node);
  const game::Cell cell = tree_.nodes.moves_of(parent).move(index).cell;
  tree_.nodes.unpack_board(parent, walk.position);
  walk.position.apply(cell);
  const std::uint32_t hash = tree_.nodes.hash_of(walk.position);
  if (const Link twin = tree_.nodes.find(walk.position, hash)) return join_duplicate(at, walk, index, twin);
  const Link link = add_node(tree_, at.node, index, hash);
  if (link == 0) {
    // There is no memory: the walk plays the parent again.
    tree_.nodes.unpack_board(parent, walk.position);
    walk.points = at.points;
    end_walk(Descent::kLeaf);
    return true;
  }
  Node& leaf = tree_.nodes.node(link);
  walk.points = at.points + leaf.gain;
  walk.steps.push_back({link, walk.points, cell});
  add_virtual_visits(tree_, leaf, 1);
  if (is_over(walk.position, tree_.settings.vs_pruning))
    finish_game(walk);
  else
    end_walk(Descent::kLeaf);
  return true;
}

// The walk has just opened the node of a position where the game is over.
void WalkGroup::finish_game(Walk& walk) {
  tree_.counts.resource_eighths += 8 + static_cast<std::uint64_t>(walk.length() - 1);
  Node& end = tree_.nodes.node(walk.leaf());
  end.is_end = true;
  mark_end_below(tree_, end);
  grow_exploration_above(tree_, end);
  grow_exploration_at_end(tree_);
  const int points = walk.play_rest(tree_.scoring);
  walk.points += points;
  finished_.push_back({&walk, points});
  end_walk(Descent::kFinished);
}

// The move leads to a position that has a node elsewhere.
bool WalkGroup::join_duplicate(const Walk::Step& at, Walk& walk, int index, Link twin) {
  switch (resolve_duplicate(tree_, walk.steps, index, twin)) {
    case DuplicateOutcome::kCut:
      return false;
    case DuplicateOutcome::kTakenOver:
      add_virtual_visits(tree_, tree_.nodes.node(twin), 1);
      return send_over(at, {index, 1}) == 0;
    case DuplicateOutcome::kBetterLine:
      follow_best_line(tree_, walk, index);
      end_walk(Descent::kFinished);
      return true;
  }
  return false;
}

}  // namespace chainshot::host
