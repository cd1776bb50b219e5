// What the program writes into the page, as JSON, and all that the script knows. The program has
// computed, ordered, thinned and shortened everything; the script shows it and computes nothing
// that result.json does not hold. Texts come from users' files: they are only ever textContent.

// JSON has no word for what is not finite.
export type Num = number | "nan" | "inf" | "-inf";

// Numbers as base64 of a zlib stream, little endian. In u8, 0 ... 254 go from the scale's low to
// its high and 255 is missing; in f32 a NaN is missing.
export interface Packed {
  encoding: "f32" | "u8" | "i32";
  length: number;
  data: string;
}

// Colours go from low to high, what lies beyond has the colour of the end. Diverging scales are
// symmetric about 0.
export interface Scale {
  diverging: boolean;
  low: number;
  high: number;
  below: boolean; // some cells lie below low
  above: boolean;
  missing: boolean; // some cells are missing
}

// Cells row by row. The blocks of a series and the slices of an array have one scale, views one each.
export interface Field {
  rows: number;
  columns: number;
  scale: Scale;
  values: Packed;
}

// Names of items; of all (items is null) or of some.
export interface LabelSet {
  n: number;
  items: number[] | null;
  text: string[];
}

// A stretch of an axis, in bins: [begin, end). Component -1: items of no component.
export interface Stretch {
  component: number;
  begin: number;
  end: number;
}

// One side of a picture: the items of a mode ordered so that those of a component stand together,
// gathered into bins (one cell each). As given, bins are runs of consecutive items.
export interface Axis {
  title: string; // "rows", "columns", "mode 0"
  n: number; // items
  bins: number;
  order: Packed | null; // i32: the item at each place; null: as given
  starts: Packed | null; // i32: the first place of each bin; null: a bin per item
  given_starts: Packed | null; // i32: the first item of each bin as given; null: a bin per item
  segments: Stretch[]; // components in rising order, then the rest; cover all bins
  squeezed: boolean; // the rest has fewer bins per item than the members
  crowded: boolean; // too many components to tell apart: nothing is reordered
  several: number; // items that belong to several components
  labels: number | null; // in Page.labels
}

// A matrix, a time of a series, a view, a slice of a tensor: its cells in two orders.
export interface BlockPicture {
  name: string;
  caption: string;
  rows: number; // in Page.axes
  columns: number;
  // Where the components are in this block: bins of the ordered axis, possibly several stretches
  // per component and overlapping ones. The cells of component k are all pairs of its row and
  // column stretches.
  row_stretches: Stretch[];
  column_stretches: Stretch[];
  field: number; // in Page.fields
  // false: `field` holds one cell per pair of items, as given; both orders are drawn from it.
  // true: `field` is in the order of the axes' bins, and given_field holds the other one.
  arranged: boolean;
  given_field: number | null;
}

// Who goes where from one block (time) to the next. Component -1: none.
export interface Flow {
  title: string; // "rows"
  blocks: string[]; // names
  sizes: { block: number; component: number; count: number }[];
  links: { block: number; from: number; to: number; count: number; names: string[] }[];
}

export interface Picture {
  arrangement: "single" | "series" | "views" | "slices";
  message: string; // why there is none, or what is not shown; may be empty
  blocks: BlockPicture[];
  flows: Flow[];
  // Tensors: per component, the mean over the other mode by the component's weights there.
  component_slices: { component: number; block: BlockPicture }[];
  profile_mode: string | null; // key of the mode that the slices run along
}

// Who belongs to which component in one mode; lists run in parallel, ordered by component and
// falling strength.
export interface Mode {
  key: string; // "rows", "columns_2": as the label files are named
  title: string; // "rows", "columns of block 2"
  block: string | null; // the block's name
  n: number;
  labels: number | null; // in Page.labels
  sizes: number[]; // members of each component shown, all of them
  component: number[];
  item: number[];
  value: Num[];
  stability: number[] | null; // share of the other restarts in which the member comes back
  left_out: number; // members that clusters.tsv has and this list has not
}

