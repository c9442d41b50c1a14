// Spends the budget in rounds. Between rounds the trees learn of lines found elsewhere, a set is divided among its
// groups again, and the number of playouts per leaf follows the speeds of trees and engines.
#pragma once

#include <atomic>
#include <cstdint>

#include "host/tree/found_lines.hpp"
#include "host/tree/parallel/scheduler.hpp"
#include "host/tree/search_context.hpp"
#include "host/tree/search_trees.hpp"

namespace chainshot::host {

class RoundLoop {
 public:
  // All of them outlive the loop.
  RoundLoop(SearchContext& context, FoundLines& lines, SearchTrees& trees, Scheduler& scheduler)
      : context_(context), lines_(lines), trees_(trees), scheduler_(scheduler) {}

  // Searches the trees until this share of the whole budget is spent, nothing is left to find, or the search is halted.
  // The trees stand where `game` has led. Throws std::runtime_error if an engine fails.
  void spend_until(double share, const PlayedGame& game);
  // Whether no line of the task scores more than the best one found. From any thread.
  bool is_proven() const { return is_proven_; }
  // How often beams have begun. From any thread.
  std::uint64_t beams() const { return beams_; }

 private:
  void prepare_round(const PlayedGame& game);
  void aim_beams(double share);
  std::uint64_t round_size(std::uint64_t phase_start, double share) const;
  RoundReport run_round(const RoundPlan& plan);
  void count_used(std::uint64_t walks);
  bool search_what_was_left_out(double share, const PlayedGame& game);
  bool begin_further_beams(double share, const PlayedGame& game);
  void add_foreign_line();

  SearchContext& context_;
  FoundLines& lines_;
  SearchTrees& trees_;
  Scheduler& scheduler_;
  std::uint64_t beams_start_ = 0;  // walks of the search before its present beams
  std::atomic<std::uint64_t> beams_ = 0;
  std::atomic<bool> is_proven_ = false;
};

}  // namespace chainshot::host
