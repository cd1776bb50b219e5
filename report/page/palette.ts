// From a value's level (0 ... 254, 255 is missing) to a colour: from paper to dark for amounts,
// two hues about 0 for signed values; in the dark from the card's dark to light.
import type { Scale } from "./data";

type Rgb = [number, number, number];

export const kMissing = 255;
const kHighest = 254;

// Where the stops of amounts lie: what is little can still be told from nothing.
const kPlaces = {
  amounts: [0, 0.05, 0.24, 0.45, 0.65, 0.84, 1],
  signed: [0, 1 / 6, 2 / 6, 0.5, 4 / 6, 5 / 6, 1],
};

const kStops = {
  amounts: {
    light: ["#fbfaf5", "#dbe7f1", "#a3c7e0", "#5c9ccb", "#2a6cab", "#0e4079", "#072650"],
    dark: ["#161b24", "#1c3753", "#1f5a88", "#338abf", "#74bbe4", "#b5dcf3", "#eef8fd"],
    missing: { light: "#ecd893", dark: "#66581f" },
  },
  signed: {
    light: ["#123a75", "#2f6fb3", "#93bbdd", "#f8f6f1", "#efab8f", "#cc5a3e", "#8c1f12"],
    dark: ["#d3e9ff", "#7ab6ef", "#2f639b", "#171b23", "#a14a30", "#f08f6d", "#ffdccb"],
    missing: { light: "#e3d491", dark: "#5d5620" },
  },
} as const;

function parse(colour: string): Rgb {
  const value = parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function between(stops: readonly string[], places: number[], share: number): Rgb {
  let low = 0;
  while (low < stops.length - 2 && share > (places[low + 1] as number)) ++low;
  const from = places[low] as number, to = places[low + 1] as number;
  const a = parse(stops[low] as string), b = parse(stops[low + 1] as string);
  const mix = (i: 0 | 1 | 2) => Math.round(a[i] + ((b[i] - a[i]) * (share - from)) / (to - from));
  return [mix(0), mix(1), mix(2)];
}

function kind(diverging: boolean) {
  return diverging ? { ...kStops.signed, places: kPlaces.signed } : { ...kStops.amounts, places: kPlaces.amounts };
}

// 256 colours as a canvas stores them, bytes red, green, blue, opaque.
export function palette(diverging: boolean, dark: boolean): Uint32Array {
  const { [dark ? "dark" : "light"]: stops, places, missing } = kind(diverging);
  const colours = new Uint32Array(256);
  const bytes = new Uint8Array(colours.buffer);
  for (let level = 0; level <= kHighest; ++level) bytes.set([...between(stops, places, level / kHighest), 255], 4 * level);
  bytes.set([...parse(missing[dark ? "dark" : "light"]), 255], 4 * kMissing);
  return colours;
}

export function gradient(diverging: boolean, dark: boolean): string {
  const { [dark ? "dark" : "light"]: stops, places } = kind(diverging);
  const list = stops.map((stop, i) => `${stop} ${(100 * (places[i] as number)).toFixed(1)}%`);
  return `linear-gradient(to right, ${list.join(", ")})`;
}

export function missingColour(diverging: boolean, dark: boolean): string {
  return kind(diverging).missing[dark ? "dark" : "light"];
}

export function levelOf(value: number, scale: Scale): number {
  if (Number.isNaN(value)) return kMissing;
  if (!(scale.high > scale.low)) return scale.diverging ? kHighest / 2 : value > 0 ? kHighest : 0;
  const share = (value - scale.low) / (scale.high - scale.low);
  return Math.round(kHighest * Math.min(1, Math.max(0, share)));
}

// The middle of what a level stands for.
export function valueOf(level: number, scale: Scale): number {
  return level === kMissing ? NaN : scale.low + ((scale.high - scale.low) * level) / kHighest;
}
