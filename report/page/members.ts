// Who belongs to which component: a table per mode, for one component or for all.
import { chip } from "./components";
import type { Mode, Page, Result } from "./data";
import { el, section, type Child } from "./dom";
import { count, counted } from "./format";
import { memberTable, type MemberTable } from "./member_table";
import { onPaper } from "./member_paper";

const kChips = 16; // up to so many components are chosen by chips, more from a list
const kModes = 4; // from more modes than these one can be chosen
const kShown = 20; // members of a mode at first
const kFew = 8; // where there are many modes
const kPause = 120; // milliseconds after the last key
const kAll = -1;

function searchBox(id: string, act: (text: string) => void): HTMLElement {
  const input = el("input", { type: "search", id, placeholder: "a name or part of it", autocomplete: "off", spellcheck: "false" });
  let timer = 0;
  input.addEventListener("input", () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => act(input.value), kPause);
  });
  return el("label", { class: "search" }, el("span", {}, "Search"), input);
}

interface Chooser {
  element: HTMLElement;
  choose(component: number): void;
  say(hits: Map<number, number> | null): void; // how many hits each component has
}

function chips(id: string, components: number[], act: (component: number) => void): Chooser {
  const buttons = new Map<number, { input: HTMLInputElement; hits: HTMLElement }>();
  const box = el("div", { class: "chips", role: "radiogroup", "aria-label": "Component" });
  for (const k of [kAll, ...components]) {
    const input = el("input", { type: "radio", name: id, value: k, class: "offstage" });
    const hits = el("small");
    input.addEventListener("change", () => act(k));
    const words: Child[] = k === kAll ? ["all"] : [chip(k), String(k)];
    box.append(el("label", {}, input, el("span", {}, ...words, hits)));
    buttons.set(k, { input, hits });
  }
  return {
    element: box,
    choose(k) {
      const button = buttons.get(k);
      if (button !== undefined) button.input.checked = true;
    },
    say(found) {
      for (const [k, { hits }] of buttons) {
        const n = k === kAll ? null : found?.get(k) ?? 0;
        hits.textContent = found === null || n === null ? "" : count(n);
        hits.parentElement?.classList.toggle("without", found !== null && n === 0);
      }
    },
  };
}

function list(components: number[], act: (component: number) => void): Chooser {
  const select = el("select", {}, el("option", { value: kAll }, "all"));
  for (const k of components) select.append(el("option", { value: k }, String(k)));
  select.addEventListener("change", () => act(Number(select.value)));
  return {
    element: el("label", { class: "choose" }, el("span", {}, "Component"), select),
    choose: (k) => (select.value = String(k)),
    say() {},
  };
}

function modeChooser(modes: Mode[], act: (mode: number) => void): HTMLElement {
  const select = el("select", {}, el("option", { value: kAll }, "all"));
  modes.forEach((mode, at) => select.append(el("option", { value: at }, mode.title)));
  select.addEventListener("change", () => act(Number(select.value)));
  return el("label", { class: "choose" }, el("span", {}, "Mode"), select);
}

// Where weights of both signs occur each has its colour, as in a picture of signed data.
function hasBothSigns(result: Result): boolean {
  return result.modes.some((mode) => mode.value.some((value) => typeof value === "number" && value < 0));
}

function listedComponents(result: Result): number[] {
  const most = result.modes.reduce((n, mode) => Math.max(n, mode.sizes.length), result.components.length);
  return Array.from({ length: most }, (_, k) => k);
}

// What is shown follows from four choices; each change shows it again.
class Members {
  private chosen = 0;
  private before = 0; // the choice that a search left
  private mode = kAll;
  private text = "";
  private readonly hits = el("output", { class: "quiet hits", "aria-live": "polite" });
  private readonly chooser: Chooser;
  private readonly tables: MemberTable[];
  readonly parts: Child[];

  constructor(page: Page, result: Result, prefix: string) {
    const components = listedComponents(result);
    const choose = (k: number) => {
      this.chosen = k;
      this.before = k;
      this.show();
    };
    this.chooser = components.length <= kChips ? chips(`${prefix}component`, components, choose) : list(components, choose);
    const signed = hasBothSigns(result);
    const many = result.modes.length > kModes;
    this.tables = result.modes.map((mode) => memberTable(page, mode, signed, many ? kFew : kShown));
    const tools: Child[] = [searchBox(`${prefix}search`, (text) => this.search(text)), this.chooser.element];
    if (many)
      tools.push(
        modeChooser(result.modes, (mode) => {
          this.mode = mode;
          this.show();
        }),
      );
    const grid = el("div", { class: many ? "modes many" : "modes" }, ...this.tables.map((table) => table.element));
    this.parts = [el("div", { class: "tools" }, ...tools), this.hits, grid];
    this.show();
  }

  // A search goes over all components; with its end the earlier choice is back.
  private search(text: string): void {
    this.text = text.trim().toLocaleLowerCase();
    this.chosen = this.text === "" ? this.before : kAll;
    this.show();
  }

  private show(): void {
    this.chooser.choose(this.chosen);
    const found = new Map<number, number>();
    let hits = 0;
    this.tables.forEach((table, at) => {
      const wanted = this.mode === kAll || this.mode === at;
      hits += table.show(this.chosen, this.text, wanted, found);
    });
    this.chooser.say(this.text === "" ? null : found);
    this.hits.textContent = this.text === "" ? "" : hits === 0 ? "No name holds this." : counted(hits, "hit");
  }
}

export function membersSection(page: Page, result: Result, prefix = ""): HTMLElement {
  const id = `${prefix}members`;
  if (!result.modes.some((mode) => mode.item.length > 0)) {
    const words = result.n_components === 0 ? "No component was found." : "No component has a member.";
    return section(id, "Members", el("p", {}, words));
  }
  const members = new Members(page, result, `${prefix}members-`);
  const screen = el("div", { class: "on-screen" }, ...members.parts);
  return section(id, "Members", screen, onPaper(page, result));
}
