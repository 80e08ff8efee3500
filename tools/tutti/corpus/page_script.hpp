#pragma once

#include <string_view>

// Made by packaging/embed.py from page/page_script.js.

namespace program::corpus {

/// Script of the corpus page: a table that sorts, searches and draws only the visible rows.
inline constexpr std::string_view page_script = R"js(
const data = JSON.parse(document.getElementById('data').textContent);
const byId = id => document.getElementById(id);
const el = (tag, name, ...children) => {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.append(...children.filter(child => child !== null && child !== undefined));
  return made;
};
const duration = s => s < 1e-3 ? `${(s * 1e6).toFixed(1)} us` : s < 1 ? `${(s * 1e3).toFixed(2)} ms` : `${s.toFixed(2)} s`;
const show = (value, kind) => value === null || value === undefined ? '' : kind === 'time' ? duration(value) : kind === 'ratio' ? value.toFixed(3) : String(value);
const fine = new Set(['ok', 'unchecked', 'same', 'faster']);

// A small table of all rows.
function table(title, columns, rows) {
  const head = el('tr', '', ...columns.map(([name]) => el('th', '', name)));
  const body = rows.map(row => el('tr', '', ...columns.map(([, kind], i) => el('td', kind === 'text' ? '' : 'mono', show(row[i], kind)))));
  return el('section', '', el('h3', '', title), el('table', 'list', el('thead', '', head), el('tbody', '', ...body)));
}

// The large table. `order` has the numbers of the rows that match the search, sorted.
const rows = data.rows, columns = data.columns, height = 26;
const texts = new Array(rows.length);
let order = rows.map((_, i) => i), by = -1, down = false, chosen = -1;
const cellText = (row, i) => columns[i].words ? columns[i].words[row[i]] : row[i];
function textOf(i) {
  return texts[i] ??= columns.map((c, k) => c.kind === 'text' || c.words ? cellText(rows[i], k) ?? '' : '').join('\n').toLowerCase();
}

function sort() {
  if (by < 0) return order.sort((a, b) => a - b);
  const values = rows.map(row => cellText(row, by) ?? '');
  const sign = down ? -1 : 1;
  return order.sort((a, b) => values[a] < values[b] ? -sign : values[a] > values[b] ? sign : a - b);
}
function search() {
  const words = byId('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  order = [];
  for (let i = 0; i < rows.length; ++i) if (words.every(word => textOf(i).includes(word))) order.push(i);
  sort();
  byId('found').textContent = words.length ? `${order.length} of ${rows.length}` : '';
  byId('scroll').scrollTop = 0;
  draw();
}
function draw() {
  const box = byId('scroll'), body = byId('body');
  const first = Math.max(0, Math.floor(box.scrollTop / height) - 5), last = Math.min(order.length, first + Math.ceil(box.clientHeight / height) + 12);
  byId('space').style.height = `${order.length * height}px`;
  body.style.transform = `translateY(${first * height}px)`;
  body.replaceChildren(...order.slice(first, last).map((i, k) => {
    const cells = columns.map((c, at) => {
      const text = show(cellText(rows[i], at), c.kind), cell = el('span', c.kind === 'text' ? '' : 'mono', c.verdict && text ? el('i', fine.has(text) ? 'tag good' : 'tag bad', text) : text);
      cell.title = text;
      cell.setAttribute('role', 'cell');
      return cell;
    });
    const line = el('div', i === chosen ? 'row on' : 'row', ...cells);
    line.setAttribute('role', 'row');
    line.setAttribute('aria-rowindex', first + k + 2);
    line.onclick = () => choose(i);
    return line;
  }));
}
function choose(i) {
  chosen = i;
  const [name, ...more] = data.details[i] ? [rows[i][0], ...data.details[i]] : [rows[i][0]];
  const values = columns.map((c, k) => [c.name, show(cellText(rows[i], k), c.kind)]).filter(([, text]) => text !== '');
  byId('detail').replaceChildren(el('h2', '', name), el('dl', 'sums', ...values.slice(1).map(([key, text]) => el('div', '', el('dt', '', key), el('dd', 'mono', text)))),
    ...more.filter(Boolean).map(text => el('pre', 'code', text)));
  draw();
}
function sortBy(i) {
  down = by === i ? !down : columns[i].kind !== 'text';
  by = i;
  for (const [k, head] of [...byId('head').children].entries()) head.setAttribute('aria-sort', k !== i ? 'none' : down ? 'descending' : 'ascending');
  sort();
  byId('scroll').scrollTop = 0;
  draw();
}

function start() {
  byId('facts').textContent = data.facts;
  byId('tables').append(...data.tables.map(t => table(t.title, t.columns, t.rows)));
  byId('head').append(...columns.map((c, i) => {
    const head = el('button', '', c.name);
    head.type = 'button';
    head.setAttribute('role', 'columnheader');
    head.onclick = () => sortBy(i);
    return head;
  }));
  document.documentElement.style.setProperty('--columns', columns.map(c => c.width).join(' '));
  let waiting = 0;
  byId('search').oninput = () => { clearTimeout(waiting); waiting = setTimeout(search, 80); };
  byId('scroll').onscroll = () => requestAnimationFrame(draw);
  onresize = draw;
  document.onkeydown = event => {
    if (event.key === '/' && document.activeElement !== byId('search')) { event.preventDefault(); byId('search').focus(); }
  };
  draw();
  document.body.dataset.ready = 'yes';
}
document.addEventListener('DOMContentLoaded', start);
)js";

} // namespace program::corpus
