// What the ranks of a run tell each other: JSON, sent as CBOR, which is about as compact as a format of our own. Every
// message has a `kind`, and those of a search also the number of its `turn`, one board with one budget. Rank 0 leads:
//
//   to rank 0:     hello, status, found, ended, note, interrupted, alive
//   from rank 0:   welcome, turn, best, stop, alive, quit, abandon
//   between ranks: elites
//
// Lines are pairs of bytes, column and row. Whoever receives a line replays it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/transport.hpp"
#include "host/run/run_plan.hpp"
#include "host/search/search.hpp"
#include "machine/rank_share.hpp"

namespace chainshot::host {

using RankMessage = nlohmann::json;

cluster::Bytes bytes_of(const RankMessage& message);
// Throws std::runtime_error with one sentence if the bytes are no message.
RankMessage message_of(const cluster::Bytes& bytes);

RankMessage line_message(const ScoredLine& line);
// Returns the line if the reference rules score it as it claims; else a line with no moves and the least score.
ScoredLine line_of(const RankMessage& message, const SearchTask& task);

RankMessage status_message(const SearchStatus& status);
SearchStatus status_of(const RankMessage& message);

// One of the independent searches that a turn is divided into.
struct TurnShare {
  int number = 0;
  std::uint64_t seed = 0;
  Budget budget;
};
RankMessage share_message(const TurnShare& share);
TurnShare share_of(const RankMessage& message);

// Of a plan: what a rank needs to search; of a task: the board, the starts and the scoring.
RankMessage plan_message(const RunPlan& plan);
RunPlan plan_of(const RankMessage& message);
RankMessage task_message(const SearchTask& task);
SearchTask task_of(const RankMessage& message);

RankMessage place_message(const machine::RankPlace& place);
machine::RankPlace place_of(const RankMessage& message);
RankMessage rank_share_message(const machine::RankShare& share);
machine::RankShare rank_share_of(const RankMessage& message);

// Keeps a text until the program ends, once. Searches and figures are named by views of it.
std::string_view kept_name(const std::string& text);

}  // namespace chainshot::host
