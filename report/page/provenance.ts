// How the result was made, in all that is needed to make it again.
import { bar } from "./components";
import type { Input, NamedValue, Option, Page, Result } from "./data";
import { el, label, section, type Child } from "./dom";
import { count, number, seconds, shape, toNumber } from "./format";
import { formula } from "./formula";
import { copyButton } from "./hand_out";
import { sortableTable, type Column } from "./sortable";

const kShown = 60;

// A text to take away, in a box with a button.
export function copyable(text: string, what: string): HTMLElement {
  return el("div", { class: "copyable" }, el("pre", {}, el("code", {}, text)), copyButton("Copy", () => text, what));
}

// 1e-06 is 1e-6.
function differs({ value, initial }: Option): boolean {
  if (value === initial) return false;
  return value === "" || initial === "" || Number.isNaN(Number(value)) || Number(value) !== Number(initial);
}

function optionTable(result: Result): HTMLElement {
  const columns: Column<Option>[] = [
    { title: "option", class: "code", head: true, key: (one) => one.name, cells: (one) => [el("code", {}, `--${one.name}`)] },
    { title: "value", class: "words", key: (one) => one.value, cells: (one) => [one.value === "" ? "–" : label(one.value)] },
    { title: "default", class: "words", key: (one) => one.initial, cells: (one) => [el("span", { class: "quiet" }, one.initial === "" ? "–" : one.initial)] },
    { title: "came to", class: "words", key: (one) => one.used, cells: (one) => [label(one.used)] },
    { title: "what it is", class: "help", cells: (one) => [el("span", { class: "quiet" }, one.help)] },
  ];
  const changed = result.options.filter(differs).length;
  const words =
    result.options.length === 0
      ? "The method has no options."
      : changed === 0
        ? "All options have their defaults."
        : `${count(changed)} of ${count(result.options.length)} differ from the default; they stand in bold.`;
  const table = sortableTable(columns, result.options, { label: "Options", first: kShown, class: "options", rowClass: (one) => (differs(one) ? "kept" : "") });
  return el("div", {}, el("h3", {}, "Options"), el("p", { class: "quiet" }, words), result.options.length > 0 ? table.element : null);
}

function inputTable(result: Result): HTMLElement | null {
  if (result.inputs.length === 0) return null;
  const columns: Column<Input>[] = [
    { title: "file", class: "words", head: true, key: (one) => one.path, cells: (one) => [label(one.path)] },
    { title: "shape", class: "shape", cells: (one) => [shape(one.shape)] },
    { title: "nonzeros", numeric: true, key: (one) => one.nonzeros, cells: (one) => [count(one.nonzeros)] },
    { title: "missing", numeric: true, key: (one) => one.missing, cells: (one) => [count(one.missing)] },
    { title: "digest", class: "code", cells: (one) => [el("code", {}, one.digest)] },
  ];
  return el("div", {}, el("h3", {}, "Inputs"), sortableTable(columns, result.inputs, { label: "Inputs", first: kShown }).element);
}

function attachedTable(result: Result): HTMLElement | null {
  if (result.attached.length === 0 && result.truth.length === 0) return null;
  type Row = { option: string; path: string; size: string; digest: string };
  const truth = result.truth.map((path): Row => ({ option: "truth", path, size: "", digest: "" }));
  const columns: Column<Row>[] = [
    { title: "option", class: "code", cells: (one) => [el("code", {}, `--${one.option}`)] },
    { title: "file", class: "words", head: true, cells: (one) => [label(one.path)] },
    { title: "size", cells: (one) => [one.size] },
    { title: "digest", class: "code", cells: (one) => [el("code", {}, one.digest)] },
  ];
  const table = sortableTable(columns, [...result.attached, ...truth], { label: "Other files", first: kShown });
  return el("div", {}, el("h3", {}, "Other files"), table.element);
}

function timeTable(result: Result): HTMLElement {
  const largest = result.seconds.reduce((most, one) => Math.max(most, toNumber(one.value) || 0), 0);
  const columns: Column<NamedValue>[] = [
    { title: "part", head: true, cells: (one) => [label(one.name)] },
    { title: "time", numeric: true, key: (one) => toNumber(one.value), cells: (one) => [seconds(one.value)] },
    { title: "time, drawn", hidden: true, class: "bar-column", cells: (one) => [bar(one.value, largest)] },
  ];
  const table = sortableTable(columns, result.seconds, { label: "Times", first: kShown });
  const memory = el("p", { class: "quiet" }, `Memory: at most ${result.peak_memory}.`);
  return el("div", {}, el("h3", {}, "Time and memory"), result.seconds.length > 0 ? table.element : null, memory);
}

function methodBlock(result: Result): HTMLElement {
  const parts: Child[] = [el("h3", {}, "Method"), el("p", {}, el("strong", {}, result.method), `: ${result.title}`)];
  if (result.formula !== "") parts.push(formula(result.formula));
  if (result.reference !== "") parts.push(el("h3", {}, "How to cite"), copyable(result.reference, "the reference"));
  return el("div", {}, ...parts);
}

function facts(result: Result): HTMLElement {
  const pairs: [string, string][] = [
    ["Gingham", result.version],
    ["seed", result.seed],
    ["iterations", count(result.iterations)],
    ["objective", number(result.objective, 8)],
  ];
  return el("dl", { class: "facts" }, ...pairs.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}

export function provenanceSection(_page: Page, result: Result, prefix = ""): HTMLElement {
  const verify = el("p", { class: "quiet" }, el("code", {}, "gingham verify"), " on this folder recomputes every number from the data.");
  return section(
    `${prefix}provenance`,
    "How it was made",
    el("h3", {}, "Command"),
    copyable(result.command, "the command"),
    facts(result),
    methodBlock(result),
    optionTable(result),
    inputTable(result),
    attachedTable(result),
    timeTable(result),
    verify,
  );
}
