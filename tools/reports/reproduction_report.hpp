// Formats the answers of `chainshot reproduce`: published figures and ours side by side, with a verdict for each row.
#pragma once

#include <string>
#include <vector>

#include "host/reproduce/measured_row.hpp"
#include "tools/pictures/svg.hpp"
#include "tools/reports/json_text.hpp"

namespace chainshot::tools {

struct ReproducedRow {
  const host::PublishedRow* row = nullptr;
  host::Effort effort;
  host::MeasuredRow measured;
  host::Judgement judgement;
};

struct ReproducedTable {
  const host::PublishedTable* table = nullptr;
  std::vector<ReproducedRow> rows;
};

struct Reproduction {
  host::Extent extent = host::Extent::kMinutes;
  bool complete = false;
  std::vector<ReproducedTable> tables;
};

std::string_view extent_name(host::Extent extent);  // as --budget takes it

std::string reproduction_markdown(const Reproduction& reproduction);
std::string reproduction_csv(const Reproduction& reproduction);
Json reproduction_json(const Reproduction& reproduction);
RatioPicture reproduction_picture(const Reproduction& reproduction);

}  // namespace chainshot::tools
