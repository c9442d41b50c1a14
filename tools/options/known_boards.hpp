// The boards that solutions and logs may name.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "game/board_text.hpp"

namespace chainshot::host {
class Archive;
}

namespace chainshot::tools {

// A board that was added earlier goes before one of the same name. Where no board has a name, it may be a long name:
// `solve a.txt b.txt` writes lines of board `a-x` if both files have a board `x`, and they fit `x` of a.txt alone, too.
class KnownBoards {
 public:
  KnownBoards() = default;
  explicit KnownBoards(const std::vector<game::NamedBoard>& boards) { add(boards); }

  void add(const std::vector<game::NamedBoard>& boards);
  void add(const host::Archive& archive);
  // Returns null if there is none. An empty name is the board that was given alone.
  const game::NamedBoard* find(const std::string& name) const;
  std::vector<std::string> names() const;

 private:
  std::map<std::string, game::NamedBoard> by_name_;
  std::map<std::string, game::NamedBoard> by_long_name_;
  std::optional<game::NamedBoard> alone_;  // if it was all that was added first
};

}  // namespace chainshot::tools
