// Reports the complexity of boards (Klein 2015, section 4), and how random games of random boards go (Schadd 2008).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host/analysis/complexity.hpp"
#include "host/analysis/random_play.hpp"
#include "tools/reports/json_text.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

struct ComplexitySetting {
  std::string boards;              // what they are: `random boards of 15x15, 5 colours`
  std::vector<std::string> names;  // of the boards; empty for random ones
  std::uint64_t asked = 0;         // boards
  std::uint64_t games = 0;         // of each kind and board
  std::uint64_t seed = 0;
  bool has_published = false;  // the boards are of the kind that the papers measured
};

std::string complexity_text(const std::vector<host::BoardComplexity>& boards, const ComplexitySetting& setting,
                            const Terminal& terminal);
Json complexity_json(const std::vector<host::BoardComplexity>& boards, const ComplexitySetting& setting);

struct RandomPlaySetting {
  std::string boards;
  std::string engine;
  std::uint64_t asked = 0;
  std::uint32_t games = 0;
  std::uint64_t seed = 0;
  bool has_published = false;
};

std::string random_play_text(const host::RandomPlayResult& result, const RandomPlaySetting& setting,
                             const Terminal& terminal);
Json random_play_json(const host::RandomPlayResult& result, const RandomPlaySetting& setting);

}  // namespace chainshot::tools
