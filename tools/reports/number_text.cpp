#include "tools/reports/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "game/solution_text.hpp"

namespace chainshot::tools {
namespace {

// Returns the length of the character of UTF-8 at the start of the text, or 0 if there is none that may be printed.
std::size_t printable_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return byte(0) >= 0x20 && byte(0) != 0x7F ? 1 : 0;
  const std::size_t length = byte(0) >= 0xC2 && byte(0) < 0xE0   ? 2
                             : byte(0) >= 0xE0 && byte(0) < 0xF0 ? 3
                             : byte(0) >= 0xF0 && byte(0) < 0xF5 ? 4
                                                                 : 0;
  if (length == 0 || length > text.size()) return 0;
  // Neither forms that are longer than they must be nor surrogates nor what lies beyond Unicode.
  if ((byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xED && byte(1) > 0x9F) ||
      (byte(0) == 0xF0 && byte(1) < 0x90) || (byte(0) == 0xF4 && byte(1) > 0x8F))
    return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  const bool is_control = byte(0) == 0xC2 && byte(1) < 0xA0;
  return is_control ? 0 : length;
}

}  // namespace

std::string grouped(std::uint64_t n) {
  const std::string digits = std::to_string(n);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::string counted(std::uint64_t n, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(n), noun, n == 1 ? "" : "s");
}

std::string magnitude(double x) {
  static constexpr std::array<const char*, 5> kLetters = {"", " k", " M", " G", " T"};
  std::size_t letter = 0;
  // 999.5 would round to 1000, which has a fourth digit.
  for (; std::abs(x) >= 999.5 && letter + 1 < kLetters.size(); ++letter)
    x /= 1000;
  const double size = std::abs(x);
  const int decimals = letter == 0 || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f}{}", x, decimals, kLetters[letter]);
}

std::string shortened(const std::string& name, std::size_t width) {
  constexpr std::string_view kLeftOut = "...";
  if (name.size() <= width) return name;
  const std::size_t kept = width - kLeftOut.size(), end = kept / 2;  // names often differ only in a number at their end
  return name.substr(0, kept - end) + std::string(kLeftOut) + name.substr(name.size() - end);
}

std::string printable_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = printable_length(text);
    if (length == 0) fmt::format_to(std::back_inserter(out), "\\x{:02X}", static_cast<unsigned char>(text[0]));
    out += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string wrapped(const std::vector<std::string>& words, int width, std::string_view indent) {
  std::string out, line(indent);
  for (const std::string& word : words) {
    const bool starts = line.size() == indent.size();
    if (!starts && static_cast<int>(line.size() + 1 + word.size()) > width) {
      out += line + '\n';
      line = std::string(indent) + word;
    } else {
      line += (starts ? "" : " ") + word;
    }
  }
  return line.size() == indent.size() ? out : out + line + '\n';
}

std::string moves_text(const std::vector<game::Cell>& moves, int width, std::string_view indent,
                       game::Notation notation, int rows) {
  std::vector<std::string> words;
  for (const game::Cell cell : moves)
    words.push_back(to_text(cell, notation, rows));
  return wrapped(words, width, indent);
}

std::string plain_number(double x) {
  return fmt::format("{:.{}f}", x, x < 10 && x != std::floor(x) ? 1 : 0);
}

}  // namespace chainshot::tools
