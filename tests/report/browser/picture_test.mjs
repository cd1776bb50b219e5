// The picture answers the wheel, buttons and keys, and shows the original order.
import assert from "node:assert/strict";
import test from "node:test";
import { addressOf, opened, settled } from "./browser.mjs";

async function look(page) {
  await page.mouse.move(2, 2);
  await settled(page);
  await settled(page);
  return page.evaluate(() => document.querySelector("figure.picture canvas.cells")?.toDataURL() ?? "");
}

async function zooms(browser, address) {
  const { page, complaints, close } = await opened(browser, address);
  const canvas = page.locator("figure.picture canvas.cells").first();
  await canvas.scrollIntoViewIfNeeded();
  const whole = await look(page);
  const changed = async (what, act, same = false) => {
    await act();
    const now = await look(page);
    assert.equal(now === whole, same, what);
  };
  const home = () => page.getByRole("button", { name: "Show the whole picture" }).first().click();
  await changed("the button zooms in", () => page.getByRole("button", { name: "Zoom in" }).first().click());
  await changed("the button shows the whole", home, true);
  await canvas.focus();
  await changed("the key + zooms in", () => page.keyboard.press("+"));
  await changed("shift and an arrow move on", () => page.keyboard.press("Shift+ArrowRight"));
  await changed("the key 0 shows the whole", () => page.keyboard.press("0"), true);
  const box = await canvas.boundingBox();
  await changed("the wheel zooms in", async () => {
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.wheel(0, -400);
  });
  await changed("and back", home, true);
  assert.deepEqual(complaints, []);
  await close();
}

async function walks(browser, address) {
  const { page, complaints, close } = await opened(browser, address);
  const canvas = page.locator("figure.picture canvas.cells").first();
  await canvas.focus();
  await page.keyboard.press("ArrowDown");
  await settled(page);
  const tip = page.locator("figure.picture .tip").first();
  assert.ok(await tip.isVisible(), "a cell is described where the keys have come to");
  const there = await tip.textContent();
  await page.keyboard.press("ArrowDown");
  await settled(page);
  assert.notEqual(await tip.textContent(), there);
  await page.keyboard.press("Escape");
  assert.ok(!(await tip.isVisible()));
  const box = await canvas.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await settled(page);
  assert.ok(await tip.isVisible(), "a cell is described under the pointer");
  assert.deepEqual(complaints, []);
  await close();
}

async function showsOriginalOrder(browser, address) {
  const { page, complaints, close } = await opened(browser, address);
  const button = page.locator("figure.picture [data-order=given]").first();
  const ordered = await look(page);
  await button.focus();
  await page.keyboard.press("Enter");
  assert.equal(await button.getAttribute("aria-pressed"), "true");
  const given = await look(page);
  assert.notEqual(given, ordered, "the order changes what is seen");
  await page.keyboard.press("Space");
  assert.equal(await button.getAttribute("aria-pressed"), "false");
  assert.equal(await look(page), ordered, "and back");
  assert.deepEqual(complaints, []);
  await close();
}

export async function testPicture(browser, name, file) {
  const address = addressOf(file);
  test(`${name}: the picture zooms by buttons, keys and wheel`, () => zooms(browser(), address));
  test(`${name}: cells are described under pointer and keys`, () => walks(browser(), address));
  test(`${name}: the original order comes and goes`, () => showsOriginalOrder(browser(), address));
}
