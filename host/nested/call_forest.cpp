#include "host/nested/call_forest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace chainshot::host::nested {
namespace {

int tabu_color_of(const game::Position& board, const NmcsSettings& settings) {
  if (!settings.keep_tabu || settings.policy.kind != game::PolicyKind::kTabuColorRandom) return -1;
  return settings.policy.tabu_color >= 0 ? settings.policy.tabu_color : board.most_frequent_color();
}

}  // namespace

CallForest::CallForest(const SearchTask& task, const NmcsSettings& settings)
    : task_(task),
      settings_(settings),
      policy_(settings.policy.for_game_from(task.board)),
      rules_(policy_, task.scoring, task.board),
      tabu_color_(tabu_color_of(task.board, settings)) {}

void CallForest::open_root(std::uint64_t number) {
  Call& root = new_call(settings_.levels);
  roots_.push_back(&root);
  root.caller = nullptr;
  root.root = number;
  root.key = root_key(number);
  root.position = task_.board;
  root.points = 0;
  if (settings_.keep_best && number < task_.starts.size()) remember_start(root, task_.starts[number]);
  list_moves(root);
}

// A line that stops before the game is over cannot be followed to its end, so it is left out.
void CallForest::remember_start(Call& root, const std::vector<game::Cell>& start) const {
  game::Position position = task_.board;
  int points = 0;
  for (const game::Cell cell : start)
    points += task_.scoring.group_points(position.apply(cell));
  if (position.has_moves()) return;
  root.best_score = points + position.final_points(task_.scoring);
  root.best_line = start;
}

std::optional<Leaf> CallForest::next_leaf() {
  while (!ready_.empty()) {
    Call& call = **ready_.begin();
    const std::size_t move = call.opened++;
    if (call.opened == call.groups.size()) ready_.erase(ready_.begin());
    if (call.level == 1) return Leaf{&call, move};
    game::Position after = call.position;
    const int points = call.points + task_.scoring.group_points(after.apply(call.groups[move].cell));
    if (!after.has_moves()) return Leaf{&call, move};
    open_call(call, move, after, points);
  }
  return std::nullopt;
}

Call& CallForest::new_call(int level) {
  if (free_.empty()) free_.push_back(&calls_.emplace_back());
  Call& call = *free_.back();
  free_.pop_back();
  call.level = level;
  call.serial = serial_++;
  call.moves.clear();
  call.best_score = kNoScore;
  call.best_line.clear();
  call.best_playout.reset();
  return call;
}

void CallForest::open_call(Call& caller, std::size_t move, const game::Position& position, int points) {
  Call& call = new_call(caller.level - 1);
  call.caller = &caller;
  call.caller_move = move;
  call.root = caller.root;
  call.key = call_key(caller.key, caller.moves.size(), move);
  call.position = position;
  call.points = points;
  list_moves(call);
}

// Begins a step. A call whose position has no moves ends.
void CallForest::list_moves(Call& call) {
  call.opened = call.answered = 0;
  call.step_score = kNoScore;
  game::GroupRoom room;
  const auto end = room.begin() + call.position.groups(room);
  call.groups.assign(room.begin(), end);
  if (tabu_color_ >= 0 && call.position.blocks() > policy_.random_below) {
    const auto is_tabu = [this](const game::Group& group) { return group.color == tabu_color_; };
    if (!std::all_of(room.begin(), end, is_tabu)) std::erase_if(call.groups, is_tabu);
  }
  if (call.groups.empty())
    end_call(call);
  else
    ready_.insert(&call);
}

game::Request CallForest::request_of(const Leaf& leaf) const {
  const Call& call = *leaf.call;
  game::Request request{.position = call.position, .points = call.points, .policy = policy_};
  request.points += task_.scoring.group_points(request.position.apply(call.groups[leaf.move].cell));
  request.key = step_key(call.key, call.moves.size());
  request.playouts = static_cast<std::uint32_t>(settings_.leaf_playouts);
  request.first_playout = static_cast<std::uint32_t>(leaf.move) * request.playouts;
  return request;
}

std::vector<game::Cell> CallForest::way_to(const Leaf& leaf) const {
  std::vector<game::Cell> way;  // the last move first
  std::size_t move = leaf.move;
  for (const Call* call = leaf.call; call != nullptr; move = call->caller_move, call = call->caller) {
    way.push_back(call->groups[move].cell);
    way.insert(way.end(), call->moves.rbegin(), call->moves.rend());
  }
  std::reverse(way.begin(), way.end());
  return way;
}

void CallForest::answer(const Leaf& leaf, const game::Result& result) {
  take(*leaf.call, leaf.move, {.score = result.best, .playout = result.best_playout});
}

// The first of equal moves counts, in whatever order they are answered.
void CallForest::take(Call& call, std::size_t move, const Answer& answer) {
  if (answer.score > call.step_score || (answer.score == call.step_score && move < call.step_move)) {
    call.step_score = answer.score;
    call.step_move = move;
    call.step_playout = answer.playout;
    call.step_line.assign(answer.line.begin(), answer.line.end());
  }
  if (++call.answered == call.groups.size()) make_move(call);
}

void CallForest::make_move(Call& call) {
  const bool improves = call.step_score > call.best_score;
  const std::size_t step = call.moves.size();
  game::Cell cell = call.groups[call.step_move].cell;
  if (settings_.keep_best && !improves) cell = next_of_best(call);
  call.points += task_.scoring.group_points(call.position.apply(cell));
  call.moves.push_back(cell);
  if (settings_.keep_best && improves) remember_step(call, step);
  list_moves(call);
}

game::Cell CallForest::next_of_best(Call& call) const {
  if (!call.best_line.empty()) return call.best_line[call.moves.size()];
  return call.best_playout->next(call.position).value();
}

// The best of the step is better than all before. Its move has been made.
void CallForest::remember_step(Call& call, std::size_t step) const {
  call.best_score = call.step_score;
  call.best_line.clear();
  if (call.level == 1) {
    const game::PlayoutKey key{task_.seed, step_key(call.key, step), call.step_playout};
    call.best_playout.emplace(call.position, rules_, key);
    return;
  }
  call.best_line = call.moves;
  call.best_line.insert(call.best_line.end(), call.step_line.begin(), call.step_line.end());
}

void CallForest::end_call(Call& call) {
  const int score = call.points + call.position.final_points(task_.scoring);
  if (settings_.keep_best && score != call.best_score)
    throw std::runtime_error(
        fmt::format("an engine claims {} points for a playout that replays to {}", call.best_score, score));
  if (call.caller != nullptr) {
    take(*call.caller, call.caller_move, {.score = score, .playout = 0, .line = call.moves});
  } else {
    std::erase(roots_, &call);
    ++roots_ended_;
    if (score > best_root_.score) best_root_ = {score, call.moves};
  }
  free_.push_back(&call);
}

}  // namespace chainshot::host::nested
