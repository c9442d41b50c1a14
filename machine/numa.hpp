// The nodes of a machine with several memories (NUMA), and threads that stay on the node where their memory is. On a
// machine with one node, and where the system does not say, nothing is changed.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace chainshot::machine {

// The processors of a node that this process may use.
using NodeProcessors = std::vector<int>;

// Reads a list of processors such as `0-3,8,10-11`, as the kernel writes it; empty if it is none.
std::vector<int> processors_in(std::string_view list);

// Reads the nodes below `root`/sys/devices/system/node, without the processors that are not `allowed` and without nodes
// that have none left. Sorted by the number of the node.
std::vector<NodeProcessors> numa_nodes(const std::string& root, std::span<const int> allowed);
// Those of this machine, found once; one node or none if there is nothing to divide.
const std::vector<NodeProcessors>& numa_nodes();

// Gives each of `threads` threads a node: every node gets a share in proportion to its processors, and the threads of a
// node follow one another. All on node 0 if there are fewer threads than nodes, where staying on one node would leave
// others idle; then threads should not be pinned.
std::vector<std::size_t> nodes_of_threads(std::span<const NodeProcessors> nodes, std::size_t threads);
bool should_pin(std::span<const NodeProcessors> nodes, std::size_t threads);

// Lets the calling thread run only on these processors. Returns false if the system refuses, which does no harm.
bool stay_on(const NodeProcessors& processors);
// The processors that the calling thread may run on.
std::vector<int> allowed_processors();

}  // namespace chainshot::machine
