// Script of the report page: reads the events that `report_data` describes; passes, timeline, search, keys.
const words = [], versions = [], graphs = new Map(), runs = [], values = [], operations = [], notes = [];
let left = false, cut = false;

// Makes an element with attributes and children. A string child becomes a text node.
function el(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.filter(child => child !== null && child !== undefined));
  return made;
}
const byId = id => document.getElementById(id);
const button = (text, attributes, action) => el('button', {type: 'button', onclick: action, ...attributes}, text);

function read() {
  for (const script of document.querySelectorAll('script.data')) {
    let events;
    try { events = JSON.parse(script.textContent); } catch { cut = true; continue; }
    for (const e of events) events_by_kind[e[0]](e);
  }
}
const events_by_kind = {
  s: e => {
    const first = words.length;
    for (let i = 1; i < e.length; ++i) words.push(e[i]);
    for (let i = first; i < words.length; ++i)
      if (typeof words[i] !== 'string') {
        const [pattern, ...numbers] = words[i];
        let next = 0;
        words[i] = words[pattern].replace(/%#/g, () => `%${numbers[next++]}`);
      }
  },
  v: e => versions.push({base: e[1], hunks: e.slice(2), matched: null, lines: null}),
  m: e => { versions[versions.length - 1].matched = e.slice(1); },
  g: e => graphs.set(e[1], e.length === 3 ? {count: e[2]} : {width: e[2], height: e[3], nodes: e[4], edges: e[5]}),
  b: e => runs.push({id: runs.length, outer: e[1], name: e[2], kind: e[3], unit: e[4], start: e[5], before: e[6], after: -1, end: null,
    state: 'running', change: 1, ops: [], counts: [], remarks: [], why: ''}),
  k: e => runs.push({id: runs.length, outer: e[1], name: e[2], kind: 0, unit: '', start: null, before: -1, after: -1, end: null, state: 'skipped',
    change: 0, ops: [], counts: [], remarks: [], why: e[3]}),
  r: e => { if (runs[e[1]]) runs[e[1]].remarks.push({kind: e[2], where: e[3], text: e[4]}); },
  e: e => Object.assign(runs[e[1]], {end: e[2], state: e[3] ? 'failed' : 'ended', change: e[4], after: e[5], why: e[6], ops: pairs(e[7]), counts: pairs(e[8])}),
  t: e => values.push({name: e[1], text: e[2]}),
  p: e => operations.push({program: e[1], kind: e[2], name: e[3], calls: e[4], time: e[5]}),
  n: e => notes.push(e[1]),
  x: () => { left = true; },
};
function pairs(flat) {
  const all = [];
  for (let i = 0; i < flat.length; i += 2) all.push([flat[i], flat[i + 1]]);
  return all;
}

// Returns the lines of a version. A line is a number: 64 times its word, plus its indentation.
function linesOf(v) {
  if (v < 0) return [];
  const path = [];
  for (; v >= 0 && !versions[v].lines; v = versions[v].base) path.push(v);
  let lines = v < 0 ? [] : versions[v].lines;
  for (const at of path.reverse()) {
    const made = [];
    let from = 0;
    for (const [first, gone, ...added] of versions[at].hunks) {
      for (; from < first; ++from) made.push(lines[from]);
      from += gone;
      for (const line of added) made.push(line);
    }
    for (; from < lines.length; ++from) made.push(lines[from]);
    lines = versions[at].lines = made;
  }
  return lines;
}
const lineText = n => ' '.repeat(n % 64) + words[Math.floor(n / 64)];

function finish() {
  let last = 0;
  for (const r of runs) last = Math.max(last, r.start || 0, r.end || 0);
  for (const r of runs) {
    r.depth = r.outer >= 0 ? runs[r.outer].depth + 1 : 0;
    r.time = r.start === null ? 0 : (r.end === null ? last : r.end) - r.start;
    r.self = r.time;
    r.members = 0;
    r.differs = r.before >= 0 && r.after >= 0 ? r.before !== r.after : r.change === 3 || r.ops.length > 0;
    r.lied = r.change === 0 && r.before >= 0 && r.after >= 0 && r.before !== r.after;
  }
  for (const r of runs) if (r.outer >= 0) { runs[r.outer].self -= r.time; ++runs[r.outer].members; }
  for (const r of runs) r.leaf = r.kind === 0;
}
function time(ns) {
  if (ns < 1000) return `${ns} ns`;
  const [size, unit] = ns < 1e6 ? [1e3, 'µs'] : ns < 1e9 ? [1e6, 'ms'] : [1e9, 's'];
  const n = ns / size;
  return `${n < 10 ? n.toFixed(2) : n < 100 ? n.toFixed(1) : Math.round(n)} ${unit}`;
}
const outermost = () => runs.filter(r => r.outer < 0);
const total = () => outermost().reduce((sum, r) => sum + r.time, 0);
const stateClass = r => r.state === 'skipped' || r.state === 'failed' ? r.state : r.differs ? 'changed' : '';
const percent = (part, whole) => whole > 0 ? `${(100 * part / whole).toFixed(1)} %` : '';
const plural = (n, what) => `${n.toLocaleString('en')} ${what}${n === 1 ? '' : what.endsWith('s') ? 'es' : 's'}`;

let current = -1, tab = 'text', query = '', onlyChanged = false;
const items = [], bars = [];

function showHead() {
  const ran = runs.filter(r => r.leaf && r.state !== 'skipped'), skipped = runs.filter(r => r.state === 'skipped').length;
  const facts = [el('b', {}, plural(ran.length, 'pass')), ` in ${time(total())}, `, el('b', {}, `${ran.filter(r => r.differs).length}`), ' changed something'];
  if (skipped) facts.push(`, ${skipped} skipped`);
  byId('facts').append(...facts);
  const say = (kind, head, text) => byId('banners').append(el('p', {class: 'banner' + kind, role: 'alert'}, el('b', {}, head), ' ', text));
  const failed = runs.filter(r => r.state === 'failed').sort((a, b) => a.end - b.end || b.id - a.id)[0];
  const running = runs.filter(r => r.state === 'running').pop();
  if (failed) say('', `${failed.name} failed:`, failed.why);
  if (running && !left) say('', `${running.name} did not end:`, 'the process ended while it ran.');
  else if (cut) say('', 'This page is not complete:', 'its end is missing.');
  for (const r of runs.filter(r => r.lied && r.leaf)) say(' note', `${r.name}`, 'reported no change, but changed the unit.');
  for (const each of notes) say(' note', 'Note:', each);
  if (!runs.length && !operations.length) say(' note', 'No pass ran.', '');
}

function showTimeline() {
  const place = byId('bars'), top = outermost();
  let offset = 0, deepest = 0;
  const whole = Math.max(1, total()), shift = new Map();
  for (const r of top) { shift.set(r.id, offset - (r.start || 0)); offset += r.time; }
  for (const r of runs) {
    if (r.outer >= 0) shift.set(r.id, shift.get(r.outer));
    if (r.start === null) continue;
    deepest = Math.max(deepest, r.depth);
    const bar = el('i', {class: `${stateClass(r)} ${r.leaf ? '' : 'outer'}`, title: `${r.name}: ${time(r.time)}`});
    const share = r.time / whole;
    bar.style.left = `${100 * (r.start + shift.get(r.id)) / whole}%`;
    bar.style.width = `calc(${100 * share}% - 1px)`;
    bar.style.top = `${r.depth * 22}px`;
    if (share * 900 > 26) bar.textContent = r.name; else bar.classList.add('tiny');
    bar.dataset.run = r.id;
    bars[r.id] = bar;
    place.append(bar);
  }
  place.style.height = `${(deepest + 1) * 22}px`;
  place.addEventListener('click', e => { if (e.target.dataset.run) select(+e.target.dataset.run); });
  for (let i = 0; i <= 4; ++i) byId('axis').append(el('span', {}, i === 0 ? '0' : time(Math.round(whole * i / 4))));
  byId('timeline').hidden = !bars.length;
}

// Shows the time of each program's operations, by kind and one by one, the slowest first.
function showProfile() {
  const place = byId('profile');
  place.hidden = !operations.length;
  for (const program of new Set(operations.map(each => each.program))) {
    const all = operations.filter(each => each.program === program), whole = all.reduce((sum, each) => sum + each.time, 0);
    const kinds = new Map();
    for (const each of all) {
      const kind = kinds.get(each.kind) || {kind: each.kind, calls: 0, time: 0};
      kinds.set(each.kind, {...kind, calls: kind.calls + each.calls, time: kind.time + each.time});
    }
    const table = (heads, rows, cells) => el('table', {class: 'list'},
      el('thead', {}, el('tr', {}, ...[...heads, 'Calls', 'Time', 'Share'].map(head => el('th', {scope: 'col'}, head)))),
      el('tbody', {}, ...rows.sort((a, b) => b.time - a.time).map(each => {
        const share = el('td', {class: 'mono share'}, percent(each.time, whole));
        share.style.setProperty('--share', whole > 0 ? each.time / whole : 0);
        return el('tr', {}, ...cells(each).map(cell => el('td', {class: 'mono'}, cell)), el('td', {class: 'mono'}, `${each.calls}`),
          el('td', {class: 'mono'}, time(each.time)), share);
      })));
    place.append(el('details', {class: 'profile', open: true}, el('summary', {}, el('b', {}, `Profile of ${program}`), `: ${time(whole)} a run, each operator alone`),
      table(['Operator'], [...kinds.values()], each => [each.kind]),
      el('details', {}, el('summary', {}, plural(all.length, 'layer')), table(['Layer', 'Operator'], all, each => [each.name, each.kind]))));
  }
}

function showList() {
  const most = Math.max(1, ...runs.filter(r => r.leaf).map(r => r.time));
  for (const r of runs) {
    const says = r.state === 'skipped' ? `skipped (${r.why})` : r.state === 'running' ? 'running' : time(r.time);
    const item = el('li', {role: 'option', id: `run-${r.id}`, class: `${stateClass(r)} ${r.leaf ? '' : 'outer'}`, 'aria-selected': 'false'},
      el('span', {class: 'dot', 'aria-hidden': 'true'}), el('span', {class: 'name'}, r.name + (r.unit && r.depth && r.unit !== runs[0].unit ? ` (${r.unit})` : '')),
      r.remarks.length ? el('span', {class: 'tag', title: plural(r.remarks.length, 'remark')}, `${r.remarks.length} ✎`) : null,
      el('span', {class: 'time'}, says),
      el('span', {class: 'hidden'}, r.state === 'failed' ? ', failed' : r.state === 'skipped' ? '' : r.differs ? ', changed something' : ', changed nothing'));
    item.style.setProperty('--depth', r.depth);
    if (r.leaf && r.time) item.append(el('s', {style: `width:${(100 * r.time / most).toFixed(2)}%`}));
    item.addEventListener('click', () => select(r.id));
    items[r.id] = item;
    byId('passes').append(item);
  }
  byId('only').addEventListener('change', e => { onlyChanged = e.target.checked; filter(); });
}
const isShown = r => !onlyChanged || stateClass(r) !== '' && r.state !== 'skipped';

function select(id, keep) {
  if (id < 0 || id >= runs.length) return;
  for (const list of [items, bars]) if (list[current]) list[current].classList.remove('on');
  if (items[current]) items[current].setAttribute('aria-selected', 'false');
  current = id;
  for (const list of [items, bars]) if (list[id]) list[id].classList.add('on');
  items[id].setAttribute('aria-selected', 'true');
  byId('passes').setAttribute('aria-activedescendant', `run-${id}`);
  const list = byId('passes'), item = items[id];
  if (item.offsetTop < list.scrollTop + list.offsetTop) list.scrollTop = item.offsetTop - list.offsetTop;
  else if (item.offsetTop + item.offsetHeight > list.scrollTop + list.offsetTop + list.clientHeight)
    list.scrollTop = item.offsetTop - list.offsetTop + item.offsetHeight - list.clientHeight;
  if (!keep) try { history.replaceState(null, '', `#${id}`); } catch {}
  showDetail();
}
function step(by, wanted) {
  for (let id = current + by; id >= 0 && id < runs.length; id += by)
    if (isShown(runs[id]) && (!wanted || wanted(runs[id]))) return select(id);
}

function showDetail() {
  const r = runs[current], around = [];
  for (let o = r.outer; o >= 0; o = runs[o].outer) around.unshift(runs[o].name);
  const title = el('div', {class: 'title'}, el('h2', {id: 'pass-name'}, r.name));
  const tag = (text, kind) => title.append(el('span', {class: `tag ${kind || ''}`}, text));
  if (r.state === 'failed') tag('failed', 'bad');
  else if (r.state === 'skipped') tag(`skipped: ${r.why}`);
  else if (r.state === 'running') tag('did not end', 'bad');
  else tag(r.differs ? 'changed' : r.change === 1 && r.before < 0 ? 'not known whether it changed something' : 'no change', r.differs ? 'good' : '');
  if (r.lied) tag('reported no change', 'bad');
  title.append(el('span', {class: 'step'}, button('Previous', {title: 'previous pass (k)'}, () => step(-1)), button('Next', {title: 'next pass (j)'}, () => step(1))));
  const sums = el('dl', {class: 'sums'});
  const sum = (name, ...what) => sums.append(el('div', {}, el('dt', {}, name), el('dd', {}, ...what)));
  if (r.start !== null) {
    sum('Time', time(r.time), ' ', el('small', {}, percent(r.time, total())));
    if (r.members) sum('Without what it ran', time(r.self));
  }
  if (r.before >= 0) {
    const before = linesOf(r.before).length, after = r.after >= 0 ? linesOf(r.after).length : before;
    sum('Lines', before === after ? `${after}` : `${before} → ${after}`);
  }
  if (r.unit) sum('Over', `a ${r.unit}`);
  for (const [name, n] of r.counts) sum(name, n.toLocaleString('en'));
  const detail = byId('detail');
  detail.replaceChildren(el('p', {class: 'path'}, around.length ? around.join(' › ') + ' ›' : ' '), title);
  if (r.state === 'failed') detail.append(el('p', {class: 'banner', style: 'margin:8px 0 0'}, el('b', {}, 'Failed: '), r.why));
  detail.append(sums);
  if (r.ops.length) detail.append(el('h3', {}, 'Operators'), el('div', {class: 'chips', id: 'ops'}, ...r.ops.map(([name, n]) =>
    el('span', {class: n > 0 ? 'plus' : 'minus'}, `${n > 0 ? '+' : '−'}${Math.abs(n)} ${name}`))), el('p', {}, ' '));
  const tabs = [['text', 'Text'], ['graph', 'Graph'], ['remarks', `Remarks (${r.remarks.length})`]];
  if (values.length) tabs.push(['values', `Values (${values.length})`]);
  const list = el('div', {role: 'tablist', 'aria-label': 'What to show'}), panel = el('div', {role: 'tabpanel', id: 'panel', 'aria-labelledby': `tab-${tab}`});
  for (const [name, text] of tabs)
    list.append(button(text, {role: 'tab', id: `tab-${name}`, 'aria-selected': `${name === tab}`, 'aria-controls': 'panel', tabindex: name === tab ? '0' : '-1'}, () => showTab(name)));
  list.addEventListener('keydown', e => {
    const by = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0;
    if (!by) return;
    e.preventDefault();
    e.stopPropagation();
    const names = tabs.map(each => each[0]);
    showTab(names[(names.indexOf(tab) + by + names.length) % names.length]);
    byId(`tab-${tab}`).focus();
  });
  detail.append(list, panel);
  showPanel();
}
function showTab(name) {
  tab = name;
  for (const each of document.querySelectorAll('[role=tab]')) {
    const on = each.id === `tab-${name}`;
    each.setAttribute('aria-selected', `${on}`);
    each.tabIndex = on ? 0 : -1;
  }
  byId('panel').setAttribute('aria-labelledby', `tab-${name}`);
  showPanel();
}
function showPanel() {
  const r = runs[current], panel = byId('panel');
  panel.replaceChildren();
  if (tab === 'text') showText(panel, r);
  else if (tab === 'graph') showGraph(panel, r);
  else if (tab === 'remarks') showRows(panel, ['Kind', 'Where', 'What'], r.remarks.map(each => [each.kind, each.where, each.text]), 'This pass remarked nothing.');
  else showRows(panel, ['Value', 'Summary'], values.map(each => [each.name, each.text]), 'No values were traced.');
  markFound();
}
function showRows(panel, heads, rows, none) {
  if (!rows.length) return panel.append(el('p', {class: 'empty'}, none));
  panel.append(el('table', {class: 'list'}, el('thead', {}, el('tr', {}, ...heads.map(head => el('th', {scope: 'col'}, head)))),
    el('tbody', {}, ...rows.map(row => el('tr', {}, ...row.map(cell => el('td', {class: 'findable mono'}, cell)))))));
}

// Search: fades passes without a match, and marks the matches shown.
const has = text => text.toLowerCase().includes(query);
function concerns(r) {
  if (has(r.name) || r.ops.some(each => has(each[0])) || r.remarks.some(each => has(each.text) || has(each.where)) || has(r.why)) return true;
  if (!r.differs || r.before < 0 || r.after < 0 || !r.leaf) return false;
  const before = linesOf(r.before), after = linesOf(r.after);
  return differences(r).some(([x, gone, y, added]) =>
    before.slice(x, x + gone).some(n => has(lineText(n))) || after.slice(y, y + added).some(n => has(lineText(n))));
}
let matches = [], match = -1;
function filter() {
  let passes = 0;
  for (const r of runs) {
    const fits = !query || concerns(r);
    passes += query && fits && r.leaf ? 1 : 0;
    items[r.id].hidden = !isShown(r);
    items[r.id].classList.toggle('dim', !fits);
    if (bars[r.id]) bars[r.id].classList.toggle('dim', !fits && r.leaf);
  }
  byId('found').dataset.passes = passes;
}
function search(text) {
  query = text.trim().toLowerCase();
  filter();
  showPanel();
}
function markFound() {
  matches = [];
  match = -1;
  if (query && current >= 0) {
    for (const cell of document.querySelectorAll('#panel .findable')) markIn(cell);
    matches = [...document.querySelectorAll('#panel mark, #panel g.found')];
    if (matches.length) showMatch(0);
  }
  const passes = +byId('found').dataset.passes || 0;
  byId('found').textContent = !query ? '' : `${passes ? plural(passes, 'pass') : 'no pass'}, ${matches.length} here`;
}
function markIn(cell) {
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT), texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts)
    for (let node = text, at; (at = node.data.toLowerCase().indexOf(query)) >= 0;) {
      const found = node.splitText(at);
      if (found.data.length < query.length) break;
      node = found.splitText(query.length);
      found.replaceWith(el('mark', {}, found.data));
    }
}
function showMatch(at) {
  if (!matches.length) return;
  if (matches[match]) matches[match].classList.remove('now');
  match = (at + matches.length) % matches.length;
  matches[match].classList.add('now');
  if (matches[match].tagName === 'g') showNode(+matches[match].dataset.node, true);
  else matches[match].scrollIntoView({block: 'center'});
}

