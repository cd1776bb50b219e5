// Folders and files as links that stay what they are: a name is never taken for an address of
// another kind.
export function href(folder: string, file = ""): string {
  const path = [folder, file].filter((part) => part !== "").join("/");
  const parts = path.split("/").map(encoded).join("/");
  return /^(\/|\.\.?\/)/.test(parts) ? parts.replace(/^\/+/, "/") : `./${parts}`;
}

function encoded(part: string): string {
  return encodeURIComponent(part.replace(/[\ud800-\udfff]/gu, "\ufffd"));
}
