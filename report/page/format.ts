// Numbers as people read them. What is not finite is said in words.
import type { Num } from "./data";

export function toNumber(value: Num): number {
  if (typeof value === "number") return value;
  return value === "inf" ? Infinity : value === "-inf" ? -Infinity : NaN;
}

export function isFiniteNum(value: Num): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function words(value: number): string {
  return Number.isNaN(value) ? "not a number" : value > 0 ? "infinite" : "minus infinite";
}

// As printf's %g: `digits` significant ones, no zeros at the end, 1.2e-7 where it is shorter.
export function number(value: Num, digits = 4): string {
  const x = toNumber(value);
  if (!Number.isFinite(x)) return words(x);
  if (x === 0) return "0";
  const power = Number(x.toExponential(digits - 1).split("e")[1]);
  if (power < -4 || power >= Math.max(digits, 6)) {
    const [mantissa, exponent] = x.toExponential(digits - 1).split("e") as [string, string];
    return `${strip(mantissa)}e${exponent.replace("+", "")}`;
  }
  return strip(x.toFixed(Math.max(0, digits - 1 - power)));
}

function strip(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

// 12 345 with narrow spaces that do not break.
export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

// "1 component", "12 components".
export function counted(value: number, singular: string, plural = `${singular}s`): string {
  return `${count(value)} ${value === 1 ? singular : plural}`;
}

export function percent(share: Num, digits = 1): string {
  const x = toNumber(share);
  return Number.isFinite(x) ? `${(100 * x).toFixed(digits)}\u202f%` : words(x);
}

export function seconds(value: Num): string {
  const x = toNumber(value);
  if (!Number.isFinite(x)) return words(x);
  if (x < 0.9995) return `${number(1000 * x, 3)}\u202fms`;
  if (x < 99.95) return `${number(x, 3)}\u202fs`;
  const whole = Math.round(x);
  if (whole < 3600) return `${Math.floor(whole / 60)}\u202fmin ${whole % 60}\u202fs`;
  return `${Math.floor(whole / 3600)}\u202fh ${Math.round((whole % 3600) / 60)}\u202fmin`;
}

// Relative distances from the optimum: the power of ten is what matters.
export function gap(value: Num): string {
  const x = toNumber(value);
  return Number.isFinite(x) && x !== 0 ? x.toExponential(1).replace(".0", "").replace("+", "") : number(value);
}

export function score(value: Num): string {
  return isFiniteNum(value) ? value.toFixed(4) : number(value);
}

// "100 × 40 × 12"
export function shape(sizes: number[]): string {
  return sizes.map(count).join(" \u00d7 ");
}

// "rows, columns and mode 2"
export function listed(words: string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}
