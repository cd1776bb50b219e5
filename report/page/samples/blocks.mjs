// Sample pages of several matrices: a series, views, a tensor.
import { axis, field, mode, page, random, result, scaleOf, stretches } from "./build.mjs";
import { membership, names, values } from "./planted.mjs";

const title = "Sparse co-clusters of a matrix or tensor";

function components(k, blocks) {
  return Array.from({ length: k }, (_, i) => ({
    weight: 10 / (i + 1), level: "nan", explained: 0.4 / (i + 1), blocks: Array.from({ length: blocks }, (_, b) => (0.4 / (i + 1)) * Math.abs(Math.sin(b + i))),
  }));
}

// People move between components, or out of them, from time to time.
function drifting(n, k, times, rng) {
  const all = [membership(n, k, rng, 0, 0.25)];
  while (all.length < times) {
    all.push(all[all.length - 1].map((of) => (rng() < 0.1 ? (rng() < 0.5 ? [] : [Math.floor(rng() * k)]) : of)));
  }
  return all;
}

function flow(titleOf, times, members, labels, k) {
  const sizes = [], links = [];
  const first = (of) => (of.length ? of[0] : -1);
  members.forEach((membership, block) => {
    for (let c = -1; c < k; ++c) {
      const count = membership.filter((of) => first(of) === c).length;
      if (count) sizes.push({ block, component: c, count });
    }
    const next = members[block + 1];
    for (let from = -1; next && from < k; ++from) {
      for (let to = -1; to < k; ++to) {
        const who = labels.text.filter((_, i) => first(membership[i]) === from && first(next[i]) === to);
        if (who.length) links.push({ block, from, to, count: who.length, names: who.slice(0, 5) });
      }
    }
  });
  return { title: titleOf, blocks: times, sizes, links };
}

export function seriesPage() {
  const rng = random(31), k = 4, n = 50, times = 8;
  const labels = names("person", n);
  const members = drifting(n, k, times, rng);
  const a = axis("rows", members[3], k, 0);
  const fields = [], blocks = [];
  const cells = members.map((of) => values(of, of, rng));
  const scale = scaleOf(cells.flat(), false);
  members.forEach((of, t) => {
    fields.push(field(n, n, cells[t], scale));
    const lie = stretches(a._order, of, k);
    blocks.push({ name: `2021-0${t + 1}`, caption: `${n} rows × ${n} columns at 2021-0${t + 1}; a pixel is a cell.`, rows: 0, columns: 0, row_stretches: lie, column_stretches: lie, field: t, arranged: false, given_field: null });
  });
  const timesNames = blocks.map((block) => block.name);
  return page({
    title: "Evolving co-clusters", axes: [a], fields, labels: [labels],
    results: [result({
      method: "evolving", inputs_title: "2021-01.csv and 7 more inputs", n_components: k, components: components(k, times), block_names: timesNames,
      modes: [mode("rows", "rows", members[3], k, 0, rng)],
      picture: { arrangement: "series", message: "", blocks, flows: [flow("rows", timesNames, members, labels, k)], component_slices: [], profile_mode: null },
    })],
  });
}

export function viewsPage() {
  const rng = random(41), k = 3, m = 80;
  const rows = membership(m, k, rng, 0, 0.2);
  const axes = [axis("rows", rows, k, 0)], fields = [], blocks = [], labels = [names("subject", m)], modes = [mode("rows", "rows", rows, k, 0, rng)];
  const cells = [], sides = [30, 60, 18].map((n) => membership(n, k, rng, 0, 0.4));
  for (const columns of sides) cells.push(values(rows, columns, rng, { signed: true, missing: 0.02 }));
  const scale = scaleOf(cells.flat(), true);
  sides.forEach((columns, v) => {
    labels.push(names(["gene", "voxel", "answer"][v], columns.length));
    axes.push(axis("columns", columns, k, v + 1));
    fields.push(field(m, columns.length, cells[v], scale));
    modes.push(mode(`columns_${v}`, `columns of block ${v}`, columns, k, v + 1, rng));
    blocks.push({
      name: ["genes.csv", "images.csv", "questions.csv"][v], caption: `80 rows in the same order in every view. ${columns.length} columns here.`, rows: 0, columns: v + 1,
      row_stretches: stretches(axes[0]._order, rows, k), column_stretches: stretches(axes[v + 1]._order, columns, k), field: v, arranged: false, given_field: null,
    });
  });
  return page({
    title: "Co-clusters of several views", axes, fields, labels,
    results: [result({
      method: "multiview", inputs_title: "genes.csv and 2 more inputs", n_components: k, components: components(k, 3), block_names: blocks.map((block) => block.name), modes,
      picture: { arrangement: "views", message: "", blocks, flows: [], component_slices: [], profile_mode: null },
    })],
  });
}

export function tensorPage() {
  const rng = random(51), k = 3, m = 40, n = 40, times = 12;
  const rows = membership(m, k, rng, 0.1, 0.3), columns = membership(n, k, rng, 0.1, 0.3);
  const when = Array.from({ length: times }, (_, t) => [0, 1, 2].filter((c) => t >= 3 * c && t < 3 * c + 6));
  const axes = [axis("mode 0", rows, k, 0), axis("mode 1", columns, k, 1)];
  const cells = when.map((of) => values(rows.map((list) => list.filter((c) => of.includes(c))), columns, rng));
  const means = Array.from({ length: k }, (_, c) => cells[0].map((_, i) => cells.reduce((sum, one, t) => sum + (when[t].includes(c) ? one[i] : 0), 0) / 6));
  const scale = scaleOf(cells.flat(), false);
  const lie = [stretches(axes[0]._order, rows, k), stretches(axes[1]._order, columns, k)];
  const block = (name, at, only) => ({
    name, caption: `40 × 40 cells of slice ${name}.`, rows: 0, columns: 1, field: at, arranged: false, given_field: null,
    row_stretches: lie[0].filter((one) => only.includes(one.component)), column_stretches: lie[1].filter((one) => only.includes(one.component)),
  });
  const months = names("month", times);
  return page({
    title, axes, fields: [...cells, ...means].map((one) => field(m, n, one, scale)), labels: [names("sender", m), names("receiver", n), months],
    results: [result({
      inputs_title: "mail.tns", n_components: k, components: components(k, 0),
      modes: [mode("mode_0", "mode 0", rows, k, 0, rng), mode("mode_1", "mode 1", columns, k, 1, rng), mode("mode_2", "mode 2", when, k, 2, rng)],
      picture: {
        arrangement: "slices", message: "", blocks: when.map((of, t) => block(months.text[t], t, of)), flows: [],
        component_slices: means.map((_, c) => ({ component: c, block: block(`component ${c}`, times + c, [c]) })), profile_mode: "mode_2",
      },
    })],
  });
}
