#include "tools/reproduce/published_tables.hpp"

#include <iterator>

namespace chainshot::tools {
namespace {

std::vector<host::PublishedTable> all_tables() {
  std::vector<host::PublishedTable> tables = {standard_set_table()};
  for (std::vector<host::PublishedTable> part : {schadd_tables(), klein_tables(), takes_tables()})
    tables.insert(tables.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
  return tables;
}

}  // namespace

std::span<const host::PublishedTable> published_tables() {
  static const std::vector<host::PublishedTable> kTables = all_tables();
  return kTables;
}

}  // namespace chainshot::tools
