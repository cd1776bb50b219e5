// Charts of points over one axis, drawn as SVG in the width there is, and again when it changes.
import { scaleLinear, scaleLog } from "d3-scale";
import { line as lineOf } from "d3-shape";
import { el, svg } from "./dom";
import { number } from "./format";
import { readValues } from "./chart_reading";

export interface ChartAxis {
  title: string;
  log?: boolean; // what is not positive is left out
  whole?: boolean; // ticks at whole numbers only
  ticks?: string[]; // names of 0, 1, 2, ... instead of numbers
  zero?: boolean; // 0 belongs to the axis
  show?: (value: number) => string;
}

export interface Point {
  x: number;
  y: number;
  error?: number; // half the length of the bar
  breaks?: boolean; // the line does not come here from the point before
}

export interface Series {
  name: string;
  style: string; // class of its strokes and dots
  points: Point[];
  dots?: boolean;
  line?: boolean; // true unless said otherwise
  show?: (value: number) => string;
}

export interface Chart {
  label: string; // for those who do not see it
  x: ChartAxis;
  y: ChartAxis;
  series: Series[];
  levels?: { y: number; text: string }[]; // dashed, across
  marks?: { x: number; text: string; short: string }[]; // dotted, upright
  chosen?: number; // index of the point taken, in the first series
  height?: number;
}

export interface Frame {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  x: (value: number) => number;
  y: (value: number) => number;
}

type Scale = { (value: number): number; ticks(count: number): number[] };

const kHeight = 240;
const kFirstWidth = 720; // before it is on the page
const kLetter = 6.5; // width of one, in pixels
const kLeastSpread = 1e-4; // of an axis, as a share of its largest value
const kDots = 60; // up to so many points each has a dot

export function isDrawn(value: number, log?: boolean): boolean {
  return Number.isFinite(value) && (!log || value > 0);
}

function valuesOf(chart: Chart, upright: boolean): number[] {
  const axis = upright ? chart.y : chart.x;
  const values: number[] = [];
  for (const { points } of chart.series)
    for (const point of points) {
      if (!isDrawn(point.x, chart.x.log) || !isDrawn(point.y, chart.y.log)) continue;
      if (!upright) values.push(point.x);
      else values.push(point.y - (point.error ?? 0), point.y, point.y + (point.error ?? 0));
    }
  if (upright) values.push(...(chart.levels ?? []).map((level) => level.y));
  if (axis.zero) values.push(0);
  return values.filter((value) => isDrawn(value, axis.log));
}

function scaleOf(axis: ChartAxis, values: number[], from: number, to: number): Scale {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) [low, high] = axis.log ? [0.1, 1] : [0, 1];
  if (low === high && axis.log) [low, high] = [low / 2, high * 2];
  // What agrees to many digits is drawn as agreeing.
  const least = kLeastSpread * Math.max(Math.abs(low), Math.abs(high));
  if (!axis.log && high - low <= least) [low, high] = [low - (least || 0.5), high + (least || 0.5)];
  return axis.log ? scaleLog([low, high], [from, to]) : scaleLinear([low, high], [from, to]);
}

// Powers of ten where there are several, thinned to what fits.
function ticksOf(axis: ChartAxis, scale: Scale, values: number[], room: number): number[] {
  if (axis.ticks !== undefined) {
    const step = Math.max(1, Math.ceil(axis.ticks.length / Math.max(1, room)));
    return axis.ticks.map((_, at) => at).filter((at) => at % step === 0);
  }
  let ticks = scale.ticks(room);
  if (axis.whole) ticks = ticks.filter(Number.isInteger);
  if (!axis.log) return ticks;
  const powers = ticks.filter((tick) => Math.abs(Math.log10(tick) - Math.round(Math.log10(tick))) < 1e-9);
  const kept = powers.length >= 2 ? powers : ticks.length > 0 ? ticks : values.slice(0, 1);
  const step = Math.max(1, Math.ceil(kept.length / Math.max(1, room)));
  return kept.filter((_, at) => at % step === 0);
}

