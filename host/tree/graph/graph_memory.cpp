// A graph forgets nodes at the cap of its memory and when its root moves on.
#include <algorithm>

#include "host/tree/graph/graph.hpp"

namespace chainshot::host {
namespace {

constexpr std::size_t kForgottenPart = 4;  // one part in so many of the nodes that have moves
constexpr std::uint32_t kForgetNone = std::numeric_limits<std::uint32_t>::max();

}  // namespace

bool Graph::recycle() {
  if (walks_ < next_recycling_) return false;
  for (const Link link : path_)
    ++store_.node(link).virtual_visits;
  std::vector<std::uint32_t> ages;
  store_.clear_marks();
  collect_ages(root_, ages);
  std::uint32_t first_forgotten = kForgetNone;
  if (!ages.empty()) {
    const auto oldest = ages.end() - static_cast<std::ptrdiff_t>((ages.size() + kForgottenPart - 1) / kForgottenPart);
    std::nth_element(ages.begin(), oldest, ages.end());
    first_forgotten = *oldest;
  }
  keep_what_root_reaches(first_forgotten);
  for (const Link link : path_)
    --store_.node(link).virtual_visits;
  next_recycling_ = walks_ + nodes_ / 8;
  return true;
}

// Collects the ages of the nodes that may forget their moves.
void Graph::collect_ages(Link at, std::vector<std::uint32_t>& ages) {
  store_.mark_node(at);
  const GraphNode& here = store_.node(at);
  if (here.moves == 0) return;
  if (here.virtual_visits == 0 && at != root_) ages.push_back(age_of(here));
  const GraphMoves moves = store_.moves_of(here);
  for (int i = 0; i < here.opened; ++i)
    if (const Link to = store_.edge(moves.edge(i)).to; !store_.is_marked(to)) collect_ages(to, ages);
}

void Graph::keep_what_root_reaches(std::uint32_t first_forgotten) {
  store_.clear_marks();
  nodes_ = expanded_ = 0;
  keep(root_, first_forgotten);
  store_.sweep();
}

// Marks what lies below a node and forgets the moves of old nodes. Lines that the graph no longer holds are no longer
// bounds; upper bounds stay true.
void Graph::keep(Link at, std::uint32_t first_forgotten) {
  store_.mark_node(at);
  ++nodes_;
  GraphNode& here = store_.node(at);
  if (here.is_end) return;
  here.held = GraphNode::kNothing;
  here.is_done = false;
  if (here.virtual_visits == 0 && at != root_ && first_forgotten != kForgetNone && age_of(here) >= first_forgotten) {
    here.moves = 0;
    here.move_count = here.opened = here.settled = 0;
  }
  if (here.moves == 0) return;
  ++expanded_;
  store_.mark_moves(here);
  here.settled = 0;
  const GraphMoves moves = store_.moves_of(here);
  for (int i = 0; i < here.opened; ++i) {
    store_.mark_edge(moves.edge(i));
    Edge& edge = store_.edge(moves.edge(i));
    if (!store_.is_marked(edge.to)) keep(edge.to, first_forgotten);
    edge.is_settled = false;
    learn(here, edge);
  }
}

}  // namespace chainshot::host
