// Formats the JSON answers of the commands: keys in the given order, two spaces per level, lists of moves on one line.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace chainshot::tools {

using Json = nlohmann::ordered_json;

std::string json_text(const Json& value);
// Prints to the standard output.
void print_json(const Json& value);

}  // namespace chainshot::tools
