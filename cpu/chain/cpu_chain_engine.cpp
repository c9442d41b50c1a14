#include "cpu/chain/cpu_chain_engine.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "cpu/chain/chain.hpp"
#include "cpu/chain/thread_team.hpp"
#include "game/geometry.hpp"

namespace chainshot::cpu {
namespace {

constexpr std::uint64_t kSmallSlice = 2048, kWideSlice = 256;  // evaluations: 2 and 20 ms
constexpr double kEvaluationsPerSecond = 600'000;              // of a thread, on a small board

class CpuChainSet final : public game::ChainSet {
 public:
  CpuChainSet(ThreadTeam& team, Isa isa, const game::Position& board, const game::Scoring& scoring, int count)
      : team_(team), isa_(isa), board_(board), scoring_(scoring), chains_(static_cast<std::size_t>(count)) {}

  void start(std::span<const game::ChainStart> starts, const game::LineMaker& line_for,
             game::ChainObserver& observer) override {
    team_.for_each(starts.size(), [&](std::size_t i) {
      if (observer.stopped()) return;
      const std::optional<std::vector<game::Cell>> line = line_for(i);
      if (!line) return;
      std::unique_ptr<Chain>& chain = chains_[static_cast<std::size_t>(starts[i].chain)];
      if (chain == nullptr) chain = make_chain(board_, scoring_, isa_);
      chain->restart(game::blocks_of(board_, *line), starts[i].tabu_color, starts[i].seed);
      report(*chain, observer);
    });
  }

  bool exists(int chain) const override { return chains_[static_cast<std::size_t>(chain)] != nullptr; }

  void copy(std::span<const game::ChainCopy> copies, game::ChainObserver& observer) override {
    team_.for_each(copies.size(), [&](std::size_t i) {
      if (observer.stopped()) return;
      const Chain& from = chain(copies[i].from);
      std::array<game::BlockId, game::kMaxLine> room;
      const auto length = static_cast<std::size_t>(from.line(room));
      chain(copies[i].to).restart({room.data(), length}, from.tabu_color(), copies[i].seed);
    });
  }

  void advance(std::span<const int> chains, const game::AcceptanceTable& table, std::uint64_t evaluations,
               game::ChainObserver& observer) override {
    team_.for_each(chains.size(), [&](std::size_t i) {
      Chain& chain = this->chain(chains[i]);
      std::uint64_t left = evaluations / chains.size() + (i < evaluations % chains.size() ? 1 : 0);
      while (left > 0 && !observer.stopped() && !team_.failed()) {
        const std::uint64_t now = std::min(left, slice());
        chain.advance(table, now);
        left -= now;
        observer.advanced(now);
        report(chain, observer);
      }
    });
  }

  std::uint64_t slice() const override {
    return game::fits_small(board_.columns(), board_.rows(), board_.colors()) ? kSmallSlice : kWideSlice;
  }

  std::vector<int> fitness(std::span<const int> chains, const game::AcceptanceTable& table) const override {
    std::vector<int> out;
    for (const int number : chains)
      out.push_back(chain(number).fitness(table));
    return out;
  }

  std::vector<int> best_scores(std::span<const int> chains) const override {
    std::vector<int> out;
    for (const int number : chains)
      out.push_back(chain(number).best_score());
    return out;
  }

  std::vector<game::Cell> best_moves(int number) const override {
    const std::span<const game::Cell> moves = chain(number).best_moves();
    return {moves.begin(), moves.end()};
  }

  game::ChainCounts counts() const override {
    game::ChainCounts sum;
    for (const auto& chain : chains_)
      if (chain != nullptr) sum += chain->counts();
    return sum;
  }

 private:
  Chain& chain(int number) const { return *chains_[static_cast<std::size_t>(number)]; }

  static void report(const Chain& chain, game::ChainObserver& observer) {
    if (observer.wants(chain.best_score())) observer.found(chain.best_score(), chain.best_moves());
  }

  ThreadTeam& team_;
  const Isa isa_;
  const game::Position board_;
  const game::Scoring scoring_;
  std::vector<std::unique_ptr<Chain>> chains_;
};

class CpuChainEngine final : public game::ChainEngine {
 public:
  explicit CpuChainEngine(const CpuChainOptions& options) : team_(options.threads), isa_(options.isa) {
    capabilities_.name = "cpu (" + std::string(name_of(isa_)) + ", " + std::to_string(team_.size()) +
                         (team_.size() == 1 ? " thread)" : " threads)");
    capabilities_.chains_at_once = capabilities_.lines_at_once = team_.size();
    capabilities_.evaluations_per_second = kEvaluationsPerSecond * team_.size();
  }

  const game::ChainCapabilities& capabilities() const override { return capabilities_; }

  std::unique_ptr<game::ChainSet> make_chains(const game::Position& board, const game::Scoring& scoring,
                                              int count) override {
    return std::make_unique<CpuChainSet>(team_, isa_, board, scoring, count);
  }

 private:
  ThreadTeam team_;
  const Isa isa_;
  game::ChainCapabilities capabilities_;
};

}  // namespace

std::unique_ptr<game::ChainEngine> make_cpu_chain_engine(const CpuChainOptions& options) {
  return std::make_unique<CpuChainEngine>(options);
}

}  // namespace chainshot::cpu
