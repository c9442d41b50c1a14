// chainshot devices: lists the CUDA devices of the machine and says why a device cannot be used. A machine without
// devices is not an error.
#include <fmt/format.h>

#include <iterator>
#include <memory>
#include <sstream>

#include "cuda/cuda_engine.hpp"
#include "tools/commands.hpp"
#include "tools/reports/json_text.hpp"
#include "tools/reports/number_text.hpp"

namespace chainshot::tools {
namespace {

// CUDA encodes version 13.0 as 13000 and 12.8 as 12080.
std::string version_text(int version) {
  return version == 0 ? "none" : fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::string gibibytes(std::uint64_t bytes) {
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1u << 30));
}

std::string paragraph(const std::string& text, const Terminal& terminal) {
  std::istringstream words(text);
  return '\n' + wrapped({std::istream_iterator<std::string>(words), {}}, terminal.width(), "");
}

// The driver: its release, and the CUDA it supports; a build without CUDA cannot ask for the latter.
std::string driver_text(const cuda::DeviceList& list) {
  if (list.driver_release.empty()) return version_text(list.driver_version);
  if (list.driver_version == 0) return list.driver_release;
  return fmt::format("{} (CUDA {})", list.driver_release, version_text(list.driver_version));
}

std::string toolkit_text(const cuda::DeviceList& list) {
  if (list.toolkit_version == 0) return "none";
  return fmt::format("{}, for driver {} and later", version_text(list.toolkit_version),
                     cuda::needed_driver(list.toolkit_version));
}

std::string devices_text(const cuda::DeviceList& list, const Terminal& terminal) {
  std::string out = fmt::format("driver   {}\ntoolkit  {}\n", driver_text(list), toolkit_text(list));
  if (!list.devices.empty())
    out += '\n' +
           terminal.bold(fmt::format("{:>3}  {:<34} {:>4} {:>4} {:>11} {:>11}  {}", "no.", "name", "cc", "SMs",
                                     "memory", "free", "use")) +
           '\n';
  std::size_t usable = 0;
  for (const cuda::DeviceInfo& device : list.devices) {
    out += fmt::format("{:>3}  {:<34.34} {:>4} {:>4} {:>11} {:>11}  {}\n", device.index, device.name,
                       fmt::format("{}.{}", device.major, device.minor), device.multiprocessors,
                       gibibytes(device.memory), gibibytes(device.free_memory), device.unusable.empty() ? "yes" : "no");
    usable += device.unusable.empty() ? 1 : 0;
  }
  for (const cuda::DeviceInfo& device : list.devices)
    if (!device.unusable.empty())
      out += paragraph(fmt::format("Device {} cannot be used: {}.", device.index, device.unusable), terminal);
  if (!list.unusable.empty()) return out + paragraph("No CUDA device can be used: " + list.unusable + '.', terminal);
  return out +
         paragraph(list.devices.empty() ? "There is no CUDA device." : counted(usable, "device") + " can be used.",
                   terminal);
}

Json devices_json(const cuda::DeviceList& list) {
  const auto version_json = [](int version) { return version == 0 ? Json() : Json(version_text(version)); };
  Json answer = {{"version", kJsonVersion},
                 {"driver", version_json(list.driver_version)},
                 {"driver_release", list.driver_release.empty() ? Json() : Json(list.driver_release)},
                 {"toolkit", version_json(list.toolkit_version)},
                 {"needed_driver",
                  list.toolkit_version == 0 ? Json() : Json(std::to_string(cuda::needed_driver(list.toolkit_version)))},
                 {"unusable", list.unusable},
                 {"devices", Json::array()}};
  for (const cuda::DeviceInfo& device : list.devices)
    answer["devices"].push_back({{"index", device.index},
                                 {"name", device.name},
                                 {"compute_capability", fmt::format("{}.{}", device.major, device.minor)},
                                 {"multiprocessors", device.multiprocessors},
                                 {"memory", device.memory},
                                 {"free_memory", device.free_memory},
                                 {"usable", device.unusable.empty()},
                                 {"unusable", device.unusable}});
  return answer;
}

}  // namespace

void add_devices(CLI::App& app, Program& program) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("devices", "list the CUDA devices and what they can do");
  command->add_flag("--json", *json, "print the result as JSON");
  command->footer(
      "no. is the number that --devices takes, cc the compute capability, SMs the\n"
      "number of multiprocessors. If a device cannot be used, the reason is printed.\n\n"
      "'./tools/run.sh --cuda devices' builds chainshot with a CUDA toolkit that suits\n"
      "driver and devices. The variable CHAINSHOT_CUDA chooses another one:\n"
      "  off         no CUDA\n"
      "  PATH        this nvcc, of CUDA 12.0 or later\n"
      "  wheels      one from PyPI that suits, whatever is installed\n"
      "  wheels-13   nvcc 13.0: driver 580 and later, compute capability 7.5 and later\n"
      "  wheels-12   clang++ with CUDA 12.9: driver 525 and later, 5.2 and later\n\n"
      "Examples:\n"
      "  chainshot devices\n"
      "  chainshot devices --json");
  command->callback([json, &program] {
    const cuda::DeviceList list = cuda::list_devices();
    if (*json)
      print_json(devices_json(list));
    else
      fmt::print("{}", devices_text(list, program.terminal));
  });
}

}  // namespace chainshot::tools
