#include "host/reproduce/reproduction.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <set>

#include "host/analysis/work_sharing.hpp"
#include "host/reproduce/experiments.hpp"

namespace chainshot::host {
namespace {

struct MissingSample {
  const PublishedRow* row = nullptr;
  SampleKey key;
  std::size_t index = 0;
};

// Takes the rows of a table in turns, so that a measurement that is broken off has something of every row.
std::vector<MissingSample> missing_samples(const PublishedTable& table, Extent extent, const SamplesByKey& samples) {
  std::vector<MissingSample> missing;
  std::size_t most = 0;
  for (const PublishedRow& row : table.rows)
    most = std::max(most, row.effort_of(extent).samples);
  std::vector<std::set<std::size_t>> known(table.rows.size());
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const Effort effort = table.rows[r].effort_of(extent);
    for (const Sample& sample : samples_of(samples, table, table.rows[r], effort))
      known[r].insert(sample.index);
  }
  for (std::size_t index = 0; index < most; ++index) {
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      const PublishedRow& row = table.rows[r];
      if (std::holds_alternative<NotMeasured>(row.experiment) || index >= row.effort_of(extent).samples) continue;
      if (!known[r].contains(index)) missing.push_back({&row, key_of(table, row, row.effort_of(extent)), index});
    }
  }
  return missing;
}

}  // namespace

SampleKey key_of(const PublishedTable& table, const PublishedRow& row, Effort effort) {
  return {table.name, row.name, experiment_text(row.experiment), effort.budget_share};
}

bool measure_missing(const ReproductionTask& task, SamplesByKey& samples) {
  using Clock = std::chrono::steady_clock;
  std::vector<MissingSample> missing;
  for (const PublishedTable* table : task.tables) {
    std::vector<MissingSample> more = missing_samples(*table, task.extent, samples);
    missing.insert(missing.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }
  std::mutex mutex;
  const auto measure = [&](int, std::uint64_t piece) {
    const MissingSample& wanted = missing[piece];
    const Clock::time_point start = Clock::now();
    const std::optional<double> value =
        measure_sample(wanted.row->experiment, wanted.key.budget_share, wanted.index, task.stop);
    if (!value) return;
    const std::chrono::duration<double> seconds = Clock::now() - start;
    const Sample sample{wanted.index, *value, seconds.count()};
    const std::lock_guard lock(mutex);
    samples[wanted.key].push_back(sample);
    if (task.measured) task.measured(wanted.key, sample);
  };
  return share_work(task.threads, missing.size(), task.stop, task.watch, measure) && !task.stop.stop_requested();
}

std::vector<Sample> samples_of(const SamplesByKey& samples, const PublishedTable& table, const PublishedRow& row,
                               Effort effort) {
  std::vector<Sample> wanted;
  const auto found = samples.find(key_of(table, row, effort));
  if (found == samples.end()) return wanted;
  for (const Sample& sample : found->second)
    if (sample.index < effort.samples) wanted.push_back(sample);
  return wanted;
}

}  // namespace chainshot::host
