// A panel drawn: cells, outlines of the components, strips and numbers along the sides, names, and
// the cell pointed at.
import type { BlockModel } from "./block";
import { kLine, visible, type Geometry, type Window } from "./geometry";
import type { Link, Pointed } from "./link";
import { lanes, scattered, type Strip } from "./strips";
import { componentColour, theme } from "./theme";

export interface Scene {
  context: CanvasRenderingContext2D;
  model: BlockModel;
  link: Link;
  g: Geometry;
  w: Window;
  rowKey: string;
  columnKey: string;
  ratio: number;
}

const kMostOutlines = 2000;
const kStripWidth = 5;
const kStripGap = 3; // from the cells

export function paint(scene: Scene): void {
  const { context, g } = scene;
  context.save();
  context.beginPath();
  context.rect(g.left, g.top, g.width, g.height);
  context.clip();
  cells(scene);
  context.restore();
  frame(scene);
  if (scene.link.order !== "given") outlines(scene);
  strips(scene, "rows");
  strips(scene, "columns");
  pointedAt(scene);
  names(scene, "rows");
  names(scene, "columns");
}

function cells({ context, model, link, g, w, ratio }: Scene): void {
  const image = model.image(link.order === "given", theme().dark);
  const seen = visible(g, w);
  const [firstRow, lastRow] = seen.rows, [firstColumn, lastColumn] = seen.columns;
  const enlarged = w.cellWidth * ratio >= 1 && w.cellHeight * ratio >= 1;
  context.imageSmoothingEnabled = !enlarged;
  context.imageSmoothingQuality = "high";
  context.drawImage(
    image,
    firstColumn, firstRow, lastColumn - firstColumn, lastRow - firstRow,
    w.x + firstColumn * w.cellWidth, w.y + firstRow * w.cellHeight,
    (lastColumn - firstColumn) * w.cellWidth, (lastRow - firstRow) * w.cellHeight,
  );
}

function frame({ context, g }: Scene): void {
  context.strokeStyle = theme().rule;
  context.lineWidth = 1;
  context.strokeRect(g.left - 0.5, g.top - 0.5, g.width + 1, g.height + 1);
}

