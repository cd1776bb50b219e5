// A small matrix as a table whose cells are shaded and numbered: who uses what.
import type { Num } from "./data";
import { el, label } from "./dom";
import { isFiniteNum, number } from "./format";
import { moreWords } from "./sortable";

export interface HeatTable {
  title: string;
  rows: string[];
  columns: string[];
  values: Num[][];
}

const kRows = 60; // shown at first
const kNumbered = 16; // from more columns than these the numbers are left to the tooltips

function largestOf(values: Num[][]): number {
  let most = 0;
  for (const row of values) for (const value of row) if (isFiniteNum(value)) most = Math.max(most, Math.abs(value));
  return most;
}

// Shaded up to a tint on which ink can be read; the sign has its own colour.
function shaded(value: Num, largest: number, name: string, numbered: boolean): HTMLElement {
  const text = number(value, 3);
  const cell = el("td", { class: numbered ? "heat" : "heat bare", title: name });
  cell.append(numbered ? text : el("span", { class: "offstage" }, text));
  if (!isFiniteNum(value)) {
    cell.classList.add("unknown");
    return cell;
  }
  if (value < 0) cell.classList.add("minus");
  const share = largest > 0 ? Math.abs(value) / largest : 0;
  cell.style.setProperty("--part", `${(100 * share).toFixed(1)}%`);
  return cell;
}

function rowOf(data: HeatTable, at: number, largest: number): HTMLElement {
  const name = data.rows[at] ?? String(at);
  const numbered = data.columns.length <= kNumbered;
  const cells = (data.values[at] ?? []).map((value, column) =>
    shaded(value, largest, `${name}, ${data.columns[column] ?? column}: ${number(value, 6)}`, numbered),
  );
  return el("tr", {}, el("th", { scope: "row" }, label(name)), ...cells);
}

export function heatTable(data: HeatTable): HTMLElement {
  const largest = largestOf(data.values);
  const narrow = data.columns.length > kNumbered;
  const heads = data.columns.map((name) => el("th", { scope: "col", class: narrow ? "tilted" : "n" }, label(name)));
  const body = el("tbody");
  let shown = 0;
  const more = el("button", { type: "button", class: "small more" });
  const grow = (): void => {
    const until = Math.min(data.rows.length, shown + kRows);
    for (; shown < until; ++shown) body.append(rowOf(data, shown, largest));
    more.hidden = shown >= data.rows.length;
    more.textContent = moreWords(data.rows.length - shown, kRows);
  };
  more.addEventListener("click", grow);
  grow();
  const table = el(
    "table",
    { class: "heat-table", "aria-label": data.title },
    el("thead", {}, el("tr", {}, el("td"), ...heads)),
    body,
  );
  return el("div", {}, el("div", { class: "wide" }, table), more);
}
