// Nested Monte-Carlo Search (Cazenave 2009; Klein 2015, A.3):
//
//   NMCS(position, level)
//     while the position has moves
//       for each move: score = level 1 ? a playout of the position after it : NMCS(position after it, level - 1)
//       if the best of these scores is better than the best line known: it becomes the best line
//       make the next move of the best line
//
// Without --keep-best a call makes the best move of each step instead, whatever it knew before.
//
// We differ in the order of work alone. The moves of a step do not depend on each other, so their calls and playouts
// run side by side: the forest hands out playouts of as many calls as it takes to fill a batch and moves each call on
// when its step is answered. A call is a pure function of position, settings, seed and key, in whatever order playouts
// are answered.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "game/engine.hpp"
#include "host/nested/call.hpp"
#include "host/nested/settings.hpp"
#include "host/search/search.hpp"

namespace chainshot::host::nested {

// A move whose value is a playout: of a call of level 1, or of a higher level where it ends the game.
struct Leaf {
  Call* call = nullptr;
  std::size_t move = 0;
};

class CallForest {
 public:
  // Task and settings outlive the forest.
  CallForest(const SearchTask& task, const NmcsSettings& settings);

  // Begins a search of the whole board. The first searches know the starts of the task as their best lines.
  void open_root(std::uint64_t number);
  // The next move to play from, of the oldest root that has one. Nothing if all wait for answers.
  std::optional<Leaf> next_leaf();
  // The playouts of a leaf, until it is answered.
  game::Request request_of(const Leaf& leaf) const;
  // The moves from the board to where these playouts begin.
  std::vector<game::Cell> way_to(const Leaf& leaf) const;
  // Throws std::runtime_error if a call that ends finds that a result was not true.
  void answer(const Leaf& leaf, const game::Result& result);

  std::uint64_t roots_ended() const { return roots_ended_; }
  // The best game of those that ended, on the whole board.
  const ScoredLine& best_root() const { return best_root_; }
  // The moves that the oldest search of the whole board has made.
  std::size_t moves_made() const { return roots_.empty() ? 0 : roots_.front()->moves.size(); }

 private:
  struct Before {
    bool operator()(const Call* a, const Call* b) const {
      if (a->root != b->root) return a->root < b->root;
      return a->level != b->level ? a->level < b->level : a->serial < b->serial;
    }
  };

  struct Answer {
    int score = 0;
    std::uint32_t playout = 0;              // of a leaf
    std::span<const game::Cell> line = {};  // of a call
  };

  Call& new_call(int level);
  void open_call(Call& caller, std::size_t move, const game::Position& position, int points);
  void remember_start(Call& root, const std::vector<game::Cell>& start) const;
  void list_moves(Call& call);
  void take(Call& call, std::size_t move, const Answer& answer);
  void make_move(Call& call);
  game::Cell next_of_best(Call& call) const;
  void remember_step(Call& call, std::size_t step) const;
  void end_call(Call& call);

  const SearchTask& task_;
  const NmcsSettings& settings_;
  const game::Policy policy_;
  const game::PlayoutRules rules_;
  const int tabu_color_;  // of the levels, or -1
  std::deque<Call> calls_;
  std::vector<Call*> free_;
  std::set<Call*, Before> ready_;  // calls that have moves to open
  std::vector<Call*> roots_;       // that have not ended, the oldest first
  std::uint64_t serial_ = 0;
  std::uint64_t roots_ended_ = 0;
  ScoredLine best_root_;
};

}  // namespace chainshot::host::nested
