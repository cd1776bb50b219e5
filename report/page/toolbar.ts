// The buttons of a figure.
import type { BlockModel } from "./block";
import { el } from "./dom";
import type { Link, Order } from "./link";
import type { Panel } from "./panel";

// Share of the picture that the members may fill without a closer look at them.
const kWorthACloserLook = 0.7;

function button(text: string, description: string, act: () => void): HTMLButtonElement {
  const made = el("button", { type: "button", title: description, "aria-label": description }, text);
  made.addEventListener("click", act);
  return made;
}

// A button that shows one order while it is pressed.
function toggle(text: string, order: Order, link: Link, all: HTMLButtonElement[]): HTMLButtonElement {
  const made = el("button", { type: "button", "aria-pressed": "false", "data-order": order }, text);
  made.addEventListener("click", () => {
    link.show(link.order === order ? "ordered" : order);
    for (const one of all) one.setAttribute("aria-pressed", String(one.dataset["order"] === link.order));
  });
  all.push(made);
  return made;
}

function isCloser(model: BlockModel): boolean {
  const members = model.rows.memberBins() * model.columns.memberBins();
  return members > 0 && members < kWorthACloserLook * model.rows.bins(false) * model.columns.bins(false);
}

export function toolbar(link: Link, models: BlockModel[], panel: () => Panel | undefined): HTMLElement {
  const toggles: HTMLButtonElement[] = [];
  const bar = el("div", { class: "toolbar", role: "toolbar", "aria-label": "Picture" });
  if (models.some((model) => model.hasGivenOrder())) bar.append(toggle("Original order", "given", link, toggles));
  if (models.every(isCloser)) bar.append(toggle("Members only", "members", link, toggles));
  bar.append(
    el(
      "span",
      { class: "zoom" },
      button("\u2212", "Zoom out", () => panel()?.zoomBy(1 / 1.6)),
      button("+", "Zoom in", () => panel()?.zoomBy(1.6)),
      button("Whole", "Show the whole picture", () => panel()?.reset()),
    ),
    el(
      "span",
      { class: "quiet hint" },
      "Drag to move; after a click the wheel zooms. Keys: + \u2212 0 and arrows.",
    ),
  );
  return bar;
}
