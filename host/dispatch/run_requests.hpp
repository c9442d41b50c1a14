// Plays a list of requests on several engines: the simplest client of the dispatch layer. How the list is split into
// batches, and which engine plays which part, changes nothing in the results.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "game/engine.hpp"
#include "host/dispatch/engine_queues.hpp"

namespace chainshot::host {

// Returns one result for each request of `batch`, in order. Batches have the size that each engine recommends; requests
// of more playouts are split. The calling thread submits and waits; no other batches may go through `queues` meanwhile.
// If `stop` is requested before all is played, the engines are cancelled and nothing is returned.
// Throws std::runtime_error with the engine's sentence if an engine fails.
//
// `played` hears of every part of a request as soon as it is played, in an order that depends on the engines, so that a
// stop loses nothing. The result it gets is of that part alone.
using PartPlayed = std::function<void(std::size_t request, const game::Result& part)>;
std::optional<std::vector<game::Result>> run_requests(EngineQueues& queues, const game::Batch& batch,
                                                      const std::stop_token& stop = {}, const PartPlayed& played = {});

}  // namespace chainshot::host
