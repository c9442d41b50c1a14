#include "game/located_json.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "game/parse_error.hpp"

namespace chainshot::game {
namespace {

constexpr std::size_t kDeepest = 16;
constexpr std::int64_t kVersion = 1;

// An iterator for the parser that tells the tree builder how far the parser has read.
struct CountingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at;
  const char** reached;

  reference operator*() const { return *at; }
  CountingIterator& operator++() {
    ++at;
    if (reached != nullptr) *reached = at;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at == other.at; }
  bool operator!=(const CountingIterator& other) const { return at != other.at; }
};

// The events of nlohmann's SAX interface, built into a tree.
class TreeBuilder {
 public:
  using Kind = LocatedJson::Kind;

  TreeBuilder(std::string_view text, std::string_view source, int first_line)
      : text_(text), source_(source), first_line_(first_line), reached_(text.data()) {}

  const char** reached() { return &reached_; }
  LocatedJson take() { return std::move(root_); }
  [[noreturn]] void fail(std::size_t offset, std::string_view sentence) const {
    Place place = place_of(text_, offset);
    place.line += first_line_ - 1;
    fail_at(source_, place, sentence);
  }

  bool null() { return add_word(Kind::kNull, false); }
  bool boolean(bool value) { return add_word(Kind::kBoolean, value); }
  bool number_integer(std::int64_t value) { return add_number(Kind::kInteger, value, std::to_string(value)); }
  bool number_unsigned(std::uint64_t value) {
    constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max();
    return value <= kMax ? number_integer(static_cast<std::int64_t>(value))
                         : add_number(Kind::kReal, 0, std::to_string(value));
  }
  bool number_float(double, const std::string& written) { return add_number(Kind::kReal, 0, written); }
  bool string(std::string& value) {
    LocatedJson node;
    node.kind = Kind::kString;
    node.text = std::move(value);
    node.offset = string_start();
    add(std::move(node));
    return true;
  }
  bool binary(std::vector<std::uint8_t>&) { return false; }
  bool start_object(std::size_t) { return open(Kind::kObject); }
  bool start_array(std::size_t) { return open(Kind::kArray); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& value) {
    if (open_.back()->find(value) != nullptr)
      fail(string_start(), "the key " + shown(std::string_view(value)) + " is here twice; expected it once");
    open_.back()->keys.push_back(std::move(value));
    return true;
  }
  // nlohmann's message repeats the place and its grammar; we keep what it expected. Its position is the end of the
  // token that does not fit, or the character that no token can have. Its text of the token is right for literals only:
  // for a bracket or comma it still holds what came before.
  bool parse_error(std::size_t read, const std::string& token, const nlohmann::detail::exception& error) {
    const std::string what = error.what();
    const std::size_t clause = what.rfind("; expected ");
    const std::string expected = clause == std::string::npos ? "; expected valid JSON" : what.substr(clause);
    if (what.find("unexpected end of input") != std::string::npos || read > text_.size())
      fail(text_.size(), "the text ends in the middle of JSON" + expected);
    const bool is_literal = what.find(" - unexpected ") != std::string::npos &&
                            what.find(" - unexpected '") == std::string::npos && token.size() <= read;
    const std::size_t at = read - (is_literal ? token.size() : std::min<std::size_t>(read, 1));
    fail(at,
         (is_literal ? shown(std::string_view(token)) : shown(text_[at])) + " does not belong here in JSON" + expected);
  }

 private:
  std::size_t offset_reached() const { return static_cast<std::size_t>(reached_ - text_.data()); }

  // The parser has just read the closing quote; the opening one is the last quote before it that is not escaped.
  std::size_t string_start() const {
    std::size_t at = offset_reached() - 1;
    while (at > 0) {
      --at;
      if (text_[at] != '"') continue;
      std::size_t backslashes = 0;
      while (backslashes < at && text_[at - 1 - backslashes] == '\\')
        ++backslashes;
      if (backslashes % 2 == 0) break;
    }
    return at;
  }

  // The parser recognises the end of a number by the character after it, which is missing at the end of the text.
  bool add_number(Kind kind, std::int64_t value, std::string written) {
    constexpr std::string_view kNumber = "0123456789+-.eE";
    std::size_t end = offset_reached();
    while (end > 0 && kNumber.find(text_[end - 1]) == std::string_view::npos)
      --end;
    while (end > 0 && kNumber.find(text_[end - 1]) != std::string_view::npos)
      --end;
    LocatedJson node;
    node.kind = kind;
    node.integer = value;
    node.text = std::move(written);
    node.offset = end;
    add(std::move(node));
    return true;
  }

  bool add_word(Kind kind, bool value) {
    std::size_t start = offset_reached();
    while (start > 0 && text_[start - 1] >= 'a' && text_[start - 1] <= 'z')
      --start;
    LocatedJson node;
    node.kind = kind;
    node.integer = value ? 1 : 0;
    node.offset = start;
    add(std::move(node));
    return true;
  }

  LocatedJson* add(LocatedJson node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return &root_;
    }
    return &open_.back()->items.emplace_back(std::move(node));
  }

  bool open(Kind kind) {
    LocatedJson node;
    node.kind = kind;
    node.offset = offset_reached() - 1;
    if (open_.size() == kDeepest)
      fail(node.offset, "nested deeper than any board or solution; expected at most " + std::to_string(kDeepest) +
                            " levels of brackets");
    open_.push_back(add(std::move(node)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  std::string_view text_;
  std::string_view source_;
  int first_line_;
  const char* reached_;
  LocatedJson root_;
  std::vector<LocatedJson*> open_;  // outermost first; a parent does not grow while its last child is open
};

}  // namespace

const LocatedJson* LocatedJson::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i] == key) return &items[i];
  return nullptr;
}

std::size_t LocatedJson::offset_of(std::string_view written, std::size_t into) const {
  std::size_t at = offset + 1;
  for (std::size_t passed = 0; passed < into;) {
    if (written[at] != '\\') {
      ++at;
      ++passed;
      continue;
    }
    const bool is_unicode = written[at + 1] == 'u';
    // An escape of four digits stands for one to three bytes; a pair of such escapes for four.
    const int code = is_unicode ? std::stoi(std::string(written.substr(at + 2, 4)), nullptr, 16) : 0;
    const bool is_pair = code >= 0xD800 && code < 0xE000;
    const std::size_t bytes = is_pair ? 4 : code >= 0x800 ? 3 : code >= 0x80 ? 2 : 1;
    if (passed + bytes > into) break;
    passed += bytes;
    at += is_pair ? 12 : is_unicode ? 6 : 2;
  }
  return at;
}

bool is_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

LocatedJson parse_located_json(std::string_view text, std::string_view source, int first_line) {
  TreeBuilder builder(text, source, first_line);
  const CountingIterator begin{text.data(), builder.reached()};
  const CountingIterator end{text.data() + text.size(), nullptr};
  nlohmann::json::sax_parse(begin, end, &builder);
  LocatedJson root = builder.take();
  const LocatedJson* version = root.find("version");
  if (version != nullptr && (version->kind != LocatedJson::Kind::kInteger || version->integer != kVersion))
    builder.fail(version->offset, "an unknown version of the format; expected " + std::to_string(kVersion));
  return root;
}

}  // namespace chainshot::game
