// Columns of a path's table against the option that was varied.
import { chartOf, type Chart, type Series } from "./chart";
import type { Page, Path, Table } from "./data";
import { el, label } from "./dom";
import { number } from "./format";
import { cellNumber, columnTitle, isScore } from "./table";

const kLines = 8;

interface Choice {
  title: string;
  columns: number[];
}

// Sizes of all components in one mode are drawn together, and so are the scores.
function choices(table: Table): Choice[] {
  const groups = new Map<string, number[]>();
  table.columns.forEach(({ name }, at) => {
    const size = /^component_\d+_(.+)$/.exec(name);
    const title =
      size !== null ? `members, ${columnTitle(size[1] ?? "")}` : isScore(name) ? "scores" : /^(objective|explained|loss|gap|iterations|seconds)$/.test(name) ? name : "";
    if (title === "" || !table.rows.some((row) => Number.isFinite(cellNumber(row[at])))) return;
    groups.set(title, [...(groups.get(title) ?? []), at]);
  });
  const order = ["objective", "explained", "scores"];
  const rank = (title: string): number => (order.includes(title) ? order.indexOf(title) : order.length + (title.startsWith("members") ? 0 : 1));
  return [...groups].map(([title, columns]) => ({ title, columns })).sort((a, b) => rank(a.title) - rank(b.title));
}

interface Line {
  name: string;
  rows: { x: number; row: number }[];
}

// One line for every value of the other options, along the first.
function linesOf(path: Path): Line[] {
  const lines = new Map<string, Line>();
  for (const { at, row } of path.points) {
    const others = path.options.slice(1).map((option, i) => `${option.name} ${option.values[at[i + 1] ?? 0] ?? ""}`);
    const name = others.join(", ");
    const line = lines.get(name) ?? { name, rows: [] };
    lines.set(name, line);
    line.rows.push({ x: at[0] ?? 0, row });
  }
  for (const line of lines.values()) line.rows.sort((a, b) => a.x - b.x);
  return [...lines.values()];
}

function seriesOf(table: Table, choice: Choice, lines: Line[]): Series[] {
  const all = choice.columns.flatMap((column) =>
    lines.map((line) => {
      const own = choice.columns.length > 1 ? columnTitle(table.columns[column]?.name ?? "").replace(/^(component \d+).*/, "$1") : choice.title;
      return {
        name: line.name === "" ? own : `${own}, ${line.name}`,
        points: line.rows.map(({ x, row }) => ({ x, y: cellNumber(table.rows[row]?.[column]) })),
      };
    }),
  );
  return all.slice(0, kLines).map((one, at) => ({ ...one, style: `stroke-c${at}`, dots: true }));
}

function chartFor(table: Table, path: Path, choice: Choice): HTMLElement {
  const [first] = path.options;
  const chart: Chart = {
    label: `${choice.title} along the path`,
    x: { title: first?.name ?? "point", ticks: (first?.values ?? []).map(short) },
    y: { title: choice.title },
    series: seriesOf(table, choice, linesOf(path)),
  };
  return chartOf(chart);
}

function short(value: string): string {
  const x = cellNumber(value);
  return Number.isFinite(x) ? number(x, 3) + (value.endsWith("%") ? "\u202f%" : "") : value;
}

export function pathCharts(page: Page): HTMLElement | null {
  const { table, path } = page;
  if (table === null || path === null || path.options.length === 0 || path.points.length < 2) return null;
  const offered = choices(table);
  const [first] = offered;
  if (first === undefined) return null;
  const holder = el("div", { class: "path-charts" });
  const draw = (): void => holder.replaceChildren(...offered.filter((_, at) => boxes[at]?.checked).map((choice) => chartFor(table, path, choice)));
  const boxes = offered.map((_, at) => el("input", { type: "checkbox", checked: at < 4 }));
  for (const box of boxes) box.addEventListener("change", draw);
  draw();
  const tools = el(
    "div",
    { class: "tools", role: "group", "aria-label": "Charts" },
    ...offered.map((choice, at) => el("label", { class: "switch" }, boxes[at], " ", label(choice.title))),
  );
  return el("div", {}, el("h3", {}, "Along the path"), tools, holder);
}
