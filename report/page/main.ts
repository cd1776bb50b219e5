import type { Page } from "./data";
import { renderPage } from "./render";

const holder = document.getElementById("data");
const page = JSON.parse(holder?.textContent ?? "null") as Page;
document.getElementById("page")?.append(...renderPage(page));

// Ready when nothing is being read any more and what was scheduled then is drawn.
function tell(): void {
  if (document.querySelector('[data-state="reading"]') !== null) requestAnimationFrame(tell);
  else requestAnimationFrame(() => requestAnimationFrame(() => (document.documentElement.dataset["ready"] = "yes")));
}
tell();
