// A component has one of eight colours everywhere; the eight are defined in style.css for light,
// dark and paper.
const kColours = 8;

// Sets the background.
export function colourClass(component: number): string {
  return component < 0 ? "none" : `c${component % kColours}`;
}

// For element.style and for SVG.
export function colour(component: number): string {
  return component < 0 ? "var(--quiet)" : `var(--c${component % kColours})`;
}
