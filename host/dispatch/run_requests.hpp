// Plays a list of requests on several engines: the simplest client of the dispatch layer. How the list is split into
// batches, and which engine plays which part, changes nothing in the results.
#pragma once

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
std::optional<std::vector<game::Result>> run_requests(EngineQueues& queues, const game::Batch& batch,
                                                      const std::stop_token& stop = {});

}  // namespace chainshot::host
