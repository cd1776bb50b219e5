// The components' outlines: all pairs of a component's row and column stretches. Where there are many,
// the one of a component's own rows and columns stands out.
import type { AxisModel } from "./axis";
import type { Stretch } from "./data";
import { visible } from "./geometry";
import type { Scene } from "./paint";
import { componentColour, theme } from "./theme";

const kMostOutlines = 2000;
const kMany = 80;
const kApart = 2.5; // pixels between two stretches that can be told apart
const kThin = 9; // boxes below this have no light line, so that their cells can be seen

interface Box {
  component: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

const thickness = (box: Box) => Math.min(box.width, box.height);

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

// Where the items stand that are drawn at this component; everywhere, where a side has no components.
function ownStretch(axis: AxisModel, component: number): Stretch | undefined {
  if (!axis.hasComponents()) return { component, begin: 0, end: axis.axis.bins };
  return axis.axis.segments.find((segment) => segment.component === component);
}

function ownBoxes({ model, w }: Scene, found: Box[]): Box[] {
  const own: Box[] = [];
  for (const component of new Set(found.map((box) => box.component))) {
    const rows = ownStretch(model.rows, component), columns = ownStretch(model.columns, component);
    if (rows === undefined || columns === undefined) continue;
    const x = w.x + columns.begin * w.cellWidth, y = w.y + rows.begin * w.cellHeight;
    own.push({ component, x, y, width: (columns.end - columns.begin) * w.cellWidth, height: (rows.end - rows.begin) * w.cellHeight });
  }
  return own;
}

// Light lines below dark ones can be seen on any cell. Small boxes lie over large ones.
function stroke({ context }: Scene, list: Box[], strong: Set<number>): void {
  list.sort((a, b) => thickness(b) - thickness(a));
  context.strokeStyle = theme().halo;
  context.lineWidth = 4.5;
  for (const box of list) if (thickness(box) >= kThin) context.strokeRect(box.x, box.y, box.width, box.height);
  for (const box of list) {
    context.strokeStyle = componentColour(box.component);
    const line = thickness(box) >= kThin ? 2 : thickness(box) >= 4 ? 1.5 : 1;
    context.lineWidth = strong.has(box.component) ? line + 1.5 : line;
    context.strokeRect(box.x, box.y, box.width, box.height);
  }
}

function strokeFaintly({ context }: Scene, list: Box[]): void {
  context.globalAlpha = 0.55;
  context.lineWidth = 1;
  for (const box of list) {
    context.strokeStyle = componentColour(box.component);
    context.strokeRect(box.x, box.y, box.width, box.height);
  }
  context.globalAlpha = 1;
}

export function outlines(scene: Scene, pointed: number[]): void {
  const { context, g } = scene;
  const found = boxes(scene);
  const strong = new Set(pointed);
  context.save();
  context.beginPath();
  context.rect(g.left - 2, g.top - 2, g.width + 4, g.height + 4);
  context.clip();
  context.lineJoin = "round";
  if (found.length <= kMany) {
    stroke(scene, found, strong);
  } else {
    const isStrong = (box: Box) => strong.has(box.component);
    strokeFaintly(scene, found.filter((box) => !isStrong(box)));
    stroke(scene, [...ownBoxes(scene, found).filter((box) => !isStrong(box)), ...found.filter(isStrong)], new Set());
  }
  context.restore();
}