function onKey(e) {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const field = byId('search');
  if (e.target === field) {
    if (e.key === 'Enter') { e.preventDefault(); showMatch(match + (e.shiftKey ? -1 : 1)); }
    if (e.key === 'Escape') { field.value = ''; search(''); byId('passes').focus({preventScroll: true}); }
    return;
  }
  const changed = r => r.leaf && (r.differs || r.state === 'failed');
  const actions = {j: () => step(1), k: () => step(-1), n: () => step(1, changed), p: () => step(-1, changed), t: () => showTab('text'), g: () => showTab('graph'),
    r: () => showTab('remarks'), '/': () => { field.focus(); field.select(); }};
  const inList = e.target === byId('passes') || e.target === document.body;
  if (inList && e.key === 'ArrowDown') actions.ArrowDown = actions.j;
  if (inList && e.key === 'ArrowUp') actions.ArrowUp = actions.k;
  if (inList && e.key === 'End') actions.End = () => select(runs.length - 1);
  if (inList && e.key === 'Home') actions.Home = () => select(0);
  if (!actions[e.key]) return;
  e.preventDefault();
  actions[e.key]();
}

function start() {
  read();
  finish();
  showHead();
  showTimeline();
  showProfile();
  showList();
  byId('search').addEventListener('input', e => search(e.target.value));
  document.addEventListener('keydown', onKey);
  if (!runs.length) return;
  const wanted = location.hash ? +location.hash.slice(1) : NaN;
  const first = runs.find(r => r.leaf && (r.state === 'failed' || r.state === 'running')) || runs.find(r => r.leaf && r.ops.length) || runs.find(r => r.leaf && r.differs) || runs[0];
  select(runs[wanted] ? wanted : first.id, true);
  byId('passes').focus({preventScroll: true});
}
document.addEventListener('DOMContentLoaded', start);
