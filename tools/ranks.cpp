#include "tools/ranks.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>

#include "cluster/launch.hpp"
#include "machine/allowance.hpp"
#include "machine/rank_share.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/terminal.hpp"

namespace chainshot::tools {
namespace {

constexpr int kFailed = 1;

std::unique_ptr<host::Cluster> join(const cluster::Launch& launch) {
  return std::make_unique<host::Cluster>([&] { return cluster::join_ranks(launch); },
                                         host::ClusterOptions{.place = machine::this_place(),
                                                              .interrupted = interrupt_token(),
                                                              .signal = first_interrupt,
                                                              .interrupt = pass_on_interrupt,
                                                              .notice = print_note});
}

// Before any thread asks for processors, and before CUDA starts.
void take_share(const machine::RankPlace& place, const machine::RankShare& share) {
  machine::take_share(share.processors, share.local_ranks);
  const std::string devices = devices_of_share(place.visible_devices, machine::installed_devices(), share);
  if (!devices.empty()) ::setenv("CUDA_VISIBLE_DEVICES", devices.c_str(), 1);
}

int follow(host::Cluster& cluster) {
  watch_interrupts();
  const int exit_code = cluster.serve() ? 0 : kFailed;
  cluster.end(exit_code);
  return exit_code;
}

}  // namespace

int run_in_ranks(const std::function<int(host::Cluster*)>& lead) {
  const auto launch = cluster::find_launch([](const char* name) -> const char* { return std::getenv(name); });
  if (!launch) return lead(nullptr);
  // Programs that a rank starts, such as the command of --on-record, are no ranks.
  ::setenv("CHAINSHOT_MPI", "off", 1);
  std::unique_ptr<host::Cluster> cluster;
  try {
    cluster = join(*launch);
  } catch (const std::exception& error) {
    const std::string who = launch->rank == 0 ? "" : "rank " + std::to_string(launch->rank) + ": ";
    print_error("chainshot: " + who + error.what() + '\n');
    return kFailed;
  }
  take_share(machine::this_place(), cluster->share());
  if (cluster->rank() != 0) return follow(*cluster);
  const int exit_code = lead(cluster.get());
  std::fflush(nullptr);
  cluster->end(exit_code);
  return exit_code;
}

host::Spread* spread_for(const host::RunPlan& plan, Program& program) {
  if (program.cluster != nullptr) return program.cluster;
  if (plan.common.shares < 2) return nullptr;
  if (program.shares == nullptr) program.shares = host::alone();
  return program.shares.get();
}

}  // namespace chainshot::tools
