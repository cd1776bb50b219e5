// Counts between edges, as bars that touch.
import { scaleLinear } from "d3-scale";
import { el, svg } from "./dom";
import { count, number } from "./format";

export interface Histogram {
  label: string;
  x_title: string;
  edges: number[];
  counts: number[];
}

const kHeight = 200;
const kFirstWidth = 560;

function draw(data: Histogram, width: number, picture: SVGSVGElement): void {
  const [left, right, top, bottom] = [58, width - 10, 24, kHeight - 42];
  const low = data.edges[0] ?? 0;
  const high = data.edges[data.edges.length - 1] ?? 1;
  const x = scaleLinear([low, high > low ? high : low + 1], [left, right]);
  const y = scaleLinear([0, Math.max(1, ...data.counts)], [bottom, top]);
  const nodes: SVGElement[] = [];
  for (const tick of y.ticks(4).filter(Number.isInteger)) {
    nodes.push(svg("line", { class: "grid", x1: left, x2: right, y1: y(tick), y2: y(tick) }));
    nodes.push(svg("text", { class: "tick end", x: left - 8, y: y(tick) + 4 }, count(tick)));
  }
  data.counts.forEach((n, at) => {
    const [from, to] = [x(data.edges[at] ?? low), x(data.edges[at + 1] ?? high)];
    const words = `${number(data.edges[at] ?? low)} to ${number(data.edges[at + 1] ?? high)}: ${count(n)}`;
    const size = { x: from, width: Math.max(0.5, to - from - 1), y: y(n), height: bottom - y(n) };
    nodes.push(svg("rect", { class: "column", ...size }, svg("title", {}, words)));
  });
  for (const tick of x.ticks(Math.max(2, width / 90)))
    nodes.push(svg("text", { class: "tick middle", x: x(tick), y: bottom + 18 }, number(tick)));
  nodes.push(svg("line", { class: "foot", x1: left, x2: right, y1: bottom, y2: bottom }));
  nodes.push(svg("text", { class: "tick title middle", x: (left + right) / 2, y: bottom + 36 }, data.x_title));
  nodes.push(svg("text", { class: "tick title", x: 0, y: 12 }, "count"));
  picture.setAttribute("viewBox", `0 0 ${width} ${kHeight}`);
  picture.replaceChildren(...nodes);
}

export function histogramOf(data: Histogram): HTMLElement {
  const picture = svg("svg", { class: "chart", role: "img", "aria-label": data.label });
  const plot = el("div", { class: "plot" }, picture);
  let drawn = kFirstWidth;
  draw(data, drawn, picture);
  new ResizeObserver(() => {
    const width = Math.round(plot.clientWidth);
    if (width < 120 || width === drawn) return;
    drawn = width;
    draw(data, width, picture);
  }).observe(plot);
  return el("div", { class: "chart-box" }, plot);
}
