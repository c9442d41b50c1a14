// The parser of samples either refuses a text and names the place, or reads samples that it can write and read again.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "game/parse_error.hpp"
#include "host/reproduce/sample_file.hpp"

namespace {

using namespace chainshot;

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  try {
    for (const auto& [key, samples] : host::parse_samples(text, "input")) {
      for (const host::Sample& sample : samples) {
        require(std::isfinite(sample.value) && sample.seconds >= 0);
        const host::SamplesByKey again = host::parse_samples(host::sample_line(key, sample, "p"), "again");
        require(again.at(key).front().value == sample.value);
      }
    }
  } catch (const game::ParseError& error) {
    require(std::string_view(error.what()).starts_with("input:"));
  }
  return 0;
}
