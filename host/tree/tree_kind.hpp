// The tree search as the registry knows it: its settings table, its presets, and how it is made.
#pragma once

#include <span>
#include <string>

#include "host/search/registry.hpp"
#include "host/tree/settings.hpp"

namespace chainshot::host {

extern const SearchKind kTreeKind;

std::span<const Setting> tree_settings();  // of TreeSettings
std::span<const Preset> tree_presets();    // presets.cpp
const TreeSettings& tree_preset(std::string_view name);

// One sentence if the settings contradict each other, else an empty string.
std::string tree_objection(const TreeSettings& settings);

// The settings of one search of a board: what all searches have in common is added.
TreeSettings with_common(TreeSettings settings, const CommonSettings& common);

}  // namespace chainshot::host