interface Box {
  component: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

function boxes({ model, g, w }: Scene): Box[] {
  const seen = visible(g, w);
  const inSight = (begin: number, end: number, [first, last]: [number, number]) => begin < last && end > first;
  const columnsOf = new Map<number, [number, number][]>();
  for (const { component, begin, end } of model.block.column_stretches) {
    if (!inSight(begin, end, seen.columns)) continue;
    const list = columnsOf.get(component);
    if (list) list.push([begin, end]);
    else columnsOf.set(component, [[begin, end]]);
  }
  const found: Box[] = [];
  for (const { component, begin, end } of model.block.row_stretches) {
    if (component < 0 || !inSight(begin, end, seen.rows)) continue;
    for (const [left, right] of columnsOf.get(component) ?? []) {
      if (found.length === kMostOutlines) return found;
      found.push({
        component,
        x: w.x + left * w.cellWidth,
        y: w.y + begin * w.cellHeight,
        width: (right - left) * w.cellWidth,
        height: (end - begin) * w.cellHeight,
      });
    }
  }
  return found;
}

// Light lines below dark ones can be seen on any cell.
function outlines(scene: Scene): void {
  const { context, g } = scene;
  const found = boxes(scene);
  const strong = new Set(pointedComponents(scene));
  context.save();
  context.beginPath();
  context.rect(g.left - 2, g.top - 2, g.width + 4, g.height + 4);
  context.clip();
  context.lineJoin = "round";
  context.strokeStyle = theme().halo;
  context.lineWidth = 4.5;
  for (const box of found) context.strokeRect(box.x, box.y, box.width, box.height);
  for (const box of found) {
    context.strokeStyle = componentColour(box.component);
    context.lineWidth = strong.has(box.component) ? 3.5 : 2;
    context.strokeRect(box.x, box.y, box.width, box.height);
  }
  context.restore();
}

function pointedComponents(scene: Scene): number[] {
  const pointed = here(scene);
  if (pointed?.row === undefined || pointed.column === undefined) return [];
  const given = scene.link.order === "given";
  const ofColumn = scene.model.componentsOfColumn(pointed.column, given);
  return scene.model.componentsOfRow(pointed.row, given).filter((component) => ofColumn.includes(component));
}

// What of the cell pointed at, perhaps in another panel, lies on this panel's axes.
function here({ link, rowKey, columnKey }: Scene): { row?: number; column?: number } | null {
  const pointed: Pointed | null = link.pointed;
  if (pointed === null) return null;
  return {
    ...(pointed.rowKey === rowKey ? { row: pointed.row } : {}),
    ...(pointed.columnKey === columnKey ? { column: pointed.column } : {}),
  };
}

function stripsOf({ model, link, g }: Scene, side: "rows" | "columns"): Strip[] {
  if (link.order !== "given") {
    const stretches = side === "rows" ? model.block.row_stretches : model.block.column_stretches;
    return lanes(stretches, model[side]);
  }
  return side === "rows"
    ? scattered(g.rows, (bin) => model.componentsOfRow(bin, true))
    : scattered(g.columns, (bin) => model.componentsOfColumn(bin, true));
}

function strips(scene: Scene, side: "rows" | "columns"): void {
  const { context, model, link, g, w } = scene;
  const isTop = side === "columns";
  const cell = isTop ? w.cellWidth : w.cellHeight, origin = isTop ? w.x : w.y;
  const from = isTop ? g.left : g.top, to = from + (isTop ? g.width : g.height);
  const place = (begin: number, end: number): [number, number] => [
    Math.max(from, origin + begin * cell),
    Math.min(to, origin + end * cell),
  ];
  const found = stripsOf(scene, side);
  let farthest = 0;
  for (const { component, begin, end, lane } of found) {
    const [low, high] = place(begin, end);
    if (high <= low) continue;
    farthest = Math.max(farthest, lane);
    const across = -kStripGap - kStripWidth - lane * (kStripWidth + 1);
    context.fillStyle = componentColour(component);
    if (isTop) context.fillRect(low, g.top + across, Math.max(1, high - low), kStripWidth);
    else context.fillRect(g.left + across, low, kStripWidth, Math.max(1, high - low));
  }
  if (link.order === "given") return;
  const out = kStripGap + (farthest + 1) * (kStripWidth + 1) + 2;
  numbers(scene, isTop, out, place, model[side].axis.segments);
}

function numbers(
  { context, g }: Scene,
  isTop: boolean,
  out: number,
  place: (begin: number, end: number) => [number, number],
  segments: { component: number; begin: number; end: number }[],
): void {
  context.fillStyle = theme().ink;
  context.font = `600 11px ${theme().font}`;
  context.textAlign = isTop ? "center" : "right";
  context.textBaseline = isTop ? "bottom" : "middle";
  for (const { component, begin, end } of segments) {
    if (component < 0) continue;
    const [low, high] = place(begin, end);
    const text = String(component);
    if (high - low < (isTop ? 6 + 6 * text.length : 11)) continue;
    if (isTop) context.fillText(text, (low + high) / 2, g.top - out);
    else context.fillText(text, g.left - out, (low + high) / 2);
  }
}

function pointedAt(scene: Scene): void {
  const { context, g, w } = scene;
  const pointed = here(scene);
  if (pointed === null) return;
  const { row, column } = pointed;
  context.save();
  context.beginPath();
  context.rect(g.left, g.top, g.width, g.height);
  context.clip();
  for (const [colour, width] of [[theme().halo, 3], [theme().ink, 1]] as const) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    const x = w.x + (column ?? 0) * w.cellWidth, y = w.y + (row ?? 0) * w.cellHeight;
    context.globalAlpha = 0.55;
    if (row !== undefined) context.strokeRect(g.left - 4, y, g.width + 8, w.cellHeight);
    if (column !== undefined) context.strokeRect(x, g.top - 4, w.cellWidth, g.height + 8);
    context.globalAlpha = 1;
    if (row !== undefined && column !== undefined) context.strokeRect(x, y, w.cellWidth, w.cellHeight);
  }
  context.restore();
}

// Names stand in the margin, or, where it was not kept free for them, over the cells at the edge.
function names(scene: Scene, side: "rows" | "columns"): void {
  const { context, model, link, g, w } = scene;
  const isRows = side === "rows";
  const cell = isRows ? w.cellHeight : w.cellWidth;
  const reserved = isRows ? g.rowNames : g.columnNames;
  if (cell < kLine || (!reserved && link.scale === 1)) return;
  const given = link.order === "given";
  const [first, last] = visible(g, w)[side];
  const size = Math.min(12, Math.floor(cell));
  const room = reserved ? (isRows ? g.left : g.top) - 36 : 130;
  context.save();
  context.font = `${size}px ${theme().font}`;
  context.textBaseline = "middle";
  context.textAlign = reserved === isRows ? "right" : "left";
  if (!reserved) context.textAlign = "left";
  for (let bin = first; bin < last; ++bin) {
    const middle = (isRows ? w.y : w.x) + (bin + 0.5) * cell;
    if (middle < (isRows ? g.top : g.left) || middle > (isRows ? g.top + g.height : g.left + g.width)) continue;
    const text = clipped(context, nameOfBin(model, side, bin, given), room);
    context.save();
    if (isRows) context.translate(reserved ? g.left - 32 : g.left + 4, middle);
    else context.translate(middle, reserved ? g.top - 32 : g.top + 4);
    if (!isRows) context.rotate(reserved ? -Math.PI / 2 : Math.PI / 2);
    if (!reserved) plate(context, text, Math.min(cell, 16));
    context.fillStyle = theme().ink;
    if (!isRows && reserved) context.textAlign = "left";
    context.fillText(text, 0, 0);
    context.restore();
  }
  context.restore();
}

function plate(context: CanvasRenderingContext2D, text: string, height: number): void {
  context.globalAlpha = 0.88;
  context.fillStyle = theme().card;
  context.fillRect(-3, -height / 2, context.measureText(text).width + 6, height);
  context.globalAlpha = 1;
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
