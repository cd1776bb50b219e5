// How long pages take to open, from the start of loading to the page's own word that it is ready.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import test from "node:test";
import { addressOf, opened } from "./browser.mjs";

const kGoal = 2; // seconds, on a machine that does nothing else
const kGenerous = 8; // what fails the test
const kTries = 3;

export function testTiming(browser, name, file) {
  test(`${name}: opens in time`, async (t) => {
    let best = Infinity;
    for (let i = 0; i < kTries && best > kGoal / 2; ++i) {
      const { page, complaints, close } = await opened(browser(), addressOf(file));
      best = Math.min(best, (await page.evaluate(() => globalThis.readyAt)) / 1000);
      assert.deepEqual(complaints, []);
      await close();
    }
    t.diagnostic(`${name}: ${(statSync(file).size / 1e6).toFixed(2)} MB open in ${best.toFixed(2)} s (goal: ${kGoal} s)`);
    assert.ok(best < kGenerous, `${best.toFixed(1)} s`);
  });
}
