// Names of rows and columns along the sides.
import type { BlockModel } from "./block";
import { kLine, visible } from "./geometry";
import type { Scene } from "./paint";
import { theme } from "./theme";

const kOver = 130; // the longest name over the cells
const kNarrow = 300; // panels below this width show names only when pointed at

// Names stand in the margin, or, where it was not kept free for them, over the cells at the edge.
// Returns how far they reach over the cells; the first `taken` pixels of a side are left free.
export function names(scene: Scene, side: "rows" | "columns", taken: number): number {
  const { context, model, link, g, w } = scene;
  const isRows = side === "rows";
  const cell = isRows ? w.cellHeight : w.cellWidth;
  const reserved = isRows ? g.rowNames : g.columnNames;
  if (cell < kLine || (!reserved && (link.scale === 1 || g.width < kNarrow))) return 0;
  const given = link.order === "given";
  const [first, last] = visible(g, w)[side];
  const from = (isRows ? g.top : g.left) + (reserved ? 0 : taken);
  const to = isRows ? g.top + g.height : g.left + g.width;
  const beside = (isRows ? g.stripsLeft : g.stripsTop) + 2;
  const room = reserved ? (isRows ? g.left : g.top) - beside - 4 : kOver;
  let reach = 0;
  context.save();
  context.font = `${Math.min(12, Math.floor(cell))}px ${theme().font}`;
  context.textBaseline = "middle";
  context.textAlign = isRows && reserved ? "right" : "left";
  for (let bin = first; bin < last; ++bin) {
    const middle = (isRows ? w.y : w.x) + (bin + 0.5) * cell;
    if (middle < from || middle > to) continue;
    const text = clipped(context, nameOfBin(model, side, bin, given), room);
    context.save();
    if (isRows) context.translate(reserved ? g.left - beside : g.left + 4, middle);
    else context.translate(middle, reserved ? g.top - beside : g.top + 4);
    if (!isRows) context.rotate(reserved ? -Math.PI / 2 : Math.PI / 2);
    if (!reserved) reach = Math.max(reach, plate(context, text, Math.min(cell, 16)));
    context.fillStyle = theme().ink;
    context.fillText(text, 0, 0);
    context.restore();
  }
  context.restore();
  return reach;
}

function plate(context: CanvasRenderingContext2D, text: string, height: number): number {
  const { width } = context.measureText(text);
  context.globalAlpha = 0.88;
  context.fillStyle = theme().card;
  context.fillRect(-3, -height / 2, width + 6, height);
  context.globalAlpha = 1;
  return width + 8;
}

export function nameOfBin(model: BlockModel, side: "rows" | "columns", bin: number, given: boolean): string {
  const axis = model[side];
  const count = axis.count(bin, given);
  const first = axis.shortName(axis.items(bin, given, 1)[0] ?? bin);
  return count > 1 ? `${first} +${count - 1}` : first;
}

function clipped(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  let low = 0, high = text.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (context.measureText(text.slice(0, middle) + "\u2026").width <= room) low = middle;
    else high = middle;
  }
  return text.slice(0, low) + "\u2026";
}
