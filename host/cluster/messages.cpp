#include "host/cluster/messages.hpp"

#include <mutex>
#include <set>
#include <stdexcept>
#include <utility>
#include <variant>

#include "game/board_text.hpp"
#include "game/reference.hpp"
#include "game/scoring_text.hpp"

namespace chainshot::host {
namespace {

RankMessage moves_message(const std::vector<game::Cell>& moves) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(2 * moves.size());
  for (const game::Cell cell : moves) {
    bytes.push_back(static_cast<std::uint8_t>(cell.column));
    bytes.push_back(static_cast<std::uint8_t>(cell.row));
  }
  return RankMessage::binary(std::move(bytes));
}

std::vector<game::Cell> moves_of(const RankMessage& message) {
  const auto& bytes = message.get_binary();
  std::vector<game::Cell> moves(bytes.size() / 2);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    moves[i].column = bytes[2 * i];
    moves[i].row = bytes[2 * i + 1];
  }
  return moves;
}

RankMessage budget_message(const Budget& budget) {
  return {budget.seconds, budget.playouts, budget.nodes, budget.resource_units};
}

Budget budget_of(const RankMessage& message) {
  return {.seconds = message.at(0), .playouts = message.at(1), .nodes = message.at(2), .resource_units = message.at(3)};
}

// The settings that differ from those of `usual`, in the order of the table.
RankMessage settings_message(std::span<const Setting> table, const Settings& settings, const Settings& usual) {
  RankMessage changed = RankMessage::array();
  for (const Setting& row : table)
    if (const SettingValue value = row.get(settings); value != row.get(usual))
      std::visit([&](const auto& v) { changed.push_back({row.name, v}); }, value);
  return changed;
}

SettingValue value_of(SettingKind kind, const RankMessage& value) {
  switch (kind) {
    case SettingKind::kFlag:
      return value.get<bool>();
    case SettingKind::kReal:
      return value.get<double>();
    case SettingKind::kName:
      return value.get<std::string>();
    default:
      return value.get<std::int64_t>();
  }
}

void apply_settings(const RankMessage& changed, std::span<const Setting> table, Settings& settings) {
  for (const RankMessage& entry : changed)
    if (const Setting* row = setting_named(table, entry.at(0).get<std::string>()))
      row->set(settings, value_of(row->kind, entry.at(1)));
}

}  // namespace

cluster::Bytes bytes_of(const RankMessage& message) {
  return RankMessage::to_cbor(message);
}

RankMessage message_of(const cluster::Bytes& bytes) {
  RankMessage message = RankMessage::from_cbor(bytes, true, false);
  if (!message.is_object() || !message.contains("kind"))
    throw std::runtime_error(
        "another rank sent something that is no message; expected the same chainshot on all ranks");
  return message;
}

RankMessage line_message(const ScoredLine& line) {
  return {line.score, moves_message(line.moves)};
}

ScoredLine line_of(const RankMessage& message, const SearchTask& task) {
  ScoredLine line{.score = message.at(0), .moves = moves_of(message.at(1))};
  const game::ReplayResult replayed = game::replay(task.board, line.moves, task.scoring);
  return replayed.error.empty() && replayed.score == line.score ? line : ScoredLine{};
}

RankMessage status_message(const SearchStatus& status) {
  RankMessage message = {{"counts", {status.playouts, status.evaluations, status.nodes_visited, status.resource_units}},
                         {"proven", status.proven},
                         {"figures", RankMessage::array()}};
  if (status.played_score) message["played"] = *status.played_score;
  for (const Figure& f : status.figures)
    message["figures"].push_back({f.name, f.value, f.style, f.label, f.brief, f.in_report, f.total});
  return message;
}

SearchStatus status_of(const RankMessage& message) {
  const RankMessage& counts = message.at("counts");
  SearchStatus status{.playouts = counts.at(0),
                      .evaluations = counts.at(1),
                      .nodes_visited = counts.at(2),
                      .resource_units = counts.at(3),
                      .proven = message.at("proven")};
  if (message.contains("played")) status.played_score = message["played"].get<int>();
  for (const RankMessage& f : message.at("figures"))
    status.figures.push_back({.name = kept_name(f.at(0)),
                              .value = f.at(1),
                              .style = f.at(2),
                              .label = kept_name(f.at(3)),
                              .brief = kept_name(f.at(4)),
                              .in_report = f.at(5),
                              .total = f.at(6)});
  return status;
}

