// Contrast of every visible text with what lies behind it, by WCAG 2: 4.5, or 3 for large text. Runs
// in the page; returns a line for each text that fails.
export function contrastFailures() {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const known = new Map();

  // Whatever way CSS writes it, as [red, green, blue, alpha] with alpha in 0 ... 1.
  function parse(colour) {
    if (!known.has(colour)) {
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
      known.set(colour, [r, g, b, a / 255]);
    }
    return known.get(colour);
  }
  const over = (top, below) => top.slice(0, 3).map((c, i) => c * top[3] + below[i] * (1 - top[3]));
  const linear = (c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const ratio = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };

  function background(element) {
    const layers = [];
    for (let at = element; at !== null; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] >= 1) break;
    }
    const dark = matchMedia("screen and (prefers-color-scheme: dark)").matches;
    return layers.reduceRight((below, layer) => over(layer, below), dark ? [18, 18, 18] : [255, 255, 255]);
  }

  function isSeen(element, node) {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    if (element.closest(".offstage, noscript, script, style, option, .skip") !== null) return false;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { width, height } = range.getBoundingClientRect();
    return width > 0 && height > 0;
  }

  const failures = new Set();
  function check(text, element, style) {
    const isSvg = element instanceof SVGElement;
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const below = background(element);
    const ink = parse(isSvg ? style.fill : style.color);
    const opacity = Number(style.opacity) * ink[3];
    const found = ratio(over([...ink.slice(0, 3), opacity], below), below);
    if (found >= (isLarge ? 3 : 4.5)) return;
    const place = `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""}`;
    failures.add(`${found.toFixed(2)} ${place}: ${text.trim().slice(0, 40)}`);
  }

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let n = 0;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (element === null || node.data.trim() === "" || !isSeen(element, node)) continue;
    check(node.data, element, getComputedStyle(element));
    ++n;
  }
  for (const input of document.querySelectorAll("input[placeholder]")) {
    if (input.checkVisibility()) check(input.placeholder, input, getComputedStyle(input, "::placeholder"));
  }
  return { n, failures: [...failures] };
}
