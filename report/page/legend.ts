// The colour scale in words and colours.
import type { Scale } from "./data";
import { el } from "./dom";
import { number } from "./format";
import { gradient, missingColour } from "./palette";
import { onThemeChange, theme } from "./theme";

export function legend(scale: Scale): HTMLElement {
  const ramp = el("span", { class: "ramp" });
  const swatch = el("span", { class: "swatch" });
  const paint = () => {
    ramp.style.background = gradient(scale.diverging, theme().dark);
    swatch.style.background = missingColour(scale.diverging, theme().dark);
  };
  paint();
  onThemeChange(paint);
  const middle = 0.5 * scale.low + 0.5 * scale.high;
  const ticks = el(
    "span",
    { class: "ticks" },
    el("span", {}, (scale.below ? "\u2264 " : "") + number(scale.low, 3)),
    scale.high > scale.low ? el("span", {}, number(middle, 3)) : null,
    el("span", {}, (scale.above ? "\u2265 " : "") + number(scale.high, 3)),
  );
  const isEmpty = scale.missing && !(scale.high > scale.low);
  const box = el("div", { class: "legend" }, isEmpty ? null : el("div", { class: "scale" }, ramp, ticks));
  if (scale.missing) box.append(el("span", { class: "missing" }, swatch, "missing"));
  return box;
}
