// Sample pages by name.
import { axis, field, finished, mode, page, random, result, scaleOf, stretches } from "./build.mjs";
import { binned, membership, names, planted, values } from "./planted.mjs";
import { seriesPage, tensorPage, viewsPage } from "./blocks.mjs";

const picture = (blocks, over = {}) => ({
  arrangement: "single", message: "", blocks, flows: [], component_slices: [], profile_mode: null, ...over,
});

function ofOne(one, over = {}, pageOver = {}) {
  return page({
    title: "Sparse co-clusters of a matrix or tensor", axes: one.axes, fields: one.fields, labels: one.labels,
    results: [result({ n_components: one.components.length, components: one.components, modes: one.modes, picture: picture([one.block]), ...over })],
    ...pageOver,
  });
}

function matrix() {
  return ofOne(planted({ m: 42, n: 30, k: 4, missing: 0.03 }), { notes: ["12 cells are missing and were left out of every sum."] });
}

function signed() {
  return ofOne(planted({ m: 300, n: 180, k: 6, signed: true, seed: 4 }));
}

function large() {
  return ofOne(binned({ m: 100000, n: 10000, bins: 1000, k: 7, seed: 5 }));
}

const hostileTexts = [
  "<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", "\u202egnp.exe", "a\u0000b\u0007", "{{7*7}}",
  "javascript:alert(1)", "\"><svg onload=alert(1)>", "<!--", "\ud83d\ude00".repeat(30), "x".repeat(60), "", "\u0645\u0631\u062d\u0628\u0627",
];

export function hostile(texts = hostileTexts) {
  const set = (n) => ({ n, items: null, text: Array.from({ length: n }, (_, i) => texts[i % texts.length]) });
  const one = planted({ m: 24, n: 18, k: 3, labels: [set(24), set(18)], seed: 8 });
  one.block.name = texts[0];
  return ofOne(one, { inputs_title: texts[1 % texts.length], notes: texts.slice(0, 3), name: texts[0], folder: texts[5 % texts.length] });
}

function path() {
  const one = planted({ m: 60, n: 40, k: 4, seed: 11 });
  const results = [], points = [], rows = [], axes = [], weights = ["0.01", "0.03", "0.1", "0.3", "1", "3", "10", "30"];
  weights.forEach((weight, p) => {
    const keep = (of, i) => ((i * 7919) % 8 < 8 - p ? of : []);
    const r = one.rows.map(keep), c = one.columns.map(keep);
    axes.push(axis("rows", r, 4, 0), axis("columns", c, 4, 1));
    const block = {
      ...one.block, rows: 2 * p, columns: 2 * p + 1,
      row_stretches: stretches(axes[2 * p]._order, r, 4), column_stretches: stretches(axes[2 * p + 1]._order, c, 4),
    };
    const components = one.components.slice(0, p < 7 ? 4 : 1);
    results.push(result({ folder: `point-${p}`, name: `lambda=${weight}`, n_components: components.length, components, picture: picture([block]) }));
    points.push({ at: [p], result: p === 6 ? null : p, row: p });
    rows.push([weight, String(1200 + 90 * p), String(r.filter((of) => of.length).length), "converged", (0.8 - p / 10).toFixed(3)]);
  });
  const columns = ["row-sparsity", "objective", "members", "status", "explained"].map((name) => ({ name, important: true }));
  return page({
    kind: "path", title: "A path over row-sparsity", lead: "8 points; the objective and the members at each.",
    command: "gingham path table.csv -o out --vary row-sparsity=0.01:30:8log", axes, fields: one.fields, labels: one.labels, results,
    table: { title: "The points", columns, rows, folders: weights.map((_, p) => `point-${p}`) },
    path: { options: [{ name: "row-sparsity", values: weights }], points },
  });
}

