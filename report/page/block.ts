// One matrix of a picture, unpacked: cells in either order and which components they belong to.
import type { BlockPicture, Field, Page, Stretch } from "./data";
import { AxisModel } from "./axis";
import { kMissing, levelOf, palette, valueOf } from "./palette";
import { unpack, type Numbers } from "./unpack";

// A bin of more items than this says what the first of them belong to.
const kLookedAt = 100;

interface Cells {
  field: Field;
  numbers: Numbers;
  levels: Uint8Array;
}

const readFields = new WeakMap<Field, Promise<Cells>>();

async function readCells(page: Page, index: number): Promise<Cells> {
  const field = page.fields[index];
  if (field === undefined) throw new Error("no such field");
  let promise = readFields.get(field);
  if (promise === undefined) {
    promise = unpack(field.values).then((numbers) => ({ field, numbers, levels: levels(field, numbers) }));
    readFields.set(field, promise);
  }
  return promise;
}

function levels(field: Field, numbers: Numbers): Uint8Array {
  if (numbers instanceof Uint8Array) return numbers;
  const result = new Uint8Array(numbers.length);
  for (let i = 0; i < numbers.length; ++i) result[i] = levelOf(numbers[i] as number, field.scale);
  return result;
}

export interface CellValue {
  value: number; // NaN: missing
  exact: boolean;
}

export class BlockModel {
  private readonly images = new Map<string, HTMLCanvasElement>();
  private rowComponents: number[][] | null = null;
  private columnComponents: number[][] | null = null;

  private constructor(
    readonly block: BlockPicture,
    readonly rows: AxisModel,
    readonly columns: AxisModel,
    private readonly cells: Cells,
    private readonly givenCells: Cells | null,
  ) {}

  static async read(page: Page, block: BlockPicture): Promise<BlockModel> {
    const [rows, columns, cells, given] = await Promise.all([
      AxisModel.read(page, block.rows),
      AxisModel.read(page, block.columns),
      readCells(page, block.field),
      block.given_field === null ? null : readCells(page, block.given_field),
    ]);
    return new BlockModel(block, rows, columns, cells, given);
  }

  get scale() {
    return this.cells.field.scale;
  }

  hasGivenOrder(): boolean {
    const moved = this.rows.axis.order !== null || this.columns.axis.order !== null;
    return moved && (!this.block.arranged || this.givenCells !== null);
  }

  private place(row: number, column: number, given: boolean): [Cells, number] {
    if (this.block.arranged) {
      const cells = given && this.givenCells ? this.givenCells : this.cells;
      return [cells, row * cells.field.columns + column];
    }
    const at = given
      ? row * this.cells.field.columns + column
      : this.rows.itemAt(row) * this.cells.field.columns + this.columns.itemAt(column);
    return [this.cells, at];
  }

  value(row: number, column: number, given: boolean): CellValue {
    const [{ field, numbers }, at] = this.place(row, column, given);
    const number = numbers[at] ?? NaN;
    return numbers instanceof Uint8Array ? { value: valueOf(number, field.scale), exact: false } : { value: number, exact: true };
  }

  // One pixel per cell.
  image(given: boolean, dark: boolean): HTMLCanvasElement {
    const key = `${given} ${dark}`;
    let canvas = this.images.get(key);
    if (canvas === undefined) {
      canvas = this.draw(given, dark);
      this.images.set(key, canvas);
    }
    return canvas;
  }

  private draw(given: boolean, dark: boolean): HTMLCanvasElement {
    const height = Math.max(1, this.rows.bins(given)), width = Math.max(1, this.columns.bins(given));
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    const image = new ImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const colours = palette(this.scale.diverging, dark);
    const across = Array.from({ length: width }, (_, column) => this.place(0, column, given)[1] - this.place(0, 0, given)[1]);
    for (let row = 0; row < height; ++row) {
      const [cells, begin] = this.place(row, 0, given);
      const { levels } = cells;
      for (let column = 0; column < width; ++column) {
        pixels[row * width + column] = colours[levels[begin + (across[column] as number)] ?? kMissing] as number;
      }
    }
    canvas.getContext("2d")?.putImageData(image, 0, 0);
    return canvas;
  }

  // Components of a bin of rows or columns.
  componentsOfRow(row: number, given: boolean): number[] {
    this.rowComponents ??= perBin(this.block.row_stretches, this.rows.axis.bins);
    return components(this.rowComponents, this.rows, row, given);
  }

  componentsOfColumn(column: number, given: boolean): number[] {
    this.columnComponents ??= perBin(this.block.column_stretches, this.columns.axis.bins);
    return components(this.columnComponents, this.columns, column, given);
  }
}

function perBin(stretches: Stretch[], bins: number): number[][] {
  const result: number[][] = Array.from({ length: bins }, () => []);
  for (const { component, begin, end } of stretches) {
    if (component < 0) continue;
    for (let bin = begin; bin < end; ++bin) {
      const list = result[bin];
      if (list !== undefined && !list.includes(component)) list.push(component);
    }
  }
  return result;
}

function components(ofBins: number[][], axis: AxisModel, bin: number, given: boolean): number[] {
  if (!given) return ofBins[bin] ?? [];
  const found = new Set<number>();
  for (const item of axis.items(bin, true, kLookedAt)) {
    for (const component of ofBins[axis.binOfItem(item)] ?? []) found.add(component);
  }
  return [...found].sort((a, b) => a - b);
}
