// A thousand texts that break pages which take text for anything else. The same ones every time.
import { random } from "../../../report/page/samples/build.mjs";

const kCall = "alert(document.domain)";
const kTags = ["script", "img", "svg", "iframe", "object", "embed", "style", "link", "meta", "base", "form", "input", "button", "video", "audio", "details", "template", "math", "marquee", "textarea", "title", "noscript", "body", "html", "a", "table", "select", "xmp", "plaintext", "dialog"];
const kEvents = ["onerror", "onload", "onclick", "onfocus", "onmouseover", "ontoggle", "onbegin", "onanimationstart", "onpointerenter"];
const kBreakers = ["\"", "'", "`", ">", "\">", "'>", "-->", "]]>", "*/", "}", "});", "\\", "\\\"", "</", "<", "&quot;>", "&#34;>", "\n", "\r\n", "\t", "\u0000", "\u2028", "\u2029", "%22%3e"];
const kEnds = ["</script>", "</SCRIPT >", "</style>", "</title>", "</textarea>", "</bdi>", "</td></tr></table>", "</svg>", "<!--", "--!>", "<![CDATA[", "]]>", "<?xml ", "<!DOCTYPE html>", "</noscript>", "</div></section></main></body></html>"];
const kAddresses = ["javascript:", "JaVaScRiPt:", " javascript:", "java\tscript:", "data:text/html,<script>", "vbscript:", "//example.invalid/", "https://example.invalid/", "file:///etc/", "blob:", "\\\\example.invalid\\", "../../../", "?q=", "#", "%2e%2e%2f", "about:blank"];
const kTemplates = ["{{7*7}}", "${7*7}", "#{7*7}", "<%= 7*7 %>", "{{constructor.constructor('x')()}}", "[[7*7]]", "{%print%}", "$(x)", "@{7}", "%s%n%x", "{0}", "$&", "$1"];
const kBidi = ["\u202e", "\u202d", "\u202a", "\u2066", "\u2067", "\u2069", "\u200e", "\u200f", "\u061c"];
const kOdd = ["\ud800", "\udc00", "\udfff\ud800", "\ufffe", "\uffff", "\ufeff", "\u200b", "\u00ad", "\u0007", "\u001b[31m", "\u007f", "\u0085", "\ufdd0", "\u{e0041}", "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}", "\u0301".repeat(60), "\u0645\u0631\u062d\u0628\u0627", "\u05e9\u05dc\u05d5\u05dd", "\u{1d54f}", "\ufdfa"];
const kStyles = ["expression(x)", "url(javascript:x)", "}*{display:none}", "@import 'x';", "behavior:url(x)", "background:url(//example.invalid/x)", "position:fixed;inset:0;z-index:99999", "--x:;", "</style><style>*{color:red}"];
const kWords = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "null", "undefined", "NaN", "Infinity", "-0", "true", "[object Object]", "1e999", "0x10", "=1+1", "=cmd|' /C calc'!A0", "+1", "@SUM(1)", "-2+3", "' OR 1=1 --", "; rm -rf /", "| cat", "$(id)", "`id`", "\\u003cscript\\u003e", "\\x3cscript\\x3e", "CON", ".", "..", "...", "%00", "data", "page", "main", "members", "components"];

// One of several ways to be a nuisance, told by the first number.
function one(kind, pick) {
  const tag = pick(kTags), event = pick(kEvents);
  const ways = [
    () => `<${tag} ${event}=${kCall}>`,
    () => `${pick(kBreakers)}><${tag} src=x ${event}="${kCall}" autofocus tabindex=1>`,
    () => `<${tag}>${kCall}</${tag}>`,
    () => `${pick(kEnds)}<script>${kCall}</script>`,
    () => `${pick(kBreakers)} ${event}=${kCall} x=${pick(kBreakers)}`,
    () => `${pick(kBreakers)} style=${pick(kBreakers)}${pick(kStyles)}`,
    () => `${pick(kAddresses)}${kCall}`,
    () => `${pick(kTemplates)}${pick(kBreakers)}${pick(kTemplates)}`,
    () => `${pick(kBidi)}${pick(kWords)}${pick(kBidi)}gnp.exe`,
    () => `${pick(kOdd)}${pick(kWords)}${pick(kOdd)}`,
    () => `${pick(kBreakers)}${pick(kBreakers)}${pick(kBreakers)}${pick(kWords)}`,
    () => `&${pick(["lt", "gt", "amp", "quot", "#x3c", "#60", "#0", "#xD800", "nbsp", "lt;script&gt"])};${tag}&gt;${kCall}`,
    () => `${pick(kEnds)}${pick(kEnds)}${pick(kBreakers)}`,
    () => `<svg><${tag} ${event}=${kCall}></svg><math><mtext></${tag}><style>${pick(kStyles)}`,
    () => `{"a":"${pick(kBreakers)}","__proto__":{"x":"${pick(kEnds)}"}}`,
    () => `${pick(kWords)}`,
    () => `${pick(["x", "<b>", "&amp;", "\u0301", "\u{1f600}", "A ", "\u202e", "'\""]).repeat(200 + Math.floor(pick([0, 50, 400, 2000])))}`,
    () => `${pick(kBreakers)}${pick(kBidi)}<${tag.toUpperCase()}/${event.toUpperCase()}=${kCall}//`,
    () => `<a href="${pick(kAddresses)}${kCall}" target=_top>${pick(kWords)}</a>`,
    () => `${pick(kOdd)}${pick(kEnds)}${pick(kOdd)}${pick(kBidi)}`,
  ];
  return ways[kind % ways.length]();
}

// All different; none is empty, for an empty text is no text and may have another element.
export function payloads(n = 1000) {
  const next = random(20260101);
  const pick = (list) => list[Math.floor(next() * list.length)];
  const made = new Set();
  for (let kind = 0; made.size < n; ++kind) {
    const text = one(kind, pick);
    made.add(made.has(text) ? `${text}${made.size}` : text);
  }
  return [...made].slice(0, n);
}
