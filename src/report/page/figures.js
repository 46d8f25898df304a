// Figures: charts in the colours of the page, drawn again when those change.
"use strict";

const PALETTES = {
  light: ["#0072b2", "#d55e00", "#009e73", "#b5489a", "#b58900", "#3f7fd6", "#7a5230", "#5f6b76"],
  dark: ["#4aa8e8", "#ff8a4c", "#2fc79a", "#e58fc4", "#f0c24a", "#9db8ff", "#c79a6b", "#a9b4bf"],
};
const SHAPES = ["circle", "rect", "triangle", "rectRot", "star", "crossRot"];
const figures = [];
let onPaper = false;

function isDark() {
  return !onPaper && window.matchMedia("(prefers-color-scheme: dark)").matches;
}

// The n-th method looks the same in every chart.
function looks(n) {
  const palette = PALETTES[isDark() ? "dark" : "light"];
  const colour = palette[n % palette.length];
  return {
    borderColor: colour,
    backgroundColor: colour,
    borderDash: n >= palette.length ? [6, 4] : [],
    pointStyle: SHAPES[Math.floor(n / palette.length) % SHAPES.length],
  };
}

function ink(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function axis(title, more) {
  return {
    title: { display: true, text: title, color: ink("--faint") },
    ticks: { color: ink("--faint"), maxRotation: 0, autoSkipPadding: 12 },
    grid: { color: ink("--line"), borderColor: ink("--line") },
    ...more,
  };
}

// Powers of ten; between them 2 and 5, if the axis is short.
function logTick(value, _, ticks) {
  const decades = Math.log10(ticks[ticks.length - 1].value / ticks[0].value);
  const first = Number(value.toExponential(6).split("e")[0]);
  if (first !== 1 && (decades > 2 || (first !== 2 && first !== 5))) return "";
  return value >= 1e-3 ? String(Number(value.toPrecision(3))) : value.toExponential(0);
}

function logAxis(title, more) {
  const base = axis(title, { type: "logarithmic", ...more });
  base.ticks = { ...base.ticks, callback: logTick, autoSkip: false };
  base.grid = { ...base.grid, color: (line) => (line.tick && line.tick.label ? ink("--line") : "transparent") };
  return base;
}

function numberAxis(title, isLog, more) {
  return isLog ? logAxis(title, more) : axis(title, { type: "linear", ...more });
}

// make() → Chart.js configuration; it is asked again whenever something about the page changes.
function figure(id, label, make) {
  const canvas = element("canvas", { id, role: "img", "aria-label": label, tabindex: "0" });
  const self = { chart: null, draw };
  function draw() {
    const hidden = self.chart ? self.chart.data.datasets.map((_, n) => !self.chart.isDatasetVisible(n)) : [];
    if (self.chart) self.chart.destroy();
    const config = make();
    config.data.datasets.forEach((set, n) => { set.hidden = hidden[n] || false; });
    config.options = {
      responsive: true,
      maintainAspectRatio: false,
      animation: false,
      ...config.options,
      plugins: {
        legend: { labels: { color: ink("--ink"), usePointStyle: true, boxHeight: 7 } },
        ...(config.options || {}).plugins,
      },
    };
    self.chart = new Chart(canvas, config);
  }
  figures.push(self);
  return { node: element("div", { class: "chart" }, canvas), draw };
}

function drawAll() {
  for (const each of figures) each.draw();
  document.querySelectorAll(".chip").forEach((chip) => {
    const look = looks(Number(chip.dataset.method));
    chip.style.background = look.borderColor;
    chip.style.borderRadius = look.pointStyle === "circle" ? "50%" : "0";
  });
}

window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
window.addEventListener("beforeprint", () => { onPaper = true; drawAll(); });
window.addEventListener("afterprint", () => { onPaper = false; drawAll(); });
