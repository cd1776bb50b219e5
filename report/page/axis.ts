// One side of a picture, unpacked: which items are in a bin, in either order, and what they are
// called.
import type { Axis, Page } from "./data";
import { givenNamer } from "./names";
import { unpackIntegers } from "./unpack";

export class AxisModel {
  private inverse: Int32Array | null = null;

  private constructor(
    readonly axis: Axis,
    private readonly order: Int32Array | null,
    private readonly starts: Int32Array | null,
    private readonly givenStarts: Int32Array | null,
    private readonly label: (item: number) => string,
  ) {}

  static async read(page: Page, index: number): Promise<AxisModel> {
    const axis = page.axes[index];
    if (axis === undefined) throw new Error("no such axis");
    const [order, starts, givenStarts] = await Promise.all(
      [axis.order, axis.starts, axis.given_starts].map((packed) => packed && unpackIntegers(packed)),
    );
    return new AxisModel(axis, order ?? null, starts ?? null, givenStarts ?? null, givenNamer(page, axis.labels));
  }

  bins(given: boolean): number {
    return given ? (this.givenStarts?.length ?? this.axis.n) : this.axis.bins;
  }

  // Bins up to here hold members of components, those behind it the rest.
  memberBins(): number {
    const rest = this.axis.segments.find((segment) => segment.component < 0);
    return rest === undefined ? this.axis.bins : rest.begin;
  }

  hasComponents(): boolean {
    return this.axis.segments.some((segment) => segment.component >= 0);
  }

  itemAt(place: number): number {
    return this.order?.[place] ?? place;
  }

  // [first, last) of the bin's places in that order.
  private range(bin: number, given: boolean): [number, number] {
    const starts = given ? this.givenStarts : this.starts;
    if (starts === null) return [bin, bin + 1];
    return [starts[bin] ?? 0, starts[bin + 1] ?? this.axis.n];
  }

  count(bin: number, given: boolean): number {
    const [begin, end] = this.range(bin, given);
    return end - begin;
  }

  // The first items of a bin.
  items(bin: number, given: boolean, atMost: number): number[] {
    const [begin, end] = this.range(bin, given);
    const found: number[] = [];
    for (let place = begin; place < Math.min(end, begin + atMost); ++place) found.push(given ? place : this.itemAt(place));
    return found;
  }

  // The bin that an item stands in, ordered by component.
  binOfItem(item: number): number {
    const place = this.placeOf(item);
    const { starts } = this;
    if (starts === null) return place;
    let low = 0, high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= place) low = middle;
      else high = middle;
    }
    return low;
  }

  private placeOf(item: number): number {
    if (this.order === null) return item;
    if (this.inverse === null) {
      this.inverse = new Int32Array(this.order.length);
      this.order.forEach((one, place) => ((this.inverse as Int32Array)[one] = place));
    }
    return this.inverse[item] ?? 0;
  }

  // The label alone, or the number.
  shortName(item: number): string {
    return this.label(item) || String(item);
  }

  // "rows" -> "row", "mode 0" -> "mode 0 item".
  singular(): string {
    const { title } = this.axis;
    return /[a-z]s$/.test(title) ? title.slice(0, -1) : `${title} item`;
  }

  name(item: number): string {
    return this.label(item) || `${this.singular()} ${item}`;
  }
}
