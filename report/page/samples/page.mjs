// A page as the program writes it: data, style and script in one HTML file under a policy that
// allows nothing else.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const bundle = new URL("../../bundle/", import.meta.url);

function digest(text) {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

export function html(page) {
  const script = readFileSync(new URL("page.js", bundle), "utf8");
  const style = readFileSync(new URL("page.css", bundle), "utf8");
  const policy =
    `default-src 'none'; script-src ${digest(script)}; style-src ${digest(style)}; ` +
    "img-src data: blob:; base-uri 'none'; form-action 'none'";
  const json = JSON.stringify(page).replace(/</g, "\\u003c").replace(/\u2028/g, "\\u2028").replace(/\u2029/g, "\\u2029");
  return (
    '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">' +
    `<meta http-equiv="Content-Security-Policy" content="${policy}">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1"><title>sample</title>' +
    `<style>${style}</style></head><body><div id="page"></div>` +
    "<noscript>This page needs a script to be shown.</noscript>" +
    `<script type="application/json" id="data">${json}</script><script>${script}</script></body></html>\n`
  );
}
