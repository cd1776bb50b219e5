// The top of a page: what it is about and how it went.
import type { Page, Result } from "./data";
import { el, label } from "./dom";
import { count, gap, isFiniteNum, number, percent, seconds } from "./format";

export function fact(name: string, value: string): HTMLElement {
  return el("div", {}, el("dt", {}, name), el("dd", {}, value));
}

export function facts(result: Result): HTMLElement {
  return el(
    "dl",
    { class: "facts" },
    fact("components", count(result.n_components)),
    fact("objective", number(result.objective, 8)),
    ...(isFiniteNum(result.explained) ? [fact("explained", percent(result.explained))] : []),
    fact("largest gap", gap(result.gap)),
    fact("iterations", count(result.iterations)),
    fact("time to fit", seconds(result.fit_seconds)),
  );
}

export function statusBox(result: Result): HTMLElement {
  const { tone, title, meaning } = result.status;
  return el("div", { class: `status ${tone}` }, el("strong", {}, title), el("p", {}, meaning));
}

export function badge(result: Result): HTMLElement {
  return el("span", { class: `badge ${result.status.tone}` }, result.status.title);
}

export function pageHeader(page: Page): HTMLElement {
  const result = page.kind === "result" ? page.results[0] : undefined;
  const lead = page.lead !== "" ? page.lead : (result?.inputs_title ?? "");
  const title = result?.title || page.title;
  const header = el("header", {}, el("p", { class: "brand" }, "Gingham"), el("h1", {}, label(title)));
  if (lead !== "") header.append(el("p", { class: "lead" }, label(lead)));
  if (result !== undefined) header.append(statusBox(result), facts(result));
  return header;
}

export function notesSection(result: Result): HTMLElement | null {
  if (result.notes.length === 0) return null;
  const list = el("ul", {}, ...result.notes.map((note) => el("li", {}, label(note))));
  const more = result.notes_left_out > 0 ? el("p", { class: "quiet" }, `and ${count(result.notes_left_out)} more in result.json`) : null;
  return el("section", { id: "notes", class: "notes", "aria-labelledby": "notes-title" }, el("h2", { id: "notes-title" }, "Notes"), list, more);
}
