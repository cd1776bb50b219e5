// page/main.ts and page/style.css -> bundle/page.js, page.css and LICENSES.txt, the same bytes on
// every machine. With --check nothing is written: it fails where the bundle is not what the source
// gives.
import { build } from "esbuild";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const bundle = join(here, "bundle");

async function bundled() {
  return build({
    absWorkingDir: here,
    entryPoints: { page: "page/main.ts", style: "page/style.css" },
    outdir: "bundle",
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    charset: "ascii",
    format: "iife",
    legalComments: "none",
    target: ["es2020", "chrome100", "firefox113", "safari16.4"],
    logLevel: "warning",
  });
}

// The licences of what was bundled, in order of name.
function licences(metafile) {
  const names = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) names.add(found[1]);
  }
  let text = "page.js contains code of these packages.\n";
  for (const name of [...names].sort()) {
    const folder = join(here, "node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    text += `\n${"-".repeat(80)}\n${name} ${version} (${license})\n\n`;
    text += readFileSync(join(folder, "LICENSE"), "utf8").trim() + "\n";
  }
  return text;
}

// The page is one HTML file: nothing in the script may end its element.
function refuseMarkup(text) {
  for (const ending of ["</script", "<!--", "</style"]) {
    if (text.toLowerCase().includes(ending)) throw new Error(`the bundle contains ${ending}`);
  }
  for (const letter of text) {
    if (letter.codePointAt(0) > 126) throw new Error(`the bundle contains ${JSON.stringify(letter)}`);
  }
}

async function made() {
  const { outputFiles, metafile } = await bundled();
  const one = (ending) => outputFiles.find((file) => file.path.endsWith(ending)).text;
  const files = { "page.js": one(".js"), "page.css": one(".css") };
  refuseMarkup(files["page.js"]);
  refuseMarkup(files["page.css"]);
  return { ...files, "LICENSES.txt": licences(metafile) };
}

function differing(files) {
  return Object.entries(files)
    .filter(([name, text]) => {
      const path = join(bundle, name);
      return !existsSync(path) || readFileSync(path, "utf8") !== text;
    })
    .map(([name]) => name);
}

const files = await made();
if (process.argv.includes("--check")) {
  const stale = differing(files);
  if (stale.length > 0) {
    console.error(
      `report/bundle is not what report/page gives: ${stale.join(", ")} differ. ` +
        "Run `npm ci && npm run build` in report/ and commit report/bundle.",
    );
    process.exit(1);
  }
  console.log("report/bundle is what report/page gives.");
} else {
  mkdirSync(bundle, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(bundle, name), text);
    console.log(`report/bundle/${name}: ${Buffer.byteLength(text)} bytes`);
  }
}
