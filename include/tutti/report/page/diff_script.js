// Script of the report page: the changes by a pass to the text.
// Returns the replaced lines and their replacements: [first, count, first replacement, count].
function differences(r) {
  if (r.found) return r.found;
  if (r.before === r.after) return r.found = [];
  const version = versions[r.after];
  if (version.base === r.before && version.matched) return r.found = version.matched;
  if (version.base === r.before) {
    let shift = 0;
    return r.found = version.hunks.map(([first, gone, ...added]) => {
      const hunk = [first, gone, first + shift, added.length];
      shift += added.length - gone;
      return hunk;
    });
  }
  return r.found = compare(linesOf(r.before), linesOf(r.after));
}
// Myers' algorithm. Beyond 1,500 edits, all lines between the first and the last difference count as different.
function compare(a, b) {
  let begin = 0, enda = a.length, endb = b.length;
  while (begin < enda && begin < endb && a[begin] === b[begin]) ++begin;
  while (enda > begin && endb > begin && a[enda - 1] === b[endb - 1]) { --enda; --endb; }
  const n = enda - begin, m = endb - begin, most = Math.min(n + m, 1500), trace = [];
  if (!n && !m) return [];
  let reached = new Int32Array(2 * most + 3).fill(-1), length = -1;
  reached[most + 2] = 0;
  search: for (let d = 0; d <= most; ++d) {
    trace.push(reached.slice(most + 1 - d - 1, most + 1 + d + 2));
    for (let k = -d; k <= d; k += 2) {
      const at = most + 1 + k;
      let x = k === -d || k !== d && reached[at - 1] < reached[at + 1] ? reached[at + 1] : reached[at - 1] + 1;
      while (x < n && x - k < m && a[begin + x] === b[begin + x - k]) ++x;
      reached[at] = x;
      if (x >= n && x - k >= m) { length = d; break search; }
    }
  }
  if (length < 0) return [[begin, n, begin, m]];
  const gone = new Uint8Array(n + 1), added = new Uint8Array(m + 1);
  for (let d = length, x = n, k = n - m; d > 0; --d) {
    const before = trace[d], at = d + 1 + k;
    const down = k === -d || k !== d && before[at - 1] < before[at + 1];
    const from = down ? k + 1 : k - 1, start = before[at + (down ? 1 : -1)];
    if (down) added[start - from] = 1; else gone[start] = 1;
    x = start;
    k = from;
  }
  const all = [];
  for (let x = 0, y = 0; x < n || y < m;) {
    if (!gone[x] && !added[y]) { ++x; ++y; continue; }
    const x0 = x, y0 = y;
    while (gone[x] || added[y]) gone[x] ? ++x : ++y;
    all.push([begin + x0, x - x0, begin + y0, y - y0]);
  }
  return all;
}

// Returns a line with the words marked that are not in its longest common subsequence with another line.
function marked(text, other) {
  const split = line => line.match(/\w+|\s+|./gsu) || [];
  const a = split(text), b = split(other);
  if (a.length * b.length > 60000) return [text];
  const wide = b.length + 1, best = new Uint16Array((a.length + 1) * wide);
  for (let i = a.length - 1; i >= 0; --i)
    for (let j = b.length - 1; j >= 0; --j)
      best[i * wide + j] = a[i] === b[j] ? best[(i + 1) * wide + j + 1] + 1 : Math.max(best[(i + 1) * wide + j], best[i * wide + j + 1]);
  if (best[0] * 2 < Math.max(a.length, b.length)) return [text]; // not the same line
  const parts = [];
  let run = '', on = false;
  const put = (word, differs) => {
    if (differs !== on && run) { parts.push(on ? el('em', {}, run) : run); run = ''; }
    on = differs;
    run += word;
  };
  for (let i = 0, j = 0; i < a.length;) {
    if (j < b.length && a[i] === b[j]) { put(a[i], false); ++i; ++j; }
    else if (j < b.length && best[i * wide + j + 1] >= best[(i + 1) * wide + j]) ++j;
    else put(a[i++], true);
  }
  if (run) parts.push(on ? el('em', {}, run) : run);
  return parts;
}

