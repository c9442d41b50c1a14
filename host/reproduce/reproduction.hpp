// Measures the rows of published tables: all samples that are missing, several side by side.
#pragma once

#include <functional>
#include <stop_token>
#include <vector>

#include "host/reproduce/sample_file.hpp"

namespace chainshot::host {

struct ReproductionTask {
  std::vector<const PublishedTable*> tables;
  Extent extent = Extent::kMinutes;
  int threads = 1;  // samples at a time; each has one thread
  std::stop_token stop = {};
  // Called for every new sample, one call at a time.
  std::function<void(const SampleKey&, const Sample&)> measured = {};
  // Told by the calling thread how many of the missing samples are done.
  std::function<void(std::uint64_t done, std::uint64_t total)> watch = {};
};

SampleKey key_of(const PublishedTable& table, const PublishedRow& row, Effort effort);

// Adds the missing samples to `samples`. Returns true if all were measured, false after a stop. Throws
// std::runtime_error with one sentence if a search fails.
bool measure_missing(const ReproductionTask& task, SamplesByKey& samples);

// Returns the samples of a row that its effort asks for: the first ones.
std::vector<Sample> samples_of(const SamplesByKey& samples, const PublishedTable& table, const PublishedRow& row,
                               Effort effort);

}  // namespace chainshot::host
