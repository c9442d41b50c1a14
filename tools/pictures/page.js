// The page of `chainshot show --html`: chooses the board.
const content = JSON.parse($("content").textContent);

function load(index) {
  loadBoard(content.boards[index], content.scoring);
  $("title").textContent = board.name;
}

$("choice").addEventListener("change", event => load(event.target.selectedIndex));
if (content.boards.length > 1) {
  content.boards.forEach(entry => $("choice").add(new Option("score" in entry ? `${entry.name}: ${plain(entry.score)} points` : entry.name)));
  $("choice").hidden = false;
  $("title").hidden = true;
}
startPlayer(document, content.colors, content.paper);
load(0);