// As many digits as tell neighbours apart.
function tickDigits(ticks: number[]): number {
  const [first = 0, second = 0] = ticks;
  const largest = Math.max(...ticks.map(Math.abs));
  const step = Math.abs(second - first);
  return step > 0 && largest > 0 ? Math.min(12, Math.max(4, Math.ceil(Math.log10(largest / step)) + 2)) : 4;
}

function tickText(axis: ChartAxis, value: number, digits: number): string {
  if (axis.ticks !== undefined) return axis.ticks[value] ?? "";
  if (axis.show !== undefined) return axis.show(value);
  return axis.log && (value < 1e-3 || value >= 1e5) ? value.toExponential(0).replace("+", "") : number(value, digits);
}

function drawAxes(chart: Chart, frame: Frame, x: Scale, y: Scale): SVGElement[] {
  const nodes: SVGElement[] = [];
  const upright = ticksOf(chart.y, y, valuesOf(chart, true), Math.max(3, frame.height / 44));
  for (const tick of upright) {
    const at = y(tick).toFixed(1);
    nodes.push(svg("line", { class: "grid", x1: frame.left, x2: frame.right, y1: at, y2: at }));
    nodes.push(svg("text", { class: "tick end", x: frame.left - 8, y: Number(at) + 4 }, tickText(chart.y, tick, tickDigits(upright))));
  }
  const across = ticksOf(chart.x, x, valuesOf(chart, false), Math.max(2, frame.width / 90));
  for (const tick of across) {
    const at = x(tick).toFixed(1);
    nodes.push(svg("line", { class: "foot", x1: at, x2: at, y1: frame.bottom, y2: frame.bottom + 4 }));
    nodes.push(svg("text", { class: "tick middle", x: at, y: frame.bottom + 18 }, tickText(chart.x, tick, tickDigits(across))));
  }
  nodes.push(svg("line", { class: "foot", x1: frame.left, x2: frame.right, y1: frame.bottom, y2: frame.bottom }));
  const middle = (frame.left + frame.right) / 2;
  nodes.push(svg("text", { class: "tick title middle", x: middle, y: frame.bottom + 36 }, chart.x.title));
  nodes.push(svg("text", { class: "tick title", x: 0, y: 12 }, chart.y.title));
  return nodes;
}

function drawMarks(chart: Chart, frame: Frame): SVGElement[] {
  const nodes: SVGElement[] = [];
  const marks = chart.marks ?? [];
  const room = (frame.right - frame.left) / Math.max(1, marks.length);
  const crowded = marks.some(({ text }) => kLetter * text.length > room);
  for (const mark of marks) {
    const at = frame.x(mark.x).toFixed(1);
    nodes.push(svg("line", { class: "mark", x1: at, x2: at, y1: frame.top, y2: frame.bottom }));
    nodes.push(svg("text", { class: "tick", x: Number(at) + 4, y: frame.top + 9 }, crowded ? mark.short : mark.text));
  }
  for (const level of chart.levels ?? []) {
    if (!isDrawn(level.y, chart.y.log)) continue;
    const at = frame.y(level.y).toFixed(1);
    nodes.push(svg("line", { class: "level", x1: frame.left, x2: frame.right, y1: at, y2: at }));
    nodes.push(svg("text", { class: "tick", x: frame.left + 4, y: Number(at) - 5 }, level.text));
  }
  return nodes;
}

