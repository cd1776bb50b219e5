// Text on its way out of the page: to the clipboard, or into a file.
import { el } from "./dom";

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

// Where the clipboard is not to be had, as on pages that did not come over https.
function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = el("textarea", { class: "offstage", readonly: true, "aria-hidden": "true" });
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
}

// Says for a moment on the button itself what became of it.
function answer(button: HTMLElement, words: string): void {
  const before = button.dataset["text"] ?? button.textContent ?? "";
  button.dataset["text"] = before;
  button.textContent = words;
  window.setTimeout(() => (button.textContent = before), 1600);
}

export function copyButton(title: string, text: () => string, what: string): HTMLButtonElement {
  const button = el("button", { type: "button", class: "small", "aria-label": `${title}: ${what}` }, title);
  button.addEventListener("click", () => {
    void copy(text()).then((done) => answer(button, done ? "Copied" : "Not copied"));
  });
  return button;
}

export function downloadButton(title: string, file: string, text: () => string, what: string): HTMLButtonElement {
  const button = el("button", { type: "button", class: "small", "aria-label": `${title}: ${what}` }, title);
  button.addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([text()], { type: "text/tab-separated-values" }));
    const link = el("a", { href: address, download: file, class: "offstage" });
    document.body.append(link);
    link.click();
    link.remove();
    window.setTimeout(() => URL.revokeObjectURL(address), 60_000);
    answer(button, "Saved");
  });
  return button;
}

// A cell of a .tsv: whatever would end it is a space.
export function cell(text: string): string {
  return text.replace(/[\t\r\n\u0000]/g, " ");
}
