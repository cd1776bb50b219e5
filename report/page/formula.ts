// A method's formula, written in plain text, set as one would write it: sum_k rho_k a_k with sum,
// Greek letters, and indices below and above the line. The plain text remains for those who listen.
import { el, type Child } from "./dom";

const kLetters = new Map(Object.entries({
  alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", lambda: "λ", mu: "μ", omega: "ω",
  rho: "ρ", sigma: "σ", tau: "τ", theta: "θ", sum: "∑", prod: "∏", o: "∘", in: "∈", infinity: "∞",
}));
const kSigns = new Map(Object.entries({ "||": "‖", "<=": "≤", ">=": "≥", "!=": "≠", "*": "·", "'": "ᵀ", "-": "−" }));
const kToken = /[_^](?:\{[^{}]*\}|\([^()]*\)|[A-Za-z0-9]+)|\|\||<=|>=|!=|[A-Za-z]+|[^]/g;

// Names of one letter are set in italics, words upright.
function word(text: string): Child {
  const letter = kLetters.get(text);
  if (letter !== undefined) return letter;
  return /^[A-Za-z]$/.test(text) ? el("i", {}, text) : text;
}

function index(token: string): Child {
  const inner = token.slice(1).replace(/^\{|\}$/g, "");
  return el(token[0] === "_" ? "sub" : "sup", {}, word(inner));
}

function set(text: string): Child[] {
  return (text.match(kToken) ?? []).map((token) => {
    if (token.length > 1 && (token[0] === "_" || token[0] === "^")) return index(token);
    if (/^[A-Za-z]+$/.test(token)) return word(token);
    return kSigns.get(token) ?? token;
  });
}

// What stands before the first comma outside brackets is minimised; the rest are conditions.
function parts(text: string): [string, string] {
  let depth = 0;
  for (let at = 0; at < text.length; ++at) {
    const letter = text.charAt(at);
    if ("([{".includes(letter)) ++depth;
    if (")]}".includes(letter)) --depth;
    if (depth === 0 && letter === ",") return [text.slice(0, at), text.slice(at + 1).trim()];
  }
  return [text, ""];
}

export function formula(text: string): HTMLElement {
  const [goal, conditions] = parts(text);
  const lines = [el("div", {}, el("span", { class: "word" }, "minimise"), el("span", {}, ...set(goal)))];
  if (conditions !== "") lines.push(el("div", {}, el("span", { class: "word" }, "where"), el("span", {}, ...set(conditions))));
  return el("div", { class: "formula", role: "math", "aria-label": text }, ...lines);
}
