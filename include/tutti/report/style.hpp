#pragma once

#include <tutti/base/folder.hpp>

#include <string_view>

// Made by packaging/embed.py from page/style.css.

namespace tutti::instrument {

/// Style of the report page: light and dark, for narrow screens and paper.
inline constexpr std::string_view report_style = R"css(
:root { color-scheme: light dark; --bg: #ffffff; --soft: #f6f8fa; --line: #d1d9e0; --text: #1f2328; --muted: #59636e;
  --accent: #0969da; --accent-soft: #ddf4ff; --add: #dafbe1; --add-mark: #aceebb; --add-text: #116329; --del: #ffebe9; --del-mark: #ffc1ba;
  --del-text: #a40e26; --bad: #cf222e; --bad-soft: #ffebe9; --warn: #9a6700; --found: #fff3a3; --bar: #8c959f; --changed: #1a7f37; --changed-bar: #1a7f37;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace }
@media (prefers-color-scheme: dark) { :root { --bg: #0d1117; --soft: #151b23; --line: #3d444d; --text: #f0f6fc; --muted: #9198a1;
  --accent: #4493f8; --accent-soft: #10233d; --add: #12261e; --add-mark: #1f572d; --add-text: #7ee787; --del: #2d1518; --del-mark: #792e2e;
  --del-text: #ffa198; --bad: #f85149; --bad-soft: #2d1518; --warn: #d29922; --found: #6b5700; --bar: #656c76; --changed: #3fb950; --changed-bar: #238636 } }
* { box-sizing: border-box }
html { font: 14px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; background: var(--bg);
  color: var(--text) }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column }
h1, h2, h3, p, ol, ul, dl, dd { margin: 0; padding: 0 } h1 { font-size: 17px } h2 { font-size: 20px; overflow-wrap: anywhere }
h3 { font-size: 13px; color: var(--muted); font-weight: 600; margin: 0 0 4px }
button, input { font: inherit; color: inherit } code, pre, .mono { font-family: var(--mono); font-size: 12px }
button { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: 3px 10px; cursor: pointer }
button:hover { border-color: var(--muted) } button[aria-pressed=true] { background: var(--accent-soft); border-color: var(--accent) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
header { display: flex; flex-wrap: wrap; gap: 6px 18px; align-items: center; padding: 12px 20px 10px }
header .what { flex: 1 1 340px; min-width: 0 } header h1 { overflow-wrap: anywhere } #facts { color: var(--muted) } #facts b { color: var(--text) }
.finder { display: flex; gap: 8px; align-items: center; flex: 0 1 380px; min-width: 0 }
#search { flex: 1; min-width: 0; padding: 6px 10px; border: 1px solid var(--line); border-radius: 6px; background: var(--bg) }
#found { color: var(--muted); font-size: 12px } #found:empty { display: none }
.tools > span.group { display: flex; gap: 6px }
#pipeline { margin: 0 20px; color: var(--muted); font-size: 12px } #pipeline summary { cursor: pointer }
#pipeline code { display: block; padding: 6px 0; overflow-wrap: anywhere; color: var(--text) }
.banner { margin: 8px 20px 0; padding: 8px 12px; border: 1px solid var(--bad); border-radius: 6px; background: var(--bad-soft);
  overflow-wrap: anywhere } .banner b { color: var(--bad) } .banner.note { border-color: var(--warn); background: var(--soft) }
.banner.note b { color: var(--warn) }
#timeline { margin: 10px 20px 4px; position: relative; border: 1px solid var(--line); border-radius: 6px; background: var(--soft);
  overflow: hidden; padding: 4px }
#bars { position: relative } #bars i { position: absolute; height: 20px; border-radius: 3px; background: var(--bar); overflow: hidden;
  font: 11px/20px var(--mono); color: #fff; padding: 0 4px; white-space: nowrap; text-overflow: ellipsis; cursor: pointer; min-width: 2px;
  box-shadow: inset 0 0 0 1px rgb(0 0 0 / .18) }
#bars i.tiny { padding: 0 } #bars i.changed { background: var(--changed-bar) } #bars i.failed { background: var(--bad) }
#bars i.outer { background: transparent; color: var(--muted); box-shadow: inset 0 0 0 1px var(--line) }
#bars i.on { outline: 2px solid var(--accent); outline-offset: -1px; z-index: 1 } #bars i.dim { opacity: .25 }
#axis { display: flex; justify-content: space-between; color: var(--muted); font-size: 11px; padding: 3px 2px 0 }
#profile { margin: 4px 20px } .profile { max-width: 900px } .profile summary { cursor: pointer; padding: 4px 0 }
.profile details { margin: 4px 0 0 } .share { background: linear-gradient(var(--accent-soft), var(--accent-soft)) no-repeat 0 0 /
  calc(100% * var(--share)) 100% }
main { flex: 1; display: grid; grid-template-columns: minmax(250px, 330px) minmax(0, 1fr); gap: 0 18px; padding: 8px 20px 20px;
  align-items: start }
#side { position: sticky; top: 8px; max-height: calc(100vh - 16px); display: flex; flex-direction: column; min-height: 0 }
#side .head { display: flex; justify-content: space-between; gap: 8px; align-items: baseline; padding: 2px 2px 4px }
#side label { color: var(--muted); font-size: 12px; white-space: nowrap }
#passes { list-style: none; overflow: auto; border: 1px solid var(--line); border-radius: 6px; min-height: 120px }
#passes:focus-visible { outline-width: 1px; outline-offset: 0 }
#passes li { position: relative; display: flex; gap: 8px; align-items: baseline; padding: 4px 10px 4px calc(10px + var(--depth) * 14px);
  cursor: pointer; border-left: 3px solid transparent; scroll-margin: 40px }
#passes li + li { border-top: 1px solid color-mix(in srgb, var(--line) 45%, transparent) }
#passes li:hover { background: var(--soft) } #passes li.on { background: var(--accent-soft); border-left-color: var(--accent) }
#passes li.dim { opacity: .35 } #passes .name { flex: 1; min-width: 0; overflow-wrap: anywhere } #passes .outer .name { color: var(--muted) }
#passes .time { color: var(--muted); font: 12px var(--mono); white-space: nowrap }
#passes li > s { position: absolute; left: 0; bottom: 0; height: 2px; background: var(--accent); opacity: .55; text-decoration: none }
.dot { width: 8px; height: 8px; border-radius: 50%; border: 1px solid var(--muted); flex: none; align-self: center }
.changed > .dot { background: var(--changed); border-color: var(--changed) } .failed > .dot { background: var(--bad); border-color: var(--bad) }
.skipped { color: var(--muted) } .skipped > .dot { border-style: dashed } .skipped .name { text-decoration: line-through }
.tag { font-size: 11px; padding: 0 6px; border-radius: 9px; border: 1px solid var(--line); color: var(--muted); white-space: nowrap }
.tag.bad { color: var(--bad); border-color: var(--bad) } .tag.good { color: var(--changed); border-color: var(--changed) }
#detail { min-width: 0 } .title { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: center } .title .step { margin-left: auto; display: flex; gap: 6px }
.path { color: var(--muted); font-size: 12px } .sums { display: flex; flex-wrap: wrap; gap: 12px 28px; margin: 10px 0 }
.sums dt { color: var(--muted); font-size: 12px } .sums dd { font-size: 15px } .sums dd small { color: var(--muted) }
.chips { display: flex; flex-wrap: wrap; gap: 4px; max-width: 900px } .chips span { font: 12px/1.6 var(--mono); padding: 0 7px; border-radius: 4px; background: var(--soft);
  border: 1px solid var(--line) } .chips .plus { background: var(--add); color: var(--add-text); border-color: transparent }
.chips .minus { background: var(--del); color: var(--del-text); border-color: transparent }
[role=tablist] { display: flex; gap: 4px; border-bottom: 1px solid var(--line); margin-top: 4px }
[role=tab] { border: 1px solid transparent; border-bottom: 0; border-radius: 6px 6px 0 0; background: none; padding: 5px 14px }
[role=tab][aria-selected=true] { background: var(--soft); border-color: var(--line); font-weight: 600 }
[role=tabpanel] { padding-top: 8px } .tools { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; margin-bottom: 8px }
.tools .gap { flex: 1 } .tools .says { color: var(--muted); font-size: 12px }
.code { border: 1px solid var(--line); border-radius: 6px; overflow: hidden }
table.diff { width: 100%; border-collapse: collapse; table-layout: fixed; font: 12px/1.5 var(--mono) }
.diff td { padding: 0 8px; vertical-align: top; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2 }
.diff td.no { width: 46px; text-align: right; color: var(--muted); user-select: none; padding: 0 6px; white-space: nowrap; opacity: .8 }
.diff td.del, .diff td.no.del { background: var(--del) } .diff td.add, .diff td.no.add { background: var(--add) } .diff td.void { background: var(--soft) }
.diff .long { max-height: 9em; overflow: auto } .diff .del em { background: var(--del-mark) } .diff .add em { background: var(--add-mark) } .diff em { font-style: normal; border-radius: 2px }
.diff .near.del, .diff .near.add { background: var(--soft) } .diff.two td:nth-child(3) { border-left: 1px solid var(--line) } .diff tr.shown td { box-shadow: inset 0 0 0 99px color-mix(in srgb, var(--found) 55%, transparent) }
.diff tr.more td { background: var(--soft); text-align: center; padding: 2px } .diff tr.more button { border: 0; background: none; color: var(--accent); font-size: 12px }
.diff button.history { border: 0; background: none; padding: 0; font: inherit; color: inherit } .diff button.history:hover { color: var(--accent) }
.diff tr.history td { background: var(--soft); border-left: 3px solid var(--accent) } .diff tr.history ol { list-style: none; padding: 4px 0 }
.diff tr.history li button { border: 0; background: none; padding: 0; color: var(--accent); font: inherit }
mark { background: var(--found); color: inherit; border-radius: 2px } mark.now { outline: 2px solid var(--accent) }
.empty { color: var(--muted); padding: 18px 4px } table.list { border-collapse: collapse; width: 100% }
.list td, .list th { text-align: left; padding: 4px 12px 4px 0; border-top: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere }
.list th { color: var(--muted); font-weight: 600; font-size: 12px; border-top: 0 }
.picture { display: grid; grid-template-columns: minmax(0, 1fr) 290px; border: 1px solid var(--line); border-radius: 6px; overflow: hidden }
.canvas { position: relative; height: min(70vh, 760px); min-height: 340px; background: var(--bg) }
.canvas svg { width: 100%; height: 100%; display: block; cursor: grab; touch-action: none } .canvas svg.drag { cursor: grabbing }
.node-panel { border-left: 1px solid var(--line); background: var(--soft); padding: 12px; overflow: auto; max-height: min(70vh, 760px) }
.node-panel h4 { margin: 0 0 6px; font: 600 14px var(--mono); overflow-wrap: anywhere } .node-panel pre { white-space: pre-wrap; overflow-wrap: anywhere;
  margin: 0 0 10px } .node-panel ul { list-style: none; margin-bottom: 10px } .node-panel li button { border: 0; background: none; padding: 1px 0; color: var(--accent);
  font: 12px var(--mono); text-align: left; overflow-wrap: anywhere }
text { font: 12px var(--mono); text-anchor: middle; fill: var(--text); white-space: pre; pointer-events: none } text.t { font-size: 10px; fill: var(--muted) }
svg text.e { font-size: 10px; text-anchor: start; fill: var(--muted) } svg path { fill: none; stroke: var(--bar); stroke-width: 1.2 } svg marker path { fill: var(--bar); stroke: none }
svg path.near { stroke: var(--accent); stroke-width: 2.4 } svg g.n { cursor: pointer } .n rect { stroke: var(--bar); fill: var(--soft) }
svg g.n:focus { outline: none } svg g.n:focus rect, svg g.on rect { stroke: var(--accent); stroke-width: 3 } svg g.found rect { fill: var(--found) }
svg g.fresh > rect:first-of-type { stroke: var(--changed); stroke-width: 2.5 } svg g.gone > rect:first-of-type { stroke: var(--bad); stroke-width: 2.5 }
.legend { display: flex; flex-wrap: wrap; gap: 4px 12px; font-size: 12px; color: var(--muted); padding: 6px 0 } .legend svg { width: 14px; height: 12px; vertical-align: -1px; margin-right: 4px }
footer { padding: 0 20px 16px; color: var(--muted); font-size: 12px } kbd { font: 11px var(--mono); border: 1px solid var(--line); border-radius: 4px; padding: 0 5px;
  background: var(--soft); color: var(--text) } .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
[hidden] { display: none !important }
@media (max-width: 860px) { header, main, footer { padding-left: 12px; padding-right: 12px } #timeline, #pipeline, .banner { margin-left: 12px; margin-right: 12px }
  main { grid-template-columns: minmax(0, 1fr); gap: 14px } #side { position: static; max-height: 36vh } .picture { grid-template-columns: minmax(0, 1fr) }
  .node-panel { border-left: 0; border-top: 1px solid var(--line); max-height: none } .canvas { height: 60vh } .finder { flex: 1 1 100% } .sums { gap: 8px 20px }
  .diff td { padding: 0 4px } .diff td.no { width: 34px; padding: 0 4px } .title .step { margin-left: 0 } footer .keys { display: none } }
@media print { :root { color-scheme: light; --bg: #fff; --soft: #fff; --line: #999; --text: #000; --muted: #444; --accent: #000; --accent-soft: #eee; --add: #e6ffe6;
  --add-mark: #b8f0b8; --del: #ffe6e6; --del-mark: #f7b8b8; --bar: #777 } body { display: block } * { -webkit-print-color-adjust: exact; print-color-adjust: exact }
  .finder, .tools button, .step, [role=tablist], footer, #side .head label, .node-panel { display: none !important } main { display: block; padding: 0 }
  #side { position: static; max-height: none; display: block } #passes { overflow: visible; columns: 2; border: 0 } #passes li { break-inside: avoid; padding-top: 1px; padding-bottom: 1px }
  .diff .long { max-height: none } #passes li.dim, #bars i.dim { opacity: 1 } #detail { break-before: page } .picture { display: block; border: 0 } .canvas { height: 24cm; break-inside: avoid } tr { break-inside: avoid } }
)css";

} // namespace tutti::instrument
