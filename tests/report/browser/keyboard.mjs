// Goes through a page with the Tab key and says what cannot be reached or does not show that it is.
function listControls() {
  const selector = "a[href], button, input, select, textarea, [tabindex='0']";
  const groups = new Set();
  const isOne = (element) => {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.disabled || element.tabIndex < 0) return false;
    if (element.type !== "radio") return true;
    if (groups.has(element.name)) return false; // a group is one stop; arrows go on inside
    const chosen = document.querySelector(`input[type=radio][name="${CSS.escape(element.name)}"]:checked`);
    if (chosen !== null && chosen !== element) return false;
    groups.add(element.name);
    return true;
  };
  globalThis.controls = [...document.querySelectorAll(selector)].filter(isOne);
  document.activeElement?.blur();
  globalThis.scrollTo(0, 0);
  return globalThis.controls.length;
}

// Which of the controls has the focus, and whether one can see it.
function whereNow() {
  const at = document.activeElement;
  const shows = (element) => {
    if (element === null) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== "none" && parseFloat(outlineWidth) > 0;
  };
  const seen = shows(at) || shows(at?.nextElementSibling ?? null) || (at?.matches(".skip") ?? false);
  return { index: globalThis.controls.indexOf(at), seen, what: `${at?.tagName} ${at?.getAttribute("aria-label") ?? at?.textContent ?? ""}`.slice(0, 80) };
}

export async function keyboardFailures(page, most) {
  const n = await page.evaluate(listControls);
  const reached = new Set();
  const failures = [];
  for (let press = 0; press < Math.min(n, most) + 3 && reached.size < n; ++press) {
    await page.keyboard.press("Tab");
    const { index, seen, what } = await page.evaluate(whereNow);
    if (index < 0) continue; // the window itself, or a region that scrolls
    reached.add(index);
    if (!seen) failures.push(`focus is not seen: ${what}`);
  }
  if (n <= most)
    for (let i = 0; i < n; ++i)
      if (!reached.has(i)) failures.push(`not reached: ${await page.evaluate((at) => globalThis.controls[at].outerHTML.slice(0, 120), i)}`);
  return { n, reached: reached.size, failures };
}
