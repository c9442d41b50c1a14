#include "game/board_cells.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "game/position.hpp"

namespace chainshot::game {
namespace {

constexpr std::string_view kExpectedColor = " is no colour; expected a digit or letter 0-9, A-E, or '.' for empty";
constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kDigits = "0123456789";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::optional<char> capital(char c) {
  if (c >= 'a' && c <= 'z') return static_cast<char>(c - 'a' + 'A');
  return c >= 'A' && c <= 'Z' ? std::optional(c) : std::nullopt;
}

// The number without leading zeros.
std::string plain_integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  text.remove_prefix(std::min(text.find_first_not_of('0'), text.size() - 1));
  return (negative && text != "0" ? "-" : "") + std::string(text);
}

bool is_empty_cell(std::string_view cell) {
  return cell == "." || (cell.starts_with('-') && is_integer(cell) && plain_integer(cell) == "-1");
}

std::string shown_cell(std::string_view cell) {
  return cell.size() == 1 ? shown(cell.front()) : shown(cell);
}

[[noreturn]] void fail_many(const WrittenCell& cell, std::string_view source, std::size_t count,
                            std::string_view what) {
  fail_at(source, cell.place,
          shown_cell(cell.text) + " is one of " + std::to_string(count) + " different " + std::string(what) +
              " in this file; expected at most " + std::to_string(kMaxColors));
}

}  // namespace

bool is_integer(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of(kDigits) == std::string_view::npos;
}

void split_row(std::string_view row, Place place, std::string_view source, std::vector<WrittenCell>& cells) {
  cells.clear();
  const auto add = [&](std::size_t start, std::size_t size) {
    cells.push_back({row.substr(start, size), {place.line, place.column + static_cast<int>(start)}});
  };
  if (row.find_first_of(" \t,") == std::string_view::npos && !(row.starts_with('-') && is_integer(row))) {
    for (std::size_t i = 0; i < row.size(); ++i)
      add(i, 1);
    return;
  }
  for (std::size_t at = row.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(row.find_first_of(" \t,", at), row.size());
    if (end == at)
      fail_at(source, {place.line, place.column + static_cast<int>(at)}, "a comma without a cell before it");
    add(at, end - at);
    at = row.find_first_not_of(kBlanks, end);
    if (at != std::string_view::npos && row[at] == ',') at = row.find_first_not_of(kBlanks, at + 1);
  }
}

// A longer number is larger; below zero it is smaller.
bool CellColors::Smaller::operator()(const std::string& a, const std::string& b) const {
  const bool a_negative = a.starts_with('-'), b_negative = b.starts_with('-');
  if (a_negative != b_negative) return a_negative;
  const std::string& low = a_negative ? b : a;
  const std::string& high = a_negative ? a : b;
  return low.size() != high.size() ? low.size() < high.size() : low < high;
}

void CellColors::note(std::string_view cell) {
  if (is_empty_cell(cell)) return;
  if (cell.size() == 1 && is_digit(cell.front())) {
    digits_[static_cast<std::size_t>(cell.front() - '0')] = has_digits_ = true;
  } else if (is_integer(cell)) {
    std::string number = plain_integer(cell);
    if (number.size() == 1) {
      digits_[static_cast<std::size_t>(number.front() - '0')] = has_digits_ = true;
    } else {
      const std::optional<int> value = whole_number(number);
      if (!value || *value < 0 || *value >= kMaxColors) has_integers_beyond_colors_ = true;
      integers_.insert(std::move(number));
    }
  } else if (const auto letter = cell.size() == 1 ? capital(cell.front()) : std::nullopt) {
    letters_[static_cast<std::size_t>(*letter - 'A')] = has_letters_ = true;
    if (*letter > 'E') has_letters_beyond_e_ = true;
  }
}

int CellColors::color(const WrittenCell& cell, std::string_view source) const {
  if (is_empty_cell(cell.text)) return kEmpty;
  if (cell.text.size() == 1 && is_digit(cell.text.front()) && !has_integers_beyond_colors_)
    return cell.text.front() - '0';
  if (is_integer(cell.text)) return number_color(cell, source);
  const auto letter = cell.text.size() == 1 ? capital(cell.text.front()) : std::nullopt;
  if (!letter) fail_at(source, cell.place, shown_cell(cell.text) + std::string(kExpectedColor));
  return letter_color(cell, *letter, source);
}

int CellColors::letter_color(const WrittenCell& cell, char letter, std::string_view source) const {
  if (!has_letters_beyond_e_ || has_numbers()) {
    if (letter > 'E') fail_at(source, cell.place, shown_cell(cell.text) + std::string(kExpectedColor));
    return 10 + letter - 'A';
  }
  const auto end = letters_.begin() + (letter - 'A');
  const auto rank = std::count(letters_.begin(), end, true);
  if (rank >= kMaxColors)
    fail_many(cell, source, static_cast<std::size_t>(std::count(letters_.begin(), letters_.end(), true)), "letters");
  return static_cast<int>(rank);
}

int CellColors::number_color(const WrittenCell& cell, std::string_view source) const {
  const std::string number = plain_integer(cell.text);
  if (has_letters_ && number.size() > 1)
    fail_at(source, cell.place,
            shown(cell.text) + " among letters; expected a single digit or letter, or numbers only");
  if (!has_integers_beyond_colors_ || has_letters_) return *whole_number(number);
  const auto smaller = integers_.lower_bound(number);
  auto rank = std::distance(integers_.begin(), smaller);
  const Smaller is_smaller;
  std::size_t count = integers_.size();
  for (std::size_t digit = 0; digit < digits_.size(); ++digit) {
    if (!digits_[digit]) continue;
    ++count;
    if (is_smaller(std::to_string(digit), number)) ++rank;
  }
  if (rank >= kMaxColors) fail_many(cell, source, count, "numbers");
  return static_cast<int>(rank);
}

}  // namespace chainshot::game
