// A panel drawn: cells, outlines of the components, strips and numbers along the sides, names, and
// the cell pointed at.
import type { BlockModel } from "./block";
import type { Stretch } from "./data";
import { visible, type Geometry, type Window } from "./geometry";
import type { Link, Pointed } from "./link";
import { cells } from "./paint_cells";
import { names } from "./paint_names";
import { strips } from "./paint_strips";
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
const kApart = 2.5; // pixels between two stretches that can be told apart
const kThin = 9; // boxes below this have no light line, so that their cells can be seen

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
  names(scene, "rows", names(scene, "columns", 0));
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

// Stretches of a component in sight; those that the eye cannot tell apart are one.
function joined(stretches: Stretch[], [first, last]: [number, number], cell: number): Map<number, [number, number][]> {
  const found = new Map<number, [number, number][]>();
  for (const { component, begin, end } of stretches) {
    if (component < 0 || begin >= last || end <= first) continue;
    const list = found.get(component) ?? [];
    const before = list[list.length - 1];
    if (before !== undefined && begin >= before[0] && (begin - before[1]) * cell < kApart) before[1] = Math.max(before[1], end);
    else list.push([begin, end]);
    found.set(component, list);
  }
  return found;
}

function boxes({ model, g, w }: Scene): Box[] {
  const seen = visible(g, w);
  const columns = joined(model.block.column_stretches, seen.columns, w.cellWidth);
  const found: Box[] = [];
  for (const [component, rows] of joined(model.block.row_stretches, seen.rows, w.cellHeight)) {
    for (const [top, bottom] of rows) {
      for (const [left, right] of columns.get(component) ?? []) {
        if (found.length === kMostOutlines) return found;
        const x = w.x + left * w.cellWidth, y = w.y + top * w.cellHeight;
        found.push({ component, x, y, width: (right - left) * w.cellWidth, height: (bottom - top) * w.cellHeight });
      }
    }
  }
  return found;
}

// Light lines below dark ones can be seen on any cell. Small boxes lie over large ones.
function outlines(scene: Scene): void {
  const { context, g } = scene;
  const thickness = (box: Box) => Math.min(box.width, box.height);
  const found = boxes(scene).sort((a, b) => thickness(b) - thickness(a));
  const strong = new Set(pointedComponents(scene));
  context.save();
  context.beginPath();
  context.rect(g.left - 2, g.top - 2, g.width + 4, g.height + 4);
  context.clip();
  context.lineJoin = "round";
  context.strokeStyle = theme().halo;
  context.lineWidth = 4.5;
  for (const box of found) if (thickness(box) >= kThin) context.strokeRect(box.x, box.y, box.width, box.height);
  for (const box of found) {
    context.strokeStyle = componentColour(box.component);
    const line = thickness(box) >= kThin ? 2 : thickness(box) >= 4 ? 1.5 : 1;
    context.lineWidth = strong.has(box.component) ? line + 1.5 : line;
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
  const { pointed }: { pointed: Pointed | null } = link;
  if (pointed === null) return null;
  return {
    ...(pointed.rowKey === rowKey ? { row: pointed.row } : {}),
    ...(pointed.columnKey === columnKey ? { column: pointed.column } : {}),
  };
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
