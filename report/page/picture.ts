// The picture's sections: the data with the components in sight, who moves, each component alone.
import type { Page, Picture, Result } from "./data";
import { colourClass } from "./colours";
import { el, label, section } from "./dom";
import { factorsSection } from "./factors";
import { blockTitle, Figure, type Arrangement } from "./figure";
import { flowDiagram } from "./flow";

// How the blocks of a picture stand.
export function arrangementOf(picture: Picture): Arrangement {
  const { blocks, arrangement } = picture;
  if (blocks.length === 1) return { kind: "single", titles: [null] };
  const kind = arrangement === "views" ? "beside" : arrangement === "single" ? "single" : "multiples";
  return { kind, titles: blocks.map((block) => blockTitle(block.name)) };
}

function pictureSection(page: Page, { picture }: Result): HTMLElement | null {
  const { blocks, message } = picture;
  if (blocks.length === 0 && message === "") return null;
  const words = message === "" ? null : el("p", { class: "message" }, label(message));
  const figure = blocks.length === 0 ? null : new Figure(page, blocks, arrangementOf(picture)).element;
  return section("picture", "The picture", words, figure);
}

function flowSection({ picture }: Result): HTMLElement | null {
  if (picture.flows.length === 0) return null;
  const several = picture.flows.length > 1;
  const parts = picture.flows.flatMap((flow) => [several ? el("h3", {}, label(flow.title)) : null, flowDiagram(flow)]);
  return section("flow", "Who stays, who moves", ...parts);
}

function slicesSection(page: Page, { picture }: Result): HTMLElement | null {
  const slices = picture.component_slices;
  if (slices.length === 0) return null;
  const titles = slices.map(({ component }) => el("h4", {}, el("span", { class: `chip ${colourClass(component)}` }), `component ${component}`));
  const blocks = slices.map(({ block }) => block);
  const words = el("p", { class: "quiet" }, "The mean of the slices, each weighted as the component weights it.");
  return section("slices", "Each component on its own", words, new Figure(page, blocks, { kind: "multiples", titles }).element);
}

export function pictureSections(page: Page, result: Result): (HTMLElement | null)[] {
  return [pictureSection(page, result), flowSection(result), slicesSection(page, result), factorsSection(page, result)];
}
