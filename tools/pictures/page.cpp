#include "tools/pictures/page.hpp"

#include "tools/pictures/page_template.hpp"
#include "tools/pictures/palette.hpp"
#include "tools/pictures/svg.hpp"
#include "tools/reports/json_text.hpp"

namespace chainshot::tools {
namespace {

Json board_json(const PageBoard& entry) {
  Json out = game::to_json(entry.board);
  if (entry.solution) out["moves"] = game::to_json(*entry.solution)["moves"];
  return out;
}

std::string_view deduction_name(game::Deduction deduction) {
  switch (deduction) {
    case game::Deduction::kNone:
      return "none";
    case game::Deduction::kPerColor:
      return "per-color";
    case game::Deduction::kTotal:
      return "total";
    case game::Deduction::kBlocksLeft:
      return "blocks-left";
  }
  return "none";
}

Json scoring_json(const game::Scoring& scoring) {
  return {{"summary", scoring.summary},
          {"scoresGroups", scoring.scores_groups},
          {"a", scoring.a},
          {"b", scoring.b},
          {"clearBonus", scoring.clear_bonus},
          {"deduction", deduction_name(scoring.deduction)}};
}

void replace_mark(std::string& text, std::string_view mark, std::string_view with) {
  text.replace(text.find(mark), mark.size(), with);
}

}  // namespace

std::string page_html(const std::vector<PageBoard>& boards, const game::Scoring& scoring, game::Notation notation) {
  Json content = {{"boards", Json::array()},
                  {"scoring", scoring_json(scoring)},
                  {"paper", notation == game::Notation::kPaper},
                  {"colors", Json::array()}};
  for (const PageBoard& entry : boards)
    content["boards"].push_back(board_json(entry));
  for (const BlockColor& color : kBlockColors)
    content["colors"].push_back({color.fill, color.ink});
  std::string json = content.dump();
  // Text inside a script element must not contain its end tag.
  for (std::size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at))
    json.replace(at, 1, "\\u003c");
  std::string page(kPageTemplate);
  const std::string title = boards.size() == 1 ? boards.front().board.name : std::to_string(boards.size()) + " boards";
  replace_mark(page, "CHAINSHOT_TITLE", escape_xml(title));
  replace_mark(page, "CHAINSHOT_CONTENT", json);
  return page;
}

}  // namespace chainshot::tools
