// The other processes that search the same board, for a search that passes lines to them itself. Nothing waits.
#pragma once

#include <vector>

#include "host/search/search.hpp"

namespace chainshot::host {

class Neighbours {
 public:
  virtual ~Neighbours() = default;

  // The processes of the search are numbered from 0.
  virtual int rank() const = 0;
  virtual int ranks() const = 0;
  virtual void send(int rank, const std::vector<ScoredLine>& lines) = 0;
  // Returns the lines that came since the last call; the reference rules have replayed them.
  virtual std::vector<ScoredLine> take() = 0;
};

}  // namespace chainshot::host
