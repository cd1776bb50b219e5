// Pages with everything on them: one where every part of the contract is used, one that is as
// large as pages become, a path and a comparison with scores.
import { sample } from "../../../report/page/samples/pages.mjs";
import { pack, random } from "../../../report/page/samples/build.mjs";

const range = (n, of) => Array.from({ length: n }, (_, i) => of(i));

function images(n, side) {
  return range(n, (a) => range(side * side, (p) => Math.sin(((p % side) + 1) * (1 + (a % 4)) * 0.4) * Math.cos((Math.floor(p / side) + 1) * (1 + (a % 3)) * 0.5))).flat();
}

function panels(rng) {
  const copies = images(6, 16).map((v) => 0.9 * v + 0.1 * (rng() - 0.5));
  return [
    {
      kind: "matrix", title: "Which group uses which component", text: "Sizes of the groups’ coefficients.",
      rows: ["sport", "science", "music", "politics"], columns: range(5, (k) => `component ${k}`),
      values: range(4, (i) => range(5, (k) => (i === 2 && k === 3 ? "nan" : (i + k) % 3 === 0 ? 0 : (k === 4 ? -1 : 1) * rng()))),
    },
    {
      kind: "curve", title: "Choice of the rank", text: "Error on cells that were held out; the smallest within one standard error was taken.",
      x_title: "rank", y_title: "held-out error", x: range(10, (i) => i + 1), y: range(10, (i) => (i === 8 ? "nan" : 1 / (i + 1) + 0.03 * i)),
      error: range(10, () => 0.03), chosen: 4,
    },
    { kind: "histogram", title: "Atoms per sample", text: "", x_title: "atoms in use", edges: range(21, (i) => i), counts: range(20, (i) => Math.round(400 * Math.exp(-((i - 6) ** 2) / 9))) },
    {
      kind: "images", title: "Atoms", text: "By falling usage.", height: 16, width: 16, names: range(40, (i) => `atom ${i}`),
      numbers_title: "share of the samples", numbers: range(40, (i) => 0.4 / (i + 1)), values: pack(images(40, 16), "f32"), left_out: 216,
    },
    { kind: "pairs", title: "Reconstructions", text: "", height: 16, width: 16, names: range(6, (i) => `sample ${i}`), originals: pack(images(6, 16), "f32"), copies: pack(copies, "f32") },
    {
      kind: "pairs", title: "Profiles and their reconstructions", text: "", height: 1, width: 40, names: ["first", "second"],
      originals: pack(range(80, (i) => Math.sin(i / 5)), "f32"), copies: pack(range(80, (i) => 0.9 * Math.sin(i / 5)), "f32"),
    },
  ];
}

function trace() {
  const component = [], iteration = [], objective = [], gap = [], moved = [], seconds = [];
  for (let k = 0; k < 4; ++k)
    for (let i = 1; i <= 25; ++i) {
      component.push(k), iteration.push(i), objective.push(4000 / (k + 1) + 900 * Math.exp(-i / 3));
      gap.push(i === 9 ? "nan" : Math.exp(-i / 1.9)), moved.push(i === 3 ? "nan" : 0.1 * Math.exp(-i / 1.9)), seconds.push(0.01 * (25 * k + i));
    }
  return { component, iteration, objective, gap, moved, seconds };
}

function options() {
  const texts = [["clusters", "4", "3", "", "Co-clusters to look for."], ["sparsity", "20%", "auto", "0.34, 0.31, 1.2", "Penalty on members, one for all modes or one for each: a number, a share of the value that removes all, auto, or paper."],
    ["seed", "0", "0", "", "Where random numbers begin."], ["groups", "groups.txt", "", "", "File whose line j names the groups of column j."], ["tolerance", "1e-06", "1e-06", "", "Largest relative gap at which it counts as converged."]];
  return texts.map(([name, value, initial, used, help]) => ({ name, value, initial, used, help }));
}

