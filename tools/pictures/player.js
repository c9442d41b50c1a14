"use strict";
// Replays the solution of a board, or lets a person play it. The page calls startPlayer once and loadBoard for every
// board; player.html has the elements.
const $ = id => document.getElementById(id);
const letters = "0123456789ABCDE";
const icons = {
  play: '<svg viewBox="0 0 16 16"><path d="M4 2v12l9-6z"/></svg>',
  pause: '<svg viewBox="0 0 16 16"><path d="M3 2h4v12H3zM9 2h4v12H9z"/></svg>',
};

let palette;        // fill and ink of every colour
let scoring;        // of the board
let paper = false;  // cells are written as in the papers: row,column from the top left

// A state is a list of columns from the left; a column is a list of block numbers from the bottom up.
let board, colors, blocks, states, line, solution, at = 0, timer = 0;

function colorAt(state, c, r) {
  const id = state[c] && state[c][r];
  return id === undefined ? -1 : colors[id];
}

function groupAt(state, c, r) {
  const color = colorAt(state, c, r);
  if (color < 0) return [];
  const found = [[c, r]], seen = new Set([c + "," + r]);
  for (let i = 0; i < found.length; ++i) {
    for (const [dc, dr] of [[0, 1], [0, -1], [1, 0], [-1, 0]]) {
      const x = found[i][0] + dc, y = found[i][1] + dr, key = x + "," + y;
      if (!seen.has(key) && colorAt(state, x, y) === color) { seen.add(key); found.push([x, y]); }
    }
  }
  return found;
}

function remove(state, cells) {
  const gone = new Set(cells.map(([c, r]) => state[c][r]));
  return state.map(column => column.filter(id => !gone.has(id))).filter(column => column.length > 0);
}

function countGroups(state) {
  const seen = new Set();
  let groups = 0;
  state.forEach((column, c) => column.forEach((id, r) => {
    if (seen.has(id)) return;
    const cells = groupAt(state, c, r);
    cells.forEach(([x, y]) => seen.add(state[x][y]));
    if (cells.length > 1) ++groups;
  }));
  return groups;
}

const count = state => state.reduce((sum, column) => sum + column.length, 0);

// The value of a polynomial with the coefficients of 1, n, n^2, ...
const polynomial = (coefficients, n) => coefficients.reduceRight((sum, c) => sum * n + c, 0);

const groupPoints = n => polynomial(scoring.points, n);

function finalPoints(state) {
  const s = scoring, left = count(state);
  if (left === 0) return s.clearBonus;
  const byColor = {};
  state.forEach(column => column.forEach(id => { byColor[colors[id]] = (byColor[colors[id]] || 0) + 1; }));
  const deducted = Object.values(byColor).reduce((sum, r) => sum + polynomial(s.leftPerColor, r), 0);
  return -deducted - polynomial(s.left, left);
}

// Plays `moves` from the start: states[k] is the board after k moves, line[k] the move from states[k].
function playOut(moves) {
  states = states.slice(0, 1);
  line = [];
  let score = 0;
  for (const [c, r] of moves) {
    const state = states[states.length - 1], cells = groupAt(state, c, r);
    if (cells.length < 2) break;
    const points = groupPoints(cells.length);
    score += points;
    line.push({c, r, cells, color: colorAt(state, c, r), points, score});
    states.push(remove(state, cells));
  }
}

function isOver(k) { return countGroups(states[k]) === 0; }
// A solution may end before the game is over; it is scored as if the game ended there.
function isEnded(k) { return isOver(k) || (k === line.length && line === solution); }
function scoreAfter(k) { return (k > 0 ? line[k - 1].score : 0) + (isEnded(k) ? finalPoints(states[k]) : 0); }

function cellText(c, r) { return paper ? `${board.rows - r},${c + 1}` : `${c},${r}`; }
const signed = n => (n < 0 ? "\u2212" + -n : "+" + n);
const plain = n => (n < 0 ? "\u2212" + -n : String(n));

function statusText() {
  if (at === 0 && line.length === 0 && !isOver(0)) return "Click a group of two or more equal blocks.";
  let text = "";
  if (at > 0) {
    const m = line[at - 1];
    text = `${cellText(m.c, m.r)} took ${m.cells.length} blocks: ${signed(m.points)}. `;
  }
  const left = count(states[at]), ended = isEnded(at);
  if (ended && left === 0) return text + `Cleared: ${signed(finalPoints(states[at]))}.`;
  if (ended) return text + `${left} left: ${signed(finalPoints(states[at]))}.`;
  if (at < line.length) {
    const m = line[at];
    text += `Next: ${cellText(m.c, m.r)}, ${m.cells.length} blocks, ${signed(m.points)}.`;
  }
  return text;
}

function drawBlocks() {
  const state = states[at], next = at < line.length ? line[at].cells : [];
  const present = new Set(), marked = new Set(next.map(([c, r]) => state[c][r]));
  state.forEach((column, c) => column.forEach((id, r) => {
    present.add(id);
    blocks[id].style.setProperty("--c", c);
    blocks[id].style.setProperty("--r", r);
  }));
  blocks.forEach((block, id) => {
    block.classList.toggle("gone", !present.has(id));
    block.classList.toggle("next", marked.has(id));
    block.classList.remove("hover");
  });
}

