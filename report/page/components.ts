// The components in a table: how heavy, how much they explain, how many members they have.
import { colourClass } from "./colours";
import type { Num, Page, Result } from "./data";
import { el, section, type Child } from "./dom";
import { count, counted, isFiniteNum, number, percent, toNumber } from "./format";
import { sortableTable, type Column } from "./sortable";

const kShown = 30;
const kColumns = 4; // up to so many blocks have a column each, more only cells of a strip

export function chip(component: number): HTMLElement {
  return el("span", { class: `chip ${colourClass(component)}`, "aria-hidden": "true" });
}

// A bar whose full width is `largest`.
export function bar(value: Num, largest: number, name = ""): HTMLElement {
  const fill = el("span");
  const share = isFiniteNum(value) && largest > 0 ? Math.min(1, Math.abs(value) / largest) : 0;
  fill.style.width = `${(100 * share).toFixed(1)}%`;
  fill.hidden = share === 0;
  return el("span", { class: `bar ${name}`.trim(), "aria-hidden": "true" }, fill);
}

function largestOf(values: Num[]): number {
  return values.reduce<number>((most, value) => (isFiniteNum(value) ? Math.max(most, Math.abs(value)) : most), 0);
}

// A cell per block, the darker the more is explained.
function strip(shares: Num[], names: string[], largest: number): HTMLElement {
  const cells = shares.map((share, at) => {
    const square = el("span", { title: `${names[at] ?? at}: ${percent(share)}` });
    const part = isFiniteNum(share) && largest > 0 ? Math.max(0, share) / largest : 0;
    square.style.setProperty("--part", `${(100 * part).toFixed(0)}%`);
    return square;
  });
  const told = shares.map((share, at) => `${names[at] ?? at} ${percent(share)}`).join(", ");
  return el("span", { class: "strip-cells", role: "img", "aria-label": told }, ...cells);
}

function blockColumns(result: Result): Column<number>[] {
  const names = result.block_names;
  if (names.length === 0) return [];
  const shares = (k: number): Num[] => result.components[k]?.blocks ?? [];
  const largest = largestOf(result.components.flatMap((one) => one.blocks));
  const last = names.length - 1;
  const title =
    names.length > 1 ? `explained, ${names[0] ?? ""} … ${names[last] ?? ""}` : `explained, ${names[0] ?? ""}`;
  const heat: Column<number> = {
    title,
    hint: "Share of each block's own sum of squares that is lost without the component",
    class: "strip-column",
    cells: (k) => [strip(shares(k), names, largest)],
  };
  if (names.length > kColumns) return [heat];
  const single = names.map(
    (name, at): Column<number> => ({
      title: name,
      hint: `Explained share of ${name}`,
      numeric: true,
      key: (k) => toNumber(shares(k)[at] ?? "nan"),
      cells: (k) => [percent(shares(k)[at] ?? "nan")],
    }),
  );
  return [heat, ...single];
}

function componentColumns(result: Result): Column<number>[] {
  const one = (k: number) => result.components[k] ?? { weight: "nan" as Num, level: "nan" as Num, explained: "nan" as Num, blocks: [] };
  const explained = largestOf(result.components.map((each) => each.explained));
  const levels: Column<number>[] = result.components.some((each) => isFiniteNum(each.level))
    ? [{ title: "level", hint: "The component’s largest cell", numeric: true, key: (k) => toNumber(one(k).level), cells: (k) => [number(one(k).level, 5)] }]
    : [];
  const sizes = result.modes.map(
    (mode, at): Column<number> => ({
      title: mode.title,
      hint: `Members among the ${count(mode.n)} ${mode.title}`,
      numeric: true,
      key: (k) => result.modes[at]?.sizes[k] ?? 0,
      cells: (k) => [count(result.modes[at]?.sizes[k] ?? 0)],
    }),
  );
  return [
    { title: "component", key: (k) => k, head: true, cells: (k) => [chip(k), String(k)] },
    { title: "weight", numeric: true, key: (k) => toNumber(one(k).weight), cells: (k) => [number(one(k).weight, 5)] },
    ...levels,
    {
      title: "explained",
      hint: "What the explained share of the data loses without the component",
      numeric: true,
      key: (k) => toNumber(one(k).explained),
      cells: (k) => [percent(one(k).explained)],
    },
    { title: "explained, drawn", hidden: true, class: "bar-column", cells: (k) => [bar(one(k).explained, explained)] },
    ...sizes,
    ...blockColumns(result),
  ];
}

export function componentsSection(_page: Page, result: Result, prefix = ""): HTMLElement {
  const id = `${prefix}components`;
  if (result.n_components === 0 || result.components.length === 0)
    return section(id, "Components", el("p", {}, "No component was found."));
  const table = sortableTable(
    componentColumns(result),
    result.components.map((_, k) => k),
    { label: "Components", first: kShown, sort: { column: 0, falling: false } },
  );
  const together = isFiniteNum(result.explained) ? `Together they explain ${percent(result.explained)} of the data. ` : "";
  const lead =
    together +
    "Explained is what that share loses without the component, nothing fitted again: where components overlap the shares need not add up. " +
    "Components count from 0, as in clusters.tsv; a click on a column’s head sorts by it.";
  const parts: Child[] = [el("p", { class: "quiet lead" }, lead), table.element];
  if (result.n_components > result.components.length) {
    const words = `There are ${counted(result.n_components, "component")}; the first ${count(result.components.length)} are listed, result.json has all.`;
    parts.push(el("p", { class: "quiet" }, words));
  }
  if (result.modes_left_out > 0) {
    const words = `${counted(result.modes_left_out, "mode")} more of later blocks are not shown here; clusters.tsv has all.`;
    parts.push(el("p", { class: "quiet" }, words));
  }
  return section(id, "Components", ...parts);
}
