// Which component is where along the sides: coloured strips, in several lanes where components
// overlap, and the components' numbers.
import type { Stretch } from "./data";
import type { AxisModel } from "./axis";

export interface Strip extends Stretch {
  lane: number;
}

export const kLanes = 3;

const known = new WeakMap<object, Map<string, Strip[]>>();

// What was made for the same model before.
export function remembered(model: object, key: string, make: () => Strip[]): Strip[] {
  const strips = known.get(model) ?? new Map<string, Strip[]>();
  known.set(model, strips);
  const found = strips.get(key) ?? make();
  strips.set(key, found);
  return found;
}

// The stretch of an item's own segment lies in lane 0, what overlaps it farther out. Components
// that cover the whole axis are not shown where there are several.
export function lanes(stretches: Stretch[], axis: AxisModel): Strip[] {
  const { bins, segments } = axis.axis;
  const several = new Set(stretches.map((stretch) => stretch.component)).size > 1;
  const shown = stretches.filter(({ component, begin, end }) => component >= 0 && !(several && begin <= 0 && end >= bins));
  const segmentOf = new Map(segments.map((segment) => [segment.component, segment]));
  const isOwn = ({ component, begin, end }: Stretch) => {
    const own = segmentOf.get(component);
    return own !== undefined && begin >= own.begin && end <= own.end;
  };
  const result: Strip[] = shown.filter(isOwn).map((stretch) => ({ ...stretch, lane: 0 }));
  const ends = new Array<number>(kLanes).fill(0);
  const others = shown.filter((stretch) => !isOwn(stretch)).sort((a, b) => a.begin - b.begin);
  const first = result.length > 0 ? 1 : 0;
  for (const stretch of others) {
    for (let lane = first; lane < kLanes; ++lane) {
      if ((ends[lane] as number) > stretch.begin) continue;
      ends[lane] = stretch.end;
      result.push({ ...stretch, lane });
      break;
    }
  }
  return result;
}

// As given: runs of neighbouring bins whose first component is the same.
export function scattered(bins: number, componentsOf: (bin: number) => number[]): Strip[] {
  const result: Strip[] = [];
  for (let bin = 0; bin < bins; ++bin) {
    const component = componentsOf(bin)[0];
    if (component === undefined) continue;
    const last = result[result.length - 1];
    if (last !== undefined && last.end === bin && last.component === component) last.end = bin + 1;
    else result.push({ component, begin: bin, end: bin + 1, lane: 0 });
  }
  return result;
}
