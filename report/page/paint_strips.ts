// Strips and numbers of the components along the top and the left.
import type { Stretch } from "./data";
import type { Scene } from "./paint";
import { lanes, remembered, scattered, type Strip } from "./strips";
import { componentColour, theme } from "./theme";

const kStripWidth = 5;
const kStripGap = 3; // from the cells

function stripsOf({ model, link, g }: Scene, side: "rows" | "columns"): Strip[] {
  const given = link.order === "given";
  return remembered(model, `${side} ${given}`, () => {
    if (!given) return lanes(side === "rows" ? model.block.row_stretches : model.block.column_stretches, model[side]);
    return side === "rows"
      ? scattered(g.rows, (bin) => model.componentsOfRow(bin, true))
      : scattered(g.columns, (bin) => model.componentsOfColumn(bin, true));
  });
}

export function strips(scene: Scene, side: "rows" | "columns"): void {
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
  segments: Stretch[],
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