function drawSeries(chart: Chart, series: Series, frame: Frame): SVGElement[] {
  const nodes: SVGElement[] = [];
  const visible = series.points.filter((point) => isDrawn(point.x, chart.x.log) && isDrawn(point.y, chart.y.log));
  const runs: Point[][] = [];
  series.points.forEach((point, at) => {
    const before = series.points[at - 1];
    const drawn = isDrawn(point.x, chart.x.log) && isDrawn(point.y, chart.y.log);
    const joined = before !== undefined && !point.breaks && isDrawn(before.y, chart.y.log) && isDrawn(before.x, chart.x.log);
    if (!drawn) return;
    if (joined) runs[runs.length - 1]?.push(point);
    else runs.push([point]);
  });
  for (const { x, y, error } of visible) {
    if (error === undefined || !Number.isFinite(error)) continue;
    const at = frame.x(x).toFixed(1);
    const low = isDrawn(y - error, chart.y.log) ? frame.y(y - error) : frame.bottom;
    nodes.push(svg("line", { class: `error ${series.style}`, x1: at, x2: at, y1: low.toFixed(1), y2: frame.y(y + error).toFixed(1) }));
  }
  const path = lineOf<Point>((point) => frame.x(point.x), (point) => frame.y(point.y)).digits(1);
  if (series.line !== false && visible.length > 1) {
    const steps = runs.map((run) => path(run) ?? "").join("");
    nodes.push(svg("path", { class: `line ${series.style}`, d: steps }));
  }
  if (series.dots || series.line === false || visible.length <= kDots)
    for (const { x, y } of visible)
      nodes.push(svg("circle", { class: `dot ${series.style}`, cx: frame.x(x).toFixed(1), cy: frame.y(y).toFixed(1), r: 2.8 }));
  return nodes;
}

function drawChosen(chart: Chart, frame: Frame): SVGElement[] {
  const point = chart.chosen === undefined ? undefined : chart.series[0]?.points[chart.chosen];
  if (point === undefined || !isDrawn(point.y, chart.y.log) || !isDrawn(point.x, chart.x.log)) return [];
  const [x, y] = [frame.x(point.x), frame.y(point.y)];
  const late = x > (frame.left + frame.right) / 2;
  return [
    svg("circle", { class: "chosen", cx: x.toFixed(1), cy: y.toFixed(1), r: 7 }),
    svg("text", { class: late ? "tick strong end" : "tick strong", x: x + (late ? -12 : 12), y: Math.max(frame.top + 10, y - 10) }, "taken"),
  ];
}

function draw(chart: Chart, width: number, picture: SVGSVGElement): Frame {
  const height = chart.height ?? kHeight;
  const [left, right, top, bottom] = [58, width - 10, 24, height - 42];
  const x = scaleOf(chart.x, valuesOf(chart, false), left + 8, right - 8);
  const y = scaleOf(chart.y, valuesOf(chart, true), bottom - 6, top + (chart.marks?.length ? 18 : 6));
  const frame: Frame = { width, height, left, right, top, bottom, x, y };
  picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
  picture.replaceChildren(
    ...drawAxes(chart, frame, x, y),
    ...drawMarks(chart, frame),
    ...chart.series.flatMap((series) => drawSeries(chart, series, frame)),
    ...drawChosen(chart, frame),
  );
  return frame;
}

function key(chart: Chart): HTMLElement | null {
  if (chart.series.length < 2) return null;
  const entries = chart.series.map((series) =>
    el("span", {}, el("span", { class: `dash ${series.style}`, "aria-hidden": "true" }), series.name),
  );
  return el("div", { class: "key" }, ...entries);
}

export function chartOf(chart: Chart): HTMLElement {
  const picture = svg("svg", { class: "chart", role: "img", "aria-label": chart.label });
  let frame = draw(chart, kFirstWidth, picture);
  const plot = el("div", { class: "plot" }, picture);
  const reading = readValues(chart, plot, picture, () => frame);
  new ResizeObserver(() => {
    const width = Math.round(plot.clientWidth);
    if (width < 120 || width === frame.width) return;
    frame = draw(chart, width, picture);
  }).observe(plot);
  return el("div", { class: "chart-box" }, key(chart), plot, reading);
}
