// What several panels share: how far they are zoomed in, where they look along each axis, which
// cell is pointed at, which order is shown. Panels of the same axis move together.
export type Order = "ordered" | "members" | "given";

export interface Pointed {
  rowKey: string;
  columnKey: string;
  row: number;
  column: number;
}

export class Link {
  scale = 1;
  order: Order = "ordered";
  pointed: Pointed | null = null;
  private readonly from = new Map<string, number>();
  private readonly listeners = new Set<() => void>();

  join(rowKey: string, columnKey: string, listener: () => void): void {
    this.from.set(rowKey, 0);
    this.from.set(columnKey, 0);
    this.listeners.add(listener);
  }

  // Where the view begins along an axis, as a share of it.
  start(key: string): number {
    return this.from.get(key) ?? 0;
  }

  // Panels with other axes keep the middle of what they show.
  look(scale: number, starts: { [key: string]: number }): void {
    const before = this.scale;
    this.scale = scale;
    for (const [key, start] of this.from) {
      if (!(key in starts)) this.from.set(key, inside(start + 0.5 / before - 0.5 / scale, scale));
    }
    for (const [key, start] of Object.entries(starts)) this.from.set(key, inside(start, scale));
    this.tell();
  }

  point(pointed: Pointed | null): void {
    if (pointed === null && this.pointed === null) return;
    this.pointed = pointed;
    this.tell();
  }

  show(order: Order): void {
    this.order = order;
    this.pointed = null;
    this.scale = 1;
    for (const key of this.from.keys()) this.from.set(key, 0);
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

function inside(start: number, scale: number): number {
  return Math.max(0, Math.min(start, 1 - 1 / scale));
}
