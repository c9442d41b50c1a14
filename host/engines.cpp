#include "host/engines.hpp"

#include <algorithm>
#include <stdexcept>

#include "cpu/cpu_engine.hpp"

namespace chainshot::host {
namespace {

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return out;
}

cpu::Isa isa_for(const std::string& name) {
  if (name == "auto") return cpu::best_isa();
  const std::optional<cpu::Isa> isa = cpu::isa_named(name);
  if (!isa) throw std::invalid_argument("no instruction set '" + name + "'; expected " + listed(isa_names()));
  const std::vector<cpu::Isa> available = cpu::available_isas();
  if (std::find(available.begin(), available.end(), *isa) == available.end())
    throw std::invalid_argument("this processor or build has no " + name + "; the best it can run is " +
                                std::string(cpu::name_of(cpu::best_isa())));
  return *isa;
}

}  // namespace

std::vector<std::string> engine_names() {
  return {"auto", "cpu", "cuda"};
}

std::vector<std::string> isa_names() {
  std::vector<std::string> names = {"auto"};
  for (const cpu::Isa isa : {cpu::Isa::kPortable, cpu::Isa::kAvx2, cpu::Isa::kAvx512})
    names.emplace_back(cpu::name_of(isa));
  return names;
}

std::unique_ptr<game::Engine> make_engine(const EngineChoice& choice) {
  if (choice.name == "cuda") throw std::invalid_argument("this build has no CUDA engine; expected engine auto or cpu");
  if (choice.name != "auto" && choice.name != "cpu")
    throw std::invalid_argument("no engine '" + choice.name + "'; expected " + listed(engine_names()));
  if (choice.threads < 0 || choice.threads > kMaxThreads)
    throw std::invalid_argument("cannot run " + std::to_string(choice.threads) + " threads; expected 1 to " +
                                std::to_string(kMaxThreads) + ", or 0 for one per processor");
  return cpu::make_cpu_engine({.threads = choice.threads, .isa = isa_for(choice.isa)});
}

}  // namespace chainshot::host
