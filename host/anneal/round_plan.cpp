#include "host/anneal/round_plan.hpp"

#include <algorithm>

#include "game/geometry.hpp"
#include "game/random.hpp"

namespace chainshot::host {
namespace {

// A step may take so many times its share of the time.
constexpr double kPatience = 1.5;

// A budget is divided into so many rounds, if they are then neither shorter nor longer than these bounds. A search
// without an end divides what it has done so far, so that it is well divided whenever it is stopped (trials:
// docs/lab/annealing.md).
constexpr std::uint64_t kRounds = 4;
constexpr std::uint64_t kShortestRound = 2'500'000, kLongestRound = 100'000'000;

// A device makes few evaluations in each of many chains. Its rounds are long enough to give every chain so many.
constexpr std::uint64_t kLongestLineage = 700'000;
constexpr int kDeviceMembers = 64;  // of an island

// The members are a multiple of this, or of the chains that advance at once where only time is the limit: then no
// thread waits for the last.
constexpr int kTogether = 4;

// The share of a round's time in which its members are made. Each then has some twenty times what it took to make it,
// whatever the size of the board. Members that are not made by then are left out.
constexpr double kMakingShare = 0.05;

constexpr std::uint64_t kFewestMembers = 8;
constexpr std::uint64_t kLeastEvaluations = 2048;  // per member: 10 to 40 in each of 60 steps

// The most memory that the chains of a population take, whatever was asked for, and bounds of what one chain takes. Not
// a share of the machine's memory: for a budget of evaluations all machines have the same members.
constexpr std::uint64_t kSmallChainBytes = std::uint64_t{64} << 10, kWideChainBytes = std::uint64_t{1} << 20;

// More evaluations buy more members sooner than longer cooling.
std::uint64_t members_for(std::uint64_t evaluations) {
  return std::clamp<std::uint64_t>(evaluations / 500'000, kFewestMembers, 256);
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

std::uint64_t chains_in_memory(const game::Position& board, std::uint64_t memory_bytes) {
  const std::uint64_t bytes = memory_bytes > 0 ? std::min(memory_bytes, kMostAnnealBytes) : kMostAnnealBytes;
  const bool small = game::fits_small(board.columns(), board.rows(), board.colors());
  return bytes / (small ? kSmallChainBytes : kWideChainBytes);
}

RoundPlanner::RoundPlanner(const SearchTask& task, const AnnealSettings& settings, const EvaluationBudget& budget,
                           const game::ChainEngine& engine)
    : task_(task),
      settings_(settings),
      temperatures_(temperatures_for(settings, task.scoring, largest_color_of(task.board))),
      budget_(budget),
      engine_(engine) {}

bool RoundPlanner::fills_device() const {
  return engine_.capabilities().advances_together && !settings_.deterministic && settings_.islands == 0;
}

// The most members of each of so many islands that the evaluations and the memory serve. A result that must not depend
// on the machine has the same members everywhere, unless a device has no room for them.
int RoundPlanner::members_served(std::uint64_t evaluations, int islands) const {
  std::uint64_t chains = std::max(kFewestMembers, evaluations / kLeastEvaluations);
  if (!fills_device()) chains = std::min(chains, chains_in_memory(task_.board, settings_.memory_bytes));
  const int on_device = engine_.most_members(task_.board, islands);
  const auto most =
      static_cast<std::uint64_t>(on_device > 0 ? std::min(on_device, game::kMostMembers) : game::kMostMembers);
  return static_cast<int>(std::clamp<std::uint64_t>(chains / static_cast<std::uint64_t>(islands), 1, most));
}

// Islands that do not shrink, as many as fill the device.
RoundPlanner::Shape RoundPlanner::device_shape(std::uint64_t evaluations) const {
  const std::uint64_t served = std::max(kFewestMembers, evaluations / kLeastEvaluations);
  const auto chains =
      static_cast<int>(std::min(served, static_cast<std::uint64_t>(engine_.capabilities().chains_at_once)));
  const int wanted = settings_.members > 0 ? settings_.members : kDeviceMembers;
  const int members = std::min({wanted, chains, members_served(evaluations, 1)});
  int islands = chains / members;
  while (islands > 1 && members_served(evaluations, islands) < members)
    --islands;
  const int last = settings_.last_members > 0 ? std::min(settings_.last_members, members) : members;
  return {.islands = islands, .members = members, .last_members = last, .together = 1};
}

RoundPlanner::Shape RoundPlanner::shape_for(std::uint64_t evaluations, int usual_together) const {
  if (fills_device()) return device_shape(evaluations);
  const int islands = std::clamp(settings_.islands, 1, members_served(evaluations, 1));
  const int most = members_served(evaluations, islands);
  const auto of_budget = static_cast<int>(members_for(evaluations / static_cast<std::uint64_t>(islands)));
  const int wanted = settings_.members > 0 ? settings_.members : of_budget;
  const int last = settings_.last_members > 0 ? settings_.last_members : kLastMembers;
  const int together = members_together(settings_, usual_together);
  if (most < together)
    return {.islands = islands, .members = std::min(wanted, most), .last_members = last, .together = 1};
  // The nearest multiple of `together` that there is room for.
  const int nearest = std::max(1, (wanted + together / 2) / together) * together;
  return {.islands = islands,
          .members = std::min(nearest, most - most % together),
          .last_members = last,
          .together = together};
}

std::uint64_t RoundPlanner::rounds_of(std::uint64_t left) const {
  if (settings_.longest_round > 0)
    return std::max<std::uint64_t>(1, left / settings_.longest_round + (left % settings_.longest_round > 0));
  std::uint64_t length = std::clamp((budget_.evaluations() + left) / kRounds, kShortestRound, kLongestRound);
  if (fills_device()) length = kLongestLineage * static_cast<std::uint64_t>(engine_.capabilities().chains_at_once);
  return std::max<std::uint64_t>(1, (left + length / 2) / length);
}

AnnealRound RoundPlanner::plan_round(std::uint64_t number) const {
  const std::uint64_t left = budget_.evaluations_left();
  const bool endless = left == EvaluationBudget::kUnlimited;
  const std::uint64_t longest = settings_.longest_round > 0 ? settings_.longest_round : kLongestRound;
  const std::uint64_t rounds = endless ? 1 : rounds_of(left);
  const std::uint64_t evaluations =
      endless ? std::clamp(budget_.evaluations() / kRounds, std::min(kShortestRound, longest), longest) : left / rounds;
  const double now = budget_.seconds();
  const bool only_timed = budget_.is_timed() && !budget_.is_counted();
  const double end_seconds = now + (budget_.end_seconds() - now) / static_cast<double>(rounds);
  const game::ChainCapabilities& engine = engine_.capabilities();
  const int usual = only_timed && !engine.advances_together ? std::max(kTogether, engine.chains_at_once) : kTogether;
  const Shape shape = shape_for(evaluations, usual);
  return {.schedule = schedule_for(evaluations, shape),
          .islands = shape.islands,
          .together = shape.together,
          .seed = game::mix64(task_.seed ^ game::mix64(number)),
          .evaluations = evaluations,
          .end = only_timed ? EvaluationBudget::kUnlimited : budget_.evaluations() + evaluations,
          .end_seconds = end_seconds,
          .made_seconds = now + kMakingShare * (end_seconds - now),
          .is_last = !endless && rounds == 1};
}

CoolingSchedule RoundPlanner::schedule_for(std::uint64_t evaluations, const Shape& shape) const {
  AnnealSettings served = settings_;
  served.last_members = shape.last_members;
  served.steps = steps_served(settings_.steps, evaluations, shape.islands * shape.members);
  return {served, temperatures_, shape.members, shape.together};
}

void RoundPlanner::settle_members(AnnealRound& round, int members) const {
  if (members >= round.schedule.members(0)) return;
  const int last = std::min(members, round.schedule.last_members());
  round.schedule =
      schedule_for(round.evaluations,
                   {.islands = round.islands, .members = members, .last_members = last, .together = round.together});
}

StepPlan RoundPlanner::plan_step(const AnnealRound& round, int step, const Population& population) const {
  const double now = budget_.seconds();
  const auto members = static_cast<std::uint64_t>(population.members());
  const std::uint64_t turns = round.schedule.turns_from(step);
  const double share = static_cast<double>(members) / static_cast<double>(turns);
  // An engine that advances all chains together goes on until the step has had its time.
  if (round.end == EvaluationBudget::kUnlimited && engine_.capabilities().advances_together)
    return {.evaluations_each = game::ChainSet::kUntilStopped, .end_seconds = now + share * (round.end_seconds - now)};
  std::uint64_t left = round.end - std::min(round.end, budget_.evaluations());
  if (budget_.is_timed()) left = std::min(left, budget_.evaluations_until(round.end_seconds));
  // The last step gets all that is left: its turns are its members.
  return {.evaluations_each = left / (turns * static_cast<std::uint64_t>(population.islands())),
          .end_seconds = now + kPatience * share * (round.end_seconds - now)};
}

bool RoundPlanner::is_spent(const AnnealRound& round, const Population& population) const {
  const auto chains = static_cast<std::uint64_t>(population.size());
  if (budget_.evaluations() + chains > round.end) return true;
  if (!budget_.is_timed()) return false;
  return budget_.seconds() >= round.end_seconds ||
         budget_.evaluations_until(round.end_seconds) < population.slice() * chains;
}

}  // namespace chainshot::host
