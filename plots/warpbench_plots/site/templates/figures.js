// Draws each figure of the page again so that it can be zoomed and asked, once it comes near the window. Its picture
// stays for readers without JavaScript, and for print.
"use strict";
const SYMBOLS = { o: "circle", s: "square", "^": "triangle-up", D: "diamond", v: "triangle-down", P: "cross",
  X: "x", "<": "triangle-left", ">": "triangle-right", h: "hexagon" };
const SIGNS = { o: "●", s: "■", "^": "▲", D: "◆", v: "▼", P: "✚", X: "✖", "<": "◀", ">": "▶", h: "⬢", None: "─" };
const HATCHES = { "//": "/", "..": ".", xx: "x", "\\\\": "\\", oo: "+" };
const SEPARATOR = 0.4; // pixels of the line around bars
const BUTTONS = 30; // pixels above a panel for those that zoom
const AXES = { x: "xaxis", y: "yaxis", right: "yaxis2" };
const dark = matchMedia("(prefers-color-scheme: dark)");
const live = [];

// A colour of the page's theme is the name of its CSS variable.
const colour = (name) => name.startsWith("--") ? getComputedStyle(document.documentElement).getPropertyValue(name).trim() : name;
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const inLines = (text) => escaped(text).replaceAll("\n", "<br>");
const symbol = (mark) => SYMBOLS[mark.symbol] ?? "circle";

function element(parent, name, text = "", kind = "") {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  if (kind) made.className = kind;
  parent.append(made);
  return made;
}

// What is said of each point of a mark.
function told(figure, mark) {
  return mark.points.map((at) => figure.points[at].words.map((line) => escaped(figure.words[line])).join("<br>"));
}

// A value for all x is drawn over the whole of the axis, with a middle to point at.
function across(axis) {
  const [low, high] = axis.range;
  return [low, axis.log ? Math.sqrt(low * high) : (low + high) / 2, high];
}

const TRACES = {
  bar(figure, panel, mark) {
    const length = mark.high.map((high, at) => high - mark.low[at]);
    const [x, y] = mark.across ? [length, mark.at] : [mark.at, length];
    const pattern = { shape: HATCHES[mark.hatch] ?? "", fgcolor: colour("--ink"), size: 6, solidity: 0.2 };
    return { type: "bar", orientation: mark.across ? "h" : "v", x, y, base: mark.low, width: mark.size,
      marker: { color: colour(mark.colour), pattern, line: { color: colour("--ink"), width: SEPARATOR } },
      hovertext: told(figure, mark), hoverinfo: "text", textposition: "none" };
  },
  dot(figure, panel, mark) {
    const marker = { color: colour(mark.colour), symbol: symbol(mark) + (mark.hollow ? "-open" : ""), size: 8 };
    return { mode: "markers", x: mark.x, y: mark.y, marker, hovertext: told(figure, mark), hoverinfo: "text" };
  },
  curve(figure, panel, mark) {
    const words = told(figure, mark)[0];
    const step = (x, at) => `${words}<br>${x.toPrecision(4)}, ${mark.y[at].toPrecision(4)}`;
    return { mode: "lines+markers", x: mark.x, y: mark.y, line: { color: colour(mark.colour), width: 1.5 },
      marker: { symbol: symbol(mark), size: 5 }, hovertext: mark.x.map(step), hoverinfo: "text" };
  },
  line(figure, panel, mark) {
    return { mode: "lines", x: mark.x, y: mark.y, line: { color: colour(mark.colour), width: mark.width }, hoverinfo: "skip" };
  },
  level(figure, panel, mark) {
    const words = mark.points ? told(figure, mark) : [""];
    return mark.y.map((y, at) => ({ mode: "lines", x: across(panel.x), y: [y, y, y], hovertext: words[at],
      hoverinfo: mark.points ? "text" : "skip",
      line: { color: colour(mark.colour), width: mark.dashed ? 1 : 1.5, dash: mark.dashed ? "dash" : "solid" } }));
  },
  band(figure, panel, mark) {
    const [left, , right] = across(panel.x);
    return mark.low.map((low, at) => ({ mode: "lines", fill: "toself", x: [left, right, right, left],
      y: [low, low, mark.high[at], mark.high[at]], line: { width: 0 }, fillcolor: `${colour(mark.colour)}26`, hoverinfo: "skip" }));
  },
};

// A status in place of a value.
function note(figure, panel, mark) {
  const at = (which) => mark.in.includes(which) && panel[which].log ? Math.log10(mark[which]) : mark[which];
  const place = (which) => mark.in.includes(which) ? which : `${which} domain`;
  return { text: escaped(mark.text), x: at("x"), y: at("y"), xref: place("x"), yref: place("y"), showarrow: false,
    xanchor: mark.in === "x" ? "center" : "left", yanchor: mark.in === "xy" ? "middle" : "bottom", textangle: mark.turned ? -90 : 0,
    font: { size: 10, color: colour(mark.colour) }, hovertext: mark.points ? told(figure, mark)[0] : "" };
}

// The ticks are those of the picture until the reader zooms.
function axis(shown, range) {
  const scaled = (value) => shown.log ? Math.log10(value) : value;
  const drawn = shown.at.length > 0 && (shown.names || !range);
  const line = { linecolor: colour("--muted"), gridcolor: colour("--line"), showgrid: !shown.names, zeroline: false };
  return { ...line, type: shown.log ? "log" : "linear", range: range ?? shown.range.map(scaled), automargin: true,
    title: { text: escaped(shown.label), font: { size: 12 }, standoff: 8 }, tickfont: { size: 10 },
    tickmode: drawn ? "array" : "auto", showticklabels: shown.ticks, tickvals: shown.at, ticktext: shown.words.map(inLines),
    tickformat: shown.seconds && !drawn ? "~s" : "", ticksuffix: shown.seconds && !drawn ? "s" : "", exponentformat: "SI" };
}

