#include "tools/reports/record_display.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tools/reports/number_text.hpp"
#include "tools/reports/record_report.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

void RecordDisplay::begin(const std::string& archive, const host::RecordStatus& status, bool is_resumed) {
  say(fmt::format("{} run {} in {}, {} {}.\n{}", is_resumed ? "going on with" : "beginning", status.run.substr(0, 8),
                  printable_text(archive), status.boards.size(), status.boards.size() == 1 ? "board" : "boards",
                  status.strategy));
  next_ = Clock::now() + std::chrono::seconds(block_.redraws() ? 0 : 60);
  for (const host::RecordedBoard& board : status.boards)
    if (board.best) told_[board.id] = *board.best;
}

void RecordDisplay::update(const host::RecordStatus& status) {
  std::vector<std::string> notes;
  {
    const std::lock_guard lock(mutex_);
    notes = std::exchange(notes_, {});
  }
  for (const std::string& sentence : notes)
    say("chainshot: note: " + printable_text(sentence));
  if (take_status_request()) say(record_line(status));
  if (!block_.redraws()) tell_bests(status);
  if (Clock::now() < next_) return;
  if (block_.redraws()) {
    next_ = Clock::now() + std::chrono::milliseconds(250);
    block_.show(record_table(status, block_.width(), block_.height()));
  } else {
    next_ = Clock::now() + std::chrono::minutes(1);
    say(record_line(status));
  }
}

// A board that is searched for the first time improves many times per second, so only boards without a turn under way
// are told of in full; the others at the end of their turns.
void RecordDisplay::tell_bests(const host::RecordStatus& status) {
  for (std::size_t i = 0; i < status.boards.size(); ++i) {
    const host::RecordedBoard& board = status.boards[i];
    const bool runs = std::any_of(status.turns.begin(), status.turns.end(),
                                  [&](const host::RunningTurn& turn) { return turn.board == i; });
    if (!board.best || (runs && !board.before)) continue;
    const auto [told, is_new] = told_.try_emplace(board.id, 0);
    if (!is_new && *board.best <= told->second) continue;
    told->second = *board.best;
    say(fmt::format("{} {}{}", board.name, *board.best, board.before ? fmt::format(" (+{})", board.gain()) : ""));
  }
}

void RecordDisplay::note(const std::string& sentence) {
  const std::lock_guard lock(mutex_);
  notes_.push_back(sentence);
}

void RecordDisplay::erase() {
  block_.erase();
  const std::lock_guard lock(mutex_);
  for (const std::string& sentence : std::exchange(notes_, {}))
    print_error("chainshot: note: " + sentence + '\n');
}

void RecordDisplay::say(const std::string& line) {
  block_.erase();
  print_error(line + '\n');
}

}  // namespace chainshot::tools
