// Who goes where from one time to the next: a column of components per time, ribbons between them.
import type { Flow } from "./data";
import { colour } from "./colours";
import { el, label, svg } from "./dom";
import { count, counted } from "./format";
import { flowTable } from "./flow_table";
import { Tip } from "./tip";

const kWidth = 960;
const kHeight = 340; // of the columns
const kTop = 26;
const kGap = 7; // between the components of a time
const kBar = 11;
const kLeastBar = 1.5;
const kRestShare = 0.3; // of the height that those in no component may fill

interface Node {
  block: number;
  component: number;
  count: number;
  y: number;
  height: number;
  out: number; // where the next ribbon leaves
  into: number; // where the next one arrives
}

const rank = (component: number) => (component < 0 ? Infinity : component);

export function componentName(component: number): string {
  return component < 0 ? "no component" : `component ${component}`;
}

function placed(flow: Flow): { nodes: Map<string, Node>; squeezed: boolean } {
  const columns = flow.blocks.map((_, block) =>
    flow.sizes.filter((size) => size.block === block && size.count > 0).sort((a, b) => rank(a.component) - rank(b.component)),
  );
  const sum = (list: Flow["sizes"], rest: boolean) =>
    list.reduce((total, size) => total + (size.component < 0 === rest ? size.count : 0), 0);
  const most = Math.max(1, ...columns.map((column) => sum(column, false)));
  const mostRest = Math.max(0, ...columns.map((column) => sum(column, true)));
  const room = kHeight - kGap * Math.max(0, ...columns.map((column) => column.length - 1));
  const plain = room / Math.max(1, ...columns.map((column) => sum(column, false) + sum(column, true)));
  const squeezed = mostRest * plain > kRestShare * room;
  const unit = squeezed ? ((1 - kRestShare) * room) / most : plain;
  const restUnit = squeezed ? Math.min(unit, (kRestShare * room) / mostRest) : plain;
  const nodes = new Map<string, Node>();
  columns.forEach((column) => {
    let y = kTop;
    for (const size of column) {
      const height = Math.max(kLeastBar, size.count * (size.component < 0 ? restUnit : unit));
      nodes.set(`${size.block} ${size.component}`, { ...size, y, height, out: y, into: y });
      y += height + kGap;
    }
  });
  return { nodes, squeezed: squeezed && restUnit < unit };
}

function ribbon(from: Node, to: Node, share: number, arriving: number, left: number, right: number): string {
  const leave = from.height * share, arrive = to.height * arriving;
  const middle = (left + right) / 2;
  const [a, b] = [from.out, to.into];
  from.out += leave;
  to.into += arrive;
  const f = (x: number) => x.toFixed(1);
  return (
    `M${f(left)} ${f(a)}C${f(middle)} ${f(a)} ${f(middle)} ${f(b)} ${f(right)} ${f(b)}` +
    `V${f(b + arrive)}C${f(middle)} ${f(b + arrive)} ${f(middle)} ${f(a + leave)} ${f(left)} ${f(a + leave)}Z`
  );
}

function describe(flow: Flow, link: Flow["links"][number]): globalThis.Node[] {
  const way = link.from === link.to ? `stay in ${componentName(link.from)}` : `from ${componentName(link.from)} to ${componentName(link.to)}`;
  const who = el("p", {});
  link.names.forEach((name, i) => who.append(i > 0 ? ", " : "", label(name)));
  if (link.names.length < link.count) who.append(link.names.length > 0 ? ` and ${count(link.count - link.names.length)} more` : "");
  const when = el("p", { class: "quiet" }, label(flow.blocks[link.block] ?? ""), " \u2192 ", label(flow.blocks[link.block + 1] ?? ""));
  return [el("p", {}, el("strong", {}, count(link.count)), ` ${flow.title} ${way}`), when, who];
}

function blockNames(flow: Flow, x: (block: number) => number): SVGElement[] {
  const every = Math.ceil((flow.blocks.length * 70) / kWidth);
  return flow.blocks.map((name, block) => {
    const text = block % every === 0 ? (name.length > 14 ? `${name.slice(0, 13)}\u2026` : name) : "";
    const last = flow.blocks.length - 1;
    const anchor = block === 0 ? "start" : block === last ? "end" : "middle";
    const at = x(block) + (anchor === "start" ? 0 : anchor === "end" ? kBar : kBar / 2);
    return svg("text", { class: "tick", x: at, y: 14, "text-anchor": anchor }, text);
  });
}

export function flowDiagram(flow: Flow): HTMLElement {
  const { nodes, squeezed } = placed(flow);
  const x = (block: number) => (flow.blocks.length < 2 ? 0 : (block * (kWidth - kBar)) / (flow.blocks.length - 1));
  const tip = new Tip();
  const ribbons = svg("g", { class: "ribbons" });
  const ordered = [...flow.links].sort((a, b) => a.block - b.block || rank(a.from) - rank(b.from) || rank(a.to) - rank(b.to));
  for (const link of ordered) {
    const from = nodes.get(`${link.block} ${link.from}`), to = nodes.get(`${link.block + 1} ${link.to}`);
    if (from === undefined || to === undefined) continue;
    const d = ribbon(from, to, link.count / from.count, link.count / to.count, x(link.block) + kBar, x(link.block + 1));
    const path = svg("path", { d, class: link.from < 0 && link.to < 0 ? "rest" : "ribbon" });
    path.style.fill = colour(link.from >= 0 ? link.from : link.to);
    path.addEventListener("pointermove", (event) => {
      const box = figure.getBoundingClientRect();
      tip.show(describe(flow, link), event.clientX - box.left, event.clientY - box.top, box.width);
    });
    path.addEventListener("pointerleave", () => tip.hide());
    ribbons.append(path);
  }
  const bars = svg("g");
  for (const node of nodes.values()) {
    const bar = svg("rect", { x: x(node.block), y: node.y, width: kBar, height: node.height, rx: 2 });
    bar.style.fill = colour(node.component);
    const last = node.block === flow.blocks.length - 1;
    const text = node.height < 11 || node.component < 0 ? "" : String(node.component);
    const side = last ? { x: x(node.block) - 4, "text-anchor": "end" } : { x: x(node.block) + kBar + 4, "text-anchor": "start" };
    bars.append(bar, svg("text", { class: "number", y: node.y + node.height / 2, dy: "0.35em", ...side }, text));
  }
  const bottom = Math.max(kTop, ...[...nodes.values()].map((node) => node.y + node.height));
  const drawing = svg(
    "svg",
    { class: "flow", viewBox: `0 0 ${kWidth} ${Math.ceil(bottom + 4)}`, role: "img", "aria-label": `Flow of ${flow.title} between components over ${counted(flow.blocks.length, "time")}` },
    ribbons,
    bars,
    ...blockNames(flow, x),
  );
  const words =
    `Each column is a time, each bar a component as tall as it has ${flow.title}; ribbons are those who stay or move. Grey: in no component` +
    (squeezed ? ", drawn thinner than the members." : ".");
  const figure = el("figure", {}, el("div", { class: "wide" }, drawing), tip.element, el("figcaption", { class: "caption" }, words), flowTable(flow));
  return figure;
}
