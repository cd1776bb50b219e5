// The colours of style.css for what is drawn on a canvas: light, dark, and always light on paper.
export interface Theme {
  dark: boolean;
  ink: string;
  quiet: string;
  card: string;
  rule: string;
  halo: string;
  font: string;
  components: string[];
}

const darkScreen = window.matchMedia("screen and (prefers-color-scheme: dark)");
const paper = window.matchMedia("print");
const listeners = new Set<() => void>();
let current: Theme | null = null;

export function theme(): Theme {
  current ??= read();
  return current;
}

export function onThemeChange(listener: () => void): void {
  listeners.add(listener);
}

export function componentColour(component: number): string {
  const { components, quiet } = theme();
  return component < 0 ? quiet : components[component % components.length] ?? quiet;
}

function read(): Theme {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return {
    dark: darkScreen.matches,
    ink: colour("--ink"),
    quiet: colour("--quiet"),
    card: colour("--card"),
    rule: colour("--rule"),
    halo: colour("--halo"),
    font: getComputedStyle(document.body).fontFamily,
    components: Array.from({ length: 8 }, (_, i) => colour(`--c${i}`)),
  };
}

function changed(): void {
  current = null;
  for (const listener of listeners) listener();
}

darkScreen.addEventListener("change", changed);
paper.addEventListener("change", changed);
