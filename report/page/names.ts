// What the items and the modes of a result are called.
import type { Mode, Page } from "./data";

// The label of an item; its number where it has none.
export function namer(page: Page, labels: number | null): (item: number) => string {
  const given = givenNamer(page, labels);
  return (item) => given(item) || String(item);
}

// The label of an item, empty where it has none.
export function givenNamer(page: Page, labels: number | null): (item: number) => string {
  const set = labels === null ? undefined : page.labels[labels];
  if (set === undefined) return () => "";
  const items = set.items;
  if (items === null) return (item) => set.text[item] ?? "";
  const place = new Map(items.map((item, at) => [item, at]));
  return (item) => set.text[place.get(item) ?? -1] ?? "";
}

// Mode and block as clusters.tsv has them: "columns_2" is block 2 of columns, "mode_2" is a mode.
export function keyParts(mode: Mode): { mode: string; block: string } {
  const found = /^(.*)_(\d+)$/.exec(mode.key);
  if (found === null || found[1] === "mode") return { mode: mode.key, block: "" };
  return { mode: found[1] ?? "", block: found[2] ?? "" };
}
