// Small pictures of a few numbers each: atoms of a dictionary, originals beside reconstructions.
import type { Panel } from "./data";
import { chartOf } from "./chart";
import { el, label, svg } from "./dom";
import { count, number } from "./format";
import { palette, levelOf } from "./palette";
import { moreWords } from "./sortable";
import { onThemeChange, theme } from "./theme";
import { unpack } from "./unpack";

type Images = Extract<Panel, { kind: "images" }>;
type Pairs = Extract<Panel, { kind: "pairs" }>;

const kShown = 128; // images at first, and with each "more"
const kPairs = 12;

interface Size {
  height: number;
  width: number;
}

function rangeOf(values: Float32Array): { low: number; high: number } {
  let low = 0;
  let high = 0;
  for (const value of values) {
    low = Math.min(low, Number.isNaN(value) ? 0 : value);
    high = Math.max(high, Number.isNaN(value) ? 0 : value);
  }
  return { low, high };
}

// From 0 to the largest, or the same distance either side of 0 where signs differ.
function drawImage(canvas: HTMLCanvasElement, values: Float32Array, low: number, high: number): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  const diverging = low < 0;
  const most = Math.max(-low, high);
  const scale = { diverging, low: diverging ? -most : 0, high: most, below: false, above: false, missing: false };
  const colours = palette(diverging, theme().dark);
  const image = context.createImageData(canvas.width, canvas.height);
  const cells = new Uint32Array(image.data.buffer);
  for (let i = 0; i < cells.length; ++i) cells[i] = colours[levelOf(values[i] ?? NaN, scale)] ?? 0;
  context.putImageData(image, 0, 0);
}

// Drawn now, and again in other colours when the reader's preference changes.
function picture(size: Size, what: string, values: Float32Array, range: { low: number; high: number }): HTMLCanvasElement {
  const canvas = el("canvas", { class: "tile", width: size.width, height: size.height, role: "img", "aria-label": what });
  const paint = (): void => drawImage(canvas, values, range.low, range.high);
  paint();
  onThemeChange(paint);
  return canvas;
}

async function floats(packed: Images["values"]): Promise<Float32Array> {
  const numbers = await unpack(packed);
  return numbers instanceof Float32Array ? numbers : Float32Array.from(numbers);
}

// The page is ready when no part of it is still being read.
function reading(box: HTMLElement, draw: () => Promise<void>): void {
  box.dataset["state"] = "reading";
  draw().then(
    () => (box.dataset["state"] = "ready"),
    () => {
      box.replaceChildren(el("p", { class: "message" }, "The images could not be read by this browser."));
      box.dataset["state"] = "failed";
    },
  );
}

function part(values: Float32Array, at: number, size: Size): Float32Array {
  const n = size.height * size.width;
  return values.subarray(at * n, (at + 1) * n);
}

function moreButton(total: number, step: number, grow: (from: number, to: number) => void): HTMLElement {
  let shown = 0;
  const button = el("button", { type: "button", class: "small more" });
  const act = (): void => {
    const until = Math.min(total, shown + step);
    grow(shown, until);
    shown = until;
    button.hidden = shown >= total;
    button.textContent = moreWords(total - shown, step);
  };
  button.addEventListener("click", act);
  act();
  return button;
}

// A row of numbers as a line about 0.
function profile(what: string, values: Float32Array): SVGSVGElement {
  const { low, high } = rangeOf(values);
  const y = (value: number): string => (2 + 36 * (1 - (value - low) / (high - low || 1))).toFixed(1);
  const x = (at: number): string => ((100 * at) / Math.max(1, values.length - 1)).toFixed(1);
  const steps = Array.from(values, (value, at) => `${at === 0 ? "M" : "L"}${x(at)} ${y(Number.isNaN(value) ? 0 : value)}`);
  return svg(
    "svg",
    { class: "tile profile", viewBox: "0 0 100 40", preserveAspectRatio: "none", role: "img", "aria-label": what },
    svg("line", { x1: 0, x2: 100, y1: y(0), y2: y(0) }),
    svg("path", { d: steps.join("") }),
  );
}

