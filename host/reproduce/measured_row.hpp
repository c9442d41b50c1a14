// Sums up the samples of a row and compares them with the published figure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "host/reproduce/published_table.hpp"

namespace chainshot::host {

struct Sample {
  std::size_t index = 0;
  double value = 0;
  double seconds = 0;
};

struct MeasuredRow {
  std::size_t samples = 0;
  double value = 0;  // a mean, or the sum over the standard set
  double error = 0;  // its standard error; 0 if it is exact or unknown
  bool error_is_known = false;
  double lowest = 0, highest = 0;  // of all samples
  double seconds = 0;              // of all samples together
};

enum class Verdict : std::uint8_t {
  kAgrees,     // within two standard errors of the difference
  kBetter,     // a score above the published one
  kBelowLess,  // a score below the published one, with a smaller budget
  kDiffers,
  kListed,   // not measured
  kUnknown,  // too few samples
};

struct Judgement {
  Verdict verdict = Verdict::kUnknown;
  double difference = 0;  // ours minus the published figure
  double error = 0;       // of the difference
  bool has_less = false;  // our budget was smaller
};

// The samples may come in any order. A total over the standard set needs every board at least once; until then the row
// has no value, and `samples` is 0.
MeasuredRow measured_row(const PublishedTable& table, const PublishedRow& row, std::span<const Sample> samples);

Judgement judge(const PublishedTable& table, const PublishedRow& row, const MeasuredRow& measured, Effort effort);

// A word for scripts: `agrees`, `better`, `below-with-less`, `differs`, `listed`, `unknown`.
std::string_view name_of(Verdict verdict);

}  // namespace chainshot::host
