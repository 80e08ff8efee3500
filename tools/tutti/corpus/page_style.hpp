#pragma once

#include <string_view>

// Made by packaging/embed.py from page/page_style.css.

namespace program::corpus {

/// Style of the corpus page; extends the style of the report page.
inline constexpr std::string_view page_style = R"css(
main.corpus { display: block }
#tables { display: flex; flex-wrap: wrap; gap: 16px 40px; margin: 8px 0 16px } #tables section { min-width: 240px; max-width: 100%; overflow: auto }
#grid { border: 1px solid var(--line); border-radius: 6px; overflow: auto } #head, .row { display: grid; grid-template-columns: var(--columns); min-width: 760px }
#head button { border: 0; border-radius: 0; text-align: left; font-weight: 600; color: var(--muted); overflow: hidden; text-overflow: ellipsis }
#head [aria-sort=ascending]::after { content: " \25B2" } #head [aria-sort=descending]::after { content: " \25BC" }
#scroll { height: min(60vh, 640px); overflow-y: auto; position: relative; min-width: 760px } #space { position: relative; overflow: hidden }
.row { height: 26px; border-top: 1px solid color-mix(in srgb, var(--line) 45%, transparent); cursor: pointer } .row:hover { background: var(--soft) }
.row.on { background: var(--accent-soft) } .row span { padding: 2px 10px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis }
.row .tag { font-style: normal } #detail { margin: 16px 0 } #detail pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 10px; margin: 8px 0 }
@media print { #scroll { height: auto } }
)css";

} // namespace program::corpus
