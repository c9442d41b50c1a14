#include "host/nrpa/nrpa_search.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "host/nrpa/branched_run.hpp"
#include "host/nrpa/ledger.hpp"
#include "host/nrpa/nested_run.hpp"

namespace chainshot::host {
namespace {

using nrpa::Ledger;
using nrpa::Rollout;

constexpr std::string_view kSource = "nrpa";
constexpr int kDeterministicJobs = 8;
constexpr std::uint64_t kPolicyBytes = 64 << 20;  // per worker, without --memory; runs of level 4 take less than 1 MiB
constexpr std::uint64_t kLeastPolicyBytes = 128 << 10;

int jobs_of(const NrpaSettings& settings, const CommonSettings& common, int threads) {
  if (settings.jobs > 0) return settings.jobs;
  if (common.deterministic) return settings.parallel == NrpaParallel::kRoot ? kDeterministicJobs : 1;
  return settings.parallel == NrpaParallel::kRoot ? threads : std::max(1, threads / settings.branches);
}

class NrpaSearch final : public Search {
 public:
  NrpaSearch(const SearchTask& task, const NrpaSettings& settings, const Budget& budget, int threads,
             const CommonSettings& common, Incumbent& incumbent)
      : task_(task),
        settings_(settings),
        rules_(nrpa_player_rules(task, settings)),
        budget_(budget),
        incumbent_(incumbent),
        is_live_(!common.deterministic),
        jobs_(jobs_of(settings, common, threads)),
        shared_(incumbent, task.board.upper_bound(task.scoring), is_live_, kSource) {
    divide_memory(common.memory_bytes, threads);
  }

  void run(const SearchClock&, std::stop_token stop) override {
    shared_.begin(std::move(stop));
    std::vector<Ledger> jobs(static_cast<std::size_t>(jobs_), Ledger(shared_));
    run_jobs(jobs);
    for (const Ledger& job : jobs)
      if (!is_live_ && job.best_score() > incumbent_.score())
        incumbent_.offer(job.best_score(), job.best_moves(), kSource);
    if (error_) std::rethrow_exception(error_);
  }

  SearchStatus status() const override {
    SearchStatus status{.playouts = shared_.playouts(), .proven = incumbent_.score() >= shared_.bound()};
    status.figures = {
        {"level", static_cast<double>(settings_.levels)},
        {"runs", static_cast<double>(runs_), FigureStyle::kNumber, "runs"},
    };
    if (const int best = shared_.run_best(); best != Rollout::kNoScore)
      status.figures.push_back({"run_best", static_cast<double>(best), FigureStyle::kNumber, "best of the run", "run"});
    return status;
  }

 private:
  // Workers that do not fit into the memory are left out; a job waits for one of the others. The size of a policy
  // follows from the number of jobs, so that a deterministic search does not depend on the threads.
  void divide_memory(std::uint64_t memory_bytes, int threads) {
    const auto jobs = static_cast<std::uint64_t>(jobs_);
    std::uint64_t fitting = jobs;
    if (memory_bytes > 0) {
      const auto players =
          static_cast<std::uint64_t>(settings_.parallel == NrpaParallel::kRoot ? 1 : settings_.branches + 1);
      const std::uint64_t playing = make_player()->bytes() + rollout_bytes();
      fitting = std::clamp<std::uint64_t>(memory_bytes / (players * (playing + kLeastPolicyBytes)), 1, jobs);
      const std::uint64_t share = memory_bytes / (fitting * players);
      policy_bytes_ = std::min(kPolicyBytes, share > playing ? share - playing : 0);
    }
    workers_ = static_cast<int>(std::min(fitting, static_cast<std::uint64_t>(std::max(1, threads))));
    threads_per_worker_ = std::max(1, threads / workers_);
  }
  // Returns the size of two rollouts per level, each with about as many lives as the board has cells.
  std::uint64_t rollout_bytes() const {
    return 2 * static_cast<std::uint64_t>(settings_.levels + 1) *
           static_cast<std::uint64_t>(task_.board.columns() * task_.board.rows()) * 2 * sizeof(nrpa::Life);
  }

