// A result drawn in the order of another one, so that between two points of a path only what the
// components hold changes, and no row or column moves.
import type { BlockPicture, Page, Stretch } from "./data";
import { AxisModel } from "./axis";

// Where every cell is stored as given, any order can be drawn.
export function canHold(blocks: BlockPicture[]): boolean {
  return blocks.length > 0 && blocks.every((block) => !block.arranged);
}

export async function held(page: Page, block: BlockPicture, order: BlockPicture): Promise<BlockPicture> {
  if (!canHold([block, order])) return block;
  const read = (index: number) => AxisModel.read(page, index);
  const [rows, columns, toRows, toColumns] = await Promise.all([block.rows, block.columns, order.rows, order.columns].map(read)) as [
    AxisModel, AxisModel, AxisModel, AxisModel,
  ];
  if (rows.axis.n !== toRows.axis.n || columns.axis.n !== toColumns.axis.n) return block;
  return {
    ...block,
    rows: order.rows,
    columns: order.columns,
    row_stretches: moved(block.row_stretches, rows, toRows),
    column_stretches: moved(block.column_stretches, columns, toColumns),
  };
}

function moved(stretches: Stretch[], from: AxisModel, to: AxisModel): Stretch[] {
  const places = new Map<number, number[]>();
  for (const { component, begin, end } of stretches) {
    const list = places.get(component) ?? [];
    places.set(component, list);
    for (let place = begin; place < end; ++place) list.push(to.binOfItem(from.itemAt(place)));
  }
  return [...places].flatMap(([component, list]) => runs(component, list.sort((a, b) => a - b)));
}

function runs(component: number, places: number[]): Stretch[] {
  const found: Stretch[] = [];
  for (const place of places) {
    const last = found[found.length - 1];
    if (last !== undefined && place <= last.end) last.end = place + 1;
    else found.push({ component, begin: place, end: place + 1 });
  }
  return found;
}
