// Several results side by side: a card for each with its numbers and its picture.
import type { Page, Result } from "./data";
import { el, label, section } from "./dom";
import { thumbnail } from "./figure";
import { badge, facts } from "./header";
import { href } from "./links";

function card(page: Page, result: Result): HTMLElement {
  const name = result.name !== "" ? result.name : result.method;
  const link = result.folder === null ? label(name) : el("a", { href: href(result.folder, "report.html") }, label(name));
  const block = result.picture.blocks[0];
  return el(
    "article",
    { class: "card" },
    el("h3", {}, link, " ", badge(result)),
    el("p", { class: "quiet" }, result.title),
    el(
      "div",
      { class: "both" },
      block === undefined ? el("p", { class: "message" }, label(result.picture.message)) : thumbnail(page, block, 420, 320),
      facts(result),
    ),
  );
}

export function cardsSection(page: Page): HTMLElement | null {
  if (page.results.length === 0) return null;
  return section("results", "Side by side", el("div", { class: "cards" }, ...page.results.map((result) => card(page, result))));
}
