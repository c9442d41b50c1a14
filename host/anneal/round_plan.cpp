#include "host/anneal/round_plan.hpp"

#include <algorithm>

#include "game/geometry.hpp"
#include "game/random.hpp"

namespace chainshot::host {
namespace {

// A step may take so many times its share of the time.
constexpr double kPatience = 1.5;

// Rounds of a search without an end grow from here to the longest.
constexpr std::uint64_t kFirstRound = 20'000'000;

// The population is a multiple of this, or of the chains that advance at once where only time is the limit: then no
// thread waits for the last.
constexpr int kTogether = 4;

constexpr std::uint64_t kEvaluationsPerPlayout = 50;  // of start lines: both take the same time

// The share of a round's time in which its members are made. Each then has some twenty times what it took to make it,
// whatever the size of the board. Members that are not made by then are left out.
constexpr double kMakingShare = 0.05;
constexpr double kStartPatience = 2;  // a start line may take so many times its share of the time

constexpr std::uint64_t kFewestMembers = 8;
constexpr std::uint64_t kLeastEvaluations = 2048;  // per member: 10 to 40 in each of 60 steps

// The most memory that the chains of a population take, whatever was asked for, and bounds of what one chain takes. Not
// a share of the machine's memory: for a budget of evaluations all machines have the same members.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
constexpr std::uint64_t kSmallChainBytes = std::uint64_t{64} << 10, kWideChainBytes = std::uint64_t{1} << 20;

// More evaluations buy more members sooner than longer cooling.
std::uint64_t members_for(std::uint64_t evaluations) {
  return std::clamp<std::uint64_t>(evaluations / 500'000, kFewestMembers, 256);
}

// Limits the members asked for to what the evaluations and the memory can serve; 0 asks for what suits the evaluations.
int members_served(const AnnealSettings& settings, std::uint64_t evaluations, const game::Position& board) {
  const int asked = settings.members;
  const std::uint64_t bytes = settings.memory_bytes > 0 ? std::min(settings.memory_bytes, kMostBytes) : kMostBytes;
  const bool small = game::fits_small(board.columns(), board.rows(), board.colors());
  const std::uint64_t wanted = asked > 0 ? static_cast<std::uint64_t>(asked) : members_for(evaluations);
  const std::uint64_t served = std::max(kFewestMembers, evaluations / kLeastEvaluations);
  const std::uint64_t room = std::max<std::uint64_t>(1, bytes / (small ? kSmallChainBytes : kWideChainBytes));
  return static_cast<int>(std::min({wanted, served, room}));
}

}  // namespace

std::uint64_t EvaluationBudget::evaluations_until(double end_seconds) const {
  const auto done = static_cast<double>(evaluations());
  const double now = seconds();
  const double rate = done == 0 ? guessed_rate_ : done / (now - first_step_seconds_);
  return static_cast<std::uint64_t>(std::max(0.0, end_seconds - now) * rate);
}

std::uint64_t EvaluationBudget::evaluations_left() const {
  std::uint64_t left = kUnlimited;
  if (is_counted()) left = budget_.playouts - std::min(evaluations(), budget_.playouts);
  if (is_timed()) left = std::min(left, evaluations_until(budget_.seconds));
  return left;
}

RoundPlanner::RoundPlanner(const SearchTask& task, const AnnealSettings& settings, const EvaluationBudget& budget,
                           const game::ChainCapabilities& capabilities)
    : task_(task),
      settings_(settings),
      temperatures_(temperatures_for(settings, task.scoring)),
      budget_(budget),
      chains_at_once_(capabilities.chains_at_once),
      lines_at_once_(capabilities.lines_at_once) {}

AnnealRound RoundPlanner::plan_round(std::uint64_t number) const {
  const std::uint64_t left = budget_.evaluations_left();
  const bool endless = left == EvaluationBudget::kUnlimited;
  const std::uint64_t longest = settings_.longest_round;
  const std::uint64_t rounds = endless ? 1 : std::max<std::uint64_t>(1, left / longest + (left % longest > 0));
  const std::uint64_t evaluations =
      endless ? std::min(longest, kFirstRound << std::min<std::uint64_t>(number, 16)) : left / rounds;
  const double now = budget_.seconds();
  const bool only_timed = budget_.is_timed() && !budget_.is_counted();
  const double end_seconds = now + (budget_.end_seconds() - now) / static_cast<double>(rounds);
  const int together = members_together(settings_, only_timed ? std::max(kTogether, chains_at_once_) : kTogether);
  return {.schedule = schedule_for(evaluations, members_served(settings_, evaluations, task_.board), together),
          .together = together,
          .seed = game::mix64(task_.seed ^ game::mix64(number)),
          .evaluations = evaluations,
          .end = only_timed ? EvaluationBudget::kUnlimited : budget_.evaluations() + evaluations,
          .end_seconds = end_seconds,
          .made_seconds = now + kMakingShare * (end_seconds - now),
          .is_last = !endless && rounds == 1};
}

CoolingSchedule RoundPlanner::schedule_for(std::uint64_t evaluations, int members, int together) const {
  AnnealSettings served = settings_;
  served.steps = steps_served(settings_.steps, evaluations, members);
  return {served, temperatures_, members, together};
}

void RoundPlanner::settle_members(AnnealRound& round, int members) const {
  if (members < round.schedule.members(0)) round.schedule = schedule_for(round.evaluations, members, round.together);
}

StartPlan RoundPlanner::plan_starts(const AnnealRound& round, int members) const {
  const int lines = (members + 1) / 2;
  const double seconds_left = round.end_seconds - budget_.seconds();
  return {.playouts = static_cast<std::uint64_t>(settings_.tree_share * static_cast<double>(round.evaluations)) /
                      (kEvaluationsPerPlayout * static_cast<std::uint64_t>(lines)),
          .seconds = kStartPatience * settings_.tree_share * seconds_left *
                     std::min(1.0, static_cast<double>(lines_at_once_) / lines)};
}

StepPlan RoundPlanner::plan_step(const AnnealRound& round, int step, int members) const {
  const double now = budget_.seconds();
  std::uint64_t left = round.end - std::min(round.end, budget_.evaluations());
  if (budget_.is_timed()) left = std::min(left, budget_.evaluations_until(round.end_seconds));
  const std::uint64_t turns = round.schedule.turns_from(step);
  const double share = static_cast<double>(members) / static_cast<double>(turns);
  // The last step gets all that is left: its turns are its members.
  return {.evaluations = left * static_cast<std::uint64_t>(members) / turns,
          .end_seconds = now + kPatience * share * (round.end_seconds - now)};
}

bool RoundPlanner::is_spent(const AnnealRound& round, int members, std::uint64_t slice) const {
  return budget_.evaluations() >= round.end || (budget_.is_timed() && budget_.evaluations_until(round.end_seconds) <
                                                                          slice * static_cast<std::uint64_t>(members));
}

}  // namespace chainshot::host