let sideBySide = null, whole = false, shownLines = null;
const context = 3, mostRows = 3000, longLine = 800;

function showText(panel, r) {
  if (r.before < 0) return panel.append(el('p', {class: 'empty'}, r.state === 'skipped' ? 'It did not run.' : 'Units of this kind have no text.'));
  const known = r.after >= 0, two = sideBySide === null ? innerWidth > 860 : sideBySide;
  const hunks = known ? differences(r) : [];
  const gone = hunks.reduce((sum, h) => sum + h[1], 0), added = hunks.reduce((sum, h) => sum + h[3], 0);
  const renumbered = renumberedLines(r, hunks);
  const says = !known ? 'The text as it was before.' : hunks.length || renumbered ? `${plural(gone, 'line')} gone, ${added} new` + (renumbered ? `, ${plural(renumbered, 'line')} with other numbers only` : '') : 'The text did not change.';
  const tools = el('div', {class: 'tools'}, el('span', {class: 'says', id: 'diff-says'}, says), el('span', {class: 'gap'}));
  const refresh = () => { panel.replaceChildren(); showText(panel, r); markFound(); };
  if (hunks.length)
    tools.append(button('Side by side', {'aria-pressed': `${two}`}, () => { sideBySide = true; refresh(); }), button('Unified', {'aria-pressed': `${!two}`}, () => { sideBySide = false; refresh(); }),
      button('Whole text', {'aria-pressed': `${whole}`}, () => { whole = !whole; refresh(); }));
  panel.append(tools);
  const body = el('tbody'), table = el('table', {class: `diff ${two && hunks.length ? 'two' : 'one'}`, 'aria-label': hunks.length ? 'Before and after' : 'Text'}, columnsOf(two && hunks.length), body);
  panel.append(el('div', {class: 'code'}, table));
  const before = linesOf(r.before), after = known ? linesOf(r.after) : before;
  const rows = rowsOf(before, after, hunks, !hunks.length || whole);
  putRows(body, rows, two && hunks.length, hunks.length > 0);
  const target = body.querySelector('tr.shown');
  shownLines = null;
  if (target) target.scrollIntoView({block: 'center'});
}
// Returns the number of lines that differ in the numbers of values only.
function renumberedLines(r, hunks) {
  if (r.after < 0 || !versions[r.after].matched || versions[r.after].base !== r.before) return 0;
  const before = linesOf(r.before), after = linesOf(r.after);
  let count = 0, x = 0, y = 0;
  for (const [first, gone, , added] of [...hunks, [before.length, 0, 0, 0]]) {
    for (; x < first; ++x, ++y) count += before[x] !== after[y] ? 1 : 0;
    x += gone;
    y += added;
  }
  return count;
}
function columnsOf(two) {
  const no = () => el('col', {style: 'width:' + (innerWidth > 860 ? 46 : 34) + 'px'});
  return el('colgroup', {}, no(), ...(two ? [el('col'), no(), el('col')] : [no(), el('col')]));
}
// Returns the rows of the table: equal lines, x and y; different lines, x or -1 and y or -1; and folded parts.
function rowsOf(before, after, hunks, all) {
  const rows = [];
  let x = 0, y = 0;
  const same = (count, first, last) => {
    const keep = all ? count : context, head = first ? 0 : Math.min(keep, count), tail = last ? 0 : Math.min(keep, count - head);
    const folded = all ? 0 : count - head - tail;
    const put = many => { for (; many > 0; --many) rows.push({x: x++, y: y++, a: before[x - 1], b: after[y - 1], same: true}); };
    if (folded <= 2) return put(count);
    put(head);
    rows.push({fold: folded, x, y});
    x += folded;
    y += folded;
    put(tail);
  };
  hunks.forEach(([start, gone, , added], i) => {
    same(start - x, i === 0, false);
    // lines that differ only in the numbers of values form one row
    const unnumbered = n => lineText(n).replace(/%\d+/g, '%');
    const put = (many, others, near) => {
      for (let k = 0; k < Math.max(many, others); ++k)
        rows.push({x: k < many ? x + k : -1, y: k < others ? y + k : -1, a: before[x + k], b: after[y + k], pair: k < many && k < others, near});
      x += many;
      y += others;
    };
    const from = x;
    for (const [u, many, , others] of [...compare(before.slice(x, x + gone).map(unnumbered), after.slice(y, y + added).map(unnumbered)), [gone, 0, added, 0]]) {
      put(u + from - x, u + from - x, true);
      put(many, others, false);
    }
  });
  same(before.length - x, hunks.length === 0, true);
  return rows;
}
function putRows(body, rows, two, diff) {
  const cell = (kind, ...what) => el('td', {class: kind}, ...what);
  const number = (n, kind) => cell(`no ${kind}`, n < 0 ? '' : `${n + 1}`);
  const after = (n, kind) => n < 0 || runs[current].after < 0 ? number(n, kind) : cell(`no ${kind}`, historyButton(runs[current], n, two ? 4 : 3));
  const line = (n, kind, other) => n === undefined ? cell(kind) : cell(`findable ${kind}`, ...folded(n, other !== undefined && !query ? marked(lineText(n), lineText(other)) : [lineText(n)]));
  const folded = (n, parts) => lineText(n).length > longLine ? [el('div', {class: 'long', tabindex: 0, role: 'region', 'aria-label': 'A long line'}, ...parts)] : parts;
  const put = row => {
    const tr = el('tr', {class: shownLines && shownLines.has(row.y >= 0 ? row.b : row.a) ? 'shown' : null});
    if (row.fold) {
      const open = button(`⋯ ${plural(row.fold, 'line')} that did not change`, {}, () => {
        const made = [];
        const lines = [linesOf(runs[current].before), linesOf(runs[current].after)];
        for (let i = 0; i < row.fold; ++i) made.push(put({x: row.x + i, y: row.y + i, a: lines[0][row.x + i], b: lines[1][row.y + i], same: true}));
        tr.replaceWith(...made);
      });
      tr.className = 'more';
      tr.append(el('td', {colspan: two ? 4 : 3}, open));
    } else if (row.same) {
      tr.append((diff ? number : after)(row.x, ''), ...(two ? [line(row.a, ''), after(row.y, ''), line(row.b, '')] : [after(diff ? row.y : -1, ''), line(row.b, '')]));
    } else if (two) {
      const near = row.near ? ' near' : '', [left, right] = [row.x >= 0 ? 'del' + near : 'void', row.y >= 0 ? 'add' + near : 'void'];
      tr.append(number(row.x, left), line(row.x < 0 ? undefined : row.a, left, row.pair ? row.b : undefined), after(row.y, right), line(row.y < 0 ? undefined : row.b, right, row.pair ? row.a : undefined));
    } else {
      const kind = (row.x >= 0 ? 'del' : 'add') + (row.near ? ' near' : '');
      tr.append(number(row.x, kind), after(row.y, kind), line(row.x >= 0 ? row.a : row.b, kind, row.other));
    }
    return tr;
  };
  if (!two) rows = unified(rows);
  let from = 0;
  const more = () => {
    body.append(...rows.slice(from, from + mostRows).map(put));
    from += mostRows;
    if (from >= rows.length) return;
    const rest = el('tr', {class: 'more'}, el('td', {colspan: two ? 4 : 3}, button(`⋯ ${plural(rows.length - from, 'row')} more`, {}, () => { rest.remove(); more(); })));
    body.append(rest);
  };
  more();
}
// One column: removed lines, then added lines.
function unified(rows) {
  const all = [];
  let added = [];
  const flush = () => { all.push(...added); added = []; };
  for (const row of rows) {
    if (row.same || row.fold) { flush(); all.push(row); continue; }
    if (row.x >= 0) all.push({...row, y: -1, other: row.pair ? row.b : undefined});
    if (row.y >= 0) added.push({...row, x: -1, other: row.pair ? row.a : undefined});
  }
  flush();
  return all;
}
