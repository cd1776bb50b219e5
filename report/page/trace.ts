// How the run went: objective and gap at every iteration.
import { chartOf, type Point } from "./chart";
import type { Result } from "./data";
import { el } from "./dom";
import { count, gap, isFiniteNum, number, toNumber } from "./format";

const kMarks = 12; // components marked in a chart

interface Step {
  at: number; // iterations since the beginning
  component: number;
  begins: boolean; // the first of its component
  objective: number;
  excess: number; // |objective - last of the component| / |last|
  gap: number; // NaN: not measured
  moved: number; // the same
}

// Where methods count iterations anew for every component they are put one after the other.
function stepsOf(result: Result): Step[] {
  const { component, iteration, objective, gap: gaps, moved } = result.trace;
  let offset = 0;
  const steps = iteration.map((number, i): Step => {
    const begins = i === 0 || component[i] !== component[i - 1];
    if (i > 0 && number <= (iteration[i - 1] ?? 0)) offset += iteration[i - 1] ?? 0;
    return { at: offset + number, component: component[i] ?? 0, begins, objective: toNumber(objective[i] ?? "nan"), excess: NaN, gap: toNumber(gaps[i] ?? "nan"), moved: toNumber(moved[i] ?? "nan") };
  });
  let last = NaN;
  for (let i = steps.length - 1; i >= 0; --i) {
    const step = steps[i] as Step;
    if (i + 1 === steps.length || steps[i + 1]?.begins) last = step.objective;
    step.excess = Math.abs(step.objective - last) / (Math.abs(last) || 1);
  }
  return steps;
}

// Where a method takes its components together, the parts of its trace are stages.
function marksOf(steps: Step[], result: Result): { x: number; text: string; short: string }[] {
  const begins = steps.filter((step) => step.begins);
  if (begins.length < 2 || begins.length > kMarks) return [];
  const word = begins.length === result.n_components ? "component" : "stage";
  return begins.map((step) => ({ x: step.at, text: `${word} ${step.component}`, short: String(step.component) }));
}

function points(steps: Step[], y: (step: Step) => number): Point[] {
  return steps.map((step) => ({ x: step.at, y: y(step), breaks: step.begins }));
}

export function traceCharts(result: Result): HTMLElement {
  const heading = el("h3", {}, "Iteration by iteration");
  const steps = stepsOf(result);
  const drawable = steps.some((step) => step.gap > 0 || step.moved > 0 || step.excess > 0 || Number.isFinite(step.objective));
  if (!drawable) return el("div", {}, heading, el("p", {}, "There is nothing to draw: no iteration was recorded with an objective or a gap."));
  const marks = marksOf(steps, result);
  const finite = steps.map((step) => step.objective).filter(Number.isFinite);
  const spread = Math.min(...finite) > 0 && Math.max(...finite) > 20 * Math.min(...finite);
  const objective = chartOf({
    label: "Objective at every iteration",
    x: { title: "iteration", whole: true, show: count },
    y: { title: spread ? "objective, log scale" : "objective", log: spread },
    series: [{ name: "objective", style: "main", points: points(steps, (step) => step.objective), show: (value) => number(value, 8) }],
    marks,
  });
  const tolerance = isFiniteNum(result.tolerance) && result.tolerance > 0 ? [{ y: result.tolerance, text: `tolerance ${gap(result.tolerance)}` }] : [];
  const motion = { name: "motion of the model", style: "third", points: points(steps, (step) => step.moved), show: gap };
  const distance = chartOf({
    label: "Gap and distance of the objective from its last value at every iteration, on a log scale",
    x: { title: "iteration", whole: true, show: count },
    y: { title: "relative, log scale", log: true },
    series: [
      { name: "largest gap", style: "main", points: points(steps, (step) => step.gap), show: gap },
      ...(steps.some((step) => step.moved > 0) ? [motion] : []),
      { name: "objective, distance from its last value", style: "other", points: points(steps, (step) => step.excess), show: gap },
    ],
    levels: tolerance,
    marks,
  });
  const thinned = result.trace_length > steps.length ? ` Drawn are ${count(steps.length)} of ${count(result.trace_length)} records; result.json has all.` : "";
  const words = `The gap says how far the worst part of the model is from its own optimum, where it was measured.${thinned}`;
  return el("div", {}, heading, el("p", { class: "quiet" }, words), el("div", { class: "beside charts" }, distance, objective));
}
