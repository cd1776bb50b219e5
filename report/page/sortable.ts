// Tables that are sorted by a click on a column's head and grow on request, so that long ones
// open fast.
import { el, type Child } from "./dom";
import { count } from "./format";

export interface Column<Row> {
  title: string;
  hint?: string; // what the column means
  numeric?: boolean; // right-aligned, and largest first at the first click
  class?: string;
  hidden?: boolean; // the title is for those who do not see the column
  key?: (row: Row) => number | string; // to sort by; NaN and "" come last; none: not sortable
  cells: (row: Row) => Child[];
  head?: boolean; // the cell names the row
}

export interface Sort {
  column: number;
  falling: boolean;
}

export interface TableOptions<Row> {
  label: string; // for those who do not see the table
  first: number; // rows shown at once
  step?: number; // rows that come with each "more"; as many as at first unless said otherwise
  sort?: Sort; // as the rows already are
  rowClass?: (row: Row) => string;
  class?: string;
}

export interface SortableTable<Row> {
  element: HTMLElement;
  setRows(rows: Row[]): void;
  rows(): Row[]; // as sorted, shown or not
}

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function isEmpty(key: number | string): boolean {
  return key === "" || (typeof key === "number" && Number.isNaN(key));
}

function compare(a: number | string, b: number | string): number {
  return typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b));
}

// Stable; what has no key comes last whichever way the others go.
function sorted<Row>(rows: Row[], key: (row: Row) => number | string, falling: boolean): Row[] {
  const keyed = rows.map((row) => ({ row, key: key(row) }));
  const sign = falling ? -1 : 1;
  keyed.sort((a, b) => {
    const emptyA = isEmpty(a.key);
    const emptyB = isEmpty(b.key);
    if (emptyA || emptyB) return Number(emptyA) - Number(emptyB);
    return sign * compare(a.key, b.key);
  });
  return keyed.map((one) => one.row);
}

// What a button says that shows `step` of the `rest`.
export function moreWords(rest: number, step: number): string {
  return rest <= step ? `Show the other ${count(rest)}` : `Show ${count(step)} more of ${count(rest)}`;
}

export function sortableTable<Row>(
  columns: Column<Row>[],
  given: Row[],
  options: TableOptions<Row>,
): SortableTable<Row> {
  let rows = given;
  let ordered = given;
  let shown = 0;
  const step = options.step ?? options.first;
  let sort: Sort | undefined = options.sort;
  const body = el("tbody");
  const more = el("button", { type: "button", class: "small more" });
  const heads = columns.map((column, at) => head(column, () => sortBy(at)));
  const table = el(
    "table",
    { class: options.class, "aria-label": options.label },
    el("thead", {}, el("tr", {}, ...heads)),
    body,
  );

  function head(column: Column<Row>, act: () => void): HTMLElement {
    const th = el("th", { scope: "col", class: column.numeric ? "n" : column.class, title: column.hint });
    const text = el("bdi", { class: column.hidden ? "offstage" : null }, column.title);
    if (column.key === undefined) {
      th.append(text);
      return th;
    }
    const button = el("button", { type: "button", class: "sort" }, text, el("i", { "aria-hidden": "true" }));
    button.addEventListener("click", act);
    th.append(button);
    return th;
  }

  function sortBy(column: number): void {
    const falling = sort?.column === column ? !sort.falling : columns[column]?.numeric === true;
    sort = { column, falling };
    arrange();
  }

  function arrange(): void {
    const key = sort === undefined ? undefined : columns[sort.column]?.key;
    ordered = sort === undefined || key === undefined ? rows : sorted(rows, key, sort.falling);
    heads.forEach((th, at) => {
      if (sort?.column === at) th.setAttribute("aria-sort", sort.falling ? "descending" : "ascending");
      else th.removeAttribute("aria-sort");
    });
    refill();
  }

  function refill(): void {
    body.replaceChildren();
    shown = 0;
    grow();
  }

  function grow(): void {
    const until = Math.min(ordered.length, shown + (shown === 0 ? options.first : step));
    for (; shown < until; ++shown) body.append(rowOf(ordered[shown] as Row));
    const rest = ordered.length - shown;
    more.hidden = rest === 0;
    more.textContent = moreWords(rest, step);
  }

  function rowOf(row: Row): HTMLElement {
    const tr = el("tr", { class: options.rowClass?.(row) || null });
    for (const column of columns) {
      const name = column.numeric ? "n" : column.class;
      tr.append(
        column.head
          ? el("th", { scope: "row", class: name }, ...column.cells(row))
          : el("td", { class: name }, ...column.cells(row)),
      );
    }
    return tr;
  }

  more.addEventListener("click", () => {
    const before = shown;
    grow();
    if (!more.hidden) return;
    // The button is gone: the reader goes on at the first new row.
    const next = body.children[before];
    if (next instanceof HTMLElement) {
      next.tabIndex = -1;
      next.focus();
    }
  });
  if (sort === undefined) refill();
  else arrange();
  return {
    element: el("div", { class: "sortable" }, el("div", { class: "wide" }, table), more),
    setRows(next) {
      rows = next;
      arrange();
    },
    rows: () => ordered,
  };
}
