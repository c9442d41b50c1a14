// Draws series over time as SVG with axes in local time and a tooltip.
const svgElement = (name, attributes, text) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
};

const grouped = n => Math.round(n).toLocaleString("en-US").replace("-", "\u2212");
const gainText = n => (n > 0 ? "+" + grouped(n) : n < 0 ? grouped(n) : "0");
const compact = n => {
  for (const [size, letter] of [[1e12, " T"], [1e9, " G"], [1e6, " M"], [1e3, " k"]])
    if (Math.abs(n) >= size) return Number((n / size).toPrecision(3)) + letter;
  return String(Number(n.toPrecision(3)));
};
const two = n => String(n).padStart(2, "0");
const clockText = (ms, seconds) => {
  const t = new Date(ms);
  return two(t.getHours()) + ":" + two(t.getMinutes()) + (seconds ? ":" + two(t.getSeconds()) : "");
};
const dayText = ms => { const t = new Date(ms); return `${t.getFullYear()}-${two(t.getMonth() + 1)}-${two(t.getDate())}`; };
const timeText = ms => `${dayText(ms)} ${clockText(ms, true)}`;
const durationText = seconds => {
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${two(s % 60)} s`;
  if (s < 172800) return `${Math.floor(s / 3600)} h ${two(Math.floor(s / 60) % 60)} min`;
  return `${Math.floor(s / 86400)} d ${Math.floor(s / 3600) % 24} h`;
};

function niceStep(span, most) {
  const rough = Math.max(span, 1e-9) / most, power = 10 ** Math.floor(Math.log10(rough));
  return power * [1, 2, 5, 10].find(m => m * power >= rough * .999);
}

// Returns the times of the ticks, at whole minutes, hours or days of local time.
function timeTicks(from, to, most) {
  const second = 1000, minute = 60 * second, hour = 60 * minute, day = 24 * hour;
  const steps = [second, 2 * second, 5 * second, 10 * second, 15 * second, 30 * second, minute, 2 * minute, 5 * minute,
    10 * minute, 15 * minute, 30 * minute, hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 7 * day,
    14 * day, 30 * day, 90 * day, 365 * day];
  const step = steps.find(s => (to - from) / s <= most) || Math.ceil((to - from) / most / day) * day;
  const ticks = [];
  if (step >= day) {
    const date = new Date(from);
    date.setHours(0, 0, 0, 0);
    for (; date.getTime() <= to; date.setDate(date.getDate() + step / day))
      if (date.getTime() >= from) ticks.push(date.getTime());
    return {ticks, step};
  }
  const offset = new Date(from).getTimezoneOffset() * minute;
  for (let t = Math.ceil((from - offset) / step) * step + offset; t <= to; t += step) ticks.push(t);
  return {ticks, step};
}

function tickText(t, step) {
  const isMidnight = new Date(t).getHours() === 0 && new Date(t).getMinutes() === 0;
  if (step >= 86400000 || (isMidnight && step >= 60000)) return dayText(t).slice(step >= 365 * 86400000 ? 0 : 5);
  return clockText(t, step < 60000);
}

class TimeChart {
  // `title` names the chart for those who cannot see it.
  constructor(host, title) {
    this.host = host;
    this.title = title;
    this.svg = svgElement("svg", {role: "img"});
    this.tip = document.createElement("div");
    this.tip.className = "tip";
    this.tip.hidden = true;
    this.empty = document.createElement("p");
    this.empty.className = "empty";
    host.append(this.svg, this.tip, this.empty);
    this.spec = null;
    new ResizeObserver(() => this.draw()).observe(host);
    host.addEventListener("pointermove", event => this.point(event));
    host.addEventListener("pointerdown", event => this.point(event));
    host.addEventListener("pointerleave", () => this.leave());
  }

  // spec: {series: [{name, points: [[ms, value], ...]}], from, to, stepped, zero, format, references: [{name, value}],
  // empty}. A stepped series keeps its value until the next point.
  show(spec) {
    this.spec = spec;
    this.draw();
  }

  draw() {
    const spec = this.spec;
    if (!spec || !this.host.clientWidth) return;
    const series = spec.series.map(s => ({...s, points: this.within(s.points)})).filter(s => s.points.length > 0);
    this.drawn = series;
    this.empty.hidden = series.length > 0;
    this.empty.textContent = spec.empty || "There is nothing to draw yet.";
    this.svg.toggleAttribute("hidden", series.length === 0);
    this.svg.textContent = "";
    if (series.length === 0) return;
    this.scale(series);
    this.drawAxes();
    for (const reference of this.references) this.drawReference(reference);
    series.forEach((s, i) => this.drawSeries(s, i));
    this.cursor = svgElement("line", {class: "cursor", y1: this.top, y2: this.bottom, visibility: "hidden"});
    this.svg.append(this.cursor);
    const last = series[0].points[series[0].points.length - 1];
    this.svg.setAttribute("aria-label", `${this.title}: ${spec.format(last[1])} at ${timeText(last[0])}`);
  }

  // Keeps the points of the range; a stepped series also keeps its value at the start of the range.
  within(points) {
    const {from, to, stepped} = this.spec, inside = points.filter(p => p[0] >= from && p[0] <= to);
    const before = points.filter(p => p[0] < from).pop();
    return stepped && before ? [[from, before[1]], ...inside] : inside;
  }

  scale(series) {
    const values = series.flatMap(s => s.points.map(p => p[1]));
    let low = this.spec.zero ? 0 : values.reduce((a, b) => Math.min(a, b)), high = values.reduce((a, b) => Math.max(a, b));
    // A reference line is drawn if it does not squeeze the curve into less than a third of the height.
    this.references = (this.spec.references || []).filter(r =>
      r.value >= low - (high - low) * 2 && r.value <= high + Math.max(high - low, high * .004) * 2);
    for (const r of this.references) { low = Math.min(low, r.value); high = Math.max(high, r.value); }
    if (low === high) { high += Math.max(1, Math.abs(high) * .02); low -= this.spec.zero ? 0 : Math.max(1, Math.abs(low) * .02); }
    const step = niceStep(high - low, 5);
    this.low = Math.floor(low / step) * step;
    this.high = Math.ceil(high / step - 1e-9) * step;
    this.step = step;
    this.width = this.host.clientWidth;
    this.height = this.host.clientHeight;
    this.left = 12 + 7.2 * Math.max(...[this.low, this.high].map(v => this.spec.format(v).length));
    this.right = this.width - 14;
    this.top = 10;
    this.bottom = this.height - 24;
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
  }

  x(t) {
    const {from, to} = this.spec;
    return this.left + (to > from ? (t - from) / (to - from) : .5) * (this.right - this.left);
  }
  y(v) { return this.bottom - (v - this.low) / (this.high - this.low) * (this.bottom - this.top); }

  drawAxes() {
    const line = (kind, x1, y1, x2, y2) => this.svg.append(svgElement("line", {class: kind, x1, y1, x2, y2}));
    for (let v = this.low; v <= this.high + this.step / 2; v += this.step) {
      line("grid", this.left, this.y(v), this.right, this.y(v));
      this.svg.append(svgElement("text", {x: this.left - 6, y: this.y(v) + 4, "text-anchor": "end"}, this.spec.format(v)));
    }
    const {ticks, step} = timeTicks(this.spec.from, this.spec.to, Math.max(2, Math.floor((this.right - this.left) / 76)));
    for (const t of ticks) {
      line("axis", this.x(t), this.bottom, this.x(t), this.bottom + 4);
      const isLast = this.x(t) > this.right - 24;
      this.svg.append(svgElement("text", {x: isLast ? this.right + 12 : this.x(t), y: this.bottom + 18,
        "text-anchor": isLast ? "end" : "middle"}, tickText(t, step)));
    }
    line("axis", this.left, this.bottom, this.right, this.bottom);
  }

  drawReference({name, value}) {
    const y = this.y(value);
    this.svg.append(svgElement("line", {class: "reference", x1: this.left, x2: this.right, y1: y, y2: y}),
      svgElement("text", {x: this.left + 6, y: y - 4}, `${name}: ${this.spec.format(value)}`));
  }

  drawSeries(series, index) {
    const at = ([t, v]) => `${this.x(t).toFixed(1)} ${this.y(v).toFixed(1)}`;
    const path = series.points.map((p, i) => {
      if (i === 0) return "M" + at(p);
      return this.spec.stepped ? `H${this.x(p[0]).toFixed(1)}V${this.y(p[1]).toFixed(1)}` : "L" + at(p);
    });
    if (this.spec.stepped) path.push("H" + this.x(this.spec.to).toFixed(1));
    this.svg.append(svgElement("path", {class: `curve-line series-${index}`, d: path.join("")}));
    if (series.points.length <= 60)
      for (const [t, v] of series.points)
        this.svg.append(svgElement("circle", {class: `series-${index}`, cx: this.x(t), cy: this.y(v), r: 2.5}));
  }

  // Shows the values at the pointer: the last ones before it of a stepped series, else the nearest.
  point(event) {
    if (!this.spec || !this.drawn || this.drawn.length === 0) return;
    const {from, to, stepped, format} = this.spec, x = event.clientX - this.host.getBoundingClientRect().left;
    const time = from + Math.min(1, Math.max(0, (x - this.left) / (this.right - this.left))) * (to - from);
    const lines = [];
    let shown = time;
    for (const s of this.drawn) {
      const before = s.points.filter(p => p[0] <= time).pop(), after = s.points.find(p => p[0] > time);
      const near = stepped || !after || (before && time - before[0] < after[0] - time) ? before || after : after;
      if (!stepped) shown = near[0];
      lines.push((this.drawn.length > 1 ? s.name + ": " : "") + format(near[1]));
    }
    this.tip.textContent = [timeText(shown), ...lines].join("\n");
    this.tip.hidden = false;
    const place = this.x(shown), width = this.tip.offsetWidth;
    this.tip.style.left = Math.max(0, Math.min(this.width - width, place + (place > this.width / 2 ? -width - 10 : 10))) + "px";
    this.cursor.setAttribute("x1", place);
    this.cursor.setAttribute("x2", place);
    this.cursor.setAttribute("visibility", "visible");
  }

  leave() {
    this.tip.hidden = true;
    if (this.cursor) this.cursor.setAttribute("visibility", "hidden");
  }
}

// A small curve without axes, for a row of a table.
function sparkline(points, from, to) {
  const svg = svgElement("svg", {class: "spark", viewBox: "0 0 84 22", "aria-hidden": "true"});
  if (points.length === 0 || to <= from) return svg;
  const low = points[0][1], high = points[points.length - 1][1];
  const x = t => (1 + (t - from) / (to - from) * 82).toFixed(1), y = v => (high > low ? 20 - (v - low) / (high - low) * 18 : 11).toFixed(1);
  const path = points.map(([t, v], i) => (i === 0 ? `M${x(t)} ${y(v)}` : `H${x(t)}V${y(v)}`));
  svg.append(svgElement("path", {d: path.join("") + "H83"}));
  return svg;
}
