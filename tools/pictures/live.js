// Keeps the report of a run that is watched up to date: asks for the state every second, and for all data when a board
// was improved. A file has its data inside and asks for nothing.
const live = {delay: 1000, timer: 0, data: null, fetched: 0, lostAt: null, isOver: false};
const kShortest = 1000, kLongest = 30000, kHidden = 15000, kDataEvery = 3000;

async function ask(path) {
  const answer = await fetch(path, {cache: "no-store", credentials: "omit", signal: AbortSignal.timeout(10000)});
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

// Adds what the state knows to the data, which may be older.
function mergeStatus(data, status, now) {
  data.live = now;
  for (const state of status.boards) {
    let entry = data.boards.find(e => e.name === state.name && e.scoring === status.scoring);
    if (!entry) {
      entry = {name: state.name, scoring: status.scoring, best: null, gain: 0, found: null, history: []};
      data.boards.push(entry);
    }
    if (state.best === null || (entry.best !== null && entry.best >= state.best)) continue;
    entry.best = state.best;
    entry.found = Date.parse(state.improved_at) || now;
    entry.history.push([entry.found, state.best]);
    entry.isNew = true;  // the data do not have its moves yet
  }
  for (const state of status.boards) {
    const entry = data.boards.find(e => e.name === state.name && e.scoring === status.scoring);
    entry.gain = state.gain;
  }
  data.sum = status.sum;
  data.gain = status.gain;
}

function drawTurns(status) {
  const table = $("live-turns"), body = table.tBodies[0];
  body.textContent = "";
  for (const turn of status.turns) {
    const row = body.insertRow(), add = (className, text) => { const cell = row.insertCell(); cell.className = className; cell.textContent = text; };
    add("text", turn.board);
    add("", turn.best === null ? "\u2013" : grouped(turn.best));
    add("", durationText(turn.seconds));
    add("", percent(turn.share));
    add("", [turn.evaluations_per_second && compact(turn.evaluations_per_second) + " evaluations/s",
      turn.playouts_per_second && compact(turn.playouts_per_second) + " playouts/s"].filter(Boolean).join(", "));
  }
  table.hidden = status.turns.length === 0;
  const notes = $("live-notes");
  notes.textContent = "";
  for (const note of [...status.notes].reverse()) notes.append(makeElement("li", "", note));
  notes.hidden = status.notes.length === 0;
}

function drawState(status) {
  $("live").hidden = false;
  $("lamp").className = "lamp" + (live.isOver ? "" : " on");
  const round = status.round ? `, round ${status.round}${status.rounds ? " of " + status.rounds : ""}` : "";
  $("live-state").textContent = live.isOver ? `The run has ended at ${clockText(live.endedAt)}.` : `The run is ${status.state}${round}.`;
  const left = status.seconds_left === null ? "" : `, ${durationText(status.seconds_left)} left`;
  const busy = status.busy ? `, engines ${percent(status.busy)} busy` : "";
  $("live-time").textContent = `${durationText(status.seconds)} so far${live.isOver ? "" : left + busy}`;
  $("live-progress").hidden = status.seconds_left === null;
  if (status.seconds_left !== null)
    $("live-share").style.width = 100 * status.seconds / Math.max(1e-9, status.seconds + status.seconds_left) + "%";
  drawTurns(status);
}

function drawLost() {
  $("live").hidden = false;
  $("lamp").className = "lamp lost";
  $("live-state").textContent = `Connection lost at ${clockText(live.lostAt)}.`;
  $("live-time").textContent = live.isOver ? "" : "Trying again.";
}

async function refresh() {
  const now = Date.now(), status = await ask("status.json");
  live.isOver = status.state === "finished";
  if (live.isOver && !live.endedAt) live.endedAt = now;
  const isBehind = !live.data || live.data.boards.some(entry => entry.isNew) || (live.isOver && !live.isComplete);
  if (isBehind && now - live.fetched >= kDataEvery) {
    live.fetched = now;
    live.data = await ask("data.json");
    live.isComplete = live.isOver;
  }
  if (!live.data) return;
  mergeStatus(live.data, status, now);
  runningBoards = new Set(status.turns.map(turn => turn.board));
  const scores = JSON.stringify([live.fetched, status.turns.map(turn => turn.board), status.boards.map(b => [b.best, b.gain])]);
  if (!live.isOver) liveRates.push([now, status.playouts_per_second, status.evaluations_per_second, status.busy]);
  if (liveRates.length > 3600) liveRates.splice(0, liveRates.length - 3600);
  if (scores !== live.scores) {
    showReport(live.data);
  } else {
    drawScores();
    drawRates();
  }
  live.scores = scores;
  drawState(status);
}

async function poll() {
  clearTimeout(live.timer);
  try {
    await refresh();
    live.lostAt = null;
    live.delay = live.isOver ? kLongest : kShortest;
  } catch (error) {
    if (live.lostAt === null) live.lostAt = Date.now();
    if (!live.isOver) drawLost();
    $("report").hidden = false;
    live.delay = Math.min(kLongest, live.delay * 2);
  }
  clearTimeout(live.timer);
  live.timer = setTimeout(poll, document.hidden ? Math.max(kHidden, live.delay) : live.delay);
}

if ($("content")) {
  showReport(JSON.parse($("content").textContent));
} else {
  document.addEventListener("visibilitychange", () => { if (!document.hidden) poll(); });
  poll();
}
