// The values under the pointer, or at the point the arrow keys have come to.
import type { Chart, Frame } from "./chart";
import { el, svg } from "./dom";
import { number } from "./format";

// All x at which some series has a value, in rising order.
function stops(chart: Chart): number[] {
  const all = new Set<number>();
  for (const { points } of chart.series) for (const { x } of points) if (Number.isFinite(x)) all.add(x);
  return [...all].sort((a, b) => a - b);
}

function nearest(sorted: number[], frame: Frame, at: number): number {
  let best = 0;
  sorted.forEach((value, i) => {
    if (Math.abs(frame.x(value) - at) < Math.abs(frame.x(sorted[best] ?? 0) - at)) best = i;
  });
  return best;
}

function words(chart: Chart, x: number): string {
  const name = chart.x.ticks?.[x] ?? (chart.x.show ?? number)(x);
  const parts = chart.series.flatMap((series) => {
    const point = series.points.find((one) => one.x === x);
    if (point === undefined) return [];
    const show = series.show ?? chart.y.show ?? ((value: number) => number(value, 6));
    const error = point.error === undefined ? "" : ` ± ${number(point.error, 2)}`;
    return [`${chart.series.length > 1 ? series.name : chart.y.title} ${show(point.y)}${error}`];
  });
  return `${chart.x.title} ${name}: ${parts.join(", ")}`;
}

// Makes `plot` readable by pointer and keys; the line of text below it is returned.
export function readValues(chart: Chart, plot: HTMLElement, picture: SVGSVGElement, frame: () => Frame): HTMLElement {
  const readable = stops(chart);
  const output = el("output", { class: "reading quiet", "aria-live": "polite" });
  if (readable.length === 0) return output;
  const rule = svg("line", { class: "rule" });
  let at = -1;
  plot.tabIndex = 0;
  plot.setAttribute("role", "group");
  plot.setAttribute("aria-label", `${chart.label}; arrow keys read values`);

  function go(to: number): void {
    at = Math.max(0, Math.min(readable.length - 1, to));
    const x = readable[at] ?? 0;
    const { top, bottom, x: place } = frame();
    const where = place(x).toFixed(1);
    for (const [name, value] of [["x1", where], ["x2", where], ["y1", top], ["y2", bottom]] as const) rule.setAttribute(name, String(value));
    picture.append(rule);
    output.textContent = words(chart, x);
  }
  function leave(): void {
    rule.remove();
    at = -1;
    output.textContent = "";
  }

  plot.addEventListener("pointermove", (event) => {
    const box = picture.getBoundingClientRect();
    go(nearest(readable, frame(), ((event.clientX - box.left) / box.width) * frame().width));
  });
  plot.addEventListener("pointerleave", leave);
  plot.addEventListener("blur", leave);
  plot.addEventListener("focus", () => {
    if (plot.matches(":focus-visible")) output.textContent = "The arrow keys go from value to value.";
  });
  plot.addEventListener("keydown", (event) => {
    const steps: { [key: string]: number } = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: readable.length - 1 };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  });
  return output;
}
