#include "tools/reports/label_columns.hpp"

#include <fmt/format.h>

#include <sstream>
#include <vector>

#include "tools/reports/number_text.hpp"

namespace chainshot::tools {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;)
    words.push_back(word);
  return words;
}

}  // namespace

std::string in_lines(const std::string& text, int width) {
  return wrapped(words_of(text), width, "");
}

std::string labelled(std::string_view label, std::size_t label_width, const std::string& text, int width) {
  const std::string indent(label_width + 4, ' ');
  std::string out = wrapped(words_of(text), width, indent);
  return out.replace(0, indent.size(), fmt::format("  {:{}}  ", label, label_width));
}

std::string with_source(std::string_view text, std::string_view source) {
  return source.empty() ? std::string(text) : fmt::format("{} ({})", text, source);
}

}  // namespace chainshot::tools
