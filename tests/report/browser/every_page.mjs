// What holds for every page, whatever is on it.
import assert from "node:assert/strict";
import test from "node:test";
import { addressOf, opened, settled } from "./browser.mjs";
import { contrastFailures } from "./contrast.mjs";
import { keyboardFailures } from "./keyboard.mjs";
import { activeAttributes } from "./tree.mjs";

const kMostTabs = 300;

// Different colours of each canvas with cells.
function canvasColours() {
  return [...document.querySelectorAll("canvas.cells, canvas.tile")].map((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });
}

function sectionsOf() {
  return [...document.querySelectorAll("section")].map((one) => ({
    id: one.id, title: one.querySelector("h2")?.textContent ?? "", height: one.getBoundingClientRect().height, visible: one.checkVisibility(),
  }));
}

// Kind of page, and whether it has a result with components: what must be on it follows from that.
function kindOf() {
  const page = JSON.parse(document.getElementById("data").textContent);
  const [first] = page.results;
  return { kind: page.kind, blocks: first?.picture.blocks.length ?? 0, panels: first?.panels.length ?? 0, table: page.table !== null, components: first?.components.length ?? 0 };
}

const kWanted = { result: ["components", "members", "quality", "provenance"], path: ["path", "table"], compare: ["table"], several: [], index: [] };

async function renders(browser, address) {
  const { page, complaints, close } = await opened(browser, address);
  const facts = await page.evaluate(kindOf);
  const sections = await page.evaluate(sectionsOf);
  const ids = sections.map((one) => one.id);
  for (const id of kWanted[facts.kind]) assert.ok(ids.includes(id), `there is no section ${id} among ${ids}`);
  assert.equal(new Set(ids).size, ids.length, "ids of sections are not unique");
  assert.ok(sections.every((one) => one.height > 20 && one.title !== ""), `an empty section: ${JSON.stringify(sections)}`);
  if (facts.kind === "result") assert.equal(ids.filter((id) => id.startsWith("panel-")).length, facts.panels);
  const colours = await page.evaluate(canvasColours);
  if (facts.kind === "result" && facts.blocks > 0) assert.ok(colours.length > 0, "there is no canvas");
  assert.ok(colours.every((n) => n >= 2), `a blank canvas: ${colours}`);
  assert.equal(await page.evaluate(() => document.querySelectorAll("[data-state=failed], [data-state=reading]").length), 0);
  assert.deepEqual(await page.evaluate(activeAttributes), []);
  assert.equal(await page.evaluate(() => document.querySelectorAll("[style*='expression'], body [onclick]").length), 0);
  await page.mouse.wheel(0, 4000);
  await settled(page);
  assert.deepEqual(complaints, []);
  await close();
}

async function hasContrast(browser, address, scheme) {
  const { page, close } = await opened(browser, address, { scheme });
  const { n, failures } = await page.evaluate(contrastFailures);
  assert.ok(n > 5, "hardly any text");
  assert.deepEqual(failures, [], `too little contrast in ${scheme}`);
  await close();
}

async function isReachable(browser, address) {
  const { page, complaints, close } = await opened(browser, address);
  const { n, failures } = await keyboardFailures(page, kMostTabs);
  assert.deepEqual(failures, [], `of ${n} controls`);
  assert.deepEqual(complaints, []);
  await close();
}

async function isNarrow(browser, address) {
  const { page, complaints, close } = await opened(browser, address, { width: 400, height: 800 });
  await settled(page);
  const widths = await page.evaluate(() => [document.documentElement.scrollWidth, document.body.scrollWidth]);
  const culprits = await page.evaluate(() =>
    [...document.querySelectorAll("main *")].filter((one) => one.getBoundingClientRect().right > 401 && one.closest(".wide, .contents, .offstage, svg") === null)
      .slice(0, 5).map((one) => `${one.localName}.${one.getAttribute("class")}`));
  assert.ok(Math.max(...widths) <= 400, `${widths} pixels are wider than the screen: ${culprits}`);
  assert.deepEqual(complaints, []);
  await close();
}

// On paper: every section, every picture, every heading that is not in a part with a twin for paper.
async function prints(browser, address) {
  const { page, complaints, close } = await opened(browser, address, { scheme: "dark" });
  const before = await page.evaluate(sectionsOf);
  await page.emulateMedia({ media: "print", colorScheme: "light" });
  await settled(page);
  const after = await page.evaluate(sectionsOf);
  assert.deepEqual(after.map((one) => one.id), before.map((one) => one.id));
  assert.ok(after.every((one) => one.visible), "a section is not printed");
  const hidden = await page.evaluate(() =>
    [...document.querySelectorAll("section h2, section h3, section canvas, section svg, section pre, section td, section th")]
      .filter((one) => !one.checkVisibility() && one.closest(".on-screen, [hidden], .toolbar, .controls") === null).map((one) => one.outerHTML.slice(0, 100)));
  assert.deepEqual(hidden, []);
  const paper = await page.evaluate(() => document.querySelector(".on-paper")?.textContent ?? null);
  if (paper !== null) assert.match(paper, /Component 0/);
  const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(background, "rgb(255, 255, 255)");
  assert.ok((await page.pdf({ format: "A4" })).length > 5000);
  assert.deepEqual(complaints, []);
  await close();
}

export function testPage(browser, name, file) {
  const address = addressOf(file);
  test(`${name}: renders, in silence`, () => renders(browser(), address));
  test(`${name}: contrast is enough, light`, () => hasContrast(browser(), address, "light"));
  test(`${name}: contrast is enough, dark`, () => hasContrast(browser(), address, "dark"));
  test(`${name}: every control is reached by Tab and shows it`, () => isReachable(browser(), address));
  test(`${name}: fits a narrow screen`, () => isNarrow(browser(), address));
  test(`${name}: prints whole`, () => prints(browser(), address));
}
