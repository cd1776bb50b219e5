// path.tsv or compare.tsv as a table, and what happens along a path as charts.
import type { Page, Table } from "./data";
import { el, label, section, type Child } from "./dom";
import { count, counted, number } from "./format";
import { href } from "./links";
import { pathCharts } from "./path_charts";
import { sortableTable, type Column } from "./sortable";

const kShown = 60;
// What is scored against known labels: the more the better.
const kScores = /^(s_index|nmi|ari|accuracy|consensus|auc|cells_right|planted_right|background_right)(_|$)/;

// A cell's number; NaN where it is no number.
export function cellNumber(text: string | undefined): number {
  return text === undefined || text.trim() === "" ? NaN : Number(text.replace(/%$/, ""));
}

export function isScore(name: string): boolean {
  return kScores.test(name);
}

// "component_0_rows" as people write it.
export function columnTitle(name: string): string {
  return name.replace(/_/g, " ");
}

function isNumeric(table: Table, column: number): boolean {
  const cells = table.rows.map((row) => row[column] ?? "").filter((text) => text !== "");
  return cells.length > 0 && cells.every((text) => Number.isFinite(cellNumber(text)));
}

function bestOf(table: Table, column: number): number {
  return table.rows.reduce((best, row) => {
    const value = cellNumber(row[column]);
    return value > best ? value : best;
  }, -Infinity);
}

// Shares and scores have the same number of digits all the way down.
function shownAs(table: Table, column: number): (text: string) => string {
  const values = table.rows.map((row) => cellNumber(row[column])).filter((value) => !Number.isNaN(value));
  const isShare = values.every((value) => Math.abs(value) <= 1 && (value === 0 || Math.abs(value) >= 1e-3)) && !values.every(Number.isInteger);
  return (text) => {
    if (text === "") return "–";
    const value = cellNumber(text);
    if (!Number.isFinite(value)) return text;
    if (text.endsWith("%")) return `${number(value, 4)}\u202f%`;
    return isShare ? value.toFixed(4) : /[.e]/.test(text) ? number(value, 6) : text;
  };
}

function columnOf(table: Table, at: number, linked: boolean): Column<number> {
  const name = table.columns[at]?.name ?? "";
  const text = (row: number): string => table.rows[row]?.[at] ?? "";
  const numeric = isNumeric(table, at);
  const shown = at === 0 || !numeric ? (value: string) => value || "–" : shownAs(table, at);
  const best = numeric && isScore(name) && table.rows.length > 1 ? bestOf(table, at) : NaN;
  const cells = (row: number): Child[] => {
    const value = text(row);
    const folder = table.folders[row] ?? "";
    if (linked && folder !== "") return [el("a", { href: href(folder, "report.html") }, label(shown(value)))];
    const isBest = cellNumber(value) === best;
    return [isBest ? el("strong", { class: "best", title: "the best of this column" }, shown(value)) : label(shown(value))];
  };
  return {
    title: columnTitle(name),
    numeric,
    class: "words",
    head: linked,
    key: numeric ? (row) => cellNumber(text(row)) : text,
    cells,
  };
}

function chosenColumns(table: Table, all: boolean): number[] {
  const places = table.columns.map((_, at) => at);
  const important = places.filter((at) => table.columns[at]?.important);
  if (important.length === 0) return places;
  return all ? [...important, ...places.filter((at) => !table.columns[at]?.important)] : important;
}

// The switch between the columns that matter most and all of them; the table is made anew.
function switchable(table: Table): HTMLElement {
  const holder = el("div", {});
  const make = (all: boolean): void => {
    const columns = chosenColumns(table, all).map((at, place) => columnOf(table, at, place === 0));
    const rows = table.rows.map((_, row) => row);
    holder.replaceChildren(sortableTable(columns, rows, { label: table.title, first: kShown }).element);
  };
  make(false);
  const hidden = table.columns.length - chosenColumns(table, false).length;
  if (hidden === 0) return holder;
  const box = el("input", { type: "checkbox" });
  box.addEventListener("change", () => make(box.checked));
  return el("div", {}, el("label", { class: "switch" }, box, ` all ${count(table.columns.length)} columns`), holder);
}

export function tableSection(page: Page): HTMLElement | null {
  const { table } = page;
  if (table === null) return null;
  if (table.rows.length === 0) return section("table", table.title, el("p", {}, "The table has no rows."));
  const file = page.kind === "path" ? "path.tsv" : "compare.tsv";
  const scored = table.columns.some(({ name }) => isScore(name)) ? " The best of each score stands out." : "";
  const words = `${counted(table.rows.length, "row")} of ${file}, which has all digits.${scored}`;
  return section("table", table.title, el("p", { class: "quiet lead" }, words), switchable(table), pathCharts(page));
}
