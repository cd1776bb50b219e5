// The element tree of a page without its texts: tags and names of attributes, in order. Runs in the
// page. A formula is set in small elements by what it says: it is looked at by itself.
export function elementTree() {
  const lines = [];
  const walk = (element, depth) => {
    const names = element.getAttributeNames().sort().join(" ");
    lines.push(`${" ".repeat(depth)}${element.localName} ${names}`);
    if (element.matches(".formula, script, style")) return;
    for (const child of element.children) walk(child, depth + 1);
  };
  walk(document.documentElement, 0);
  return lines;
}

export function formulaTags() {
  return [...new Set([...document.querySelectorAll(".formula *")].map((one) => `${one.localName} ${one.getAttributeNames().join(" ")}`))];
}

// Attributes that could run something, anywhere.
export function activeAttributes() {
  const found = [];
  for (const element of document.querySelectorAll("*"))
    for (const name of element.getAttributeNames()) {
      const value = element.getAttribute(name) ?? "";
      const isLink = ["href", "src", "action", "formaction", "srcdoc", "xlink:href"].includes(name);
      if (/^on/i.test(name) || (isLink && /^\s*(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(value))) found.push(`${element.localName} ${name}=${value.slice(0, 80)}`);
    }
  return found;
}
