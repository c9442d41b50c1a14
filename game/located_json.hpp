// JSON in which every value knows its place in the text, so that an error can point at it. nlohmann's parser reads the
// text; its own tree does not keep places, so this file builds another.
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
  std::int64_t integer = 0;        // of a boolean: 1 if it is true
  std::string text;                // of a string, and of a number as it is written
  std::vector<LocatedJson> items;  // of an array, or the values of an object
  std::vector<std::string> keys;   // of an object: keys[i] leads to items[i]
  std::size_t offset = 0;          // where the value starts

  const LocatedJson* find(std::string_view key) const;
  // Where the byte `into` of this string is written, which escapes such as \u0030 put further on.
  std::size_t offset_of(std::string_view written, std::size_t into) const;
};

// Our JSON starts with a bracket; none of our other formats does.
bool is_json(std::string_view text);

// Throws ParseError for bad JSON, a repeated key, nesting deeper than any of our formats, or a `version` that we do not
// know. Where the text is one line of many, `first_line` is its number.
LocatedJson parse_located_json(std::string_view text, std::string_view source, int first_line = 1);

}  // namespace chainshot::game
