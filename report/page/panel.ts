// One matrix on a canvas that can be zoomed, dragged and walked over with the keyboard.
import { select } from "d3-selection";
import { zoom, ZoomTransform, type D3ZoomEvent } from "d3-zoom";
import type { BlockModel } from "./block";
import { el } from "./dom";
import { canvasSize, geometry, largestScale, windowOf, type Geometry, type Room } from "./geometry";
import type { Link } from "./link";
import { paint } from "./paint";
import { nameOfBin } from "./paint_names";
import { theme } from "./theme";
import { describeCell, type Tip } from "./tip";

const kStep = 1.5; // of a press of + or -

export class Panel {
  readonly canvas = el("canvas", { class: "cells", tabindex: 0, role: "application", "aria-roledescription": "zoomable picture" });
  private readonly zooming = zoom<HTMLCanvasElement, unknown>();
  private g: Geometry;
  private scheduled = false;
  private readonly rowKey: string;
  private readonly columnKey: string;

  constructor(
    private model: BlockModel,
    readonly link: Link,
    private readonly tip: Tip | null,
    private room: Room,
  ) {
    this.rowKey = `r${model.block.rows}`;
    this.columnKey = `c${model.block.columns}`;
    this.g = this.measure();
    this.describe();
    link.join(this.rowKey, this.columnKey, () => this.follow());
    if (tip !== null) this.listen();
    this.follow();
  }

  // Another point of a path, with its own order.
  replace(model: BlockModel): void {
    this.model = model;
    this.describe();
    this.resize(this.room);
  }

  resize(room: Room): void {
    this.room = room;
    this.g = this.measure();
    this.follow();
  }

  private describe(): void {
    const { name, caption } = this.model.block;
    this.canvas.setAttribute("aria-label", [name, caption].filter((text) => text !== "").join(": "));
  }

  private measure(): Geometry {
    const context = this.canvas.getContext("2d") as CanvasRenderingContext2D;
    const given = this.link.order === "given";
    context.font = `12px ${theme().font}`;
    return geometry(this.model, this.link, this.room, (side) => {
      const bins = Math.min(this.model[side].bins(given), 120);
      let width = 0;
      for (let bin = 0; bin < bins; ++bin) {
        width = Math.max(width, context.measureText(nameOfBin(this.model, side, bin, given).slice(0, 60)).width);
      }
      return Math.ceil(width);
    });
  }

  // Brings the panel to where the link looks.
  private follow(): void {
    const { g, link } = this;
    if (g.rows !== this.shownRows() || g.columns !== this.shownColumns()) this.g = this.measure();
    const { left, top, width, height } = this.g;
    this.zooming
      .extent([[left, top], [left + width, top + height]])
      .translateExtent([[left, top], [left + width, top + height]])
      .scaleExtent([1, largestScale(this.g)]);
    const k = link.scale;
    const x = left - k * (left + link.start(this.columnKey) * width);
    const y = top - k * (top + link.start(this.rowKey) * height);
    (this.canvas as unknown as { __zoom: ZoomTransform }).__zoom = new ZoomTransform(k, x, y);
    this.canvas.classList.toggle("near", k > 1);
    this.schedule();
  }

  private shownRows(): number {
    const { order } = this.link, { rows } = this.model;
    return Math.max(1, order === "members" ? rows.memberBins() : rows.bins(order === "given"));
  }

  private shownColumns(): number {
    const { order } = this.link, { columns } = this.model;
    return Math.max(1, order === "members" ? columns.memberBins() : columns.bins(order === "given"));
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(() => this.draw());
  }

  draw(): void {
    this.scheduled = false;
    const { canvas, g } = this;
    const ratio = Math.max(1, window.devicePixelRatio || 1);
    const [width, height] = canvasSize(g);
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    context.scale(ratio, ratio);
    const w = windowOf(g, this.link, this.rowKey, this.columnKey);
    paint({ context, model: this.model, link: this.link, g, w, rowKey: this.rowKey, columnKey: this.columnKey, ratio });
  }

