// Panels with what they share: buttons, the tip, the colour scale, the caption.
import type { BlockPicture, Page } from "./data";
import { BlockModel } from "./block";
import { el, label } from "./dom";
import type { Room } from "./geometry";
import { legend } from "./legend";
import { Link } from "./link";
import { Panel } from "./panel";
import { onThemeChange } from "./theme";
import { Tip } from "./tip";
import { toolbar } from "./toolbar";

export interface Arrangement {
  kind: "single" | "multiples" | "beside"; // one; many small ones; a few with the same rows
  titles: (Node | null)[]; // above each panel
}

const kGap = 18;

interface Item {
  box: HTMLElement;
  panel: Panel;
  model: BlockModel;
  button: HTMLButtonElement | null;
}

export class Figure {
  readonly element = el("figure", { class: "picture", "data-state": "reading" });
  private readonly link = new Link();
  private readonly tip = new Tip();
  private readonly grid: HTMLElement;
  private readonly caption = el("p", { class: "caption" });
  private items: Item[] = [];
  private large = -1;
  private width = 0;
  private turn = 0;
  private readonly filled: Promise<void>;

  constructor(
    private readonly page: Page,
    blocks: BlockPicture[],
    private readonly arrangement: Arrangement,
  ) {
    this.grid = el("div", { class: `panels ${arrangement.kind}` });
    this.filled = this.read(blocks);
  }

  private async models(blocks: BlockPicture[]): Promise<BlockModel[]> {
    return Promise.all(blocks.map((block) => BlockModel.read(this.page, block)));
  }

  private async read(blocks: BlockPicture[]): Promise<void> {
    try {
      this.fill(await this.models(blocks));
      this.element.dataset["state"] = "ready";
    } catch {
      this.element.replaceChildren(el("p", { class: "message" }, "The picture could not be read by this browser."));
      this.element.dataset["state"] = "failed";
    }
  }

  // The same panels with other data, as a slider moves. Of several calls the last one holds.
  async replace(promised: Promise<BlockPicture[]>): Promise<void> {
    const turn = ++this.turn;
    const blocks = await promised;
    const [models] = await Promise.all([this.models(blocks), this.filled]);
    if (turn !== this.turn) return;
    models.forEach((model, i) => this.items[i]?.panel.replace(model));
    this.caption.replaceChildren(blocks[0]?.caption ?? "");
  }

  private fill(models: BlockModel[]): void {
    const first = models[0];
    if (first === undefined) return;
    this.width = this.element.clientWidth;
    this.items = models.map((model, i) => this.item(model, i));
    const bar = toolbar(this.link, models, () => this.items[0]?.panel);
    this.grid.append(...this.items.map((item) => item.box));
    if (this.arrangement.kind !== "beside") this.caption.append(first.block.caption);
    // Panels beside each other are in units of their own, with a scale each.
    const aside = el("figcaption", {}, this.arrangement.kind === "beside" ? null : legend(first.scale), this.caption);
    this.element.append(bar, this.grid, this.tip.element, this.tip.spoken, aside);
    new ResizeObserver(() => this.resized()).observe(this.element);
    onThemeChange(() => this.items.forEach(({ panel }) => panel.draw()));
  }

  private item(model: BlockModel, i: number): Item {
    const panel = new Panel(model, this.link, this.tip, this.room(i));
    const button = this.arrangement.kind === "multiples" ? this.enlarger(i, model.block.name) : null;
    const title = this.arrangement.titles[i] ?? null;
    const head = title || button ? el("div", { class: "head" }, title, button) : null;
    const isAlone = this.arrangement.kind === "beside";
    const below = isAlone ? [legend(model.scale), el("p", { class: "caption" }, model.block.caption)] : [];
    const box = el("div", { class: "panel" }, head, panel.canvas, ...below);
    if (button) panel.canvas.addEventListener("click", () => this.large !== i && this.enlarge(i));
    return { box, panel, model, button };
  }

  private enlarger(i: number, name: string): HTMLButtonElement {
    const button = el("button", { type: "button", class: "small", "aria-pressed": "false", "aria-label": `Enlarge ${name}` }, "\u2922");
    button.addEventListener("click", () => this.enlarge(this.large === i ? -1 : i));
    return button;
  }

  private enlarge(i: number): void {
    this.large = i;
    this.items.forEach(({ box, button, model }, j) => {
      box.classList.toggle("large", j === i);
      button?.setAttribute("aria-pressed", String(j === i));
      if (j === i || (i < 0 && j === 0)) this.caption.replaceChildren(model.block.caption);
    });
    this.layout();
  }

  private resized(): void {
    if (Math.abs(this.element.clientWidth - this.width) < 1) return;
    this.width = this.element.clientWidth;
    this.layout();
  }

  private layout(): void {
    this.items.forEach(({ panel }, i) => panel.resize(this.room(i)));
  }

  private room(i: number): Room {
    const width = Math.max(200, this.width);
    const high = Math.min(640, Math.max(320, 0.8 * window.innerHeight));
    const n = this.arrangement.titles.length;
    if (this.arrangement.kind === "single" || i === this.large) return { width, height: high, labels: true, filled: false };
    if (this.arrangement.kind === "beside") {
      const across = width < 560 ? 1 : Math.min(n, width < 800 ? 2 : 3);
      return { width: (width - (across - 1) * kGap) / across, height: Math.min(high, 520), labels: false, filled: true };
    }
    const across = Math.min(n, Math.max(2, Math.floor(width / 230)));
    const part = (width - (across - 1) * kGap) / across;
    return { width: part, height: Math.min(part, 300), labels: false, filled: false };
  }
}

// A panel to look at, without buttons and tips.
export function thumbnail(page: Page, block: BlockPicture, width: number, height: number): HTMLElement {
  const holder = el("div", { class: "thumbnail", "data-state": "reading" });
  void BlockModel.read(page, block).then(
    (model) => {
      const room = () => {
        const most = holder.parentElement?.clientWidth ?? width;
        return { width: Math.max(140, Math.min(width, most)), height, labels: false, filled: false };
      };
      const panel = new Panel(model, new Link(), null, room());
      panel.canvas.removeAttribute("tabindex");
      panel.canvas.setAttribute("role", "img");
      panel.canvas.removeAttribute("aria-roledescription");
      holder.append(panel.canvas);
      holder.dataset["state"] = "ready";
      if (holder.parentElement) new ResizeObserver(() => panel.resize(room())).observe(holder.parentElement);
      onThemeChange(() => panel.draw());
    },
    () => (holder.dataset["state"] = "failed"),
  );
  return holder;
}

export function blockTitle(name: string): Node {
  return el("h4", {}, label(name));
}
