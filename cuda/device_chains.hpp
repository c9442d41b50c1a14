// The chains of a set in the memory of a device, and the launches that advance them. Failures are thrown as CudaError.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cuda/chain.hpp"
#include "cuda/cuda_chain_engine.hpp"
#include "cuda/memory_layout.hpp"
#include "cuda/resources.hpp"

namespace chainshot::cuda {

// Memory of a device for a set of so many chains, whatever its islands.
std::uint64_t chain_set_bytes(std::uint64_t chains);

class DeviceChains {
 public:
  DeviceChains(const game::Position& board, const game::Scoring& scoring, const game::ChainLayout& layout,
               const ChainLaunchLimits& limits);

  void start(std::span<const game::ChainStart> starts, game::ChainObserver& observer);
  void advance(const game::AcceptanceTable& table, std::uint64_t evaluations_each, game::ChainObserver& observer);
  void resample(const game::AcceptanceTable& table, const game::ResampleTable& weights, int members,
                std::uint64_t seed);
  std::vector<int> fitness(const game::AcceptanceTable& table);
  std::vector<game::Cell> best_moves(int chain);
  const std::vector<int>& best_scores() const { return best_; }

  bool exists(int chain) const { return exists_[static_cast<std::size_t>(chain)]; }
  int members() const { return members_; }
  void keep(int members) { members_ = members; }
  std::uint64_t slice() const { return slice_; }
  game::ChainCounts counts() const;
  double busy_seconds() const { return busy_seconds_; }

 private:
  // Arrays beside those of the chains.
  struct Work {
    ChainTable* table;
    std::uint32_t* board;
    ChainTotals* totals;
    ChainBeginning* beginnings;
    std::int32_t* chosen;
    std::int32_t* fitness;
    std::uint32_t* weights;
    std::uint64_t* draws;
    std::int32_t *sources, *targets, *moving;
  };
  static ChainArrays chain_arrays(Layout& layout, std::size_t chains);
  static Work work_arrays(Layout& layout, std::size_t chains, std::size_t islands);
  friend std::uint64_t chain_set_bytes(std::uint64_t chains);

  template <class T>
  void write(T* to, const T* from, std::size_t count);
  template <class T>
  std::vector<T> read(const T* from, std::size_t count);
  void synchronize();

  void upload_board(const game::Position& board);
  void upload_table(const game::AcceptanceTable& table);
  ChainGroup living() const;
  ChainAdvance arguments(const ChainGroup& group) const;
  void begin(std::span<const game::ChainStart> starts);
  bool run(std::uint32_t evaluations, game::ChainObserver& observer);
  void plan_turns(double seconds);
  ChainTotals launch(const ChainAdvance& advance);
  void report(game::ChainObserver& observer);

  const game::Position board_;
  const game::Scoring scoring_;
  const game::ChainLayout layout_;
  const ChainLaunchLimits limits_;
  // What is read goes through this memory, which outlives the stream: a copy whose end cannot be waited for may still
  // write there.
  const PinnedBuffer staging_;
  const Stream stream_;
  Event done_;  // of what the stream was asked to do
  const DeviceBuffer memory_;
  ChainArrays arrays_;
  Work work_;
  double busy_seconds_ = 0;  // in launches
  uint2 board_counts_{};
  int members_;
  int turns_;
  std::uint64_t slice_ = 1;
  ChainTotals totals_{};
  std::vector<bool> exists_;
  std::vector<int> best_;
};

}  // namespace chainshot::cuda
