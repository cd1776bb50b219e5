// A thousand hostile texts in every place where a page shows text: the elements are those of a page
// with plain texts, nothing runs, nothing is asked for.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { addressOf, context, freshPage, settled } from "./browser.mjs";
import { payloads } from "./payloads.mjs";
import { activeAttributes, elementTree, formulaTags } from "./tree.mjs";
import { html } from "../../../report/page/samples/page.mjs";

// Words of the contract rather than texts: the program writes one of a few.
const kWords = new Set(["kind", "encoding", "data", "tone", "arrangement", "key", "profile_mode"]);
const kNumbers = new Set(["nan", "inf", "-inf"]);

// A copy of the page in which `of(place)` stands at every text; place counts the texts. Names of
// columns and what is in them stay where `keepsTable`, so that there is something to draw.
function withTexts(page, of, keepsTable) {
  let place = 0;
  const walk = (value, name) => {
    if (typeof value === "string") return kWords.has(name) || kNumbers.has(value) || value === "" ? value : of(place++);
    if (Array.isArray(value)) return value.map((one) => walk(one, name));
    if (value === null || typeof value !== "object") return value;
    const keeps = (key) => keepsTable && name === "table" && (key === "columns" || key === "rows");
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, keeps(key) ? one : walk(one, key)]));
  };
  return { page: walk(page, ""), places: place };
}

async function treeOf(one, file, page) {
  writeFileSync(file, html(page));
  await one.open(addressOf(file));
  await settled(one.page);
  return one.page.evaluate(elementTree);
}

function firstDifference(a, b) {
  const at = a.findIndex((line, i) => line !== b[i]);
  return at < 0 ? `${a.length} and ${b.length} elements` : `element ${at}: '${b[at]}' instead of '${a[at]}' after '${a[at - 1]}'`;
}

// `rounds` pages, each with other texts at each place; over all rounds a place sees that many.
async function withstands(browser, make, rounds, keepsTable) {
  const folder = mkdtempSync(join(tmpdir(), "gingham-hostile-"));
  const made = await context(browser, { width: 900, height: 700 });
  const one = await freshPage(made);
  const texts = payloads();
  const file = join(folder, "page.html");
  const { page: plain, places } = withTexts(make(), (place) => `plain ${place}`, keepsTable);
  assert.ok(places > 20, `only ${places} texts`);
  const wanted = await treeOf(one, file, plain);
  const stride = Math.max(1, Math.floor(texts.length / rounds));
  for (let round = 0; round < rounds; ++round) {
    const { page } = withTexts(make(), (place) => texts[(place + round * stride) % texts.length], keepsTable);
    const tree = await treeOf(one, file, page);
    assert.ok(tree.join("\n") === wanted.join("\n"), `round ${round}: ${firstDifference(wanted, tree)}`);
    assert.deepEqual(await one.page.evaluate(activeAttributes), []);
    for (const tag of await one.page.evaluate(formulaTags)) assert.match(tag, /^(div|span|i|sub|sup) (class)?$/);
    assert.deepEqual(one.complaints, []);
  }
  await made.close();
  rmSync(folder, { recursive: true });
}

// The page made anew in the same window for every round, without the policy that would stop what
// gets through, and without layout and frames, which cost most of the time. Returns the trees that
// were wrong. Runs in the page.
async function makeAnew({ script, rounds, wanted, tree }) {
  const treeNow = new Function(`return (${tree})()`);
  const run = new Function(script);
  const root = document.documentElement;
  const page = document.getElementById("page");
  const wrong = [];
  page.style.display = "none";
  globalThis.requestAnimationFrame = (act) => setTimeout(() => act(performance.now()), 0);
  for (const json of rounds) {
    delete root.dataset.ready;
    page.replaceChildren();
    document.getElementById("data").textContent = json;
    run();
    while (root.dataset.ready !== "yes") await new Promise((done) => setTimeout(done, 1));
    const found = treeNow().join("\n");
    if (wanted === "") return found;
    if (found !== wanted) wrong.push(found);
  }
  return wrong;
}

const kAtOnce = 50; // rounds in one window

// Every text in every place: as many rounds as there are texts.
async function withstandsAll(browser, make, keepsTable) {
  const folder = mkdtempSync(join(tmpdir(), "gingham-hostile-"));
  const file = join(folder, "page.html");
  const texts = payloads();
  const { page: plain, places } = withTexts(make(), (place) => `plain ${place}`, keepsTable);
  writeFileSync(file, html(plain));
  const script = readFileSync(new URL("../../../report/bundle/page.js", import.meta.url), "utf8");
  const made = await context(browser, { width: 900, height: 700, bypassCSP: true });
  const one = await freshPage(made);
  const rounds = (from, to) =>
    Array.from({ length: to - from }, (_, i) => JSON.stringify(withTexts(make(), (place) => texts[(place + from + i) % texts.length], keepsTable).page));
  const arguments_ = { script, tree: elementTree.toString() };
  for (let from = 0; from < texts.length; from += kAtOnce) {
    await one.open(addressOf(file));
    const wanted = await one.page.evaluate(makeAnew, { ...arguments_, rounds: [JSON.stringify(plain)], wanted: "" });
    const wrong = await one.page.evaluate(makeAnew, { ...arguments_, rounds: rounds(from, from + kAtOnce), wanted });
    assert.equal(wrong.length, 0, `from text ${from}: ${firstDifference(wanted.split("\n"), (wrong[0] ?? "").split("\n"))}`);
    assert.deepEqual(await one.page.evaluate(activeAttributes), []);
    assert.deepEqual(one.complaints, []);
  }
  await made.close();
  rmSync(folder, { recursive: true });
  return places;
}

export function testHostile(browser, name, make, rounds, keepsTable = false) {
  test(`${name}: ${rounds} rounds of hostile texts in every place`, () => withstands(browser(), make, rounds, keepsTable));
}

export function testAllHostile(browser, name, make, keepsTable = false) {
  test(`${name}: a thousand hostile texts in every place`, async (t) => {
    const places = await withstandsAll(browser(), make, keepsTable);
    t.diagnostic(`${name}: 1000 texts in each of ${places} places`);
  });
}
