// The factors of a tensor: a strip of cells per component and mode, and the course of each
// component along the mode that the slices run along.
import type { Mode, Page, Result } from "./data";
import { colour, colourClass } from "./colours";
import { el, label, section, svg } from "./dom";
import { isFiniteNum, number } from "./format";
import { namer } from "./names";

const kMostItems = 600; // in a strip
const kMostComponents = 30;
const kWidth = 900;

// value[component][item]; what is not a member is 0.
function table(mode: Mode, components: number): number[][] {
  const values = Array.from({ length: components }, () => new Array<number>(mode.n).fill(0));
  mode.component.forEach((component, i) => {
    const value = mode.value[i];
    const row = values[component];
    if (row !== undefined && value !== undefined && isFiniteNum(value)) row[mode.item[i] as number] = value;
  });
  return values;
}

function largest(values: number[][]): number {
  return values.reduce((most, row) => row.reduce((m, value) => Math.max(m, Math.abs(value)), most), 0);
}

// Members of component 0 first, then of 1, ..., each at its first; then the others.
function order(mode: Mode): number[] {
  const seen = new Set<number>(mode.item);
  const items = [...seen];
  for (let item = 0; item < mode.n; ++item) if (!seen.has(item)) items.push(item);
  return items;
}

function strips(page: Page, mode: Mode, components: number): HTMLElement {
  const name = namer(page, mode.labels);
  const values = table(mode, components);
  const items = order(mode);
  const cell = kWidth / items.length, height = 18;
  const rows = values.map((row, component) => {
    const most = largest([row]);
    const cells = items.flatMap((item, place) => {
      const value = row[item] ?? 0;
      if (value === 0) return [];
      const rect = svg("rect", { x: (place * cell).toFixed(2), y: component * (height + 3), width: Math.max(0.8, cell - (cell > 6 ? 1 : 0)).toFixed(2), height });
      rect.style.fill = colour(component);
      rect.style.fillOpacity = (0.25 + 0.75 * (Math.abs(value) / most)).toFixed(2);
      rect.append(svg("title", {}, `${name(item)}: ${number(value)} in component ${component}`));
      return [rect];
    });
    const track = svg("rect", { class: "track", x: 0, y: component * (height + 3), width: kWidth, height, rx: 2 });
    return svg("g", {}, track, ...cells);
  });
  const text = `Weights of ${mode.title} in ${components} components`;
  const drawing = svg("svg", { class: "strips", viewBox: `0 0 ${kWidth} ${components * (height + 3)}`, preserveAspectRatio: "none", role: "img", "aria-label": text }, ...rows);
  const numbers = el("div", { class: "numbers-beside", "aria-hidden": "true" }, ...values.map((_, component) => el("span", {}, String(component))));
  drawing.style.height = numbers.style.height = `${components * (height + 3)}px`;
  return el("div", { class: "factor" }, el("h3", {}, label(mode.title)), el("div", { class: "beside-strips" }, numbers, drawing));
}

// One line of steps per component, all on the same scale.
function course(page: Page, mode: Mode, components: number): HTMLElement {
  const name = namer(page, mode.labels);
  const values = table(mode, components);
  const high = largest(values) || 1;
  const low = values.some((row) => row.some((value) => value < 0)) ? -high : 0;
  const cell = kWidth / mode.n, height = 64;
  const y = (value: number) => height - 2 - ((value - low) / (high - low)) * (height - 6);
  const lines = values.map((row, component) => {
    let d = "";
    row.forEach((value, item) => (d += `${item === 0 ? "M" : "L"}${(item * cell).toFixed(1)} ${y(value).toFixed(1)}H${((item + 1) * cell).toFixed(1)}`));
    const area = svg("path", { class: "area", d: `${d}V${y(0)}H0Z` });
    const line = svg("path", { class: "steps", d });
    area.style.fill = line.style.stroke = colour(component);
    const hits = row.map((value, item) =>
      svg("rect", { class: "hit", x: (item * cell).toFixed(1), y: 0, width: cell.toFixed(1), height }, svg("title", {}, `${name(item)}: ${number(value)}`)),
    );
    const drawing = svg(
      "svg",
      { class: "course", viewBox: `0 0 ${kWidth} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": spoken(component, row, name) },
      svg("line", { class: "base", x1: 0, x2: kWidth, y1: y(0), y2: y(0) }), area, line, ...hits,
    );
    const who = el("span", {}, el("span", { class: `chip ${colourClass(component)}` }), String(component));
    return el("div", { class: "course-row" }, who, drawing);
  });
  const ends = el("div", { class: "course-ends quiet" }, label(name(0)), label(name(mode.n - 1)));
  return el("div", { class: "factor" }, el("h3", {}, "Along ", label(mode.title)), ...lines, ends);
}

function spoken(component: number, row: number[], name: (item: number) => string): string {
  const active = row.flatMap((value, item) => (value === 0 ? [] : [item]));
  if (active.length === 0) return `component ${component} has no members here`;
  const top = row.indexOf(Math.max(...row));
  return `component ${component}: ${active.length} of ${row.length}, from ${name(active[0] as number)} to ${name(active[active.length - 1] as number)}, largest at ${name(top)}`;
}

export function factorsSection(page: Page, result: Result): HTMLElement | null {
  if (result.picture.arrangement !== "slices") return null;
  const components = Math.min(kMostComponents, result.components.length);
  const drawn = result.modes.filter((mode) => mode.n > 0 && mode.n <= kMostItems && mode.item.length > 0);
  if (components === 0 || drawn.length === 0) return null;
  const along = drawn.find((mode) => mode.key === result.picture.profile_mode);
  const parts = drawn.filter((mode) => mode !== along).map((mode) => strips(page, mode, components));
  const words = "A strip per component; items are ordered by component, the stronger the fuller the colour. Point at a cell to see who it is.";
  return section("factors", "The factors", along ? course(page, along, components) : null, ...parts, el("p", { class: "quiet" }, words));
}
