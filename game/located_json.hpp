// JSON in which every value knows where it stands, so that an error can point at what is wrong with it. nlohmann's
// parser does the reading; its tree does not keep places, this one does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace chainshot::game {

struct LocatedJson {
  enum class Kind { kNull, kBoolean, kInteger, kReal, kString, kArray, kObject };

  Kind kind = Kind::kNull;
  std::int64_t integer = 0;
  std::string text;                // of a string, and of a number as it is written
  std::vector<LocatedJson> items;  // of an array, or the values of an object
  std::vector<std::string> keys;   // of an object: keys[i] leads to items[i]
  std::size_t offset = 0;          // where the value starts

  const LocatedJson* find(std::string_view key) const;
};

// JSON of ours starts with a bracket, which no other format of ours does.
bool is_json(std::string_view text);

// Throws ParseError: on bad JSON, on a key given twice, on nesting deeper than any of our formats, and on a `version`
// of them that is not ours. Where the text is one line of many, `first_line` is its number.
LocatedJson parse_located_json(std::string_view text, std::string_view source, int first_line = 1);

}  // namespace chainshot::game
