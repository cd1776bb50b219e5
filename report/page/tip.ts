// What is said about a cell: beside the pointer for those who see, and in words for those who
// listen, there only when the keyboard moves.
import type { AxisModel } from "./axis";
import type { BlockModel } from "./block";
import { el, label } from "./dom";
import { count, number } from "./format";
import { colourClass } from "./colours";

const kNamed = 5;

export class Tip {
  readonly element = el("div", { class: "tip", "aria-hidden": "true", hidden: true });
  readonly spoken = el("p", { class: "offstage", "aria-live": "polite" });

  // x and y are relative to the element that holds the tip.
  show(content: Node[], x: number, y: number, room: number): void {
    this.element.replaceChildren(...content);
    this.element.hidden = false;
    const width = this.element.offsetWidth;
    const left = x + 16 + width > room ? Math.max(0, x - width - 12) : x + 16;
    this.element.style.left = `${left}px`;
    this.element.style.top = `${y + 14}px`;
  }

  say(): void {
    this.spoken.textContent = [...this.element.children].map((line) => line.textContent).join("; ");
  }

  hide(): void {
    this.element.hidden = true;
  }
}

function items(axis: AxisModel, bin: number, given: boolean): HTMLElement {
  const n = axis.count(bin, given);
  const named = axis.items(bin, given, n > kNamed ? kNamed - 1 : kNamed);
  const line = el("p", {}, el("span", { class: "quiet" }, n > 1 ? `${count(n)} ${axis.axis.title}: ` : `${axis.singular()} `));
  named.forEach((item, i) => line.append(i > 0 ? ", " : "", label(axis.shortName(item))));
  if (named.length < n) line.append(" \u2026");
  return line;
}

function valueText(model: BlockModel, row: number, column: number, given: boolean): string {
  const { value, exact } = model.value(row, column, given);
  if (Number.isNaN(value)) return "missing";
  const { low, high, below, above } = model.scale;
  if (exact) return number(value, 5);
  if (below && value <= low) return `${number(low, 3)} or less`;
  if (above && value >= high) return `${number(high, 3)} or more`;
  return `about ${number(value, 3)}`;
}

function chips(components: number[]): HTMLElement {
  if (components.length === 0) return el("p", { class: "quiet" }, "in no component");
  const line = el("p", {}, components.length > 1 ? "components " : "component ");
  for (const component of components.slice(0, 12)) {
    line.append(el("span", { class: `chip ${colourClass(component)}` }), `${component} `);
  }
  if (components.length > 12) line.append("\u2026");
  return line;
}

export function describeCell(model: BlockModel, row: number, column: number, given: boolean): Node[] {
  const several = model.rows.count(row, given) * model.columns.count(column, given) > 1;
  const ofColumn = model.componentsOfColumn(column, given);
  const both = model.componentsOfRow(row, given).filter((component) => ofColumn.includes(component));
  return [
    el("p", {}, el("strong", {}, (several ? "mean " : "") + valueText(model, row, column, given))),
    items(model.rows, row, given),
    items(model.columns, column, given),
    chips(both),
  ];
}
