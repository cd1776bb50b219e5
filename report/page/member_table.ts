// The members of one mode: sorted, searched, copied and saved.
import { bar, chip } from "./components";
import type { Mode, Num, Page } from "./data";
import { el, label } from "./dom";
import { count, isFiniteNum, number, percent, toNumber } from "./format";
import { cell, copyButton, downloadButton } from "./hand_out";
import { givenNamer, keyParts, namer } from "./names";
import { sortableTable, type Column } from "./sortable";

const kStep = 50; // rows that come with each "more"
const kAll = -1;
const kIndex = "Place in the data, from 0";

export interface MemberTable {
  element: HTMLElement;
  // Shows the members of a component (-1: of all) whose names hold the text; adds the hits of each
  // component to `found` and returns how many there are in all.
  show(component: number, text: string, wanted: boolean, found: Map<number, number>): number;
}

// clusters.tsv, as far as the page has it; numbers in full.
export function asTsv(mode: Mode, given: (item: number) => string, rows: number[]): string {
  const { mode: name, block } = keyParts(mode);
  const lines = rows.map((at) => {
    const item = mode.item[at] ?? 0;
    return [mode.component[at], name, block, item, cell(given(item)), mode.value[at]].join("\t");
  });
  return ["component\tmode\tblock\tindex\tlabel\tvalue", ...lines, ""].join("\n");
}

// Three digits, zeros at the end too, so that a column of them lines up.
function weight(value: Num): string {
  if (!isFiniteNum(value)) return number(value);
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-4 || size >= 1e6) ? value.toExponential(2) : value.toPrecision(3);
}

// Rows are places in the mode's lists.
function columnsOf(mode: Mode, name: (item: number) => string, signed: boolean, largest: number): Column<number>[] {
  const value = (at: number): Num => mode.value[at] ?? "nan";
  const sign = (at: number): string => (!signed ? "" : toNumber(value(at)) < 0 ? "minus" : "plus");
  const isNamed = mode.labels !== null;
  const columns: Column<number>[] = [
    {
      title: isNamed ? "label" : "index",
      ...(isNamed ? {} : { hint: kIndex }),
      class: "name",
      head: true,
      key: (at) => name(mode.item[at] ?? 0),
      cells: (at) => [label(name(mode.item[at] ?? 0))],
    },
    { title: "weight, drawn", hidden: true, class: "bar-column", cells: (at) => [bar(value(at), largest, sign(at))] },
    { title: "weight", numeric: true, key: (at) => Math.abs(toNumber(value(at))), cells: (at) => [weight(value(at))] },
  ];
  const stability = mode.stability;
  if (stability !== null)
    columns.push({
      title: "stable",
      hint: "Share of the other restarts in which the member comes back",
      numeric: true,
      key: (at) => stability[at] ?? NaN,
      cells: (at) => [percent(stability[at] ?? "nan", 0)],
    });
  if (!isNamed) return columns;
  columns.push({
    title: "index",
    hint: kIndex,
    numeric: true,
    key: (at) => mode.item[at] ?? 0,
    cells: (at) => [el("span", { class: "quiet" }, String(mode.item[at] ?? 0))],
  });
  return columns;
}

function componentColumn(mode: Mode): Column<number> {
  const k = (at: number): number => mode.component[at] ?? 0;
  return { title: "in", hint: "Component", class: "in", key: k, cells: (at) => [chip(k(at)), String(k(at))] };
}

function byComponent(mode: Mode): Map<number, number[]> {
  const places = new Map<number, number[]>();
  mode.component.forEach((k, at) => {
    const list = places.get(k);
    if (list === undefined) places.set(k, [at]);
    else list.push(at);
  });
  return places;
}

function remark(mode: Mode, component: number, n: number, text: string): string {
  const all = component === kAll ? mode.sizes.reduce((sum, size) => sum + size, 0) : mode.sizes[component] ?? n;
  if (text !== "") return `${count(n)} of ${count(all)}`;
  return component === kAll ? count(all) : `${count(all)} of ${count(mode.n)}`;
}

function leftOut(mode: Mode, component: number, listed: number): string {
  const missing = component === kAll ? mode.left_out : (mode.sizes[component] ?? 0) - listed;
  if (missing <= 0) return "";
  return `${count(missing)} weaker ${missing === 1 ? "member is" : "members are"} left out here; clusters.tsv has all.`;
}

export function memberTable(page: Page, mode: Mode, signed: boolean, first: number): MemberTable {
  const name = namer(page, mode.labels);
  const given = givenNamer(page, mode.labels);
  const places = byComponent(mode);
  const everything = mode.item.map((_, at) => at);
  const largest = mode.value.reduce<number>((most, v) => (isFiniteNum(v) ? Math.max(most, Math.abs(v)) : most), 0);
  const columns = columnsOf(mode, name, signed, largest);
  const options = { label: `Members, ${mode.title}`, first, step: kStep, class: mode.labels === null ? "member-table unnamed" : "member-table" };
  const single = sortableTable(columns, [], options);
  const several = sortableTable([componentColumn(mode), ...columns], [], options);
  let lower: Map<number, string> | null = null;
  let current = single;
  let component = 0;

  // Names are put in lower case at the first search only.
  function holds(text: string): (at: number) => boolean {
    lower ??= new Map(mode.item.map((item) => [item, name(item).toLocaleLowerCase()]));
    const names = lower;
    return (at) => names.get(mode.item[at] ?? -1)?.includes(text) ?? false;
  }

  const tsv = (): string => asTsv(mode, given, current.rows());
  const size = el("span", { class: "quiet" });
  const note = el("p", { class: "quiet" });
  const buttons = el(
    "span",
    { class: "buttons" },
    copyButton("Copy", tsv, `${mode.title}, as tab-separated text`),
    downloadButton("Save", "members.tsv", tsv, `${mode.title}, as members.tsv`),
  );
  const heading = el("h3", {}, label(mode.title), " ", size);
  const table = el("div", {}, single.element, several.element);
  const empty = el("p", { class: "quiet" });
  const element = el("div", { class: "mode" }, el("div", { class: "mode-head" }, heading, buttons), table, empty, note);

  function fill(rows: number[], listed: number, text: string): void {
    current = component === kAll ? several : single;
    (current === single ? several : single).setRows([]);
    current.setRows(rows);
    single.element.hidden = current !== single;
    several.element.hidden = current !== several;
    table.hidden = rows.length === 0;
    buttons.hidden = rows.length === 0;
    empty.hidden = rows.length > 0;
    empty.textContent = text === "" ? "no members" : "no hits";
    size.textContent = remark(mode, component, rows.length, text);
    note.textContent = leftOut(mode, component, listed);
    note.hidden = note.textContent === "";
  }

  return {
    element,
    show(chosen, text, wanted, found) {
      element.hidden = !wanted;
      if (!wanted) return 0;
      component = chosen;
      let hits = 0;
      let rows = chosen === kAll ? everything : places.get(chosen) ?? [];
      const listed = rows.length;
      if (text !== "") {
        const fits = everything.filter(holds(text));
        hits = fits.length;
        for (const at of fits) found.set(mode.component[at] ?? 0, (found.get(mode.component[at] ?? 0) ?? 0) + 1);
        rows = chosen === kAll ? fits : fits.filter((at) => mode.component[at] === chosen);
      }
      fill(rows, listed, text);
      return hits;
    },
  };
}

