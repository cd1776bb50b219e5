// The page over several reports: a question each, what was found, where to read on.
import type { IndexEntry, Page } from "./data";
import { el, label, section } from "./dom";
import { thumbnail } from "./figure";
import { copyButton } from "./hand_out";
import { href } from "./links";

function command(text: string): HTMLElement {
  return el("div", { class: "command" }, el("pre", {}, el("code", {}, text)), copyButton("Copy", () => text, `Copy ${text}`));
}

function entry(page: Page, one: IndexEntry, index: number): HTMLElement {
  const words = el(
    "div",
    { class: "words" },
    el("p", { class: "quiet" }, one.title),
    ...one.sentences.map((sentence) => el("p", {}, label(sentence))),
    one.command === "" ? null : command(one.command),
    el("p", {}, el("a", { class: "onward", href: href(one.link) }, "Open the report")),
  );
  const picture = one.picture === null ? null : thumbnail(page, one.picture, 380, 300);
  return section(`entry-${index}`, one.question, el("div", { class: "entry" }, words, picture));
}

export function indexSections(page: Page): HTMLElement[] {
  const made = page.index.map((one, index) => entry(page, one, index));
  if (page.next.length > 0) made.push(section("next", "What to try next", ...page.next.map(command)));
  return made;
}
