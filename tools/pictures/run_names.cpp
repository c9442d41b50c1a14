#include "tools/pictures/run_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

namespace chainshot::tools {
namespace {

using Setting = std::pair<std::string, std::string>;

// Returns the names of the settings that have several values among the runs of one preset. A setting that another
// preset does not have tells nothing that the preset does not.
std::set<std::string> varied_settings(const std::vector<DrawnRun>& runs) {
  std::map<Setting, std::string> first_value;  // by preset and name
  std::set<std::string> varied;
  for (const DrawnRun& run : runs)
    for (const auto& [name, value] : run.logged.settings)
      if (first_value.try_emplace({run.logged.preset, name}, value).first->second != value) varied.insert(name);
  return varied;
}

// `uct, c 0.1`
std::string search_of(const host::LoggedRun& run, const std::set<std::string>& varied) {
  std::string text = run.preset;
  for (const auto& [name, value] : run.settings)
    if (varied.contains(name)) text += fmt::format(", {} {}", name, value);
  return text;
}

std::string in_file(const DrawnRun& run, const std::string& text) {
  const std::string file = std::filesystem::path(run.log).stem();
  return file == run.logged.preset || run.log == "-" ? text : fmt::format("{} ({})", file, text);
}

std::string key_of(const DrawnRun& run) {
  std::string key = run.logged.preset + '\n' + run.logged.engine;
  for (const auto& [name, value] : run.logged.settings)
    key += '\n' + name + '\n' + value;
  return key;
}

bool has_a_seed_twice(const std::vector<DrawnRun>& runs, const std::vector<std::size_t>& group) {
  std::set<std::string> seeds;
  return std::any_of(group.begin(), group.end(),
                     [&](std::size_t i) { return !seeds.insert(runs[i].logged.seed).second; });
}

// The groups in the order of their first runs.
std::vector<std::vector<std::size_t>> grouped_by(const std::vector<std::size_t>& runs,
                                                 const std::vector<std::string>& keys) {
  std::vector<std::vector<std::size_t>> groups;
  std::map<std::string, std::size_t> place;
  for (const std::size_t i : runs) {
    const auto [found, is_new] = place.try_emplace(keys[i], groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(i);
  }
  return groups;
}

}  // namespace

std::vector<std::string> names_of_runs(const std::vector<DrawnRun>& runs) {
  const std::set<std::string> varied = varied_settings(runs);
  std::vector<std::string> searches;
  std::map<std::string, int> times;
  for (const DrawnRun& run : runs) {
    searches.push_back(fmt::format("{}, seed {}", search_of(run.logged, varied), run.logged.seed));
    ++times[in_file(run, searches.back())];
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const DrawnRun& run = runs[i];
    if (times[in_file(run, searches[i])] > 1)
      searches[i] += run.logged.date.empty() ? fmt::format(", run {}", run.number) : ", " + run.logged.date;
    names.push_back(in_file(run, searches[i]));
  }
  return names;
}

std::vector<RunGroup> groups_of_runs(const std::vector<DrawnRun>& runs) {
  std::vector<std::string> keys, files;
  std::vector<std::size_t> all;
  std::set<std::string> logs;
  for (const DrawnRun& run : runs) {
    all.push_back(all.size());
    keys.push_back(key_of(run));
    files.push_back(run.log);
    logs.insert(run.log);
  }
  const std::set<std::string> varied = varied_settings(runs);
  std::vector<RunGroup> groups;
  for (const std::vector<std::size_t>& alike : grouped_by(all, keys)) {
    const bool splits = has_a_seed_twice(runs, alike);
    std::vector<std::vector<std::size_t>> parts = {alike};
    if (splits) parts = grouped_by(alike, files);
    for (std::vector<std::size_t>& group : parts) {
      const DrawnRun& first = runs[group.front()];
      const std::string search = search_of(first.logged, varied);
      const std::string text = group.size() == 1 ? fmt::format("{}, seed {}", search, first.logged.seed)
                                                 : fmt::format("{}, {} seeds", search, group.size());
      groups.push_back({.name = splits ? in_file(first, text) : text, .runs = std::move(group)});
    }
  }
  return groups;
}

}  // namespace chainshot::tools