  std::unique_ptr<nrpa::Player> make_player() const { return nrpa::make_player(task_.board, rules_); }

  void run_jobs(std::vector<Ledger>& jobs) {
    std::vector<std::jthread> threads;
    for (int i = 1; i < workers_; ++i) {
      try {
        threads.emplace_back([&] { work(jobs); });
      } catch (const std::system_error&) {
        break;  // the system has no more threads: those there are do all the jobs
      }
    }
    work(jobs);
  }

  void work(std::vector<Ledger>& jobs) {
    try {
      budget_.playouts > 0 ? work_by_count(jobs) : work_by_time();
    } catch (...) {
      shared_.give_up();
      const std::lock_guard lock(error_mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }

  // A job has its share of the playouts and starts runs until they are spent.
  void work_by_count(std::vector<Ledger>& jobs) {
    const auto count = static_cast<std::uint64_t>(jobs_);
    for (std::uint64_t job = next_++; job < count; job = next_++) {
      Ledger& ledger = jobs[job];
      ledger.set_quota(budget_.playouts / count + (job < budget_.playouts % count ? 1 : 0));
      const auto run = make_run(ledger);
      for (std::uint64_t number = job; ledger.may_play(); number += count)
        play_run(*run, number);
    }
  }

  // Without a count every run is a job of its own.
  void work_by_time() {
    Ledger ledger(shared_);
    const auto run = make_run(ledger);
    while (ledger.may_play())
      play_run(*run, next_++);
  }

  std::unique_ptr<nrpa::NestedRun> make_run(Ledger& ledger) const {
    if (settings_.parallel == NrpaParallel::kRoot)
      return std::make_unique<nrpa::NestedRun>(make_player(), nrpa::LevelRules(settings_), policy_bytes_, ledger);
    return std::make_unique<nrpa::BranchedRun>([this] { return make_player(); }, settings_, policy_bytes_, ledger,
                                               threads_per_worker_);
  }

  void play_run(nrpa::NestedRun& run, std::uint64_t number) {
    if (auto* branched = dynamic_cast<nrpa::BranchedRun*>(&run))
      branched->begin_run(task_.seed, number * nrpa::BranchedRun::streams(settings_));
    else
      run.begin({task_.seed, number});
    shared_.begin_run();
    Rollout best;
    if (run.run_level(settings_.levels, best)) ++runs_;
  }

  const SearchTask task_;
  const NrpaSettings settings_;
  const nrpa::PlayerRules rules_;
  const Budget budget_;
  Incumbent& incumbent_;
  const bool is_live_;
  const int jobs_;
  nrpa::SharedProgress shared_;
  int workers_ = 1, threads_per_worker_ = 1;
  std::uint64_t policy_bytes_ = kPolicyBytes;
  std::atomic<std::uint64_t> next_ = 0;  // job or run
  std::atomic<std::uint64_t> runs_ = 0;  // completed
  std::mutex error_mutex_;
  std::exception_ptr error_;
};

}  // namespace

nrpa::PlayerRules nrpa_player_rules(const SearchTask& task, const NrpaSettings& settings) {
  const auto logit = [](double x) { return static_cast<nrpa::Logit>(std::lround(x * nrpa::kOne)); };
  const int color = settings.tabu_color >= 0 ? settings.tabu_color : task.board.most_frequent_color();
  nrpa::PlayerRules rules{.scoring = task.scoring, .size_bias = logit(settings.size_bias)};
  if (settings.tabu == NrpaTabu::kKeep) rules.tabu_color = color;
  if (settings.tabu == NrpaTabu::kBias) {
    rules.biased_color = color;
    rules.color_bias = logit(settings.tabu_bias);
  }
  return rules;
}

std::unique_ptr<Search> make_nrpa_search(const SearchTask& task, const NrpaSettings& settings, const Budget& budget,
                                         int threads, const CommonSettings& common, Incumbent& incumbent) {
  return std::make_unique<NrpaSearch>(task, settings, budget, threads, common, incumbent);
}

}  // namespace chainshot::host
