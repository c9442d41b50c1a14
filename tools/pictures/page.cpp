#include "tools/pictures/page.hpp"

#include "game/reference.hpp"
#include "tools/pictures/page_parts.hpp"
#include "tools/pictures/page_text.hpp"
#include "tools/pictures/svg.hpp"

namespace chainshot::tools {
namespace {

Json board_json(const PageBoard& entry, const game::Scoring& scoring) {
  Json out = game::to_json(entry.board);
  if (entry.solution) {
    out["moves"] = game::to_json(*entry.solution)["moves"];
    out["score"] = game::replay(entry.board.position, entry.solution->moves, scoring).score;
  }
  return out;
}

}  // namespace

std::string page_html(const std::vector<PageBoard>& boards, const game::Scoring& scoring, game::Notation notation) {
  Json content = {{"boards", Json::array()},
                  {"scoring", scoring_json(scoring)},
                  {"paper", notation == game::Notation::kPaper},
                  {"colors", colors_json()}};
  for (const PageBoard& entry : boards)
    content["boards"].push_back(board_json(entry, scoring));
  const std::string title = boards.size() == 1 ? boards.front().board.name : std::to_string(boards.size()) + " boards";
  return filled(kPageHtml, {{"CHAINSHOT_TITLE", escape_xml(title)},
                            {"CHAINSHOT_NONCE", random_nonce()},
                            {"CHAINSHOT_STYLE", std::string(kPlayerStyle)},
                            {"CHAINSHOT_PLAYER", std::string(kPlayerHtml)},
                            {"CHAINSHOT_CONTENT", script_json(content)},
                            {"CHAINSHOT_SCRIPT", std::string(kPlayerScript) + std::string(kPageScript)}});
}

}  // namespace chainshot::tools
