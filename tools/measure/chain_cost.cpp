// Measures what an evaluation of a single chain costs, on random boards at several temperatures. It is not a test: it
// prints nanoseconds of processor time, and with the name of an instruction set it measures that one.
//   chain_cost [EVALUATIONS] [BOARDS] [ISA]
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "cpu/chain/chain.hpp"
#include "tools/measure/trial.hpp"

namespace chainshot {
namespace {

struct Heat {
  double temperature, soft;
};
constexpr std::array<Heat, 3> kHeats = {{{40, 10}, {22, 5}, {12, 2}}};

cpu::Isa isa_of(const std::string& name) {
  for (const cpu::Isa isa : cpu::available_isas())
    if (name == cpu::name_of(isa)) return isa;
  return cpu::best_isa();
}

void measure(std::uint64_t evaluations, int boards, cpu::Isa isa) {
  std::printf("%-8s %12s %8s %8s %9s %7s %7s\n", "heat", "ns each", "floods", "repeated", "accepted", "met", "cut");
  for (const Heat& heat : kHeats) {
    const game::AcceptanceTable table(heat.temperature, heat.soft, game::kStandardScoring);
    game::ChainCounts counts, before;
    double taken = 0;
    for (int number = 1; number <= boards; ++number) {
      const auto chain = cpu::make_chain(host::trial_board(number), game::kStandardScoring, isa);
      chain->restart({}, number % 5, static_cast<std::uint32_t>(number));
      chain->advance(table, evaluations / 4);  // to lines of this temperature
      before += chain->counts();
      const double start = host::processor_seconds();
      chain->advance(table, evaluations);
      taken += host::processor_seconds() - start;
      counts += chain->counts();
    }
    const double each = static_cast<double>(counts.evaluations - before.evaluations);
    const auto rate = [&](std::uint64_t all, std::uint64_t first) { return static_cast<double>(all - first) / each; };
    std::printf("%-8.0f %12.1f %8.2f %8.2f %9.3f %7.3f %7.3f\n", heat.temperature, taken * 1e9 / each,
                rate(counts.moves, before.moves), rate(counts.repeated, before.repeated),
                rate(counts.accepted, before.accepted), rate(counts.met, before.met), rate(counts.cut, before.cut));
  }
}

}  // namespace
}  // namespace chainshot

int main(int argc, char** argv) {
  const auto argument = [&](int i, const char* otherwise) { return std::string(argc > i ? argv[i] : otherwise); };
  chainshot::measure(std::strtoull(argument(1, "300000").c_str(), nullptr, 10), std::atoi(argument(2, "6").c_str()),
                     chainshot::isa_of(argument(3, "")));
}
