import type { Page } from "./data";
import { renderPage } from "./render";

const holder = document.getElementById("data");
const page = JSON.parse(holder?.textContent ?? "null") as Page;
document.getElementById("page")?.append(...renderPage(page));