// A grid of images, lines where an image is a row of numbers, in the order given; the one pointed at or focused grows.
export function imagesPanel(panel: Images): HTMLElement {
  const isLine = panel.height === 1;
  const grid = el("div", { class: isLine ? "tiles profiles" : "tiles" });
  const box = el("div", {}, grid);
  const tile = (values: Float32Array, at: number): HTMLElement => {
    const image = part(values, at, panel);
    const name = panel.names[at] ?? String(at);
    const amount = number(panel.numbers[at] ?? "nan", 3);
    const words = `${name}, ${panel.numbers_title} ${amount}`;
    const drawn = isLine ? profile(words, image) : picture(panel, words, image, rangeOf(image));
    return el("figure", { tabindex: 0, title: words }, drawn, el("figcaption", {}, label(name), el("span", { class: "quiet" }, amount)));
  };
  const draw = async (): Promise<void> => {
    const values = await floats(panel.values);
    const add = (from: number, to: number): void => {
      for (let at = from; at < to; ++at) grid.append(tile(values, at));
    };
    box.append(moreButton(panel.names.length, kShown, add));
  };
  reading(box, draw);
  const left = panel.left_out > 0 ? ` ${count(panel.left_out)} more are not shown.` : "";
  box.append(el("p", { class: "quiet" }, `Below each: ${panel.numbers_title}. Each has its own scale.${left}`));
  return box;
}

function difference(a: Float32Array, b: Float32Array): Float32Array {
  return a.map((value, i) => value - (b[i] ?? NaN));
}

function imagePair(size: Size, name: string, original: Float32Array, copy: Float32Array): HTMLElement {
  const [one, other] = [rangeOf(original), rangeOf(copy)];
  const range = { low: Math.min(one.low, other.low), high: Math.max(one.high, other.high) };
  const most = Math.max(-range.low, range.high);
  const tiles: [string, Float32Array, { low: number; high: number }][] = [
    ["original", original, range],
    ["reconstruction", copy, range],
    ["difference", difference(original, copy), { low: -most, high: most }],
  ];
  const figures = tiles.map(([what, values, limits]) =>
    el("figure", {}, picture(size, `${name}, ${what}`, values, limits), el("figcaption", {}, what)),
  );
  return el("div", { class: "pair-row" }, el("h4", {}, label(name)), el("div", { class: "triple" }, ...figures));
}

function linePair(name: string, original: Float32Array, copy: Float32Array): HTMLElement {
  const points = (values: Float32Array) => Array.from(values, (y, x) => ({ x, y }));
  const chart = chartOf({
    label: `${name}, original and reconstruction`,
    x: { title: "place", whole: true },
    y: { title: "value" },
    series: [
      { name: "original", style: "other", points: points(original) },
      { name: "reconstruction", style: "main", points: points(copy) },
    ],
    height: 180,
  });
  return el("div", { class: "pair-row" }, el("h4", {}, label(name)), chart);
}

// Originals beside their reconstructions; as lines where a sample is a row of numbers.
export function pairsPanel(panel: Pairs): HTMLElement {
  const lines = panel.height === 1;
  const grid = el("div", { class: lines ? "pairs lines" : "pairs" });
  const box = el("div", {}, grid);
  const draw = async (): Promise<void> => {
    const [originals, copies] = await Promise.all([floats(panel.originals), floats(panel.copies)]);
    const add = (from: number, to: number): void => {
      for (let at = from; at < to; ++at) {
        const [original, copy] = [part(originals, at, panel), part(copies, at, panel)];
        const name = panel.names[at] ?? String(at);
        grid.append(lines ? linePair(name, original, copy) : imagePair(panel, name, original, copy));
      }
    };
    box.append(moreButton(panel.names.length, kPairs, add));
  };
  reading(box, draw);
  return box;
}
