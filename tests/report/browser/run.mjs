// node run.mjs [FOLDER_OR_PAGE...]: checks sample pages, and the pages given, in headless Chromium.
// CHROMIUM names another browser. Exits with 77 where there is none to test with.
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before } from "node:test";
import { html } from "../../../report/page/samples/page.mjs";
import { pages, sample } from "../../../report/page/samples/pages.mjs";
import { launch, missing } from "./browser.mjs";
import { testCharts } from "./charts_test.mjs";
import { testPage } from "./every_page.mjs";
import { testAllHostile, testHostile } from "./hostile_test.mjs";
import { testMembers } from "./members_test.mjs";
import { testPicture } from "./picture_test.mjs";
import * as more from "./samples.mjs";
import { testTiming } from "./timing_test.mjs";

const reason = missing();
if (reason !== "") {
  console.log(`skipped: ${reason}`);
  process.exit(77);
}
const given = process.argv.slice(2).flatMap((name) =>
  statSync(name).isDirectory() ? readdirSync(name, { recursive: true }).filter((one) => one.endsWith(".html")).sort().map((one) => join(name, one)) : [name]);

const kMembers = 2000; // up to so many are shown whole to be compared

let running = null;
const browser = () => running;
const folder = mkdtempSync(join(tmpdir(), "gingham-pages-"));
before(async () => (running = await launch()));
after(async () => {
  await running.close();
  rmSync(folder, { recursive: true });
});

function write(name, page) {
  const file = join(folder, `${name}.html`);
  writeFileSync(file, html(page));
  return file;
}

// What can be tried on a page from outside follows from what it was given.
function abilities(file) {
  const found = /<script type="application\/json" id="data">([^]*?)<\/script>/.exec(readFileSync(file, "utf8"));
  const page = JSON.parse(found?.[1] ?? "null");
  const [result] = page?.kind === "result" ? page.results : [];
  if (result === undefined) return { picture: false, members: false };
  const [block] = result.picture.blocks;
  const sides = block === undefined ? [] : [page.axes[block.rows], page.axes[block.columns]];
  const n = result.modes.reduce((sum, mode) => sum + mode.item.length, 0);
  return {
    picture: sides.length > 0 && sides.every((side) => side.bins >= 8) && sides.some((side) => side.order !== null),
    members: (result.modes[0]?.sizes[0] ?? 0) > 0 && n <= kMembers && result.components.length > 1,
  };
}

if (given.length > 0) {
  // The widgets are the same on every page: one of those given will do for each.
  const untried = { picture: testPicture, members: testMembers };
  for (const file of given) {
    const name = join(basename(join(file, "..")), basename(file));
    testPage(browser, name, file);
    const able = abilities(file);
    for (const [what, test] of Object.entries(untried)) {
      if (!able[what]) continue;
      test(browser, name, file);
      delete untried[what];
    }
    testTiming(browser, name, file);
  }
} else {
  const files = Object.fromEntries(Object.keys(pages).map((name) => [name, write(name, sample(name))]));
  const full = write("full", more.full());
  const heavy = write("heavy", more.heavy());
  const table = write("table", more.manyColumns());
  // Series, views, arrays, paths and comparisons are tried as the program makes them.
  const { signed, hostile, index, empty, crowd, large } = files;
  for (const [name, file] of Object.entries({ signed, hostile, index, empty, crowd, large, full, heavy, table })) testPage(browser, name, file);
  for (const name of ["matrix", "signed", "series"]) testPicture(browser, name, files[name]);
  for (const [name, file] of [["full", full], ["matrix", files.matrix]]) testMembers(browser, name, file);
  testCharts(browser, full, table);
  for (const name of ["path", "compare", "index", "tensor", "views"]) testHostile(browser, name, () => sample(name), 4);
  testHostile(browser, "full", more.full, 12);
  testHostile(browser, "table", more.manyColumns, 4, true);
  testAllHostile(browser, "slim", more.slim);
  for (const [name, file] of [["heavy", heavy], ["large", files.large], ["crowd", files.crowd]]) testTiming(browser, name, file);
}