function draw() {
  drawBlocks();
  const slider = $("slider");
  slider.max = line.length;
  slider.value = at;
  slider.disabled = line.length === 0;
  $("first").disabled = $("back").disabled = at === 0;
  $("last").disabled = $("forward").disabled = at === line.length;
  $("play").disabled = line.length === 0;
  $("play").innerHTML = timer ? icons.pause : icons.play;
  $("play").setAttribute("aria-label", timer ? "Pause" : "Play");
  $("score").textContent = plain(scoreAfter(at));
  $("final").textContent = plain(scoreAfter(line.length));
  $("move").textContent = line.length ? `${at} / ${line.length}` : "0";
  $("left").textContent = count(states[at]);
  $("groups").textContent = countGroups(states[at]);
  $("status").textContent = statusText();
  $("restore").hidden = !solution || line === solution;
  $("copy").hidden = line.length === 0;
  $("board").setAttribute("aria-label", `Board ${board.name} after ${at} moves`);
  drawCursor();
}

function drawCursor() {
  const rows = $("rows").children, list = $("list");
  for (let i = 0; i < line.length; ++i) rows[i].classList.toggle("now", i === at - 1);
  const row = rows[at - 1];
  if (row) list.scrollTop = row.offsetTop - list.clientHeight / 2;
  else list.scrollTop = 0;
  const marker = $("curve").querySelector("line");
  marker.setAttribute("x1", at);
  marker.setAttribute("x2", at);
}

// Adds the row of the bonus or deduction at the end of the game.
function drawEnd(rows) {
  if (!isEnded(line.length)) return;
  const row = rows.insertRow(), title = row.insertCell(), state = states[line.length];
  row.addEventListener("click", () => goTo(line.length));
  row.className = "end";
  title.colSpan = 3;
  title.textContent = count(state) === 0 ? "cleared" : `${count(state)} left`;
  row.insertCell().textContent = signed(finalPoints(state));
  row.insertCell().textContent = plain(scoreAfter(line.length));
}

// Draws the table and the curve of the score, which depend on the line but not on the current move.
function drawLine() {
  hideText();
  $("list").hidden = line.length === 0;
  const rows = $("rows");
  rows.textContent = "";
  line.forEach((m, i) => {
    const row = rows.insertRow();
    row.addEventListener("click", () => goTo(i + 1));
    row.insertCell().textContent = i + 1;
    const cell = row.insertCell();
    const chip = document.createElement("span");
    chip.className = "chip";
    chip.style.background = palette[m.color][0];
    cell.append(chip, cellText(m.c, m.r));
    for (const value of [m.cells.length, plain(m.points), plain(m.score)]) row.insertCell().textContent = value;
  });
  drawEnd(rows);
  const scores = states.map((_, k) => scoreAfter(k));
  const low = Math.min(0, ...scores), high = Math.max(1, ...scores), curve = $("curve");
  $("scale").hidden = line.length < 2;
  $("high").textContent = plain(high);
  $("low").textContent = plain(low);
  $("end").textContent = `move ${line.length}`;
  curve.setAttribute("viewBox", `0 0 ${Math.max(1, line.length)} 100`);
  const points = scores.map((s, k) => `${k} ${(97 - 94 * (s - low) / (high - low)).toFixed(1)}`);
  curve.querySelector("path").setAttribute("d", "M" + points.join("L"));
  curve.querySelector("line").setAttribute("y1", 0);
  curve.querySelector("line").setAttribute("y2", 100);
}

// Returns the line as `chainshot verify` and `show` read it. A game that is not over has no score yet.
function lineText() {
  const score = isOver(line.length) ? `score ${scoreAfter(line.length)}\n` : "";
  return `board ${board.name}\nscoring ${scoring.name}\n${score}moves ${line.map(m => cellText(m.c, m.r)).join(" ")}\n`;
}

// A page that is not from this machine may have no clipboard; then the selected text can be copied by hand.
async function copyLine() {
  const area = $("text");
  area.value = lineText();
  area.hidden = false;
  area.select();
  try {
    await navigator.clipboard.writeText(area.value);
    $("copied").textContent = "Copied.";
  } catch {
    $("copied").textContent = "Copy the selected text.";
  }
}

function hideText() {
  $("text").hidden = true;
  $("copied").textContent = "";
}

function goTo(k, keepPlaying) {
  if (!keepPlaying) stop();
  const target = Math.max(0, Math.min(line.length, k));
  // Blocks are animated only from move to move; on a jump they would cross the whole board.
  $("board").classList.toggle("still", Math.abs(target - at) > 1);
  at = target;
  draw();
}

function stop() {
  clearInterval(timer);
  timer = 0;
}

function start() {
  const speed = Number($("speed").value), pause = 900 / speed;
  $("board").style.setProperty("--fall", Math.min(260, pause * .45) + "ms");
  $("board").style.setProperty("--fade", Math.min(160, pause * .3) + "ms");
  stop();
  timer = setInterval(() => {
    if (at >= line.length) { stop(); draw(); } else goTo(at + 1, true);
  }, pause);
}

