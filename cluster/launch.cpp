#include "cluster/launch.hpp"

#include <dlfcn.h>

#include <charconv>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace chainshot::cluster {
namespace {

constexpr const char* kModule = "chainshot_mpi.so";

std::optional<int> number_in(const Variable& variable, const char* name) {
  const char* const text = variable(name);
  if (text == nullptr) return std::nullopt;
  const std::string_view digits(text);
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && end == digits.data() + digits.size() ? std::optional(number) : std::nullopt;
}

// The build puts the module beside the program; an installation puts it into lib/chainshot.
void* load_module() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  std::filesystem::path path = folder / kModule;
  if (!std::filesystem::exists(path, error)) path = folder.parent_path() / "lib" / "chainshot" / kModule;
  if (!std::filesystem::exists(path, error))
    throw std::runtime_error(
        std::string("this build of chainshot has no ") + kModule +
        ", so it cannot run in several ranks; expected Open MPI (libopenmpi-dev) when it is built, or "
        "CHAINSHOT_MPI=off for processes that do not know each other");
  // Open MPI loads components of its own that look for its symbols.
  void* const module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (module == nullptr) throw std::runtime_error(std::string("cannot load MPI: ") + ::dlerror());
  return module;
}

}  // namespace

std::optional<Launch> find_launch(const Variable& variable) {
  const char* const wanted = variable("CHAINSHOT_MPI");
  if (wanted != nullptr && std::string_view(wanted) == "off") return std::nullopt;
  if (const auto ranks = number_in(variable, "OMPI_COMM_WORLD_SIZE")) {
    if (*ranks < 2) return std::nullopt;
    return Launch{"mpirun", number_in(variable, "OMPI_COMM_WORLD_RANK").value_or(0), *ranks};
  }
  // srun --mpi=pmix and --mpi=pmi2. Without either, the tasks of srun do not know each other.
  for (const char* const name : {"PMIX_RANK", "PMI_RANK"}) {
    const auto rank = number_in(variable, name);
    if (!rank) continue;
    const auto tasks = number_in(variable, "SLURM_STEP_NUM_TASKS");
    const int ranks = number_in(variable, "PMI_SIZE").value_or(tasks.value_or(0));
    if (ranks == 1) return std::nullopt;
    return Launch{tasks ? "srun" : "the launcher", *rank, ranks};
  }
  return std::nullopt;
}

std::unique_ptr<Transport> join_ranks(const Launch& launch) {
  using Join = Transport* (*)(std::string&);
  void* const module = load_module();
  const auto join = reinterpret_cast<Join>(::dlsym(module, "chainshot_join_ranks"));
  if (join == nullptr) throw std::runtime_error(std::string(kModule) + " belongs to another version of chainshot");
  std::string error;
  std::unique_ptr<Transport> transport(join(error));
  if (transport == nullptr) throw std::runtime_error(error);
  if (launch.ranks > 1 && transport->ranks() != launch.ranks)
    throw std::runtime_error(launch.launcher + " started " + std::to_string(launch.ranks) +
                             " ranks, but the MPI library knows of " + std::to_string(transport->ranks()) +
                             "; expected the launcher of the Open MPI that chainshot was built with");
  return transport;
}

}  // namespace chainshot::cluster
