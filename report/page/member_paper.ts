// Members on paper, where nothing can be chosen: the strongest of every component, made only when
// someone prints.
import { chip } from "./components";
import type { Mode, Page, Result } from "./data";
import { el, label, type Child } from "./dom";
import { count } from "./format";
import { namer } from "./names";

const kComponents = 60;
const kMembers = 24; // of a component in one mode

function namesOf(page: Page, mode: Mode, component: number): Child[] {
  const name = namer(page, mode.labels);
  const words: Child[] = [];
  let n = 0;
  for (let at = 0; at < mode.item.length && n < kMembers; ++at) {
    if (mode.component[at] !== component) continue;
    if (n++ > 0) words.push(", ");
    words.push(label(name(mode.item[at] ?? 0)));
  }
  const rest = (mode.sizes[component] ?? n) - n;
  if (n === 0) words.push("none");
  if (rest > 0) words.push(` and ${count(rest)} more`);
  return words;
}

function fill(box: HTMLElement, page: Page, result: Result): void {
  const n = Math.max(...result.modes.map((mode) => mode.sizes.length));
  for (let k = 0; k < Math.min(n, kComponents); ++k) {
    const rows = result.modes.map((mode) =>
      el("p", {}, label(mode.title), ` (${count(mode.sizes[k] ?? 0)}): `, ...namesOf(page, mode, k)),
    );
    box.append(el("div", {}, el("h3", {}, chip(k), `Component ${k}`), ...rows));
  }
  if (n > kComponents) box.append(el("p", {}, `The members of ${count(n - kComponents)} more components are in clusters.tsv.`));
}

export function onPaper(page: Page, result: Result): HTMLElement {
  const box = el("div", { class: "on-paper" });
  const make = (): void => {
    if (box.childElementCount === 0) fill(box, page, result);
  };
  window.addEventListener("beforeprint", make, { once: true });
  window.matchMedia("print").addEventListener("change", make, { once: true });
  return box;
}
