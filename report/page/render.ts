// The page from top to bottom.
import type { Page, Result } from "./data";
import { cardsSection } from "./cards";
import { componentsSection } from "./components";
import { el, section, type Child } from "./dom";
import { count } from "./format";
import { copyButton } from "./hand_out";
import { notesSection, pageHeader } from "./header";
import { indexSections } from "./index_page";
import { membersSection } from "./members";
import { unfoldOnPaper } from "./paper";
import { panelSections } from "./panels";
import { pictureSections } from "./picture";
import { provenanceSection } from "./provenance";
import { qualitySection } from "./quality";
import { pathSection } from "./slider";
import { tableSection } from "./table";

type Sections = (HTMLElement | null)[];

function resultSections(page: Page, result: Result): Sections {
  return [
    notesSection(result),
    ...pictureSections(page, result),
    componentsSection(page, result),
    membersSection(page, result),
    ...panelSections(page, result),
    qualitySection(page, result),
    provenanceSection(page, result),
  ];
}

function commandSection(page: Page): HTMLElement | null {
  if (page.command === "") return null;
  const copy = copyButton("Copy", () => page.command, "Copy the command");
  return section("command", "How it was made", el("div", { class: "command" }, el("pre", {}, el("code", {}, page.command)), copy));
}

function sections(page: Page): Sections {
  const [first] = page.results;
  switch (page.kind) {
    case "result":
      return first === undefined ? [] : resultSections(page, first);
    case "path":
      return [pathSection(page), tableSection(page), commandSection(page)];
    case "compare":
    case "several":
      return [cardsSection(page), tableSection(page), commandSection(page)];
    case "index":
      return indexSections(page);
  }
}

// Links to the sections; not for a page of one or two.
function contents(made: HTMLElement[]): HTMLElement | null {
  if (made.length < 3) return null;
  const list = made.map((one) => el("li", {}, el("a", { href: `#${one.id}` }, one.querySelector("h2")?.textContent ?? "")));
  return el("nav", { class: "contents", "aria-label": "Contents" }, el("ul", {}, ...list));
}

function leftOut(page: Page): Child {
  if (page.results_left_out === 0) return null;
  return el("p", { class: "quiet" }, `${count(page.results_left_out)} more results are not on this page.`);
}

export function renderPage(page: Page): Node[] {
  unfoldOnPaper();
  const made = sections(page).filter((one): one is HTMLElement => one !== null);
  const main = el("main", { id: "main", tabindex: -1 }, pageHeader(page), contents(made), ...made, leftOut(page));
  main.append(
    el("footer", {}, `Made by Gingham ${page.version}. This page is one file and asks nothing of any network.`),
  );
  return [el("a", { class: "skip", href: "#main" }, "Skip to the content"), el("div", { class: "cloth" }), main];
}
