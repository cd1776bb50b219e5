// The picture's section: the data with the components in sight.
import type { Page, Result } from "./data";
import { el, section, label } from "./dom";
import { blockTitle, Figure } from "./figure";

export function pictureSections(page: Page, result: Result): (HTMLElement | null)[] {
  return [pictureSection(page, result)];
}

function pictureSection(page: Page, result: Result): HTMLElement | null {
  const { blocks, message, arrangement } = result.picture;
  if (blocks.length === 0 && message === "") return null;
  const parts: Node[] = [];
  if (message !== "") parts.push(el("p", { class: "message" }, label(message)));
  if (blocks.length > 0) {
    const kind = arrangement === "single" || blocks.length === 1 ? "single" : arrangement === "views" ? "beside" : "multiples";
    const titles = blocks.map((block) => (kind === "single" && blocks.length === 1 ? null : blockTitle(block.name)));
    parts.push(new Figure(page, blocks, { kind, titles }).element);
  }
  return section("picture", "The picture", ...parts);
}
