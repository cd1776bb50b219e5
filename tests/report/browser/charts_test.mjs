// Charts are read by pointer and keys; the table of a path shows more columns and draws what is asked.
import assert from "node:assert/strict";
import test from "node:test";
import { addressOf, opened, settled } from "./browser.mjs";

async function reads(browser, address) {
  const { page, complaints, close } = await opened(browser, address);
  const box = page.locator("#quality .chart-box").first();
  const reading = box.locator(".reading");
  await box.locator(".plot").focus();
  await page.keyboard.press("End");
  const last = await reading.textContent();
  await page.keyboard.press("ArrowLeft");
  assert.match(last, /^iteration /);
  assert.notEqual(await reading.textContent(), last, "the keys go from value to value");
  await page.keyboard.press("Home");
  const frame = await box.locator("svg").boundingBox();
  await page.mouse.move(frame.x + 0.6 * frame.width, frame.y + 0.5 * frame.height);
  await settled(page);
  assert.match(await reading.textContent(), /^iteration \d+: .*gap/);
  assert.equal(await page.locator("#quality tr.kept").count(), 1, "the restart that was kept is marked");
  assert.match(await page.locator("#quality").innerText(), /left the race/, "what became of the restarts is said");
  assert.ok((await page.locator("#provenance tr.kept").count()) > 0, "options that differ are marked");
  assert.deepEqual(complaints, []);
  await close();
}

async function showsColumns(browser, address) {
  const { page, complaints, close } = await opened(browser, address);
  const heads = page.locator("#table thead th");
  const few = await heads.count();
  const box = page.locator("#table .switch input").first();
  await box.focus();
  await page.keyboard.press("Space");
  assert.ok((await heads.count()) > few);
  const data = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent).table);
  const nmi = data.columns.findIndex((one) => one.name === "nmi");
  const best = Math.max(...data.rows.map((row) => Number(row[nmi] || NaN)).filter((value) => !Number.isNaN(value)));
  const marked = await page.locator("#table .best").allTextContents();
  assert.ok(marked.some((text) => Math.abs(parseFloat(text) - best) < 1e-4), `${best} is not among ${marked}`);
  const links = await page.locator("#table tbody a").evaluateAll((list) => list.map((one) => one.getAttribute("href")));
  assert.deepEqual(links, data.folders.map((one) => `./${one}/report.html`));
  const charts = page.locator("#table .path-charts > *");
  const before = await charts.count();
  assert.ok(before > 0);
  await page.locator("#table .tools input:checked").first().click();
  assert.equal(await charts.count(), before - 1);
  assert.deepEqual(complaints, []);
  await close();
}

export function testCharts(browser, full, table) {
  test("full: charts are read by keys and pointer", () => reads(browser(), addressOf(full)));
  test("table: more columns, the best score, links and charts", () => showsColumns(browser(), addressOf(table)));
}
