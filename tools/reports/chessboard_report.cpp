#include "tools/reports/chessboard_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "game/board_text.hpp"
#include "tools/reports/number_text.hpp"

namespace chainshot::tools {
namespace {

bool all_done(const std::vector<ChessCheck>& checks, const ChessSetting& setting) {
  return checks.size() == setting.checks &&
         std::all_of(checks.begin(), checks.end(), [](const ChessCheck& check) { return check.result.complete; });
}

std::string name_of(const ChessCheck& check) {
  return fmt::format("counterexample-{}-{}x{}", check.claim.name, check.columns, check.rows);
}

// The checks of one claim, added up.
std::string claim_text(const std::vector<ChessCheck>& checks, const host::NamedChessClaim& claim,
                       const Terminal& terminal) {
  std::size_t sizes = 0, sampled = 0;
  host::ChessResult sum;
  for (const ChessCheck& check : checks) {
    if (check.claim.claim != claim.claim) continue;
    ++sizes;
    sampled += check.result.every ? 0 : 1;
    sum.boards += check.result.boards;
    sum.contrary += check.result.contrary;
    sum.undecided += check.result.undecided;
  }
  if (sizes == 0) return {};
  std::string out = terminal.bold(fmt::format("{:<10}  {}", claim.name, claim.text)) + '\n';
  const std::string verdict = sum.contrary > 0 ? "refuted by " + counted(sum.contrary, "board")
                              : sum.undecided > 0
                                  ? fmt::format("{} undecided, others as claimed", grouped(sum.undecided))
                                  : "all as claimed";
  out += fmt::format("{:<10}  {}, {}: {}\n", "", counted(sizes, "size"), counted(sum.boards, "board"), verdict);
  if (sampled > 0)
    out += fmt::format("{:<10}  random boards for {}, every board for others\n", "", counted(sampled, "size"));
  return out;
}

std::string list_of_checks(const std::vector<ChessCheck>& checks, const Terminal& terminal) {
  std::string out =
      terminal.bold(fmt::format("{:<10} {:>4} {:>7} {:>10} {:>10} {:>10} {:>9} {:>11}", "claim", "rows", "columns",
                                "boards", "as claimed", "contrary", "undecided", "positions")) +
      '\n';
  for (const ChessCheck& check : checks) {
    const host::ChessResult& found = check.result;
    out += fmt::format("{:<10} {:>4} {:>7} {:>10} {:>10} {:>10} {:>9} {:>11}\n", check.claim.name, check.rows,
                       check.columns, fmt::format("{}{}", found.every ? "" : "~", found.boards), found.as_claimed,
                       found.contrary, found.undecided, found.nodes);
  }
  return out;
}

}  // namespace

bool is_refuted(const std::vector<ChessCheck>& checks) {
  return std::any_of(checks.begin(), checks.end(), [](const ChessCheck& check) { return check.result.contrary > 0; });
}

std::string chessboard_text(const std::vector<ChessCheck>& checks, const ChessSetting& setting, bool list,
                            const Terminal& terminal) {
  std::string out = terminal.bold(fmt::format("What Takes 2009, section 3, says of chessboards, checked by search{}",
                                              all_done(checks, setting) ? "" : ", stopped early")) +
                    '\n';
  out += fmt::format("at most {} boards per claim and size, {} positions per board, seed {}\n\n",
                     grouped(setting.most_boards), grouped(setting.nodes), setting.seed);
  if (list) {
    out += list_of_checks(checks, terminal);
  } else {
    for (const host::NamedChessClaim& claim : host::kChessClaims)
      out += claim_text(checks, claim, terminal);
  }
  for (const ChessCheck& check : checks)
    if (check.result.counterexample) out += '\n' + game::to_text({name_of(check), *check.result.counterexample});
  return out;
}

Json chessboard_json(const std::vector<ChessCheck>& checks, const ChessSetting& setting) {
  Json list = Json::array();
  for (const ChessCheck& check : checks) {
    const host::ChessResult& found = check.result;
    Json entry = {{"claim", check.claim.name},      {"rows", check.rows},
                  {"columns", check.columns},       {"complete", found.complete},
                  {"every_board", found.every},     {"boards", found.boards},
                  {"as_claimed", found.as_claimed}, {"contrary", found.contrary},
                  {"undecided", found.undecided},   {"nodes", found.nodes}};
    if (found.counterexample) entry["counterexample"] = game::to_json({name_of(check), *found.counterexample});
    list.push_back(std::move(entry));
  }
  return {{"complete", all_done(checks, setting)}, {"most_boards", setting.most_boards},
          {"nodes_per_board", setting.nodes},      {"seed", setting.seed},
          {"refuted", is_refuted(checks)},         {"checks", std::move(list)}};
}

}  // namespace chainshot::tools
