// The flow in words and numbers, for those who do not see the ribbons.
import type { Flow } from "./data";
import { el, label } from "./dom";
import { count } from "./format";

const kMostRows = 500;

const name = (component: number) => (component < 0 ? "none" : String(component));

export function flowTable(flow: Flow): HTMLElement {
  const moves = flow.links.filter((link) => link.from !== link.to).sort((a, b) => a.block - b.block || b.count - a.count);
  const rows = moves.slice(0, kMostRows).map((link) => {
    const who = el("td", {});
    link.names.forEach((one, i) => who.append(i > 0 ? ", " : "", label(one)));
    if (link.names.length < link.count) who.append(" \u2026");
    return el(
      "tr",
      {},
      el("td", {}, label(flow.blocks[link.block] ?? ""), " \u2192 ", label(flow.blocks[link.block + 1] ?? "")),
      el("td", { class: "n" }, name(link.from)),
      el("td", { class: "n" }, name(link.to)),
      el("td", { class: "n" }, count(link.count)),
      who,
    );
  });
  const head = ["when", "from", "to", flow.title, "who"].map((text, i) => el("th", { scope: "col", class: i > 0 && i < 4 ? "n" : null }, text));
  const table = el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows));
  if (rows.length === 0) return el("p", { class: "quiet" }, "Nobody moves.");
  const more = moves.length > kMostRows ? el("p", { class: "quiet" }, `and ${count(moves.length - kMostRows)} more`) : null;
  return el("details", { class: "moves" }, el("summary", {}, `Who moves (${count(moves.length)} lines)`), el("div", { class: "wide" }, table), more);
}
