#pragma once

#include <tutti/base/folder.hpp>

#include <string_view>

// Made by packaging/embed.py from page/history_script.js.

namespace tutti::instrument {

/// Script of the report page: the history of a line of text.
inline constexpr std::string_view report_history_script = R"js(
// Returns the versions of a line after a run, the latest first: {run, line, text}, where `run` made the version; -1 for the source.
// The last one has `added` if the pass inserted the line.
function historyOf(r, line) {
  const all = [];
  let version = r.after, last = runs.length;
  for (;;) {
    const maker = runs.findLast(each => each.id < last && each.leaf && each.after === version && each.before !== version && each.before >= 0 && each.end <= r.end)
      || aroundOf(last, version);
    if (!maker) {
      all.push({run: -1, line, text: lineText(linesOf(version)[line])});
      return all;
    }
    const before = linesOf(maker.before), after = linesOf(maker.after);
    let shift = 0, hunk = null;
    for (const each of differences(maker)) {
      if (line < each[2]) break;
      if (line < each[2] + each[3]) { hunk = each; break; }
      shift = each[0] + each[1] - each[2] - each[3];
    }
    if (hunk) {
      const text = lineText(after[line]), from = nearest(text, before.slice(hunk[0], hunk[0] + hunk[1]).map(lineText));
      all.push({run: maker.id, line, text, added: from < 0});
      if (from < 0) return all;
      line = hunk[0] + from;
    } else {
      line += shift;
    }
    version = maker.before;
    last = maker.id;
  }
}
// Returns the run of the pass that made a version before it ran the pass `id`, as if it had ended then.
function aroundOf(id, version) {
  const outer = id < runs.length && runs[id].outer >= 0 ? runs[runs[id].outer] : null;
  return outer && outer.leaf && outer.before >= 0 && outer.before !== version ? {...outer, after: version, found: null} : null;
}
// Returns the index of the line that shares most words with a text, without comments; -1 if none shares half of them.
function nearest(text, lines) {
  const split = line => line.replace(/%\d+|\/\*.*?\*\//g, '%').match(/\w[\w.]*/g) || [];
  const words = split(text);
  let best = -1, most = 0;
  lines.forEach((line, i) => {
    const others = split(line), left = new Map();
    for (const word of others) left.set(word, (left.get(word) || 0) + 1);
    let shared = 0;
    for (const word of words) if (left.get(word)) { left.set(word, left.get(word) - 1); ++shared; }
    const share = shared / Math.max(1, words.length, others.length);
    if (share >= 0.5 && share > most) { best = i; most = share; }
  });
  return best;
}

// Returns a button with a line's number, which shows the history of the line in a row below.
function historyButton(r, line, columns) {
  return button(`${line + 1}`, {class: 'history', 'aria-expanded': 'false', 'aria-label': `History of line ${line + 1}`}, event => {
    const pressed = event.currentTarget, row = pressed.closest('tr'), next = row.nextElementSibling;
    const open = pressed.getAttribute('aria-expanded') === 'true';
    pressed.setAttribute('aria-expanded', `${!open}`);
    if (open) return next.remove();
    if (next && next.className === 'history') next.remove();
    const entry = each => el('li', {}, each.run < 0 ? 'the source' : button(runs[each.run].name, {}, () => select(each.run)),
      `, line ${each.line + 1}${each.added ? ', new' : ''}: `, el('code', {}, each.text.trim()));
    const shown = el('tr', {class: 'history'}, el('td', {colspan: columns}, el('ol', {'aria-label': `History of line ${line + 1}`}, ...historyOf(r, line).map(entry))));
    row.after(shown);
    shown.scrollIntoView({block: 'nearest'});
  });
}
)js";

} // namespace tutti::instrument