function drawPanel(figure, panel) {
  const marks = panel.shown.marks.filter((mark) => !figure.hidden.has(mark.group));
  const placed = (mark) => [TRACES[mark.kind](figure, panel.shown, mark)].flat().map((trace) => mark.right ? { ...trace, yaxis: "y2" } : trace);
  const traces = marks.filter((mark) => mark.kind !== "text").flatMap(placed);
  const right = panel.shown.right && { ...axis(panel.shown.right, panel.zoom.right), overlaying: "y", side: "right", showgrid: false };
  const layout = {
    xaxis: axis(panel.shown.x, panel.zoom.x), yaxis: axis(panel.shown.y, panel.zoom.y), ...(right && { yaxis2: right }), barmode: "overlay",
    annotations: marks.filter((mark) => mark.kind === "text").map((mark) => note(figure, panel.shown, mark)),
    showlegend: false, hovermode: "closest", height: panel.shown.height + 80, margin: { l: 10, r: 10, t: BUTTONS, b: 10 },
    modebar: { bgcolor: "rgba(0,0,0,0)", color: colour("--muted"), activecolor: colour("--ink") },
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", font: { color: colour("--ink"), family: "DejaVu Sans, sans-serif" },
    hoverlabel: { align: "left", bgcolor: colour("--card"), font: { color: colour("--ink"), size: 12 } },
    // On a touch screen a finger scrolls the page; the buttons zoom.
    dragmode: matchMedia("(pointer: coarse)").matches ? false : "zoom",
  };
  // No button sends the figure to a server, as one does unless told not to.
  return Plotly.react(panel.plot, traces, layout, { responsive: true, displaylogo: false, doubleClick: "reset",
    showSendToCloud: false, plotlyServerURL: "", modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"] });
}

// Keeps the range that the reader chose; panels with the same axes follow.
function zoomed(figure, panel, change) {
  let isNew = false;
  for (const which of Object.keys(AXES)) {
    const name = `${AXES[which]}.range`;
    const range = change[name] ?? (`${name}[0]` in change ? [change[`${name}[0]`], change[`${name}[1]`]] : null);
    if (!range) continue;
    const first = panel.shown[which].range.map((value) => panel.shown[which].log ? Math.log10(value) : value);
    const isFirst = range.every((value, at) => Math.abs(value - first[at]) < 1e-6 * Math.abs(first[1] - first[0]));
    for (const other of panel.shown.linked ? figure.panels : [panel]) other.zoom[which] = isFirst ? null : range;
    isNew = true;
  }
  if (isNew) for (const other of panel.shown.linked ? figure.panels : [panel]) drawPanel(figure, other);
}

function drawLegend(figure, list) {
  const groups = new Set(figure.panels.flatMap((panel) => panel.shown.marks.map((mark) => mark.group)));
  for (const entry of figure.legend) {
    const isSwitch = groups.has(entry.name);
    const made = element(list, isSwitch ? "button" : "span");
    const sign = element(made, "i", entry.hollow && entry.symbol === "D" ? "◇" : SIGNS[entry.symbol] ?? "■");
    sign.style.color = entry.colour.startsWith("--") ? `var(${entry.colour})` : entry.colour;
    made.append(` ${entry.name}`);
    if (!isSwitch) continue;
    made.type = "button";
    made.setAttribute("aria-pressed", "true");
    made.addEventListener("click", () => {
      const isHidden = !figure.hidden.delete(entry.name);
      if (isHidden) figure.hidden.add(entry.name);
      made.setAttribute("aria-pressed", String(!isHidden));
      figure.panels.forEach((panel) => drawPanel(figure, panel));
    });
  }
}

function draw(holder) {
  const source = holder.querySelector("script.shown");
  const figure = { ...JSON.parse(source.textContent), hidden: new Set() };
  const box = element(holder, "div", "", "interactive");
  source.after(box);
  element(box, "b", figure.title);
  const panels = element(box, "div", "", "panels");
  figure.panels = figure.panels.map((shown) => {
    const cell = element(panels, "div");
    if (shown.title) element(cell, "b", shown.title.replaceAll("\n", " "));
    return { shown, plot: element(cell, "div"), zoom: { x: null, y: null, right: null } };
  });
  drawLegend(figure, element(box, "div", "", "legend"));
  figure.notes.forEach((line) => element(box, "small", line, "muted"));
  holder.classList.add("live");
  live.push(figure);
  for (const panel of figure.panels) {
    drawPanel(figure, panel);
    panel.plot.on("plotly_relayout", (change) => zoomed(figure, panel, change));
  }
}

if (window.Plotly) {
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries.filter((one) => one.isIntersecting)) {
      seen.unobserve(entry.target);
      draw(entry.target);
    }
  }, { rootMargin: "600px" });
  document.querySelectorAll("script.shown").forEach((source) => seen.observe(source.closest("figure")));
  dark.addEventListener("change", () => live.forEach((figure) => figure.panels.forEach((panel) => drawPanel(figure, panel))));
  // A hidden picture was never loaded; paper needs it.
  addEventListener("beforeprint", () => document.querySelectorAll(".live img").forEach((image) => { image.loading = "eager"; }));
}
