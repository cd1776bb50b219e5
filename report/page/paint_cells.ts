// The cells in sight: sharp where they are larger than a pixel of the screen, means where smaller.
import { visible } from "./geometry";
import type { Scene } from "./paint";
import { theme } from "./theme";

type Part = [x: number, y: number, width: number, height: number];

const between = document.createElement("canvas");

function draw(context: CanvasRenderingContext2D, image: CanvasImageSource, from: Part, to: Part, isMean: boolean): void {
  context.imageSmoothingEnabled = isMean;
  context.imageSmoothingQuality = "high";
  context.drawImage(image, ...from, ...to);
}

export function cells({ context, model, link, g, w, ratio }: Scene): void {
  const image = model.image(link.order === "given", theme().dark);
  const { rows, columns } = visible(g, w);
  const from: Part = [columns[0], rows[0], columns[1] - columns[0], rows[1] - rows[0]];
  const to: Part = [w.x + from[0] * w.cellWidth, w.y + from[1] * w.cellHeight, from[2] * w.cellWidth, from[3] * w.cellHeight];
  if (from[2] <= 0 || from[3] <= 0) return;
  const shrinksAcross = w.cellWidth * ratio < 1, shrinksDown = w.cellHeight * ratio < 1;
  if (shrinksAcross === shrinksDown) return draw(context, image, from, to, shrinksAcross);
  // One side is made smaller first, with means, then the other larger, sharply.
  between.width = shrinksAcross ? Math.max(1, Math.round(to[2] * ratio)) : from[2];
  between.height = shrinksDown ? Math.max(1, Math.round(to[3] * ratio)) : from[3];
  const whole: Part = [0, 0, between.width, between.height];
  draw(between.getContext("2d") as CanvasRenderingContext2D, image, from, whole, true);
  draw(context, between, whole, to, false);
}
