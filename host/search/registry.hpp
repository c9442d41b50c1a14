// The registry of searches. A search is one folder (or one file) and one line in the table of registry.cpp: a
// SearchKind, which describes the search as data and makes it. Options, --explain, the log and reports follow from that
// description.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "game/engine.hpp"
#include "host/engines/engines.hpp"
#include "host/search/incumbent.hpp"
#include "host/search/neighbours.hpp"
#include "host/search/search.hpp"
#include "host/search/setting.hpp"

namespace chainshot::host {

// Settings that every search has.
struct CommonSettings {
  bool deterministic = false;      // the result depends on the seed alone, not on threads, engine and latency
  std::uint64_t memory_bytes = 0;  // a cap; 0: the search chooses
  int shares = 0;                  // of a deterministic search; 0: one per process
};
std::span<const Setting> common_settings();

// Devices of a search that opens them itself.
struct OwnDevices {
  std::string names;  // empty: the search runs on the CPU
  std::shared_ptr<ChainDevices> chains = nullptr;
  std::shared_ptr<BeamDevices> beams = nullptr;
};

// The resources that a search may use. The engines must outlive it.
struct Resources {
  std::vector<game::Engine*> engines;  // empty if the search needs none
  EngineChoice choice = {};            // for engines that the search opens itself
  int threads = 1;                     // processors to use
  CommonSettings common = {};
  Budget budget = {};
  EngineNotice notice = {};  // of what the search opens itself, and of limits; once per run
  std::shared_ptr<ChainDevices> chain_devices = nullptr;  // for annealing; null: the CPU
  std::shared_ptr<BeamDevices> beam_devices = nullptr;    // for beams
  Neighbours* neighbours = nullptr;                       // null: no other process searches the board
};

enum class EngineNeed : std::uint8_t {
  kNone,  // the search needs no engine from outside, and runs on the CPU
  kOwn,   // the search runs on the CPU or on devices, as the user chose, and opens what it needs itself
  kAny,   // the search plays on the engines that the user chose
};

// Named settings: an algorithm of a paper with the paper's parameters.
struct Preset {
  std::string name;
  std::string summary;
  std::string paper;  // paper and section; empty if the preset comes from no paper
  Settings settings;
};

// The common counters that a search has. Reports show a column for each.
struct Counters {
  bool playouts = false;
  bool evaluations = false;
  bool nodes = false;           // also: the search obeys Budget::nodes
  bool resource_units = false;  // also: the search obeys Budget::resource_units
};

struct SearchKind {
  std::string_view name;
  std::string_view title;    // for people: `tree search`
  std::string_view summary;  // the idea in one sentence, without a full stop
  std::string_view paper;    // where it was published; empty if it is our own
  EngineNeed engines = EngineNeed::kAny;
  Counters counters = {};
  std::span<const Setting> (*settings)() = nullptr;
  std::span<const Preset> (*presets)() = nullptr;  // the first preset is the usual form of the search
  // Makes one search, or several that run side by side and share the incumbent.
  std::vector<NamedSearch> (*make)(const SearchTask&, const Settings&, const Resources&, Incumbent&) = nullptr;
  // The memory it takes without --memory, in words; empty if it takes next to none, so that --memory means nothing.
  std::string_view default_memory = {};
  // Returns how many threads wait for the engine; these play while they wait. Null: one.
  int (*waiting_threads)(const Settings&, const CommonSettings&, int threads) = nullptr;
  // Returns one sentence if the settings contradict each other, though each is in its range; else an empty string.
  std::string (*objection)(const Settings&, const game::Scoring&) = nullptr;
  // For a search with EngineNeed::kOwn: opens the devices that it would run on, or only finds out their names. Throws
  // std::invalid_argument with one sentence if this machine cannot run what the user chose.
  OwnDevices (*open_devices)(const EngineChoice&, const EngineNotice&) = nullptr;
  // It searches a board only if no game of it can reach a score beyond this either way.
  std::int64_t most_score = game::kMostScore;
  // It passes lines to its neighbours itself. Other searches learn of the best line that any process has found.
  bool has_neighbours = false;
};

// The common settings that mean something to a search, with what they are by default.
std::vector<Setting> common_settings(const SearchKind& kind);

// All searches, in the order in which people should meet them.
std::span<const SearchKind* const> search_kinds();

// A preset and the search it belongs to; null pointers if no preset has the name.
struct FoundPreset {
  const SearchKind* kind = nullptr;
  const Preset* preset = nullptr;
};
FoundPreset find_preset(std::string_view name);
std::vector<std::string> preset_names();

}  // namespace chainshot::host
