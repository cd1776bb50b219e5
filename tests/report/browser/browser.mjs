// A headless Chromium whose pages tell what they said, asked for and where they broke.
import { createRequire } from "node:module";
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";

const kArguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];
const kPatience = 60_000; // milliseconds, for a machine that does other things too

const executable = process.env.CHROMIUM ?? "/usr/bin/chromium";

// What is missing to run at all; empty where nothing is.
export function missing() {
  if (!existsSync(executable)) return `there is no ${executable} (CHROMIUM names another)`;
  if (!existsSync(new URL("../../../report/node_modules/playwright-core", import.meta.url))) return "playwright-core is not there (npm ci in report/)";
  return "";
}

export async function launch() {
  const require = createRequire(new URL("../../../report/package.json", import.meta.url));
  const { chromium } = require("playwright-core");
  return chromium.launch({ executablePath: executable, args: kArguments });
}

// Notes when the page says it is ready, on its own clock.
function noteReady() {
  const look = () => {
    if (document.documentElement?.dataset.ready !== "yes" || globalThis.readyAt !== undefined) return;
    globalThis.readyAt = performance.now();
  };
  new MutationObserver(look).observe(document, { attributes: true, subtree: true, attributeFilter: ["data-ready"] });
}

export function addressOf(file) {
  return pathToFileURL(file).href;
}

export async function context(browser, { scheme = "light", width = 1100, height = 900, bypassCSP = false } = {}) {
  const made = await browser.newContext({ colorScheme: scheme, viewport: { width, height }, acceptDownloads: true, bypassCSP, reducedMotion: "reduce" });
  await made.addInitScript(noteReady);
  return made;
}

// A page of the context with what it complained of: everything on the console, errors, dialogs, and
// requests for anything but itself.
export async function freshPage(from) {
  const page = await from.newPage();
  page.setDefaultTimeout(kPatience);
  const complaints = [];
  let own = "";
  page.on("console", (message) => complaints.push(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const address = request.url().split("#")[0];
    if (address !== own && !address.startsWith("blob:")) complaints.push(`request: ${address.slice(0, 200)}`);
  });
  return {
    page,
    complaints,
    async open(address) {
      own = address;
      await page.goto(address);
      await page.waitForFunction(() => globalThis.readyAt !== undefined, undefined, { timeout: kPatience });
    },
  };
}

export async function opened(browser, address, options) {
  const made = await context(browser, options);
  const one = await freshPage(made);
  await one.open(address);
  return { ...one, close: () => made.close() };
}

// Two frames later everything that was scheduled is drawn.
export async function settled(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
}
