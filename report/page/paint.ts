// A panel drawn: cells, outlines of the components, strips and numbers along the sides, names, and
// the cell pointed at.
import type { BlockModel } from "./block";
import type { Geometry, Window } from "./geometry";
import type { Link, Pointed } from "./link";
import { cells } from "./paint_cells";
import { names } from "./paint_names";
import { outlines } from "./paint_outlines";
import { strips } from "./paint_strips";
import { theme } from "./theme";

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


export function paint(scene: Scene): void {
  const { context, g } = scene;
  context.save();
  context.beginPath();
  context.rect(g.left, g.top, g.width, g.height);
  context.clip();
  cells(scene);
  context.restore();
  frame(scene);
  if (scene.link.order !== "given") outlines(scene, pointedComponents(scene));
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
