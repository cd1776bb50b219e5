// How good the result is: how it ended, what it scores, how it came there, what comes back.
import { chip } from "./components";
import { chartOf } from "./chart";
import type { NamedValue, Num, Page, Result } from "./data";
import { el, label, section, type Child } from "./dom";
import { count, counted, gap, isFiniteNum, number, percent, score, toNumber } from "./format";
import { sortableTable, type Column } from "./sortable";
import { traceCharts } from "./trace";

const kShown = 40;
const kOften = 0.9; // comes back in at least this share of the restarts
const kLines = 8; // as many components as there are colours

function valueTable(title: string, remark: string, values: NamedValue[], show: (value: Num) => string): HTMLElement | null {
  if (values.length === 0) return null;
  const columns: Column<NamedValue>[] = [
    { title: "name", head: true, key: (one) => one.name, cells: (one) => [label(one.name)] },
    { title: "value", numeric: true, key: (one) => toNumber(one.value), cells: (one) => [show(one.value)] },
  ];
  const table = sortableTable(columns, values, { label: title, first: kShown });
  return el("div", {}, el("h3", {}, title), el("p", { class: "quiet" }, remark), table.element);
}

// What the gap is beside the tolerance, in a sentence.
function gapWords(result: Result): string {
  if (!isFiniteNum(result.gap)) return "The gap is not known.";
  const head = `The largest relative gap is ${gap(result.gap)}`;
  if (!isFiniteNum(result.tolerance)) return `${head}.`;
  const beside = result.gap <= result.tolerance ? "at or below" : "above";
  return `${head}, ${beside} the tolerance of ${gap(result.tolerance)}.`;
}

function restartTable(result: Result): HTMLElement {
  type Row = { at: number; objective: Num; iterations: number; status: string; kept: boolean };
  const rows = result.restarts.map((one, at): Row => ({ at, ...one }));
  const columns: Column<Row>[] = [
    { title: "restart", head: true, key: (one) => one.at, cells: (one) => [`${one.at}${one.kept ? ", kept" : ""}`] },
    { title: "objective", numeric: true, key: (one) => toNumber(one.objective), cells: (one) => [number(one.objective, 8)] },
    { title: "iterations", numeric: true, key: (one) => one.iterations, cells: (one) => [count(one.iterations)] },
    { title: "ended", key: (one) => one.status, cells: (one) => [one.status] },
  ];
  const options = { label: "Restarts", first: kShown, sort: { column: 0, falling: false }, rowClass: (one: Row) => (one.kept ? "kept" : "") };
  return sortableTable(columns, rows, options).element;
}

function restarts(result: Result): HTMLElement | null {
  if (result.restarts.length < 2) return null;
  const kept = result.restarts.findIndex((one) => one.kept);
  const dots = chartOf({
    label: "Objective of every restart",
    x: { title: "restart", whole: true },
    y: { title: "objective" },
    series: [{ name: "objective", style: "main", line: false, points: result.restarts.map((one, x) => ({ x, y: toNumber(one.objective) })) }],
    ...(kept >= 0 ? { chosen: kept } : {}),
    height: 200,
  });
  const words = result.restarts.some((one) => one.left)
    ? "Every restart begins elsewhere. Those that were behind after as many iterations left the race, with the objective they had then; the lowest at the end was kept."
    : "Every restart begins elsewhere; the lowest objective was kept. The closer the others come to it, the more it can be trusted.";
  return el("div", {}, el("h3", {}, "Restarts"), el("p", { class: "quiet" }, words), el("div", { class: "beside" }, restartTable(result), dots));
}

interface Steadiness {
  component: number;
  often: (number | null)[]; // per mode with stability, members that come back often
  listed: number[];
}

// How many members of each component come back in most restarts.
function stability(result: Result): HTMLElement | null {
  const modes = result.modes.filter((mode) => mode.stability !== null);
  if (modes.length === 0) return null;
  const rows = new Map<number, Steadiness>();
  modes.forEach((mode, m) =>
    mode.component.forEach((component, at) => {
      const row = rows.get(component) ?? { component, often: modes.map(() => 0), listed: modes.map(() => 0) };
      rows.set(component, row);
      row.listed[m] = (row.listed[m] ?? 0) + 1;
      if ((mode.stability?.[at] ?? 0) >= kOften) row.often[m] = (row.often[m] ?? 0) + 1;
    }),
  );
  const columns: Column<Steadiness>[] = [
    { title: "component", head: true, key: (row) => row.component, cells: (row) => [chip(row.component), String(row.component)] },
    ...modes.map(
      (mode, m): Column<Steadiness> => ({
        title: mode.title,
        numeric: true,
        key: (row) => (row.often[m] ?? 0) / Math.max(1, row.listed[m] ?? 0),
        cells: (row) => shareCells(row.often[m] ?? 0, row.listed[m] ?? 0),
      }),
    ),
  ];
  const list = [...rows.values()].sort((a, b) => a.component - b.component);
  const table = sortableTable(columns, list, { label: "Stability", first: kShown, sort: { column: 0, falling: false } });
  const cut = modes.some((mode) => mode.left_out > 0) ? " Counted over the members on this page." : "";
  const words = `Members that come back in at least ${percent(kOften, 0)} of the other restarts, of all members. Those that do not depend on where the search began.${cut}`;
  return el("div", {}, el("h3", {}, "Stability"), el("p", { class: "quiet" }, words), table.element);
}

function shareCells(often: number, listed: number): Child[] {
  if (listed === 0) return ["–"];
  return [`${count(often)} of ${count(listed)} `, el("span", { class: "quiet" }, `(${percent(often / listed, 0)})`)];
}

// Which components explain which blocks: a line each.
function explainedByBlock(result: Result): HTMLElement | null {
  if (result.block_names.length < 2 || result.components.length === 0) return null;
  const shown = result.components.slice(0, kLines);
  const chart = chartOf({
    label: "Explained share of every block",
    x: { title: "block", ticks: result.block_names },
    y: { title: "explained", zero: true, show: (value) => percent(value, value !== 0 && Math.abs(value) < 0.02 ? 1 : 0) },
    series: shown.map((one, k) => ({
      name: `component ${k}`,
      style: `stroke-c${k}`,
      points: one.blocks.map((share, x) => ({ x, y: toNumber(share) })),
      show: (value: number) => percent(value),
    })),
  });
  const words = result.n_components > shown.length ? `The first ${count(shown.length)} of ${counted(result.n_components, "component")}.` : "";
  const remark = `Share of each block’s own sum of squares that a component explains. ${words}`.trim();
  return el("div", {}, el("h3", {}, "Explained, block by block"), el("p", { class: "quiet" }, remark), chart);
}

export function qualitySection(_page: Page, result: Result, prefix = ""): HTMLElement {
  const tables = [
    valueTable("Scores", "Against the known labels that were given.", result.scores, score),
    valueTable("Measures", "What this method counts about its result.", result.measures, (value) => number(value, 5)),
    valueTable("Terms", "What was minimised, part by part.", result.terms, (value) => number(value, 8)),
    valueTable("Gaps", "Relative distance of each part from its optimum, the others fixed.", result.gaps, gap),
  ];
  return section(
    `${prefix}quality`,
    "How good it is",
    el("p", {}, el("strong", {}, `${result.status.title}. `), gapWords(result)),
    el("div", { class: "tables" }, ...tables),
    traceCharts(result),
    explainedByBlock(result),
    restarts(result),
    stability(result),
  );
}
