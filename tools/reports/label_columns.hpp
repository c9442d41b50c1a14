// Text beside labels, as the answers of --presets and --explain have it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace chainshot::tools {

// The text in lines of at most `width` columns.
std::string in_lines(const std::string& text, int width);
// Puts `label` in a column of its own and wraps `text` beside it.
std::string labelled(std::string_view label, std::size_t label_width, const std::string& text, int width);
// `text (source)`, or the text alone if there is no source.
std::string with_source(std::string_view text, std::string_view source);

}  // namespace chainshot::tools