  private listen(): void {
    const { canvas } = this;
    this.zooming
      .filter((event: MouseEvent | TouchEvent | WheelEvent) => this.isOurs(event))
      .on("zoom", (event: D3ZoomEvent<HTMLCanvasElement, unknown>) => this.zoomed(event.transform));
    select(canvas).call(this.zooming).on("dblclick.zoom", null);
    canvas.addEventListener("dblclick", (event) => this.zoomBy(event.shiftKey ? 1 / 2 : 2, event));
    canvas.addEventListener("pointermove", (event) => this.hover(event));
    canvas.addEventListener("pointerleave", () => this.leave());
    canvas.addEventListener("blur", () => this.leave());
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  // The wheel zooms once the picture was clicked, or with Ctrl, so that one can scroll past it; one
  // finger drags only what was zoomed in.
  private isOurs(event: MouseEvent | TouchEvent | WheelEvent): boolean {
    if (event.type === "wheel") return event.ctrlKey || event.metaKey || document.activeElement === this.canvas;
    if ("touches" in event) return event.touches.length > 1 || this.link.scale > 1;
    return event.button === 0;
  }

  private zoomed({ k, x, y }: ZoomTransform): void {
    const { left, top, width, height } = this.g;
    this.link.look(k, {
      [this.columnKey]: ((left - x) / k - left) / width,
      [this.rowKey]: ((top - y) / k - top) / height,
    });
  }

  zoomBy(factor: number, at?: MouseEvent): void {
    const { left, top, width, height } = this.g;
    const box = this.canvas.getBoundingClientRect();
    const point: [number, number] = at ? [at.clientX - box.left, at.clientY - box.top] : [left + width / 2, top + height / 2];
    select(this.canvas).call(this.zooming.scaleBy, factor, point);
  }

  reset(): void {
    this.link.look(1, { [this.rowKey]: 0, [this.columnKey]: 0 });
  }

  private window() {
    return windowOf(this.g, this.link, this.rowKey, this.columnKey);
  }

  private hover(event: PointerEvent): void {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left, y = event.clientY - box.top;
    const { left, top, width, height } = this.g;
    if (x < left || y < top || x >= left + width || y >= top + height || event.buttons !== 0) return this.leave();
    const w = this.window();
    this.point(Math.floor((y - w.y) / w.cellHeight), Math.floor((x - w.x) / w.cellWidth), x, y);
  }

  private leave(): void {
    this.tip?.hide();
    this.link.point(null);
  }

  private point(row: number, column: number, x: number, y: number): void {
    row = Math.min(Math.max(0, row), this.g.rows - 1);
    column = Math.min(Math.max(0, column), this.g.columns - 1);
    this.link.point({ rowKey: this.rowKey, columnKey: this.columnKey, row, column });
    const holder = this.tip?.element.parentElement;
    if (!holder) return;
    const inside = holder.getBoundingClientRect();
    const box = this.canvas.getBoundingClientRect();
    const content = describeCell(this.model, row, column, this.link.order === "given");
    this.tip?.show(content, box.left - inside.left + x, box.top - inside.top + y, inside.width);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrows: { [key: string]: [number, number] } = {
      ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
    };
    const arrow = arrows[event.key];
    if (event.key === "+" || event.key === "=") this.zoomBy(kStep);
    else if (event.key === "-" || event.key === "_") this.zoomBy(1 / kStep);
    else if (event.key === "0") this.reset();
    else if (event.key === "Escape") this.leave();
    else if (arrow !== undefined && event.shiftKey) this.pan(arrow[0], arrow[1]);
    else if (arrow !== undefined) this.walk(arrow[0], arrow[1]);
    else return;
    event.preventDefault();
  }

  // A quarter of what is in sight.
  private pan(down: number, right: number): void {
    const { link } = this;
    link.look(link.scale, {
      [this.rowKey]: link.start(this.rowKey) + (0.25 * down) / link.scale,
      [this.columnKey]: link.start(this.columnKey) + (0.25 * right) / link.scale,
    });
  }

  // From cell to cell; what is in sight follows.
  private walk(down: number, right: number): void {
    const { g, link } = this;
    const at = link.pointed;
    const middle = (n: number, key: string) => Math.floor(n * (link.start(key) + 0.5 / link.scale));
    const clamp = (bin: number, n: number) => Math.min(Math.max(0, bin), n - 1);
    const row = clamp(at ? at.row + down : middle(g.rows, this.rowKey), g.rows);
    const column = clamp(at ? at.column + right : middle(g.columns, this.columnKey), g.columns);
    const into = (bin: number, n: number, key: string) => {
      const start = link.start(key), length = 1 / link.scale;
      return Math.min(bin / n, Math.max(start, (bin + 1) / n - length));
    };
    link.look(link.scale, { [this.rowKey]: into(row, g.rows, this.rowKey), [this.columnKey]: into(column, g.columns, this.columnKey) });
    const w = this.window();
    this.point(row, column, w.x + (column + 0.5) * w.cellWidth, w.y + (row + 0.5) * w.cellHeight);
    this.tip?.say();
  }
}
