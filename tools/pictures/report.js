// The report: summary, charts, the table of boards and the runs. All data are shown as text, never as markup.
let report = null;     // as docs/formats.md describes it
let chosen = null;     // the board that the player shows
let sorting = {column: "name", down: false};
let liveRates = [];    // [ms, playouts/s, evaluations/s, busy] of a run that is watched
let runningBoards = new Set();

const scoreChart = new TimeChart($("score-chart"), "Score over time");
const rateChart = new TimeChart($("rate-chart"), "Playouts and evaluations per second");
const busyChart = new TimeChart($("busy-chart"), "Share of the time in which the engines computed");

const keyOf = entry => entry.scoring + " " + entry.name;
const nameOf = entry => (entry.scoring === report.scoring ? entry.name : `${entry.name} (${entry.scoring})`);
const counted = entry => entry.scoring === report.scoring && entry.best !== null;
const lastRun = () => (report.last_run === null ? null : report.runs[report.last_run]);
const runEnd = run => run.started + run.seconds * 1000;
const percent = share => Math.round(share * 100) + " %";

function howText(entry) {
  if (entry.best === null) return "";
  const search = entry.search && entry.preset && entry.search !== entry.preset ? `${entry.search} (${entry.preset})` : entry.search || entry.preset;
  return [search, entry.seed && `seed ${entry.seed}`, entry.device || entry.engine, entry.host && `on ${entry.host}`,
    entry.imported && `from ${entry.imported}`].filter(Boolean).join(", ");
}

