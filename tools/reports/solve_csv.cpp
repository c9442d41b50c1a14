#include "tools/reports/solve_csv.hpp"

#include "tools/reports/csv_text.hpp"

namespace chainshot::tools {

std::string solved_csv(const std::vector<std::string>& varied, const std::vector<SolvedRow>& rows) {
  CsvRow head;
  head.add("board").add("preset");
  for (const std::string& name : varied)
    head.add(name);
  for (const char* const name : {"seed", "score", "moves", "source", "playouts", "evaluations", "nodes",
                                 "resource_units", "seconds", "found_seconds", "proven", "complete"})
    head.add(name);
  std::string out = head.text();
  for (const SolvedRow& row : rows) {
    const host::SolveResult& result = row.solution->result;
    const host::SearchStatus work = result.last.total();
    CsvRow line;
    line.add(row.solution->board.name).add(row.preset);
    for (const auto& [name, value] : row.varied)
      line.add(value);
    line.add(row.seed).add(result.best.score).add(result.best.moves.size()).add(result.best.source);
    line.add(work.playouts).add(work.evaluations).add(work.nodes_visited).add(work.resource_units);
    line.add(result.last.seconds).add(row.solution->found_seconds).add(result.proven).add(result.complete);
    out += line.text();
  }
  return out;
}

}  // namespace chainshot::tools
