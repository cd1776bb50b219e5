// Matrices with planted blocks that overlap.
import { axis, field, mode, pack, random, scaleOf, stretches } from "./build.mjs";

// Each item is in its component's list, some in a second one, some in none.
export function membership(n, nComponents, rng, overlap = 0.12, rest = 0.3) {
  return Array.from({ length: n }, () => {
    if (rng() < rest) return [];
    const first = Math.floor(rng() * nComponents);
    const second = rng() < overlap ? Math.floor(rng() * nComponents) : first;
    return second === first ? [first] : [first, second];
  });
}

export function values(rows, columns, rng, { signed = false, missing = 0, strength = 3 } = {}) {
  const cells = [];
  for (const of of rows) {
    for (const at of columns) {
      let value = signed ? rng() - 0.5 : rng() * 0.8;
      for (const k of of) if (at.includes(k)) value += (signed && k % 2 ? -strength : strength) * (0.6 + 0.4 * rng());
      cells.push(rng() < missing ? NaN : value);
    }
  }
  return cells;
}

export function names(prefix, n) {
  return { n, items: null, text: Array.from({ length: n }, (_, i) => `${prefix} ${i}`) };
}

// A page's axes, fields and labels for one matrix, and what a result needs of it.
export function planted({ m, n, k, seed = 1, labels = [names("customer", m), names("product", n)], ...how }) {
  const rng = random(seed);
  const rows = membership(m, k, rng), columns = membership(n, k, rng);
  const cells = values(rows, columns, rng, how);
  const axes = [axis("rows", rows, k, 0), axis("columns", columns, k, 1)];
  const block = {
    name: "table.csv",
    caption: `${m} rows × ${n} columns; a pixel is a cell. Rows and columns are ordered by component, then by value; outlines and the numbers at the sides are the components.`,
    rows: 0, columns: 1,
    row_stretches: stretches(axes[0]._order, rows, k), column_stretches: stretches(axes[1]._order, columns, k),
    field: 0, arranged: false, given_field: null,
  };
  return {
    rng, rows, columns, axes, labels, block,
    fields: [field(m, n, cells, scaleOf(cells, how.signed ?? false))],
    modes: [mode("rows", "rows", rows, k, 0, rng), mode("columns", "columns", columns, k, 1, rng)],
    components: Array.from({ length: k }, (_, i) => ({ weight: 10 / (i + 1), level: 7 / (i + 1), explained: 0.4 / (i + 1), blocks: [] })),
  };
}

// The same cells in bins, both orders stored, levels instead of numbers.
export function binned({ m, n, bins, k, seed }) {
  const one = planted({ m: bins, n: bins, k, seed, labels: [names("row", bins), names("column", bins)] });
  const starts = (count) => pack(Array.from({ length: bins }, (_, i) => Math.floor((i * count) / bins)), "i32");
  const level = (given) => {
    const cells = [];
    for (let r = 0; r < bins; ++r) {
      for (let c = 0; c < bins; ++c) {
        const row = given ? one.rows[r] : one.rows[one.axes[0]._order[r]];
        const column = given ? one.columns[c] : one.columns[one.axes[1]._order[c]];
        cells.push(Math.floor(60 * one.rng() + (row.some((of) => column.includes(of)) ? 150 : 0)));
      }
    }
    return { rows: bins, columns: bins, scale: { diverging: false, low: 0, high: 12, below: false, above: true, missing: false }, values: pack(cells, "u8") };
  };
  one.fields = [level(false), level(true)];
  [m, n].forEach((count, side) => {
    const a = one.axes[side];
    const order = [];
    const size = (bin) => [Math.floor((bin * count) / bins), Math.floor(((bin + 1) * count) / bins)];
    for (let place = 0; place < count; ++place) order.push(place);
    const inBins = a._order.flatMap((bin) => order.slice(...size(bin)));
    Object.assign(a, { n: count, order: pack(inBins, "i32"), starts: starts(count), given_starts: starts(count), squeezed: true, labels: null });
  });
  Object.assign(one.block, { arranged: true, field: 0, given_field: 1, caption: `${m} rows × ${n} columns; a pixel is the mean of several cells.` });
  one.labels = [];
  return one;
}
