#include "machine/numa.hpp"

#include <dirent.h>
#include <sched.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <memory>
#include <optional>

namespace chainshot::machine {
namespace {

constexpr int kMostProcessors = 1 << 20;

std::optional<int> number_in(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number && value >= 0 && value < kMostProcessors ? std::optional(value) : std::nullopt;
}

// The numbers of the folders node0, node1, ...
std::vector<int> node_numbers(const std::string& folder) {
  std::vector<int> numbers;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder.c_str()), ::closedir);
  if (entries == nullptr) return numbers;
  constexpr std::string_view kPrefix = "node";
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string_view name = entry->d_name;
    if (!name.starts_with(kPrefix)) continue;
    if (const auto number = number_in(name.substr(kPrefix.size()))) numbers.push_back(*number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

// A set of processors of any size, as the system calls take it.
class ProcessorMask {
 public:
  explicit ProcessorMask(int bits)
      : bytes_(CPU_ALLOC_SIZE(static_cast<std::size_t>(bits))), words_(bytes_ / sizeof(cpu_set_t) + 1) {}

  std::size_t bytes() const { return bytes_; }
  cpu_set_t* set() { return words_.data(); }

 private:
  std::size_t bytes_;
  std::vector<cpu_set_t> words_;  // zeroed
};

}  // namespace

std::vector<int> processors_in(std::string_view list) {
  while (!list.empty() && (list.back() == '\n' || list.back() == ' '))
    list.remove_suffix(1);
  std::vector<int> processors;
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    const std::string_view item = list.substr(0, comma);
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
    const std::size_t dash = item.find('-');
    const auto first = number_in(item.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : number_in(item.substr(dash + 1));
    if (!first || !last) return {};
    for (int processor = *first; processor <= *last; ++processor)
      processors.push_back(processor);
  }
  return processors;
}

std::vector<NodeProcessors> numa_nodes(const std::string& root, std::span<const int> allowed) {
  const std::string folder = root + "/sys/devices/system/node";
  std::vector<NodeProcessors> nodes;
  for (const int number : node_numbers(folder)) {
    std::ifstream file(folder + "/node" + std::to_string(number) + "/cpulist");
    std::string list;
    std::getline(file, list);
    NodeProcessors usable;
    for (const int processor : processors_in(list))
      if (std::find(allowed.begin(), allowed.end(), processor) != allowed.end()) usable.push_back(processor);
    if (!usable.empty()) nodes.push_back(std::move(usable));
  }
  return nodes;
}

const std::vector<NodeProcessors>& numa_nodes() {
  static const std::vector<NodeProcessors> kNodes = numa_nodes("", allowed_processors());
  return kNodes;
}

bool should_pin(std::span<const NodeProcessors> nodes, std::size_t threads) {
  return nodes.size() > 1 && threads >= nodes.size();
}

// Node k ends where its share and those before it are due, rounded. At least one thread is left for each node after it.
std::vector<std::size_t> nodes_of_threads(std::span<const NodeProcessors> nodes, std::size_t threads) {
  std::vector<std::size_t> node_of(threads, 0);
  if (!should_pin(nodes, threads)) return node_of;
  std::size_t processors = 0;
  for (const NodeProcessors& node : nodes)
    processors += node.size();
  std::size_t begin = 0, due = 0;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    due += nodes[k].size();
    const std::size_t share = (threads * due + processors / 2) / processors;
    const std::size_t end = std::clamp(share, begin + 1, threads - (nodes.size() - 1 - k));
    std::fill(node_of.begin() + static_cast<std::ptrdiff_t>(begin), node_of.begin() + static_cast<std::ptrdiff_t>(end),
              k);
    begin = end;
  }
  return node_of;
}

bool stay_on(const NodeProcessors& processors) {
  if (processors.empty()) return false;
  ProcessorMask mask(*std::max_element(processors.begin(), processors.end()) + 1);
  for (const int processor : processors)
    CPU_SET_S(static_cast<std::size_t>(processor), mask.bytes(), mask.set());
  return ::sched_setaffinity(0, mask.bytes(), mask.set()) == 0;
}

std::vector<int> allowed_processors() {
  // A machine may have more processors than the fixed mask has bits.
  for (int bits = CPU_SETSIZE; bits <= kMostProcessors; bits *= 2) {
    ProcessorMask mask(bits);
    if (::sched_getaffinity(0, mask.bytes(), mask.set()) != 0) continue;
    std::vector<int> processors;
    for (int processor = 0; processor < bits; ++processor)
      if (CPU_ISSET_S(static_cast<std::size_t>(processor), mask.bytes(), mask.set())) processors.push_back(processor);
    return processors;
  }
  return {};
}

}  // namespace chainshot::machine
