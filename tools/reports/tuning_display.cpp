#include "tools/reports/tuning_display.hpp"

#include <fmt/format.h>

#include "tools/reports/number_text.hpp"
#include "tools/reports/tuning_report.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {

void TuningDisplay::begin(const host::TuningRun& run, int side_by_side) {
  const host::TuningPlan& plan = run.state().plan;
  const auto games = static_cast<std::uint64_t>(plan.population) * static_cast<std::uint64_t>(plan.boards);
  std::string line =
      fmt::format("{} of {} on {}, {}", counted(static_cast<std::uint64_t>(plan.generations), "generation"),
                  counted(static_cast<std::uint64_t>(plan.population), "sample"),
                  counted(static_cast<std::uint64_t>(plan.boards), "board"),
                  side_by_side == 1 ? "one game at a time" : fmt::format("{} games side by side", side_by_side));
  if (plan.budget.seconds > 0 && !plan.budget.is_counted())
    line += fmt::format(": at most {} per generation",
                        duration_text(plan.budget.seconds * static_cast<double>(games) / side_by_side));
  told_ = run.state().done.size();
  if (told_ > 0) line += fmt::format("; going on after generation {}", told_);
  say(line);
  next_ = Clock::now() + std::chrono::seconds(block_.redraws() ? 0 : 60);
}

void TuningDisplay::update(const host::TuningRun& run) {
  const host::TuningState& state = run.state();
  if (run.save_problem() != told_problem_) {
    told_problem_ = run.save_problem();
    if (told_problem_.empty())
      say("chainshot: note: the state can be written again");
    else
      say("chainshot: note: " + told_problem_ + "; the tuning goes on, and the write is tried again every second");
  }
  if (take_status_request()) say(tuning_line(state, run.status()));
  for (; told_ < state.done.size(); ++told_)
    if (!block_.redraws()) say(generation_line(state, told_));
  if (Clock::now() < next_ || run.is_finished()) return;
  if (block_.redraws()) {
    next_ = Clock::now() + std::chrono::milliseconds(250);
    block_.show(tuning_block(state, run.status(), block_.height()));
  } else {
    next_ = Clock::now() + std::chrono::minutes(1);
    say(tuning_line(state, run.status()));
  }
}

void TuningDisplay::say(const std::string& line) {
  block_.erase();
  print_error(line + '\n');
}

}  // namespace chainshot::tools
