// node make.mjs FOLDER [NAME...]: writes sample pages into the folder, for looking at and for the
// browser tests.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { html } from "./page.mjs";
import { pages, sample } from "./pages.mjs";

const [folder, ...chosen] = process.argv.slice(2);
if (folder === undefined) {
  console.error("node make.mjs FOLDER [NAME...]");
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
for (const name of chosen.length > 0 ? chosen : Object.keys(pages)) {
  const text = html(sample(name));
  writeFileSync(join(folder, `${name}.html`), text);
  console.log(`${name}.html: ${(text.length / 1e6).toFixed(2)} MB`);
}
