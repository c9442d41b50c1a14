// Named searches: an algorithm of a paper is a choice of parts, with the paper's parameters.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/anneal/annealing.hpp"
#include "host/tree/settings.hpp"

namespace chainshot::host {

enum class Method : std::uint8_t {
  kTree,    // host/tree/tree_search.hpp
  kAnneal,  // host/anneal/annealing.hpp, whose settings are those of every preset that anneals
  kAuto,    // annealing, a search for a proof of small boards, and the tree search on a device
};

// The most blocks of a board that `auto` looks for a proof of.
inline constexpr int kMostProvenBlocks = 64;

struct Preset {
  std::string_view name;
  std::string_view summary;
  std::string_view source;  // paper and section
  Method method = Method::kTree;
  TreeSettings tree;  // of `auto` those of its tree search
};

std::span<const Preset> presets();
// nullptr if there is none of that name.
const Preset* preset_named(std::string_view name);

struct PresetPart {
  std::string part;
  std::string value;
  std::string_view source;  // where the part is described
};

// What a search with these settings is made of, one line a part; parts that are not used are left out.
std::vector<PresetPart> explain(Method method, const TreeSettings& tree, const AnnealSettings& anneal = {});

// Names of the parts, as options spell them.
std::string_view to_string(Normalisation normalisation);
std::string_view to_string(Duplicates duplicates);
std::string_view to_string(Allocation allocation);
std::string_view to_string(MoveChoice choice);
std::string_view to_string(ParallelMode mode);

}  // namespace chainshot::host
