// The page's looks: light and dark by the reader's preference, always light on paper. Pictures are
// made in light colours; in the dark they are inverted with their hues turned back, and so are
// their legends.
#include "report/sections.hpp"

namespace gingham::report {

const char* style_sheet() {
  return R"css(
:root{color-scheme:light dark;--page:#f6f4ef;--card:#fffefb;--ink:#1d2430;--quiet:#565f6d;--rule:#ded9ce;--accent:#1f5fa8;
--minus:#b4432f;--warm:#c4533a;--cool:#3572b0;--code:#f0ede5;--good:#1b6b3a;--goodback:#e4f3e8;--fair:#7a4b00;--fairback:#fbf0d9;--bad:#a11d2b;--badback:#fbe6e6;
--halo:#fff;--line:#14181f;--check:#1f5fa833;--filter:none;
--c0:#7b3fa0;--c1:#2c7a3f;--c2:#a65a00;--c3:#0f6f86;--c4:#b02a72;--c5:#5f6f1a;--c6:#1f5fa8;--c7:#5b6472}
@media screen and (prefers-color-scheme:dark){:root{--page:#12151b;--card:#1a1f28;--ink:#e8eaee;--quiet:#a3acba;--rule:#343c49;
--accent:#7db4f0;--minus:#f0937f;--warm:#f0937f;--cool:#6fa8e0;--code:#232a35;--good:#8fdba8;--goodback:#16301f;--fair:#f2c879;--fairback:#352910;--bad:#ff9d9d;
--badback:#3a1a1d;--halo:#0b0e13;--line:#f4f6f9;--check:#7db4f02e;--filter:invert(1) hue-rotate(180deg);
--c0:#cfa3ea;--c1:#7fce92;--c2:#f0b060;--c3:#5fd0e4;--c4:#f58fc4;--c5:#c3d06a;--c6:#7db4f0;--c7:#b3bcc9}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
.cloth{height:24px;background-image:repeating-linear-gradient(90deg,var(--check) 0 8px,transparent 8px 16px),
repeating-linear-gradient(0deg,var(--check) 0 8px,transparent 8px 16px)}
main{max-width:980px;margin:0 auto;padding:24px 24px 48px}
h1{font-size:1.75rem;line-height:1.25;margin:.1em 0 .2em;letter-spacing:-.01em;text-wrap:balance}
h2{font-size:1.2rem;margin:0 0 .6em}section h2:not(:first-child){margin-top:1.6em}
h3{font-size:1rem;margin:1.2em 0 .4em}h4{font-size:.875rem;margin:0 0 .4em}
.brand{margin:0;font-weight:650;letter-spacing:.12em;text-transform:uppercase;font-size:.8rem;color:var(--accent)}
.data{margin:0 0 1.2em;color:var(--quiet);font-size:1.05rem;overflow-wrap:anywhere}
.quiet{color:var(--quiet);font-size:.875rem;font-weight:400}
.label{unicode-bidi:isolate;overflow-wrap:anywhere}
section{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:22px 24px;margin:18px 0}
.status{border-radius:10px;padding:12px 16px;border-left:5px solid}
.status strong{font-size:1.05rem}.status p{margin:.15em 0 0;color:var(--ink);max-width:72ch}
.good{background:var(--goodback);color:var(--good)}.fair{background:var(--fairback);color:var(--fair)}.bad{background:var(--badback);color:var(--bad)}
.facts{display:flex;flex-wrap:wrap;gap:10px 36px;margin:18px 0 0}
.facts dt{color:var(--quiet);font-size:.8rem}.facts dd{margin:0;font-size:1.3rem;font-weight:600;font-variant-numeric:tabular-nums}
.notes ul{margin:0;padding-left:1.2em}
figure{margin:0 0 28px}figure:last-of-type{margin-bottom:0}figcaption{color:var(--quiet);font-size:.875rem;margin-top:12px;max-width:80ch}
.pair{display:flex;flex-wrap:wrap;gap:20px 30px;align-items:flex-start}
.panel{max-width:100%}.panel p{margin:0;color:var(--quiet);font-size:.85rem}.sided .panel{padding-left:26px}.sided .field{margin-top:28px}.sided{margin-left:-6px}
.field{position:relative;max-width:100%;outline:1px solid var(--rule)}
.cells{position:absolute;inset:0;width:100%;height:100%;image-rendering:pixelated;filter:var(--filter);display:block}
.over{position:absolute;inset:0;width:100%;height:100%;overflow:visible}
.over rect{fill:none;vector-effect:non-scaling-stroke}.halo{stroke:var(--halo);stroke-width:4.5}.outline{stroke:var(--line);stroke-width:2}
.strip{position:absolute;display:flex;align-items:center;justify-content:center}
.strip b{position:absolute;font-size:.75rem;font-weight:650;line-height:1;color:var(--ink)}
.strip.top{top:-10px;height:5px}.strip.left{left:-10px;width:5px}.strip.top b{bottom:8px}.strip.left b{right:9px}
.legend{margin-top:16px;max-width:320px;font-size:.8rem;font-variant-numeric:tabular-nums}
.ramp{display:block;height:10px;border-radius:2px;filter:var(--filter)}
.ticks{display:flex;justify-content:space-between}.missing{display:inline-flex;align-items:center;gap:6px}
.swatch{width:12px;height:12px;background:rgb(238,216,140);filter:var(--filter);border-radius:2px}
table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}
th{text-align:left;color:var(--quiet);font-weight:500;font-size:.8rem;vertical-align:bottom}
th,td{padding:5px 18px 5px 0;border-bottom:1px solid var(--rule)}tbody tr:last-child td{border-bottom:0}
.n{text-align:right;white-space:nowrap}.wide{overflow-x:auto}.path{min-width:14em;overflow-wrap:anywhere}.kept td{font-weight:600}
.tables{display:flex;flex-wrap:wrap;gap:8px 48px}.tables h3{margin-top:.4em}.tables .quiet{margin:0 0 .4em;max-width:30ch}
.chip{display:inline-block;width:11px;height:11px;border-radius:3px;margin-right:8px}
td.bar{width:140px}.bar span{display:block;height:8px;border-radius:2px;background:var(--accent);min-width:1px}.bar.plus span{background:var(--warm)}.bar.minus span{background:var(--cool)}
article{border-top:1px solid var(--rule);padding:14px 0 4px;break-inside:auto}article h3{margin:0 0 .6em}
.modes{display:grid;grid-template-columns:repeat(auto-fit,minmax(280px,1fr));gap:14px 40px}
.members ol,.members ul{list-style:none;margin:0;padding:0;font-size:.85rem}
.members ol li{display:grid;grid-template-columns:minmax(0,1fr) 90px 5.5em;gap:10px;align-items:center;padding:1px 0;break-inside:avoid}
.members .plain{display:flex;flex-wrap:wrap;gap:4px 6px}.plain li{background:var(--code);border-radius:4px;padding:0 7px}
.key{display:flex;flex-wrap:wrap;gap:4px 22px;font-size:.85rem;margin-bottom:8px}
.dash{display:inline-block;width:22px;border-top:2.5px solid;margin-right:7px;vertical-align:middle}
.dash.gap{color:var(--accent)}.dash.excess{color:var(--minus)}.dash.tolerance{color:var(--quiet);border-top-style:dashed;border-top-width:1.5px}
.chart{width:100%;height:auto;display:block}
.chart .grid{stroke:var(--rule)}.chart .mark{stroke:var(--quiet);stroke-dasharray:1 3}.chart .tolerance{stroke:var(--quiet);stroke-dasharray:6 4}
.line{fill:none;stroke-width:2;stroke-linejoin:round}.line.gap{stroke:var(--accent)}.line.excess{stroke:var(--minus)}
.dot.gap{fill:var(--accent)}.dot.excess{fill:var(--minus)}
.tick{fill:var(--quiet);font-size:11.5px}.end{text-anchor:end}.middle{text-anchor:middle}
pre{background:var(--code);border-radius:6px;padding:10px 14px;margin:.3em 0;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.85rem}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}code{font-size:.85em;white-space:nowrap}
footer{color:var(--quiet);font-size:.85rem;margin-top:24px}
.c0{background:var(--c0)}.c1{background:var(--c1)}.c2{background:var(--c2)}.c3{background:var(--c3)}.c4{background:var(--c4)}
.c5{background:var(--c5)}.c6{background:var(--c6)}.c7{background:var(--c7)}
@media print{:root{--page:#fff;--card:#fff}body{font-size:10pt}main{max-width:none;padding:0}.cloth{height:8px}h1{font-size:1.5rem}
section{border:0;padding:6px 0;margin:6px 0}.facts{margin-top:10px}.pair{zoom:.75;break-inside:avoid;margin-left:4px}.chart{max-width:560px}
tr,.status,.chart,.panel,.members li{break-inside:avoid}h2,h3,h4,.key{break-after:avoid}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
)css";
}

}  // namespace gingham::report
