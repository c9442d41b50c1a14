#include "tools/options/known_boards.hpp"

#include "host/archive/archive.hpp"

namespace chainshot::tools {

void KnownBoards::add(const std::vector<game::NamedBoard>& boards) {
  const bool is_first = by_name_.empty();
  for (const game::NamedBoard& board : boards) {
    by_name_.emplace(board.name, board);
    if (!board.long_name.empty()) by_long_name_.emplace(board.long_name, board);
  }
  if (is_first && by_name_.size() == 1) alone_ = boards.front();
}

void KnownBoards::add(const host::Archive& archive) {
  for (const host::ArchivedBoard& board : archive.boards())
    by_name_.emplace(board.name, game::NamedBoard{board.name, board.position});
}

const game::NamedBoard* KnownBoards::find(const std::string& name) const {
  if (name.empty()) return alone_ ? &*alone_ : nullptr;
  if (const auto found = by_name_.find(name); found != by_name_.end()) return &found->second;
  const auto found = by_long_name_.find(name);
  return found == by_long_name_.end() ? nullptr : &found->second;
}

std::vector<std::string> KnownBoards::names() const {
  std::vector<std::string> names;
  for (const auto& [name, board] : by_name_)
    names.push_back(name);
  return names;
}

}  // namespace chainshot::tools
