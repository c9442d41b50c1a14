#include "host/tree/core/beam_pruning.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "host/tree/core/bounds.hpp"
#include "host/tree/core/statistics.hpp"

namespace chainshot::host {
namespace {

// A node of the depth that is pruned.
struct Candidate {
  Link link;
  std::uint64_t visits;
  int score;  // of its best line, from the start of the game
};

// `points` were earned before the node's position, `below` is how many levels the candidates lie below it.
void add_candidates(const TreeState& tree, Link link, int points, int below, std::vector<Candidate>& candidates) {
  const Node& of = tree.nodes.node(link);
  if (is_done(tree, of, points)) return;
  if (below == 0) {
    candidates.push_back({link, of.visits, points + of.best});
    return;
  }
  if (of.move_block == 0) return;
  const MoveBlock moves = tree.nodes.moves_of(of);
  for (int i = 0; i < of.move_count; ++i)
    if (const Link child = moves.node(i); child != 0)
      add_candidates(tree, child, points + tree.nodes.node(child).gain, below - 1, candidates);
}

// The links of the W most visited of them, sorted.
std::vector<Link> most_visited(std::vector<Candidate> candidates, std::size_t width) {
  std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.visits != b.visits ? a.visits > b.visits : a.score > b.score;
  });
  if (candidates.size() > width) candidates.resize(width);
  std::vector<Link> kept;
  for (const Candidate& candidate : candidates)
    kept.push_back(candidate.link);
  std::sort(kept.begin(), kept.end());
  return kept;
}

class Pruning {
 public:
  Pruning(TreeState& tree, std::vector<Link> kept) : tree_(tree), kept_(std::move(kept)) {}

  // Discards all below a node that no kept one lies below or is, `below` levels down. Returns whether there is one.
  bool keep(Link link, int below) {
    Node& of = tree_.nodes.node(link);
    if (below == 0) {
      if (!std::binary_search(kept_.begin(), kept_.end(), link)) return false;
      if (!tree_.settings.beam.keeps_below) forget_below(of);
      return true;
    }
    if (of.move_block == 0) return false;
    const MoveBlock moves = tree_.nodes.moves_of(of);
    bool any = false;
    for (int i = 0; i < of.move_count; ++i) {
      const Link child = moves.node(i);
      const bool stays = child != 0 && keep(child, below - 1);
      if (!stays) discard(moves, i);
      any |= stays;
    }
    of.opened = of.move_count;
    return any;
  }

 private:
  // The move stays ruled out, with its bound.
  void discard(const MoveBlock& moves, int index) {
    moves.value(index) = kNever;
    const Link link = moves.node(index);
    if (link == 0) return;
    tree_.nodes.free_below(tree_.nodes.node(link));
    tree_.nodes.release(link);
    moves.node(index) = 0;
  }

  // The node is a leaf again, which the next walk expands, even if walks found nothing to visit below it before.
  void forget_below(Node& of) {
    tree_.nodes.free_below(of);
    if (of.has_cut_edge_below) reset_upper_bound(tree_, of);
    write_terms(tree_, of);
  }

  TreeState& tree_;
  const std::vector<Link> kept_;
};

}  // namespace

void prune_to_beam(TreeState& tree) {
  tree.beam.walks = 0;
  const int depth = tree.beam.depth + 1;
  std::vector<Candidate> candidates;
  add_candidates(tree, tree.nodes.root_link(), tree.root_points, depth, candidates);
  if (candidates.empty()) return;
  Pruning(tree, most_visited(std::move(candidates), static_cast<std::size_t>(tree.settings.beam.width)))
      .keep(tree.nodes.root_link(), depth);
  tree.beam.depth = depth;
}

}  // namespace chainshot::host
