// Names, tables and JSON of the lines of archives, for the commands of `chainshot archive`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "host/archive/archive.hpp"
#include "tools/options/line_source.hpp"
#include "tools/reports/json_text.hpp"

namespace chainshot::tools {

// Names of boards that differ for different boards. A standard board has its standard name. If two boards have one
// name, or a board has the name of a standard board that it is not, the first digits of the hash follow the name.
class BoardNames {
 public:
  void add(const std::string& hash, const std::string& name);
  void add(const host::Archive& archive);
  const std::string& of(const std::string& hash) const { return by_hash_.at(hash); }
  const std::string& of(std::int64_t id) const { return by_hash_.at(hash_of_.at(id)); }  // of the archive added last
  const std::map<std::string, std::string>& by_hash() const { return by_hash_; }

 private:
  std::map<std::string, std::string> by_hash_;
  std::map<std::string, std::string> hash_by_name_;
  std::map<std::int64_t, std::string> hash_of_;
};

// Everything about a line: board, scoring, score, moves and origin.
Json line_json(const host::ArchivedLine& line, const std::string& board);
// The same as a solution text with comments, which `verify` accepts.
std::string line_text(const host::ArchivedLine& line, const std::string& board, int rows, const std::string& archive);

// `anneal (auto, seed 3)`: what found a line; empty if nobody knows.
std::string finder_text(const host::LineOrigin& origin);

// A table whose columns are as wide as their widest cell. Numbers stand right, other cells left.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> head) : rows_{std::move(head)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

// The best line of each board and scoring; the earliest one of equals.
using BestLines = std::map<std::pair<std::string, std::string>, SourcedLine>;  // by the name of the board and scoring
BestLines best_lines(const std::vector<SourcedLine>& lines, const BoardNames& names);

// A board and scoring whose best line differs between two states.
struct LineChange {
  std::string board;
  std::string scoring;
  std::optional<int> from;
  SourcedLine to;

  int gain() const { return to.line.score - from.value_or(0); }
};
// Lines without a counterpart in `after` are left out: they were not looked for there.
std::vector<LineChange> changes_between(const BestLines& before, const BestLines& after);

void print_changes(const std::vector<LineChange>& changes);
Json changes_json(const std::vector<LineChange>& changes);

}  // namespace chainshot::tools
