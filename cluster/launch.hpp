// Whether mpirun or srun started this process as one of several ranks, and how it joins them. The program is not linked
// with MPI: the module that is (mpi_transport.cpp) is loaded only here.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cluster/transport.hpp"

namespace chainshot::cluster {

// What the variables of the environment say.
struct Launch {
  std::string launcher;  // for people: `mpirun`
  int rank = 0;
  int ranks = 0;  // 0: the launcher does not say
};

using Variable = std::function<const char*(const char* name)>;  // null if it is not set

// Returns nothing if this process runs alone, or if CHAINSHOT_MPI is `off`.
std::optional<Launch> find_launch(const Variable& variable);

// Loads the module and joins the ranks. Throws std::runtime_error with one sentence.
std::unique_ptr<Transport> join_ranks(const Launch& launch);

}  // namespace chainshot::cluster
