// A panel drawn: cells, outlines of the components, strips and numbers along the sides, names, and
// the cell pointed at.
import type { BlockModel } from "./block";
import { visible, type Geometry, type Window } from "./geometry";
import type { Link, Pointed } from "./link";
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
