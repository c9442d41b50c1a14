#include "host/reproduce/sample_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "game/located_json.hpp"
#include "game/parse_error.hpp"

namespace chainshot::host {
namespace {

using game::LocatedJson;

constexpr std::int64_t kMostSamples = 1'000'000;

// Reads the fields of one line.
class SampleReader {
 public:
  SampleReader(const LocatedJson& line, std::string_view source, int number)
      : line_(line), source_(source), number_(number) {}

  std::string text(std::string_view name) const {
    const LocatedJson& value = field(name);
    if (value.kind != LocatedJson::Kind::kString) fail(value, name, "a text");
    return value.text;
  }
  double real(std::string_view name, double low) const {
    const LocatedJson& value = field(name);
    const bool is_number = value.kind == LocatedJson::Kind::kInteger || value.kind == LocatedJson::Kind::kReal;
    const double number = is_number ? std::strtod(value.text.c_str(), nullptr) : std::nan("");
    if (!std::isfinite(number) || number < low) fail(value, name, low == 0 ? "a number from 0" : "a number");
    return number;
  }
  std::size_t index(std::string_view name) const {
    const LocatedJson& value = field(name);
    if (value.kind != LocatedJson::Kind::kInteger || value.integer < 0 || value.integer >= kMostSamples)
      fail(value, name, fmt::format("a whole number below {}", kMostSamples));
    return static_cast<std::size_t>(value.integer);
  }

 private:
  const LocatedJson& field(std::string_view name) const {
    if (line_.kind != LocatedJson::Kind::kObject) game::fail_at(source_, {number_, 1}, "expected an object");
    const LocatedJson* const value = line_.find(name);
    if (value == nullptr) game::fail_at(source_, {number_, 1}, fmt::format("the sample has no '{}'", name));
    return *value;
  }
  [[noreturn]] void fail(const LocatedJson& value, std::string_view name, std::string_view expected) const {
    game::fail_at(source_, {number_, static_cast<int>(value.offset) + 1},
                  fmt::format("'{}': expected {}", name, expected));
  }

  const LocatedJson& line_;
  std::string_view source_;
  int number_;
};

void add_sample(SamplesByKey& samples, const SampleReader& line) {
  SampleKey key{.table = line.text("table"),
                .row = line.text("row"),
                .experiment = line.text("experiment"),
                .budget_share = line.real("budget_share", 0)};
  const Sample sample{
      .index = line.index("sample"), .value = line.real("value", -1e300), .seconds = line.real("seconds", 0)};
  std::vector<Sample>& known = samples[std::move(key)];
  const auto is_same = [&](const Sample& other) { return other.index == sample.index; };
  if (std::none_of(known.begin(), known.end(), is_same)) known.push_back(sample);
}

}  // namespace

std::string sample_line(const SampleKey& key, const Sample& sample, const std::string& program) {
  const nlohmann::ordered_json line = {{"table", key.table},           {"row", key.row},
                                       {"experiment", key.experiment}, {"budget_share", key.budget_share},
                                       {"sample", sample.index},       {"value", sample.value},
                                       {"seconds", sample.seconds},    {"program", program}};
  return line.dump() + '\n';
}

SamplesByKey parse_samples(std::string_view text, std::string_view source) {
  SamplesByKey samples;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if (line.front() != '{') game::fail_at(source, {number, 1}, "expected a sample, an object in braces");
    // A killed program wrote half of such a line.
    if (line.back() != '}') continue;
    add_sample(samples, SampleReader(game::parse_located_json(line, source, number), source, number));
  }
  return samples;
}

}  // namespace chainshot::host
