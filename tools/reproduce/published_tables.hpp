// The published tables that `chainshot reproduce` measures again, with one file for each paper.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "host/reproduce/published_table.hpp"

namespace chainshot::tools {

// In the order of docs/lab/reproduction.md.
std::span<const host::PublishedTable> published_tables();

std::vector<host::PublishedTable> schadd_tables();
std::vector<host::PublishedTable> klein_tables();
std::vector<host::PublishedTable> takes_tables();
host::PublishedTable standard_set_table();

}  // namespace chainshot::tools
