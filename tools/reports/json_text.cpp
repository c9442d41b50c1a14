#include "tools/reports/json_text.hpp"

#include "tools/options/output_option.hpp"

namespace chainshot::tools {
namespace {

// Numbers and lists of numbers stay on one line; a line per value would make a column of brackets.
bool fits_a_line(const Json& value) {
  if (!value.is_array()) return value.is_number();
  for (const Json& item : value)
    if (!fits_a_line(item)) return false;
  return true;
}

void append(std::string& out, const Json& value, std::size_t indent) {
  if (value.empty() || !value.is_structured() || fits_a_line(value)) {
    out += value.dump();
    return;
  }
  const std::string line = '\n' + std::string(indent + 2, ' ');
  out += value.is_object() ? '{' : '[';
  bool first = true;
  for (const auto& item : value.items()) {
    if (!first) out += ',';
    first = false;
    out += line;
    if (value.is_object()) out += Json(item.key()).dump() + ": ";
    append(out, item.value(), indent + 2);
  }
  out += '\n' + std::string(indent, ' ') + (value.is_object() ? '}' : ']');
}

}  // namespace

std::string json_text(const Json& value) {
  std::string out;
  append(out, value, 0);
  return out + '\n';
}

void print_json(const Json& value) {
  write_file("-", json_text(value));
}

}  // namespace chainshot::tools
