// The points of a path: a slider for every option that varies, and what the result is there.
import type { BlockPicture, Page, Path, Picture, Result, Table } from "./data";
import { el, label, section } from "./dom";
import { Figure } from "./figure";
import { number } from "./format";
import { badge, facts } from "./header";
import { canHold, held } from "./hold";
import { href } from "./links";
import { arrangementOf } from "./picture";
import { cellNumber, columnTitle } from "./table";

const kMostNumbers = 14;
const kPace = 900; // milliseconds per point while playing

class PathView {
  readonly element = el("div", { class: "path" });
  private readonly at: number[];
  private readonly sliders: { input: HTMLInputElement; output: HTMLOutputElement }[];
  private readonly words = el("div", { class: "point", "aria-live": "polite" });
  private readonly holder = el("div", { class: "holder" });
  private readonly play = el("button", { type: "button", "aria-pressed": "false" }, "Play");
  private readonly hold = el("button", { type: "button", "aria-pressed": "false" }, "Hold this order");
  private order: BlockPicture[] | null = null; // whose order is held
  private figure: Figure | null = null;
  private shape = "";
  private timer = 0;

  constructor(
    private readonly page: Page,
    private readonly path: Path,
  ) {
    const first = path.points.find((point) => point.result !== null) ?? path.points[0];
    this.at = path.options.map((_, i) => first?.at[i] ?? 0);
    this.sliders = path.options.map((option, i) => this.slider(i, option.values.length));
    this.play.addEventListener("click", () => this.toggle());
    this.hold.addEventListener("click", () => this.holdOrder());
    const controls = path.options.map((option, i) => {
      const { input, output } = this.sliders[i] as { input: HTMLInputElement; output: HTMLOutputElement };
      return el("label", { class: "slider" }, el("span", {}, label(option.name)), input, output);
    });
    const beside = el("div", { class: "point-beside" }, this.holder, this.words);
    this.element.append(el("div", { class: "controls" }, ...controls, this.play, this.hold), beside);
    this.show();
  }

  private slider(index: number, n: number) {
    const input = el("input", { type: "range", min: 0, max: Math.max(0, n - 1), step: 1, value: 0 });
    const output = el("output");
    input.addEventListener("input", () => {
      this.stop();
      this.move(index, Number(input.value));
    });
    return { input, output };
  }

  private move(option: number, value: number): void {
    this.at[option] = value;
    this.show();
  }

  private point() {
    return this.path.points.find((point) => point.at.every((value, i) => value === this.at[i]));
  }

  private blocks(): BlockPicture[] {
    const index = this.point()?.result;
    return index == null ? [] : (this.page.results[index]?.picture.blocks ?? []);
  }

  private holdOrder(): void {
    this.order = this.order === null && canHold(this.blocks()) ? this.blocks() : null;
    this.hold.setAttribute("aria-pressed", String(this.order !== null));
    this.show();
  }

  private show(): void {
    this.sliders.forEach(({ input, output }, i) => {
      const text = this.path.options[i]?.values[this.at[i] as number] ?? "";
      input.value = String(this.at[i]);
      input.setAttribute("aria-valuetext", text);
      output.textContent = text;
    });
    const point = this.point();
    const result = point?.result == null ? undefined : this.page.results[point.result];
    this.words.replaceChildren(...this.describe(result, point?.row));
    this.picture(result?.picture);
  }

  private describe(result: Result | undefined, row: number | undefined): Node[] {
    const parts: Node[] = [];
    const { table } = this.page;
    const cells = row === undefined ? undefined : table?.rows[row];
    if (result !== undefined) parts.push(el("p", {}, badge(result)));
    if (result !== undefined && cells === undefined) parts.push(facts(result));
    if (table && cells !== undefined) parts.push(el("dl", { class: "numbers" }, ...this.numbers(table, cells)));
    if (result?.folder) parts.push(el("p", {}, el("a", { href: href(result.folder, "report.html") }, "The report of this point")));
    if (parts.length === 0) parts.push(el("p", { class: "message" }, "There is no result at this point."));
    return parts;
  }

  // The row of the table, less what the sliders say and what the picture shows.
  private numbers(table: Table, cells: string[]): HTMLElement[] {
    const said = new Set(["point", "status", ...this.path.options.map((option) => option.name)]);
    const shown = table.columns.flatMap(({ name, important }, i) => {
      const text = cells[i] ?? "";
      if (!important || text === "" || said.has(name) || /^component_\d/.test(name)) return [];
      const value = cellNumber(text);
      return [el("div", {}, el("dt", {}, label(columnTitle(name))), el("dd", {}, label(Number.isFinite(value) ? number(value, 5) : text)))];
    });
    return shown.slice(0, kMostNumbers);
  }

  // The figure stays while its panels do, so that one sees the blocks change and nothing else.
  private picture(picture: Picture | undefined): void {
    const blocks = picture?.blocks ?? [];
    this.hold.hidden = this.order === null && !canHold(blocks);
    if (picture === undefined || blocks.length === 0) {
      const message = picture?.message || "There is no picture of this point.";
      this.holder.replaceChildren(el("p", { class: "message" }, label(message)));
      this.figure = null;
      return;
    }
    const shape = `${blocks.length} ${picture.arrangement}`;
    if (this.figure !== null && shape === this.shape) {
      const { order } = this;
      const shown = blocks.map((block, i) => (order?.[i] ? held(this.page, block, order[i]) : block));
      void this.figure.replace(Promise.all(shown));
      return;
    }
    this.shape = shape;
    this.figure = new Figure(this.page, blocks, arrangementOf(picture));
    this.holder.replaceChildren(this.figure.element);
  }

  private toggle(): void {
    if (this.timer !== 0) return this.stop();
    this.play.textContent = "Stop";
    this.play.setAttribute("aria-pressed", "true");
    this.timer = window.setInterval(() => this.next(), kPace);
    this.next();
  }

  private stop(): void {
    window.clearInterval(this.timer);
    this.timer = 0;
    this.play.textContent = "Play";
    this.play.setAttribute("aria-pressed", "false");
  }

  // The first option runs fastest.
  private next(): void {
    for (let i = 0; i < this.at.length; ++i) {
      const n = this.path.options[i]?.values.length ?? 1;
      if ((this.at[i] as number) + 1 < n) {
        this.at[i] = (this.at[i] as number) + 1;
        return this.show();
      }
      this.at[i] = 0;
    }
    this.show();
  }
}

export function pathSection(page: Page): HTMLElement | null {
  if (page.path === null || page.path.points.length === 0) return null;
  return section("path", "Along the path", new PathView(page, page.path).element);
}