function compare(kind) {
  const rng = random(21);
  const parts = ["tensor", "itcc", "nmf", "spectral"].map((method, i) => {
    const one = planted({ m: 60, n: 40, k: 3 + (i % 2), seed: 11 });
    return { method, one };
  });
  const results = parts.map(({ method, one }, i) => {
    const block = { ...one.block, rows: 2 * i, columns: 2 * i + 1, field: i };
    return result({
      folder: method, name: method, method, n_components: one.components.length, components: one.components, picture: picture([block]),
      objective: 1000 * rng(), status: i === 2 ? { name: "iteration_limit", tone: "fair", title: "Iteration limit", meaning: "It stopped before." } : undefined ?? result({}).status,
    });
  });
  return page({
    kind, title: kind === "compare" ? "Four methods on table.csv" : "4 results", command: kind === "compare" ? "gingham compare table.csv -o out --methods tensor,itcc,nmf,spectral" : "",
    axes: parts.flatMap(({ one }) => one.axes), fields: parts.flatMap(({ one }) => one.fields), labels: parts[0].one.labels, results,
    table: kind !== "compare" ? null : {
      title: "The methods", folders: parts.map(({ method }) => method),
      columns: ["method", "objective", "nmi"].map((name) => ({ name, important: true })),
      rows: parts.map(({ method }) => [method, rng().toFixed(3), rng().toFixed(3)]),
    },
  });
}

function index() {
  const one = planted({ m: 60, n: 40, k: 4, seed: 3 });
  const entry = (question, link) => ({
    question, title: "Sparse co-clusters of a matrix or tensor", command: "gingham fit mail.npz -o mail --method tensor",
    sentences: ["Four groups of people write to each other.", "Two of them appear in the second year.", "They agree with the departments (NMI 0.94)."],
    link, picture: one.block,
  });
  return page({
    kind: "index", title: "What Gingham found", lead: "Three questions, three methods, in nine seconds.", axes: one.axes, fields: one.fields, labels: one.labels,
    index: [entry("Who forms a clique, when?", "tensor/report.html"), entry("Which groups persist?", "evolving/report.html"), entry("Same subjects, several measurements?", "multiview/report.html")],
    next: ["gingham fit your.csv -o out --method tensor", "gingham path your.csv -o path --vary row-sparsity=1%:90%:12log"],
  });
}

function empty() {
  const rng = random(9);
  const rows = membership(1, 2, rng, 0, 1), columns = membership(12, 2, rng, 0, 1);
  const cells = values(rows, columns, rng, { missing: 2 });
  const axes = [axis("rows", rows, 2, null), axis("columns", columns, 2, null)];
  for (const side of axes) side.order = null;
  const block = {
    name: "nothing.csv", caption: "1 row × 12 columns. Every cell is missing. No component has members here, so nothing is reordered.",
    rows: 0, columns: 1, row_stretches: [], column_stretches: [], field: 0, arranged: false, given_field: null,
  };
  return page({
    title: "Sparse co-clusters of a matrix or tensor", axes, fields: [field(1, 12, cells, scaleOf(cells, false))],
    results: [result({
      inputs_title: "nothing.csv", picture: picture([block], { message: "There are no components." }), objective: "nan", gap: "inf", trace_length: 0,
      trace: { component: [], iteration: [], objective: [], gap: [], moved: [], seconds: [] }, restarts: [], modes: [mode("rows", "rows", rows, 0, null, rng)],
      status: { name: "numerical_failure", tone: "bad", title: "Nothing to fit", meaning: "Every cell is missing." },
    })],
  });
}

function crowd() {
  const one = planted({ m: 400, n: 300, k: 200, seed: 13 });
  for (const side of one.axes) Object.assign(side, { order: null, segments: [{ component: -1, begin: 0, end: side.bins }], crowded: true });
  Object.assign(one.block, { row_stretches: [], column_stretches: [] });
  return ofOne(one, { n_components: 10000, picture: picture([one.block], { message: "There are more components than a picture can tell apart, so nothing is reordered." }) });
}

export const pages = {
  matrix, signed, large, hostile, path, index, empty, crowd,
  series: seriesPage, views: viewsPage, tensor: tensorPage,
  compare: () => compare("compare"), several: () => compare("several"),
};

export function sample(name) {
  return finished(pages[name]());
}

export { names };
