// Pieces of sample pages.
import { deflateSync } from "node:zlib";

export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function pack(numbers, encoding) {
  const kinds = { f32: Float32Array, i32: Int32Array, u8: Uint8Array };
  const array = kinds[encoding].from(numbers);
  return { encoding, length: array.length, data: deflateSync(Buffer.from(array.buffer)).toString("base64") };
}

export function scaleOf(values, diverging) {
  let low = Infinity, high = -Infinity, missing = false;
  for (const value of values) {
    if (Number.isNaN(value)) missing = true;
    else (low = Math.min(low, value)), (high = Math.max(high, value));
  }
  if (!(low <= high)) low = high = 0;
  if (diverging) high = Math.max(-low, high), (low = -high);
  else low = Math.min(0, low);
  return { diverging, low, high, below: false, above: false, missing };
}

export function field(rows, columns, values, scale) {
  return { rows, columns, scale, values: pack(values, "f32") };
}

// Items by first component, then the rest as they came. membership[item] is a list.
export function axis(title, membership, nComponents, labels) {
  const n = membership.length;
  const order = [], segments = [];
  for (let k = 0; k < nComponents; ++k) {
    const begin = order.length;
    membership.forEach((of, item) => of[0] === k && order.push(item));
    if (order.length > begin) segments.push({ component: k, begin, end: order.length });
  }
  const begin = order.length;
  membership.forEach((of, item) => of.length === 0 && order.push(item));
  if (order.length > begin) segments.push({ component: -1, begin, end: order.length });
  const several = membership.filter((of) => of.length > 1).length;
  return {
    title, n, bins: n, order: pack(order, "i32"), starts: null, given_starts: null,
    segments, squeezed: false, crowded: false, several, labels, _order: order,
  };
}

export function stretches(order, membership, nComponents) {
  const found = [];
  for (let k = 0; k < nComponents; ++k) {
    let begin = -1;
    for (let place = 0; place <= order.length; ++place) {
      const inside = place < order.length && membership[order[place]].includes(k);
      if (inside && begin < 0) begin = place;
      if (!inside && begin >= 0) found.push({ component: k, begin, end: place }), (begin = -1);
    }
  }
  return found;
}

export function mode(key, title, membership, nComponents, labels, random) {
  const component = [], item = [], value = [], sizes = [];
  for (let k = 0; k < nComponents; ++k) {
    const members = [];
    membership.forEach((of, i) => of.includes(k) && members.push([i, 0.05 + random()]));
    members.sort((a, b) => b[1] - a[1]);
    sizes.push(members.length);
    for (const [i, v] of members) component.push(k), item.push(i), value.push(v);
  }
  const stability = item.map(() => Math.round(random() * 10) / 10);
  return { key, title, block: null, n: membership.length, labels, sizes, component, item, value, stability, left_out: 0 };
}

export function result(over) {
  return {
    folder: null, name: "", method: "tensor", title: "Sparse co-clusters of a matrix or tensor",
    formula: "min 0.5 ||X - sum_k u_k v_k'||^2 + lambda (|u_k|_1 + |v_k|_1)",
    reference: "A. Author and B. Author: A paper. A journal 1 (2020), 1-20.",
    inputs_title: "table.csv",
    status: { name: "converged", tone: "good", title: "Converged", meaning: "The largest gap is below the tolerance: no small change improves the objective." },
    objective: 1234.567, gap: 3.2e-7, explained: 0.71, iterations: 87, fit_seconds: 0.0421, notes: [], notes_left_out: 0,
    n_components: 0, components: [], block_names: [], modes: [], modes_left_out: 0,
    picture: { arrangement: "single", message: "", blocks: [], flows: [], component_slices: [], profile_mode: null },
    panels: [], trace: trace(), trace_length: 87, tolerance: 1e-6,
    restarts: [
      { objective: 1240.1, iterations: 90, status: "converged", kept: false },
      { objective: 1234.567, iterations: 87, status: "converged", kept: true },
    ],
    scores: [], measures: [{ name: "density", value: 0.3 }], terms: [{ name: "loss", value: 1200 }, { name: "penalty", value: 34.567 }],
    gaps: [{ name: "rows", value: 3.2e-7 }, { name: "columns", value: 1e-8 }],
    command: "gingham fit table.csv -o out --method tensor --clusters 3", version: "0.9.0", seed: "0",
    options: [
      { name: "clusters", value: "3", initial: "10", used: "", help: "number of co-clusters" },
      { name: "row-sparsity", value: "20%", initial: "auto", used: "0.34", help: "weight of the penalty" },
    ],
    inputs: [{ path: "table.csv", shape: [40, 30], nonzeros: 700, missing: 12, digest: "xxh3:0123456789abcdef" }],
    attached: [], truth: [], seconds: [{ name: "read", value: 0.01 }, { name: "fit", value: 0.0421 }], peak_memory: "12 MB",
    ...over,
  };
}

function trace() {
  const n = 60, iteration = [], objective = [], gap = [], moved = [], seconds = [], component = [];
  for (let i = 0; i < n; ++i) {
    component.push(0), iteration.push(i), objective.push(1234.567 + 800 * Math.exp(-i / 8));
    gap.push(Math.exp(-i / 4)), moved.push(Math.exp(-i / 3)), seconds.push(i * 1e-3);
  }
  return { component, iteration, objective, gap, moved, seconds };
}

export function page(over) {
  return {
    format: 1, kind: "result", title: "Sample", lead: "", command: "", version: "0.9.0", axes: [], fields: [], labels: [],
    results: [], results_left_out: 0, table: null, path: null, index: [], next: [], ...over,
  };
}

// Drops what only the builders need.
export function finished(one) {
  for (const side of one.axes) delete side._order;
  return one;
}