// Every part of a result is there; some numbers are not finite, some members negative.
export function full() {
  const rng = random(77);
  const page = sample("series");
  const result = page.results[0];
  result.block_names = result.block_names.length > 0 ? result.block_names : range(6, (i) => `time ${i}`);
  for (const one of result.components) one.blocks = result.block_names.map((_, b) => (b === 3 ? "nan" : rng() * 0.2));
  const [first] = result.modes;
  first.value[1] = -first.value[1];
  first.left_out = 12;
  first.sizes[0] += 12;
  Object.assign(result, {
    panels: panels(rng), trace: trace(), trace_length: 4000, options: options(),
    formula: "||X - sum_k rho_k a_k o b_k o c_k||^2 + sum_n sparsity_n |A_n|_1, 0 <= a, b, c <= 1, 0 <= rho_k <= max X",
    notes: ["12 cells are missing and were left out of every sum.", "Rows 3 and 7 are all zero."], notes_left_out: 3,
    restarts: range(8, (i) => ({ objective: i === 5 ? "nan" : 1234.567 + (i === 2 ? 0 : 30 * rng()), iterations: 60 + i, status: i === 5 ? "Failed" : i === 6 ? "Left the race" : "Converged", left: i === 6, kept: i === 2 })),
    scores: [["nmi", 0.941], ["ari", 0.88], ["accuracy", "nan"]].map(([name, value]) => ({ name, value })),
    attached: [{ option: "groups", path: "data/groups.txt", size: "1.2 kB", digest: "xxh3:feedfacefeedface" }],
    truth: ["data/truth.tsv"],
    seconds: [["read", 0.0123], ["fit", 71.5], ["fit: codes", 60], ["write", 0.2]].map(([name, value]) => ({ name, value })),
  });
  return page;
}

// The same with little of everything, for tests that make it very often.
export function slim() {
  const page = full();
  const [result] = page.results;
  const cut = (list, n) => list.splice(n);
  for (const panel of result.panels) {
    if (panel.kind === "images") Object.assign(panel, { names: panel.names.slice(0, 2), numbers: panel.numbers.slice(0, 2), height: 4, width: 4, values: pack(images(2, 4), "f32") });
    if (panel.kind === "pairs") {
      const size = panel.height * panel.width;
      const one = pack(range(size, (i) => Math.sin(i)), "f32");
      Object.assign(panel, { names: panel.names.slice(0, 1), originals: one, copies: one });
    }
  }
  cut(result.picture.blocks, 1), cut(result.restarts, 3);
  for (const list of Object.values(result.trace)) cut(list, 3);
  for (const mode of result.modes) for (const list of [mode.component, mode.item, mode.value, mode.stability ?? []]) cut(list, 12);
  return page;
}

// As large as pages become: 1000 x 1000 cells, 40,000 members, 20,000 labels.
export function heavy() {
  const page = sample("large");
  const result = page.results[0];
  const n = 20000;
  page.labels = [{ n, items: null, text: range(n, (i) => `item number ${i} of many`) }];
  for (const axis of page.axes) axis.labels = null;
  const k = Math.max(1, result.components.length);
  result.modes = ["rows", "columns"].map((key) => {
    const component = range(n, (i) => Math.floor((i * k) / n));
    return {
      key, title: key, block: null, n, labels: 0, sizes: range(k, (c) => component.filter((one) => one === c).length), component,
      item: range(n, (i) => (i * 7919) % n), value: range(n, (i) => 1 - (i % 5000) / 5001), stability: null, left_out: 0,
    };
  });
  return page;
}

// A path of 20 points over two options with many columns, and scores.
export function manyColumns() {
  const page = sample("path");
  const names = ["row_sparsity", "status", "objective", "explained", "nmi", "ari", "component_0_rows", "component_1_rows", "gap", "seconds", "folder"];
  page.table = {
    title: "The points", columns: names.map((name, i) => ({ name, important: i < 6 })), folders: range(8, (i) => `point-${i}`),
    rows: range(8, (i) => [page.path.options[0].values[i], "converged", String(1000 + 37.123456789 * i), String(0.8 / (i + 1)), i === 6 ? "" : String(1 - (i - 3) ** 2 / 40), String(0.5 + i / 100), String(40 - 4 * i), String(30 - 3 * i), "1e-7", "0.01", `point-${i}`]),
  };
  return page;
}