function togglePlay() {
  if (line.length === 0) return;
  if (timer) { stop(); draw(); return; }
  start();
  goTo(at >= line.length ? 0 : at + 1, true);
}

function playByHand(c, r) {
  if (groupAt(states[at], c, r).length < 2) return;
  const next = line[at];
  if (next && next.cells.some(([x, y]) => x === c && y === r)) { goTo(at + 1); return; }
  stop();
  playOut([...line.slice(0, at).map(m => [m.c, m.r]), [c, r]]);
  ++at;
  $("board").classList.remove("still");
  drawLine();
  draw();
}

function restore() {
  playOut(solution.map(m => [m.c, m.r]));
  solution = line;
  drawLine();
  goTo(Math.min(at, line.length));
}

function cellUnder(event) {
  const box = $("board").getBoundingClientRect();
  const c = Math.floor((event.clientX - box.left) / box.width * board.columns);
  return [c, board.rows - 1 - Math.floor((event.clientY - box.top) / box.height * board.rows)];
}

function hover(event) {
  const [c, r] = cellUnder(event), cells = groupAt(states[at], c, r);
  const lit = new Set(cells.length > 1 ? cells.map(([x, y]) => states[at][x][y]) : []);
  blocks.forEach((block, id) => block.classList.toggle("hover", lit.has(id)));
}

function makeBlock(color) {
  const block = document.createElement("div");
  block.className = "block";
  block.textContent = letters[color];
  block.style.setProperty("--fill", palette[color][0]);
  block.style.setProperty("--ink", palette[color][1]);
  $("board").append(block);
  return block;
}

// Shows a board: {name, columns, rows, cells, moves?}, scored by `rules`.
function loadBoard(entry, rules) {
  stop();
  board = entry;
  scoring = rules;
  const element = $("board");
  element.textContent = "";
  element.style.setProperty("--columns", board.columns);
  element.style.setProperty("--rows", board.rows);
  colors = [];
  blocks = [];
  const state = Array.from({length: board.columns}, () => []);
  for (let r = 0; r < board.rows; ++r) {
    const row = board.cells[board.rows - 1 - r];
    for (let c = 0; c < board.columns; ++c) {
      const color = letters.indexOf(row[c]);
      if (color < 0) continue;
      state[c].push(colors.length);
      colors.push(color);
      blocks.push(makeBlock(color));
    }
  }
  states = [state.filter(column => column.length > 0)];
  at = 0;
  playOut(board.moves || []);
  solution = board.moves ? line : null;
  $("scoring").textContent = `Scoring: ${scoring.summary}.`;
  $("size").textContent = `${board.columns} \u00d7 ${board.rows}, ${new Set(colors).size} colours`;
  $("cell").title = paper ? "row,column from the top left" : "column,row from the bottom left";
  element.classList.add("still");
  drawLine();
  draw();
}

function changeSpeed(by) {
  const speed = $("speed");
  speed.selectedIndex = Math.max(0, Math.min(speed.length - 1, speed.selectedIndex + by));
  if (timer) start();
}

function setLetters(on) {
  $("letters").checked = on;
  $("board").classList.toggle("plain", !on);
}

const keys = {
  " ": togglePlay, ArrowLeft: () => goTo(at - 1), ArrowRight: () => goTo(at + 1), Home: () => goTo(0),
  End: () => goTo(line.length), "+": () => changeSpeed(1), "=": () => changeSpeed(1), "-": () => changeSpeed(-1),
  l: () => setLetters(!$("letters").checked), L: () => setLetters(!$("letters").checked),
};

function pressKey(event) {
  const tag = event.target.tagName;
  if (event.ctrlKey || event.metaKey || event.altKey || ["SELECT", "TEXTAREA"].includes(tag) || event.target.type === "search") return;
  if (event.key === " " && ["BUTTON", "INPUT"].includes(tag) && event.target.type !== "range") return;
  const action = keys[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

// Connects the elements of the player. Keys work while the focus is in `root`.
function startPlayer(root, blockColors, inPaperNotation) {
  palette = blockColors;
  paper = inPaperNotation;
  root.addEventListener("keydown", pressKey);
  $("first").addEventListener("click", () => goTo(0));
  $("back").addEventListener("click", () => goTo(at - 1));
  $("play").addEventListener("click", togglePlay);
  $("forward").addEventListener("click", () => goTo(at + 1));
  $("last").addEventListener("click", () => goTo(line.length));
  $("slider").addEventListener("input", event => goTo(Number(event.target.value)));
  $("speed").addEventListener("change", () => { if (timer) start(); });
  $("letters").addEventListener("change", event => setLetters(event.target.checked));
  $("restore").addEventListener("click", restore);
  $("copy").addEventListener("click", copyLine);
  $("board").addEventListener("click", event => playByHand(...cellUnder(event)));
  $("board").addEventListener("pointermove", hover);
  $("board").addEventListener("pointerleave", () => blocks.forEach(block => block.classList.remove("hover")));
  setLetters(false);
}