function makeElement(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

// ---- Summary ----

function addCard(title, big, ...small) {
  const card = makeElement("div");
  card.append(makeElement("dt", "", title));
  if (big !== null) card.append(makeElement("dd", "big", big));
  for (const text of small.filter(Boolean)) card.append(makeElement("dd", "small", text));
  $("cards").append(card);
  return card;
}

// Returns the best published system that the sum beats and the next one that it does not.
function nearestSystems() {
  const systems = [...report.published.systems].sort((a, b) => a.sum - b.sum), sum = report.published.sum;
  return [systems.filter(s => s.sum <= sum).pop(), systems.find(s => s.sum > sum)].filter(Boolean);
}

function drawSummary() {
  $("cards").textContent = "";
  const entries = report.boards.filter(counted), run = lastRun();
  const scoringText = report.scoring === "standard" ? "" : `scoring ${report.scoring}`;
  addCard("Sum of the best scores", grouped(report.sum), scoringText).querySelector(".big").id = "sum";
  const gain = addCard("Gain of the last run", gainText(report.gain),
    run && run.started !== null ? `since ${timeText(run.started)}` : "").querySelector(".big");
  gain.id = "gain";
  gain.classList.toggle("good", report.gain > 0);
  const improved = entries.filter(entry => entry.gain > 0).length;
  addCard("Boards", grouped(report.boards.length), `${grouped(improved)} improved by the last run`);
  if (report.published) addCard("Published sums", null, ...nearestSystems().map(s =>
    `${gainText(report.published.sum - s.sum)} against ${s.name}, ${grouped(s.sum)}`));
  if (run) addCard("Last run", null, [run.host, run.processor, run.seconds && durationText(run.seconds)].filter(Boolean).join(", "),
    run.command).className = "wide";
  $("made").textContent = `${report.live ? "live, " : ""}data of ${timeText(report.made)}`;
}

// ---- Score over time ----

// Returns the sum over time, from the moment at which every board had a line.
function sumHistory() {
  const entries = report.boards.filter(counted), timed = entries.filter(entry => entry.history.length > 0);
  let sum = entries.filter(entry => entry.history.length === 0).reduce((total, entry) => total + entry.best, 0);
  const events = timed.flatMap((entry, i) => entry.history.map(([t, score]) => [t, score, i])).sort((a, b) => a[0] - b[0]);
  const bests = new Array(timed.length).fill(null), points = [];
  let missing = timed.length;
  for (const [t, score, i] of events) {
    sum += score - (bests[i] === null ? 0 : bests[i]);
    if (bests[i] === null) --missing;
    bests[i] = score;
    if (missing > 0) continue;
    if (points.length > 0 && points[points.length - 1][0] === t) points.pop();
    points.push([t, sum]);
  }
  return points;
}

function endOfTime() {
  const times = report.boards.flatMap(entry => entry.history.length ? [entry.history[entry.history.length - 1][0]] : []);
  for (const run of report.runs) if (run.started !== null) times.push(runEnd(run));
  if (report.live) times.push(report.live);
  return times.reduce((a, b) => Math.max(a, b), 0);
}

function drawScores() {
  const entry = report.boards.find(e => keyOf(e) === $("chart-board").value), points = entry ? entry.history : sumHistory();
  const run = lastRun(), to = endOfTime();
  const first = points.length ? points[0][0] : to;
  const ofRun = $("chart-range").value === "run" && run && run.started !== null;
  const references = [];
  if (entry && entry.known) references.push({name: entry.known_by, value: entry.known});
  if (!entry && report.published && report.published.sum === report.sum)
    nearestSystems().forEach(s => references.push({name: s.name, value: s.sum}));
  scoreChart.show({
    series: [{name: entry ? nameOf(entry) : "sum", points}], from: ofRun ? Math.max(first, run.started) : first,
    to: Math.max(to, first + 1000), stepped: true, format: grouped, references,
    empty: "The lines of this board have no date, so there is no curve.",
  });
  $("chart-note").hidden = Boolean(entry) || report.boards.length < 2;
  $("chart-note").textContent = "The sum of all boards, from the moment at which every board had a line.";
}

// Offers options, each [text, value], and keeps the choice. A list that is the same stays, because it may be open.
function fillOptions(select, options) {
  const signature = JSON.stringify(options), value = select.value;
  if (select.dataset.options === signature) return;
  select.dataset.options = signature;
  select.textContent = "";
  for (const option of options) select.add(new Option(...option));
  if (options.some(option => option[1] === value)) select.value = value;
}

function fillChartBoards() {
  const all = report.boards.length > 1 ? [["all boards (sum)", ""]] : [];
  fillOptions($("chart-board"), [...all, ...report.boards.map(entry => [nameOf(entry), keyOf(entry)])]);
}

// ---- The table of boards ----

const columns = [
  {id: "name", title: "Board", text: true, value: entry => nameOf(entry)},
  {id: "best", title: "Best", value: entry => entry.best, show: entry => (entry.best === null ? "\u2013" : grouped(entry.best))},
  {id: "gain", title: "Gain", value: entry => entry.gain || 0, show: entry => (entry.gain ? gainText(entry.gain) : "")},
  {id: "known", title: "Published", value: entry => (entry.known ? entry.best - entry.known : null),
    show: entry => (entry.known ? gainText(entry.best - entry.known) : ""),
    hint: entry => (entry.known ? `${entry.known_by}: ${grouped(entry.known)}` : "")},
  {id: "history", title: "Over time", value: entry => entry.history.length},
  {id: "found", title: "Found", value: entry => entry.found, show: entry => (entry.found ? timeText(entry.found) : "")},
  {id: "how", title: "How", text: true, value: howText, show: howText, hint: howText},
];

function shownColumns() {
  return columns.filter(column => column.id !== "known" || report.boards.some(entry => entry.known));
}

function compare(a, b) {
  if (a === b) return 0;
  if (a === null || a === undefined) return 1;
  if (b === null || b === undefined) return -1;
  return typeof a === "string" ? a.localeCompare(b, "en", {numeric: true}) : a - b;
}

function drawHeads() {
  const row = document.querySelector("#boards thead tr");
  row.textContent = "";
  for (const column of shownColumns()) {
    const head = makeElement("th", column.text ? "text" : ""), button = makeElement("button", "", column.title);
    button.type = "button";
    if (sorting.column === column.id) head.setAttribute("aria-sort", sorting.down ? "descending" : "ascending");
    button.addEventListener("click", () => {
      sorting = {column: column.id, down: sorting.column === column.id ? !sorting.down : !column.text};
      drawHeads();
      drawRows();
      row.querySelectorAll("button")[shownColumns().indexOf(column)].focus();
    });
    head.append(button);
    row.append(head);
  }
}

function drawCell(cell, column, entry, from, to) {
  if (column.id === "name") {
    cell.className = "text name";
    cell.title = nameOf(entry);
    if (!entry.cells || !entry.moves) { cell.textContent = nameOf(entry); return; }
    const button = makeElement("button", "", nameOf(entry));
    button.type = "button";
    button.setAttribute("aria-label", `Replay ${nameOf(entry)}`);
    cell.append(button);
  } else if (column.id === "history") {
    cell.append(sparkline(entry.history, from, to));
  } else {
    cell.className = [column.text ? "text" : "", column.id === "how" ? "how" : "",
      column.id === "gain" && entry.gain > 0 ? "good" : ""].join(" ").trim();
    cell.textContent = column.show(entry);
    if (column.hint) cell.title = column.hint(entry);
  }
}

function drawRows() {
  const words = $("filter").value.toLowerCase(), column = columns.find(c => c.id === sorting.column);
  const shown = report.boards.filter(entry => nameOf(entry).toLowerCase().includes(words));
  shown.sort((a, b) => {
    const x = column.value(a), y = column.value(b), order = compare(x, y);
    const isUnknown = v => v === null || v === undefined;
    return (sorting.down && !isUnknown(x) && !isUnknown(y) ? -order : order) || compare(nameOf(a), nameOf(b));
  });
  const times = report.boards.flatMap(entry => entry.history.map(p => p[0]));
  const from = times.reduce((a, b) => Math.min(a, b), Infinity), to = endOfTime();
  const old = document.querySelector("#boards tbody"), body = document.createElement("tbody");
  const focused = old.contains(document.activeElement) ? document.activeElement.closest("tr").dataset.key : null;
  for (const entry of shown) {
    const row = body.insertRow();
    row.dataset.key = keyOf(entry);
    row.classList.toggle("chosen", chosen !== null && keyOf(entry) === keyOf(chosen));
    row.classList.toggle("busy", runningBoards.has(entry.name));
    for (const c of shownColumns()) drawCell(row.insertCell(), c, entry, from, to);
    row.addEventListener("click", () => choose(entry, true));
  }
  old.replaceWith(body);  // at once, so that the table does not scroll
  const again = Array.from(body.rows).find(row => row.dataset.key === focused);
  if (again && again.querySelector("button")) again.querySelector("button").focus({preventScroll: true});
  $("filter").hidden = report.boards.length < 8;
  $("shown").textContent = words ? `${shown.length} of ${report.boards.length}` : "";
}

// ---- The player ----

function choose(entry, byHand) {
  chosen = entry;
  for (const row of document.querySelectorAll("#boards tbody tr"))
    row.classList.toggle("chosen", row.dataset.key === keyOf(entry));
  if (byHand) {
    $("chart-board").value = keyOf(entry);
    drawScores();
  }
  const rules = report.scorings[entry.scoring], canReplay = Boolean(entry.cells && entry.moves && rules);
  $("replay").hidden = !canReplay;
  if (!canReplay) return;
  $("replay-title").textContent = `${nameOf(entry)}: ${grouped(entry.best)} points`;
  loadBoard(entry, rules);
  if (!byHand) return;
  $("replay").focus({preventScroll: true});
  $("replay").scrollIntoView({behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth", block: "start"});
}

// ---- Rates and runs ----

function drawRates() {
  const runs = report.runs.map((run, i) => ({run, i})).filter(({run}) => run.rates.length > 0);
  const select = $("rate-run");
  fillOptions(select, [...(liveRates.length ? [["now", "live"]] : []),
    ...runs.reverse().map(({run, i}) => [run.started === null ? run.source : timeText(run.started), String(i)])]);
  $("rates").hidden = select.length === 0;
  if (select.length === 0) return;
  const rates = select.value === "live" ? liveRates : report.runs[Number(select.value)].rates;
  const column = c => rates.filter(r => r[c] !== null).map(r => [r[0], r[c]]), some = points => points.some(p => p[1] > 0);
  const range = {from: rates[0][0], to: Math.max(rates[rates.length - 1][0], rates[0][0] + 1000)};
  const series = [{name: "evaluations/s", points: column(2)}, {name: "playouts/s", points: column(1)}].filter(s => some(s.points));
  rateChart.show({...range, series, zero: true, format: compact, empty: "The run played nothing."});
  drawLegend(series);
  const busy = column(3);
  $("busy-title").hidden = $("busy-chart").hidden = !some(busy);
  if (some(busy)) busyChart.show({...range, series: [{name: "busy", points: busy}], zero: true, format: percent});
}

function drawLegend(series) {
  let legend = $("rates").querySelector(".legend");
  if (!legend) $("rate-chart").before(legend = makeElement("div", "legend"));
  legend.textContent = "";
  series.forEach((s, i) => legend.append(makeElement("span", `series-${i}`, s.name)));
}

function drawRuns() {
  const body = document.querySelector("#runs tbody");
  body.textContent = "";
  const runs = [...report.runs].sort((a, b) => (b.started || 0) - (a.started || 0));
  for (const run of runs) {
    const row = body.insertRow(), add = (className, text) => { const cell = row.insertCell(); cell.className = className; cell.textContent = text; };
    add("text", run.started === null ? run.source : timeText(run.started));
    add("", durationText(run.seconds));
    add("text", run.state);
    add("", grouped(run.improvements));
    add(run.gain > 0 ? "good" : "", gainText(run.gain));
    add("text", [run.host, run.processor].filter(Boolean).join(", "));
    add("text command", run.command);
  }
  $("runs-panel").hidden = runs.length === 0;
}

// ---- All of it ----

function showReport(data) {
  const isFirst = report === null;
  report = data;
  $("nothing").hidden = report.boards.length > 0 || Boolean(report.live);
  $("report").hidden = report.boards.length === 0 && !report.live;
  if (isFirst) {
    startPlayer($("replay"), report.colors, false);
    for (const id of ["chart-board", "chart-range"]) $(id).addEventListener("change", drawScores);
    $("rate-run").addEventListener("change", drawRates);
    $("filter").addEventListener("input", drawRows);
    if (report.live) $("chart-range").value = "run";
  }
  const again = chosen && report.boards.find(entry => keyOf(entry) === keyOf(chosen));
  const isSame = again && JSON.stringify(again.moves) === JSON.stringify(chosen.moves);
  drawSummary();
  fillChartBoards();
  drawScores();
  drawHeads();
  drawRows();
  drawRates();
  drawRuns();
  // A replay under way goes on; a better line waits for its end.
  if (isSame) chosen = again;
  if (isSame || (again && timer)) return;
  const entry = again || report.boards.find(e => e.cells && e.moves);
  if (entry) choose(entry, false);
}
