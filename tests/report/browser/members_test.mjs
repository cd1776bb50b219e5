// Tables sort, members are searched, copied and saved: compared with the data the page was given,
// sorted, searched and written out here in the simplest way.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { addressOf, opened, settled } from "./browser.mjs";

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const kPause = 300; // longer than the search waits

function readData(page) {
  return page.evaluate(() => JSON.parse(document.getElementById("data").textContent));
}

// Members as plain objects, in the order of the page's lists.
function membersOf(data, mode) {
  const set = mode.labels === null ? null : data.labels[mode.labels];
  const label = (item) => (set === null ? "" : (set.items === null ? set.text[item] : set.text[set.items.indexOf(item)]) ?? "");
  return mode.item.map((item, at) => ({
    component: mode.component[at], item, label: label(item), name: label(item) || String(item), value: mode.value[at], stability: mode.stability?.[at],
  }));
}

function tsvOf(mode, members) {
  const [name, block] = mode.key.startsWith("mode_") || !/_\d+$/.test(mode.key) ? [mode.key, ""] : [mode.key.replace(/_\d+$/, ""), /\d+$/.exec(mode.key)[0]];
  const lines = members.map((one) => `${one.component}\t${name}\t${block}\t${one.item}\t${one.label}\t${one.value}\n`);
  return `component\tmode\tblock\tindex\tlabel\tvalue\n${lines.join("")}`;
}

const boxOf = (page, at) => page.locator("#members .mode").nth(at);
const tableOf = (page, at) => boxOf(page, at).locator(".sortable:not([hidden]) table");
const namesIn = (page, at) => tableOf(page, at).locator("tbody .name").allTextContents();

async function showAll(page, at) {
  const more = boxOf(page, at).locator(".sortable:not([hidden]) > .more:visible");
  while ((await more.count()) > 0) await more.first().click();
}

async function sorts(browser, address) {
  const { page, complaints, close } = await opened(browser, address);
  const data = await readData(page);
  const mode = data.results[0].modes[0];
  const members = membersOf(data, mode).filter((one) => one.component === 0);
  const expect = async (title, keys, order, state) => {
    const button = tableOf(page, 0).locator("thead button.sort", { hasText: title });
    await button.focus();
    await page.keyboard.press(keys);
    await showAll(page, 0);
    assert.equal(await button.locator("..").getAttribute("aria-sort"), state);
    assert.equal(await tableOf(page, 0).locator("th[aria-sort]").count(), 1);
    const wanted = members.slice().sort(order).map((one) => one.name);
    assert.deepEqual(await namesIn(page, 0), wanted, `by ${title}, ${state}`);
  };
  const strength = (one) => Math.abs(Number(one.value));
  const named = mode.labels !== null;
  const first = named ? "label" : "index"; // without labels the index stands in their place
  await expect(first, "Enter", (a, b) => collator.compare(a.name, b.name), "ascending");
  await expect(first, "Space", (a, b) => collator.compare(b.name, a.name), "descending");
  await expect("weight", "Enter", (a, b) => strength(b) - strength(a), "descending");
  await expect("weight", "Enter", (a, b) => strength(a) - strength(b), "ascending");
  if (named) await expect("index", "Enter", (a, b) => b.item - a.item, "descending");
  if (mode.stability !== null) await expect("stable", "Enter", (a, b) => b.stability - a.stability, "descending");
  assert.deepEqual(complaints, []);
  await close();
}

// Every column of the table of components: what is shown falls or rises, what is no number is last.
async function sortsComponents(browser, address) {
  const { page, complaints, close } = await opened(browser, address);
  const table = page.locator("#components table");
  const n = await table.locator("thead th").count();
  for (let column = 0; column < n; ++column) {
    const head = table.locator("thead th").nth(column);
    if ((await head.locator("button").count()) === 0) continue;
    for (let click = 0; click < 2; ++click) {
      await head.locator("button").click();
      const sign = (await head.getAttribute("aria-sort")) === "ascending" ? 1 : -1;
      const texts = await table.locator(`tbody tr > :nth-child(${column + 1})`).allTextContents();
      const numbers = texts.map((text) => parseFloat(text.replace(/[\u202f\s%]/g, "")));
      const finite = numbers.filter((value) => !Number.isNaN(value));
      assert.ok(numbers.slice(0, finite.length).every((value) => !Number.isNaN(value)), `column ${column}: ${texts}`);
      assert.ok(finite.every((value, i) => i === 0 || sign * (value - finite[i - 1]) >= 0), `column ${column}: ${texts}`);
    }
  }
  assert.deepEqual(complaints, []);
  await close();
}

