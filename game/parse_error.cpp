#include "game/parse_error.hpp"

#include <algorithm>
#include <charconv>

namespace chainshot::game {

Place PlaceFinder::of(std::size_t offset) {
  offset = std::min(offset, text_.size());
  if (offset < at_) *this = PlaceFinder(text_);
  for (; at_ < offset; ++at_) {
    if (text_[at_] == '\n') {
      ++line_;
      column_ = 1;
    } else if ((static_cast<unsigned char>(text_[at_]) & 0xC0U) != 0x80) {  // a character of UTF-8 begins here
      ++column_;
    }
  }
  return {line_, column_};
}

Place place_of(std::string_view text, std::size_t offset) {
  return PlaceFinder(text).of(offset);
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

void fail_at(std::string_view source, Place place, std::string_view sentence) {
  std::string message(source);
  message += ':' + std::to_string(place.line) + ':' + std::to_string(place.column) + ": ";
  message += sentence;
  throw ParseError(message);
}

std::string shown(char c) {
  constexpr char kHex[] = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  if (c == '\t') return "a tab";
  if (c == ' ') return "a space";
  if (byte < 0x20 || byte >= 0x7F) return std::string("byte 0x") + kHex[byte >> 4] + kHex[byte & 15];
  return std::string("'") + c + '\'';
}

std::string shown(std::string_view word) {
  constexpr std::size_t kLongest = 24;
  std::string out = "'";
  for (char c : word.substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte >= 0x7F ? '?' : c;
  }
  if (word.size() > kLongest) out += "...";
  return out + '\'';
}

bool LineReader::next() {
  while (!rest_.empty()) {
    const std::size_t end = rest_.find('\n');
    line_ = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view{} : rest_.substr(end + 1);
    ++number_;
    at_ = word_start_ = 0;
    const std::size_t comment = line_.find('#');
    if (comment != std::string_view::npos) {
      line_ = line_.substr(0, comment);
    } else if (line_.ends_with('\r')) {
      line_.remove_suffix(1);
    }
    line_ = line_.substr(0, line_.find_last_not_of(kBlanks) + 1);
    if (comment == std::string_view::npos || !line_.empty()) return true;
  }
  ++number_;
  line_ = {};
  at_ = word_start_ = 0;
  return false;
}

std::string_view LineReader::word() {
  word_start_ = std::min(line_.find_first_not_of(kBlanks, at_), line_.size());
  at_ = std::min(line_.find_first_of(kBlanks, word_start_), line_.size());
  return line_.substr(word_start_, at_ - word_start_);
}

std::optional<int> whole_number(std::string_view word) {
  int value = 0;
  const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || rest != word.data() + word.size()) return std::nullopt;
  return value;
}

bool is_board_name_character(char c) {
  const bool letter_or_digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter_or_digit || c == '-' || c == '_' || c == '.';
}

void check_board_name(std::string_view name, std::string_view source, Place place) {
  for (char c : name) {
    if (!is_board_name_character(c))
      fail_at(source, place, shown(c) + " in the name of a board; expected letters, digits, '-', '_' or '.'");
    ++place.column;
  }
}

}  // namespace chainshot::game