export interface NamedValue {
  name: string;
  value: Num;
}

export interface Option {
  name: string;
  value: string;
  initial: string; // the default
  used: string; // the numbers it came to, where it was a percentage or a word
  help: string;
}

export interface Input {
  path: string;
  shape: number[];
  nonzeros: number;
  missing: number;
  digest: string;
}

export type Panel =
  | { kind: "matrix"; title: string; text: string; rows: string[]; columns: string[]; values: Num[][] }
  | {
      kind: "curve";
      title: string;
      text: string;
      x_title: string;
      y_title: string;
      x: number[];
      y: Num[];
      error: Num[] | null; // half the length of the bar at each point
      chosen: number | null; // index of the point that was taken
    }
  | { kind: "histogram"; title: string; text: string; x_title: string; edges: number[]; counts: number[] }
  | {
      kind: "images"; // atoms of a dictionary, with a number each
      title: string;
      text: string;
      height: number;
      width: number;
      names: string[]; // one per image
      numbers_title: string;
      numbers: Num[];
      values: Packed; // f32, image by image, each row by row
      left_out: number;
    }
  | {
      kind: "pairs"; // an original beside its reconstruction, as images or as lines (height 1)
      title: string;
      text: string;
      height: number;
      width: number;
      names: string[];
      originals: Packed; // f32
      copies: Packed;
    };

export interface Result {
  folder: string | null; // where the result is, from the page; null: beside the page
  name: string; // tells results of one page apart
  method: string;
  title: string;
  formula: string;
  reference: string; // how to cite
  inputs_title: string; // "table.csv and 3 more inputs"
  status: { name: string; tone: "good" | "fair" | "bad"; title: string; meaning: string };
  objective: Num;
  gap: Num;
  explained: Num; // 1 - residual / total of all components together; "nan" where there is none
  iterations: number;
  fit_seconds: number;
  notes: string[];
  notes_left_out: number;
  n_components: number; // all; the list below may be shorter
  components: { weight: Num; level: Num; explained: Num; blocks: Num[] }[]; // blocks: explained of each block
  block_names: string[]; // of the shares above; empty where there is one block
  modes: Mode[];
  modes_left_out: number;
  picture: Picture;
  panels: Panel[];
  trace: { component: number[]; iteration: number[]; objective: Num[]; gap: Num[]; moved: Num[]; seconds: number[] };
  trace_length: number; // of the whole trace; the one above may be thinned
  tolerance: Num;
  // left: behind others after as many iterations, so that it never came to an end
  restarts: { objective: Num; iterations: number; status: string; left: boolean; kept: boolean }[];
  scores: NamedValue[]; // against --truth
  measures: NamedValue[];
  terms: NamedValue[];
  gaps: NamedValue[];
  command: string;
  version: string;
  seed: string;
  options: Option[];
  inputs: Input[];
  attached: { option: string; path: string; size: string; digest: string }[];
  truth: string[];
  seconds: NamedValue[];
  peak_memory: string;
}

// path.tsv or compare.tsv.
export interface Table {
  title: string;
  columns: { name: string; important: boolean }[];
  rows: string[][];
  folders: string[]; // link of each row, may be empty
}

// The points of a path: for each point the place on every varied option.
export interface Path {
  options: { name: string; values: string[] }[];
  points: { at: number[]; result: number | null; row: number }[]; // result in Page.results, row in Table
}

export interface IndexEntry {
  question: string;
  title: string;
  sentences: string[];
  command: string;
  link: string; // a report, relative to the page
  picture: BlockPicture | null;
}

export interface Page {
  format: 1;
  kind: "result" | "path" | "compare" | "several" | "index";
  title: string;
  lead: string; // a sentence below the title; may be empty
  command: string; // of path and compare
  version: string;
  axes: Axis[];
  fields: Field[];
  labels: LabelSet[];
  results: Result[]; // one for "result"
  results_left_out: number;
  table: Table | null;
  path: Path | null;
  index: IndexEntry[];
  next: string[]; // commands to try; index only
}
