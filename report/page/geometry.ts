// How large a panel is and where its cells lie. Lengths are CSS pixels.
import type { BlockModel } from "./block";
import type { Link } from "./link";

export interface Room {
  width: number; // at most, with the margins
  height: number; // of the cells, at most
  labels: boolean; // names along the sides where they have room
  filled: boolean; // all of the height: panels side by side have the same rows
}

// The cells' rectangle on the canvas and what lies in it.
export interface Geometry {
  left: number;
  top: number;
  width: number;
  height: number;
  rows: number; // bins shown
  columns: number;
  rowNames: boolean; // in the margin
  columnNames: boolean;
  stripsLeft: number; // room for strips and numbers of components
  stripsTop: number;
}

// What one looks at: places of cells on the canvas, and back.
export interface Window {
  cellWidth: number;
  cellHeight: number;
  x: number; // of the first column, perhaps left of the canvas
  y: number;
}

export const kLine = 11; // the least height of a line of text
const kCell = 30; // no cell is drawn larger than this unless zoomed in
const kLeastShare = 0.35; // of the room, in either direction
const kStrips = 36; // strips in three lanes, and numbers
const kNoStrips = 6;
const kEdge = 5;

export function geometry(model: BlockModel, link: Link, room: Room, textWidth: (axis: "rows" | "columns") => number): Geometry {
  const given = link.order === "given";
  const only = link.order === "members";
  const rows = Math.max(1, only ? model.rows.memberBins() : model.rows.bins(given));
  const columns = Math.max(1, only ? model.columns.memberBins() : model.columns.bins(given));
  const fit = (width: number, height: number) => Math.min(width / columns, height / rows, kCell);
  const stripsLeft = model.rows.hasComponents() ? kStrips : kNoStrips;
  const stripsTop = model.columns.hasComponents() ? kStrips : kNoStrips;
  const rough = fit(room.width - stripsLeft, room.height);
  const rowNames = room.labels && Math.max(rough, (kLeastShare * room.height) / rows) >= kLine;
  const columnNames = room.labels && Math.max(rough, (kLeastShare * room.width) / columns) >= kLine;
  const left = stripsLeft + (rowNames ? Math.min(textWidth("rows"), 0.35 * room.width, 170) + 6 : 0);
  const top = stripsTop + (columnNames ? Math.min(textWidth("columns"), 130) + 6 : 0);
  const most = Math.max(40, room.width - left - kEdge);
  let side = fit(most, room.height);
  if (side > 1) side = Math.floor(side * 4) / 4;
  const width = Math.min(most, Math.max(columns * side, kLeastShare * most));
  const least = kLeastShare * Math.min(room.height, most);
  const height = room.filled ? Math.min(room.height, rows * kCell) : Math.max(rows * side, least);
  return {
    left, top, width: Math.round(width), height: Math.round(height), rows, columns, rowNames, columnNames, stripsLeft, stripsTop,
  };
}

export function canvasSize(g: Geometry): [number, number] {
  return [g.left + g.width + kEdge, g.top + g.height + kEdge];
}

export function windowOf(g: Geometry, link: Link, rowKey: string, columnKey: string): Window {
  return {
    cellWidth: (g.width * link.scale) / g.columns,
    cellHeight: (g.height * link.scale) / g.rows,
    x: g.left - link.scale * g.width * link.start(columnKey),
    y: g.top - link.scale * g.height * link.start(rowKey),
  };
}

// The bins that are in sight: [first, last).
export function visible(g: Geometry, w: Window): { rows: [number, number]; columns: [number, number] } {
  const range = (edge: number, length: number, origin: number, cell: number, n: number): [number, number] => [
    Math.max(0, Math.floor((edge - origin) / cell)),
    Math.min(n, Math.ceil((edge + length - origin) / cell - 1e-9)),
  ];
  return {
    rows: range(g.top, g.height, w.y, w.cellHeight, g.rows),
    columns: range(g.left, g.width, w.x, w.cellWidth, g.columns),
  };
}

// Zoomed in as far as this a cell can be looked at on its own.
export function largestScale(g: Geometry): number {
  return Math.max(1, (40 * g.columns) / g.width, (40 * g.rows) / g.height);
}
