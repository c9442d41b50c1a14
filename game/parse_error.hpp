// Places in a text, for errors that point at them. Lines and columns count from 1, columns in characters.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace chainshot::game {

// Bad input: one sentence that starts with file, line and column.
class ParseError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Place {
  int line = 1;
  int column = 1;
};

Place place_of(std::string_view text, std::size_t offset);

// The same for many offsets that mostly grow: each search starts from the last place.
class PlaceFinder {
 public:
  explicit PlaceFinder(std::string_view text) : text_(text) {}
  Place of(std::size_t offset);

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  int column_ = 1;
};

// Some editors start a file with a byte order mark; it is no part of the text.
std::string_view without_byte_order_mark(std::string_view text);

// Throws `source:line:column: sentence`.
[[noreturn]] void fail_at(std::string_view source, Place place, std::string_view sentence);

// A character as an error shows it: '!', a tab, byte 0xEF, the end of the line.
std::string shown(char c);
// A word as an error shows it, cut to a length that leaves the sentence readable.
std::string shown(std::string_view word);

// The lines of a text that count: comments (from a # to the end), trailing blanks and the carriage return of CRLF are
// taken off. Words are separated by blanks.
class LineReader {
 public:
  LineReader(std::string_view text, std::string_view source) : rest_(text), source_(source) {}

  // Goes to the next line and returns false at the end. A line of nothing but a comment is skipped; a blank one is not.
  bool next();
  std::string_view line() const { return line_; }
  int number() const { return number_; }
  bool blank() const { return line_.find_first_not_of(kBlanks) == std::string_view::npos; }

  // The next word of the line, empty at its end.
  std::string_view word();
  // The line from the start of the last word on.
  std::string_view rest() const { return line_.substr(word_start_); }
  void skip_rest() { at_ = line_.size(); }
  // Where the last word, or the end of the line if there was none, starts; `into` is an offset into the word.
  Place place(std::size_t into = 0) const { return {number_, static_cast<int>(word_start_ + into) + 1}; }
  [[noreturn]] void fail(std::string_view sentence, std::size_t into = 0) const {
    fail_at(source_, place(into), sentence);
  }

 private:
  static constexpr std::string_view kBlanks = " \t";

  std::string_view rest_;
  std::string_view source_;
  std::string_view line_;
  std::size_t at_ = 0;  // where the next word is looked for
  std::size_t word_start_ = 0;
  int number_ = 0;
};

// A whole word that is a decimal number within an int; nothing otherwise.
std::optional<int> whole_number(std::string_view word);

// Names of boards are letters, digits and - _ . so that FILE:NAME can be taken apart again. Throws on anything else.
bool is_board_name_character(char c);
void check_board_name(std::string_view name, std::string_view source, Place place);

}  // namespace chainshot::game
