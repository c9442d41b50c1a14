#include "cpu/chain/cpu_chain_engine.hpp"

#include <algorithm>
#include <array>
#include <mutex>

#include "cpu/chain/chain.hpp"
#include "cpu/chain/thread_team.hpp"
#include "game/geometry.hpp"

namespace chainshot::cpu {
namespace {

constexpr std::uint64_t kSmallSlice = 2048, kWideSlice = 256;  // evaluations: 2 and 20 ms
constexpr double kEvaluationsPerSecond = 600'000;              // of a thread, on a small board

class CpuChainSet final : public game::ChainSet {
 public:
  CpuChainSet(ThreadTeam& team, Isa isa, const game::Position& board, const game::Scoring& scoring,
              const game::ChainLayout& layout)
      : team_(team),
        isa_(isa),
        board_(board),
        scoring_(scoring),
        layout_(layout),
        members_(layout.members),
        chains_(static_cast<std::size_t>(layout.chains())) {}

  void start(std::span<const game::ChainStart> starts, game::ChainObserver& observer) override {
    std::mutex turn;
    std::size_t next = 0;
    bool stopped = false;
    team_.for_each(starts.size(), [&](std::size_t) {
      std::unique_lock lock(turn);  // all starts before a stop are carried out, and none after it
      if (stopped = stopped || observer.stopped(); stopped) return;
      const game::ChainStart& start = starts[next++];
      lock.unlock();
      std::unique_ptr<Chain>& chain = chains_[static_cast<std::size_t>(start.chain)];
      if (chain == nullptr) chain = make_chain(board_, scoring_, isa_);
      chain->restart(game::blocks_of(board_, start.moves), start.tabu_color, start.seed);
      report(*chain, observer);
    });
  }

  bool exists(int chain) const override { return chains_[static_cast<std::size_t>(chain)] != nullptr; }
  int members() const override { return members_; }
  void keep(int members) override { members_ = members; }

  void advance(const game::AcceptanceTable& table, std::uint64_t evaluations_each,
               game::ChainObserver& observer) override {
    const auto advance_all = [&](std::uint64_t evaluations) {
      team_.for_each(living(), [&](std::size_t i) { advance_one(chain(living(i)), table, evaluations, observer); });
    };
    if (evaluations_each != kUntilStopped) return advance_all(evaluations_each);
    while (!observer.stopped())
      advance_all(slice());
  }

  void resample(const game::AcceptanceTable& table, const game::ResampleTable& weights, int members,
                std::uint64_t seed) override {
    struct Copy {
      int from, to;
    };
    std::vector<Copy> copies;
    const std::vector<int> all = fitness(table);
    for (int island = 0; island < layout_.islands; ++island) {
      const auto own =
          std::span(all).subspan(static_cast<std::size_t>(island * members_), static_cast<std::size_t>(members_));
      const std::vector<int> slots =
          game::resampled_slots(own, weights, members, game::resampling_draw(seed, layout_.first_island + island));
      for (int slot = 0; slot < members; ++slot)
        if (const int from = slots[static_cast<std::size_t>(slot)]; from != slot)
          copies.push_back({island * layout_.members + from, island * layout_.members + slot});
    }
    // A line that is copied stays in its own slot, so copies can be made in any order.
    team_.for_each(copies.size(), [&](std::size_t i) {
      std::array<game::BlockId, game::kMaxLine> room;
      const Chain& from = chain(copies[i].from);
      const auto length = static_cast<std::size_t>(from.line(room));
      chain(copies[i].to).take_line({room.data(), length}, from.tabu_color());
    });
    members_ = members;
  }

  std::uint64_t slice() const override {
    return game::fits_small(board_.columns(), board_.rows(), board_.colors()) ? kSmallSlice : kWideSlice;
  }

  std::vector<int> fitness(const game::AcceptanceTable& table) const override {
    std::vector<int> out;
    for (std::size_t i = 0; i < living(); ++i)
      out.push_back(chain(living(i)).fitness(table));
    return out;
  }

  std::vector<int> best_scores() const override {
    std::vector<int> out;
    for (const auto& chain : chains_)
      out.push_back(chain == nullptr ? kNoScore : chain->best_score());
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
  // The number of living chains, and that of each among all chains.
  std::size_t living() const { return static_cast<std::size_t>(layout_.islands * members_); }
  int living(std::size_t i) const {
    const int number = static_cast<int>(i);
    return number / members_ * layout_.members + number % members_;
  }

  void advance_one(Chain& chain, const game::AcceptanceTable& table, std::uint64_t evaluations,
                   game::ChainObserver& observer) const {
    while (evaluations > 0 && !observer.stopped() && !team_.failed()) {
      const std::uint64_t now = std::min(evaluations, slice());
      chain.advance(table, now);
      evaluations -= now;
      observer.advanced(now);
      report(chain, observer);
    }
  }

  static void report(const Chain& chain, game::ChainObserver& observer) {
    if (observer.wants(chain.best_score())) observer.found(chain.best_score(), chain.best_moves());
  }

  ThreadTeam& team_;
  const Isa isa_;
  const game::Position board_;
  const game::Scoring scoring_;
  const game::ChainLayout layout_;
  int members_;
  std::vector<std::unique_ptr<Chain>> chains_;  // by their numbers; null before they are started
};

class CpuChainEngine final : public game::ChainEngine {
 public:
  explicit CpuChainEngine(const CpuChainOptions& options) : team_(options.threads), isa_(options.isa) {
    capabilities_.name = "cpu (" + std::string(name_of(isa_)) + ", " + std::to_string(team_.size()) +
                         (team_.size() == 1 ? " thread)" : " threads)");
    capabilities_.chains_at_once = team_.size();
    capabilities_.evaluations_per_second = kEvaluationsPerSecond * team_.size();
  }

  const game::ChainCapabilities& capabilities() const override { return capabilities_; }

  std::unique_ptr<game::ChainSet> make_chains(const game::Position& board, const game::Scoring& scoring,
                                              const game::ChainLayout& layout) override {
    return std::make_unique<CpuChainSet>(team_, isa_, board, scoring, layout);
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