async function searches(browser, address) {
  const { page, complaints, close } = await opened(browser, address);
  const data = await readData(page);
  const modes = data.results[0].modes;
  const all = modes.flatMap((mode) => membersOf(data, mode));
  const before = await namesIn(page, 0);
  const box = page.locator("#members input[type=search]");
  for (const wanted of [all[all.length - 1].name, all[0].name.slice(0, 3).toUpperCase(), all[0].name.slice(1), "no such name anywhere"]) {
    await box.fill(wanted);
    await page.waitForTimeout(kPause);
    const fits = (one) => one.name.toLowerCase().includes(wanted.trim().toLowerCase());
    const hits = all.filter(fits).length;
    const words = (await page.locator("#members .hits").textContent()).replace(/\u202f/g, "");
    assert.match(words, hits === 0 ? /^No name/ : new RegExp(`^${hits} hits?$`), wanted);
    for (let at = 0; at < modes.length; ++at) {
      await showAll(page, at);
      const shown = hits === 0 ? [] : await namesIn(page, at);
      const expected = membersOf(data, modes[at]).filter(fits).map((one) => one.name);
      assert.deepEqual(shown.slice().sort(), expected.slice().sort());
    }
  }
  await box.fill("");
  await page.waitForTimeout(kPause);
  assert.deepEqual(await namesIn(page, 0), before, "the end of a search brings the earlier view back");
  assert.deepEqual(complaints, []);
  await close();
}

// By the arrow keys, as in any group of radio buttons, or by the keys of a list.
async function chooses(browser, address) {
  const { page, complaints, close } = await opened(browser, address);
  const data = await readData(page);
  const mode = data.results[0].modes[0];
  const radio = page.locator("#members input[type=radio]:checked");
  await ((await radio.count()) > 0 ? radio : page.locator("#members select").first()).focus();
  await page.keyboard.press((await radio.count()) > 0 ? "ArrowRight" : "ArrowDown");
  await settled(page);
  await showAll(page, 0);
  const wanted = membersOf(data, mode).filter((one) => one.component === 1).map((one) => one.name);
  const shown = wanted.length === 0 ? [] : await namesIn(page, 0);
  assert.deepEqual(shown.slice().sort(), wanted.slice().sort());
  assert.deepEqual(complaints, []);
  await close();
}

async function handsOut(browser, address) {
  const { page, complaints, close } = await opened(browser, address);
  const data = await readData(page);
  const mode = data.results[0].modes[0];
  const members = membersOf(data, mode).filter((one) => one.component === 0);
  const wanted = tsvOf(mode, members);
  const box = boxOf(page, 0);
  const download = page.waitForEvent("download");
  await box.getByRole("button", { name: /^Save/ }).focus();
  await page.keyboard.press("Enter");
  const file = await download;
  assert.equal(file.suggestedFilename(), "members.tsv");
  assert.equal(readFileSync(await file.path(), "utf8"), wanted);
  await page.evaluate(() => {
    globalThis.taken = [];
    Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => void globalThis.taken.push(text) } });
  });
  await box.getByRole("button", { name: /^Copy/ }).focus();
  await page.keyboard.press("Space");
  await page.waitForFunction(() => globalThis.taken.length === 1);
  assert.equal(await page.evaluate(() => globalThis.taken[0]), wanted);
  await tableOf(page, 0).locator("thead button.sort", { hasText: "index" }).click();
  await page.locator("#members input[type=search]").fill(members[0].name);
  await page.waitForTimeout(kPause);
  await box.getByRole("button", { name: /^Copy/ }).click();
  await page.waitForFunction(() => globalThis.taken.length === 2);
  const found = membersOf(data, mode).filter((one) => one.name.toLowerCase().includes(members[0].name.toLowerCase()));
  const lines = (await page.evaluate(() => globalThis.taken[1])).split("\n");
  assert.deepEqual(lines.slice().sort(), tsvOf(mode, found).split("\n").sort(), "what a search shows is what is copied");
  assert.deepEqual(complaints, []);
  await close();
}

// Without the clipboard's interface, by selecting: what is selected when the browser copies. The
// clipboard itself is everybody's on this machine and is not asked.
async function copiesAnyway(browser, address) {
  const { page, complaints, close } = await opened(browser, address);
  const { command } = (await readData(page)).results[0];
  await page.evaluate(() => {
    Object.defineProperty(navigator, "clipboard", { value: undefined });
    document.addEventListener("copy", () => {
      const { value, selectionStart, selectionEnd } = document.activeElement;
      globalThis.taken = value.slice(selectionStart, selectionEnd);
    });
  });
  const button = page.locator("#provenance").getByRole("button", { name: /command/ });
  await button.click();
  await button.getByText("Copied").waitFor();
  assert.equal(await page.evaluate(() => globalThis.taken), command);
  assert.ok(await button.evaluate((one) => one === document.activeElement), "the focus is back on the button");
  assert.equal(await page.locator("textarea").count(), 0);
  assert.deepEqual(complaints, []);
  await close();
}

export function testMembers(browser, name, file) {
  const address = addressOf(file);
  test(`${name}: members sort by every column, by keys`, () => sorts(browser(), address));
  test(`${name}: components sort by every column`, () => sortsComponents(browser(), address));
  test(`${name}: a search finds what holds the text`, () => searches(browser(), address));
  test(`${name}: a component is chosen by keys`, () => chooses(browser(), address));
  test(`${name}: what is shown is saved and copied as in clusters.tsv`, () => handsOut(browser(), address));
  test(`${name}: copies where there is no clipboard`, () => copiesAnyway(browser(), address));
}
