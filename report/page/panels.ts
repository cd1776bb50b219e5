// What a method adds to its report: small matrices, curves, histograms, images.
import { chartOf, type Chart } from "./chart";
import type { Page, Panel, Result } from "./data";
import { el, section } from "./dom";
import { isFiniteNum, number, toNumber } from "./format";
import { heatTable } from "./heat_table";
import { histogramOf } from "./histogram";
import { imagesPanel, pairsPanel } from "./images";

type Curve = Extract<Panel, { kind: "curve" }>;

// Values that run over powers of ten are drawn on a log scale.
function isSpread(values: number[]): boolean {
  const finite = values.filter(Number.isFinite);
  const low = Math.min(...finite);
  return finite.length > 2 && low > 0 && Math.max(...finite) > 50 * low;
}

function curve(panel: Curve): HTMLElement {
  const y = panel.y.map(toNumber);
  const points = panel.x.map((x, at) => {
    const error = panel.error?.[at];
    return { x, y: y[at] ?? NaN, ...(error !== undefined && isFiniteNum(error) ? { error } : {}) };
  });
  const whole = panel.x.every(Number.isInteger);
  const log = isSpread(panel.x);
  const chart: Chart = {
    label: panel.title,
    x: { title: log ? `${panel.x_title}, log scale` : panel.x_title, whole: whole && !log, log, show: (x) => number(x, 4) },
    y: { title: panel.y_title },
    series: [{ name: panel.y_title, style: "main", points, dots: true }],
    ...(panel.chosen !== null ? { chosen: panel.chosen } : {}),
  };
  return chartOf(chart);
}

function bodyOf(panel: Panel): HTMLElement {
  switch (panel.kind) {
    case "matrix":
      return heatTable(panel);
    case "curve":
      return curve(panel);
    case "histogram":
      return histogramOf({ label: panel.title, x_title: panel.x_title, edges: panel.edges, counts: panel.counts });
    case "images":
      return imagesPanel(panel);
    case "pairs":
      return pairsPanel(panel);
  }
}

export function panelSections(_page: Page, result: Result, prefix = ""): HTMLElement[] {
  return result.panels.map((panel, at) => {
    const text = panel.text === "" ? null : el("p", { class: "quiet lead" }, panel.text);
    return section(`${prefix}panel-${at}`, panel.title, text, bodyOf(panel));
  });
}
