#include "tools/measure/machine.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <fstream>
#include <thread>

#include "machine/allowance.hpp"

namespace chainshot::tools {
namespace {

double seconds_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

std::string host_name() {
  std::array<char, 256> name = {};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown host";
}

std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    // x86 writes `model name`; arm64 boards write `Model`.
    if (!line.starts_with("model name") && !line.starts_with("Model")) continue;
    const std::size_t start = line.find_first_not_of(" \t", line.find(':') + 1);
    if (line.find(':') != std::string::npos && start != std::string::npos) return line.substr(start);
  }
  return "unknown processor";
}

int logical_processors() {
  const unsigned n = std::thread::hardware_concurrency();
  return n > 0 ? static_cast<int>(n) : 1;
}

std::string processors_text() {
  const int usable = machine::usable_processors();
  const std::string text = fmt::format("{}, {} logical", processor_name(), logical_processors());
  return usable < logical_processors() ? fmt::format("{}, {} usable", text, usable) : text;
}

std::string compiler_name() {
#if defined(__clang__)
  return fmt::format("clang++ {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
  return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
  return "unknown compiler";
#endif
}

std::string program_commit() {
  return CHAINSHOT_COMMIT;
}

std::string program_version() {
  const std::string commit = program_commit();
  return CHAINSHOT_VERSION + (commit.empty() ? "" : " (" + commit + ')');
}

std::string build_flags() {
  return CHAINSHOT_BUILD_FLAGS;
}

double process_cpu_seconds() {
  return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}
double thread_cpu_seconds() {
  return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

}  // namespace chainshot::tools
