// Runs annealing, or single populations of it, on the CPU.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "cpu/chain/cpu_chain_engine.hpp"
#include "host/anneal/annealing.hpp"
#include "host/anneal/population.hpp"

namespace chainshot::tests {

// One engine per number of threads serves all tests, as it would all boards of a program.
inline game::ChainEngine& engine_of(int threads) {
  static std::map<int, std::unique_ptr<game::ChainEngine>> engines;
  std::unique_ptr<game::ChainEngine>& engine = engines[threads];
  if (engine == nullptr) engine = cpu::make_cpu_chain_engine({.threads = threads});
  return *engine;
}

inline std::unique_ptr<host::Search> annealing_of(const host::SearchTask& task, const host::AnnealSettings& settings,
                                                  const host::Budget& budget, int threads, host::Incumbent& incumbent) {
  return host::make_annealing(task, settings, budget, {engine_of(threads), incumbent});
}

inline host::BestLine anneal(const host::SearchTask& task, const host::AnnealSettings& settings,
                             std::uint64_t evaluations, int threads) {
  host::Incumbent incumbent(task);
  const auto search = annealing_of(task, settings, {.playouts = evaluations}, threads, incumbent);
  search->run({}, {});
  EXPECT_LE(search->status().evaluations, evaluations);
  return incumbent.best();
}

inline host::Population population_of(const host::SearchTask& task, int members, const std::vector<int>& tabu_colors,
                                      std::uint64_t seed, int islands = 1) {
  host::Population population(task, engine_of(1), islands, members, tabu_colors, seed);
  game::ChainObserver unwatched;
  population.make(0, members, unwatched);
  return population;
}

inline void advance(host::Population& population, const game::AcceptanceTable& table, std::uint64_t evaluations_each) {
  game::ChainObserver unwatched;
  population.advance(table, evaluations_each, unwatched);
}

// Without a spread bonus the fitness of a line is its score.
inline std::vector<int> scores_of(const host::Population& population, const host::SearchTask& task) {
  return population.fitness(game::AcceptanceTable(20, 1e-9, task.scoring));
}

inline std::vector<game::Cell> best_moves_of(const host::Population& population) {
  const std::vector<int> scores = population.best_scores();
  return population.best_moves(static_cast<int>(std::max_element(scores.begin(), scores.end()) - scores.begin()));
}

}  // namespace chainshot::tests