RankMessage share_message(const TurnShare& share) {
  return {share.number, share.seed, budget_message(share.budget)};
}

TurnShare share_of(const RankMessage& message) {
  return {.number = message.at(0), .seed = message.at(1), .budget = budget_of(message.at(2))};
}

RankMessage plan_message(const RunPlan& plan) {
  const EngineChoice& choice = plan.choice;
  const int threads = plan.slot.count > 1 ? plan.slot.threads_asked : choice.threads;
  return {
      {"preset", plan.preset},
      {"settings", settings_message(plan.kind->settings(), plan.settings, find_preset(plan.preset).preset->settings)},
      {"common", settings_message(common_settings(), plan.common, CommonSettings{})},
      {"engines", plan.engines},
      {"threads", threads},
      {"isa", choice.isa},
      {"devices", choice.devices},
      {"gpu_memory", choice.gpu_memory},
      {"slot", {plan.slot.number, plan.slot.count}}};
}

RunPlan plan_of(const RankMessage& message) {
  RunPlan plan;
  plan.preset = message.at("preset");
  const auto [kind, preset] = find_preset(plan.preset);
  if (preset == nullptr) throw std::runtime_error("this rank does not know the preset " + plan.preset);
  plan.kind = kind;
  plan.settings = preset->settings;
  apply_settings(message.at("settings"), kind->settings(), plan.settings);
  Settings common = plan.common;
  apply_settings(message.at("common"), common_settings(), common);
  plan.common = std::any_cast<CommonSettings>(common);
  plan.engines = message.at("engines");
  plan.choice.name = plan.engines.at(0);
  plan.choice.threads = message.at("threads");
  plan.choice.isa = message.at("isa");
  plan.choice.devices = message.at("devices").get<std::vector<int>>();
  plan.choice.gpu_memory = message.at("gpu_memory");
  plan.slot = {.number = message.at("slot").at(0), .count = message.at("slot").at(1)};
  plan.slot.threads_asked = plan.choice.threads;
  return plan;
}

RankMessage task_message(const SearchTask& task) {
  RankMessage message = {{"board", game::to_json({"board", task.board}).dump()},
                         {"scoring", task.scoring.name()},
                         {"starts", RankMessage::array()}};
  for (const auto& start : task.starts)
    message["starts"].push_back(moves_message(start));
  return message;
}

SearchTask task_of(const RankMessage& message) {
  SearchTask task{.board = game::parse_boards(message.at("board").get<std::string>(), "rank 0").at(0).position};
  const auto scoring = game::scoring_from_text(message.at("scoring").get<std::string>());
  if (!scoring) throw std::runtime_error("this rank does not know the scoring of rank 0");
  task.scoring = *scoring;
  for (const RankMessage& start : message.at("starts"))
    task.starts.push_back(moves_of(start));
  return task;
}

RankMessage place_message(const machine::RankPlace& p) {
  return {p.host, p.machine, p.process_space, p.process, p.processors, p.usable, p.is_task, p.visible_devices};
}

machine::RankPlace place_of(const RankMessage& m) {
  return {.host = m.at(0),
          .machine = m.at(1),
          .process_space = m.at(2),
          .process = m.at(3),
          .processors = m.at(4).get<std::vector<int>>(),
          .usable = m.at(5),
          .is_task = m.at(6),
          .visible_devices = m.at(7)};
}

RankMessage rank_share_message(const machine::RankShare& share) {
  return {share.processors, share.local_rank, share.local_ranks, share.device_rank, share.device_ranks};
}

machine::RankShare rank_share_of(const RankMessage& m) {
  return {.processors = m.at(0),
          .local_rank = m.at(1),
          .local_ranks = m.at(2),
          .device_rank = m.at(3),
          .device_ranks = m.at(4)};
}

std::string_view kept_name(const std::string& text) {
  static std::mutex mutex;
  static std::set<std::string> names;  // its elements never move
  const std::lock_guard lock(mutex);
  return *names.insert(text).first;
}

}  // namespace chainshot::host
