#pragma once

#include <tutti/base/folder.hpp>

#include <string_view>

// Made by packaging/embed.py from page/graph_script.js.

namespace tutti::instrument {

/// Script of the report page: the graph before and after a pass.
inline constexpr std::string_view report_graph_script = R"js(
const svgns = 'http://www.w3.org/2000/svg';
function svg(tag, attributes, ...children) {
  const made = document.createElementNS(svgns, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
let showBefore = false, view = null; // the drawn graph and its position

const nodeText = node => {
  const lines = node.slice(8).map(lineText);
  const deepest = Math.min(...lines.slice(1).filter(line => line.trim()).map(line => line.length - line.trimStart().length), 2);
  return lines.map((line, i) => i && line.startsWith(' '.repeat(deepest)) ? line : line).join('\n');
};
// Returns the nodes that the other graph lacks, ignoring the numbers of values.
function onlyHere(graph, other) {
  const key = node => `${node[0]} ${node[1]} ${nodeText(node).replace(/%\d+/g, '%')}`;
  const there = new Map(), here = new Set();
  if (!other || !other.nodes) return here;
  for (const node of other.nodes) there.set(key(node), (there.get(key(node)) || 0) + 1);
  graph.nodes.forEach((node, i) => {
    const left = there.get(key(node)) || 0;
    if (left) there.set(key(node), left - 1); else here.add(i);
  });
  return here;
}
function cutTo(text, wide, each) {
  const most = Math.floor((wide - 12) / each), letters = [...text];
  return letters.length > most ? letters.slice(0, most - 1).join('') + '…' : text;
}
function edgePath(graph, edge) {
  const [from, to] = [graph.nodes[edge[0]], graph.nodes[edge[1]]];
  let x = from[4], y = from[5];
  if (from === to) return `M${x + from[6] / 2} ${y - 6}c24 -10 24 22 0 12`;
  const down = to[5] > y ? 1 : -1;
  y += down * from[7] / 2;
  let path = `M${x} ${y}`;
  const go = (tox, toy) => {
    const half = (y + toy) / 2;
    path += x === tox ? `V${toy}` : `C${x} ${half} ${tox} ${half} ${tox} ${toy}`;
    x = tox;
    y = toy;
  };
  for (let i = 3; i + 1 < edge.length; i += 2) {
    go(edge[i], edge[i + 1] - down * 20);
    path += `V${y = edge[i + 1] + down * 20}`;
  }
  go(to[4], to[5] - down * (to[7] / 2 + 4));
  return path;
}

function showGraph(panel, r) {
  const before = graphs.get(r.before), after = graphs.get(r.after);
  view = null;
  if (!before && !after) return panel.append(el('p', {class: 'empty'}, r.state === 'skipped' ? 'It did not run.' : 'Units of this kind have no graph.'));
  const early = showBefore && before || !after, graph = early ? before : after, other = early ? after : before;
  if (!graph.nodes) return panel.append(el('p', {class: 'empty'}, `The graph has ${plural(graph.count, 'node')}: too many to be drawn.`));
  const fresh = before && after && before !== after ? onlyHere(graph, other) : new Set();
  const refresh = () => { panel.replaceChildren(); showGraph(panel, r); markFound(); };
  const canvas = el('div', {class: 'canvas'}), side = el('aside', {class: 'node-panel', id: 'node', 'aria-live': 'polite', 'aria-label': 'The selected node'}, el('p', {class: 'empty'}, 'Click a node, or walk with the arrow keys, to see its type and its text.'));
  const tools = el('div', {class: 'tools'});
  if (before && after && before !== after)
    tools.append(button('Before', {'aria-pressed': `${early}`}, () => { showBefore = true; refresh(); }), button('After', {'aria-pressed': `${!early}`}, () => { showBefore = false; refresh(); }));
  const says = fresh.size ? `, ${fresh.size} ${early ? 'not there after' : 'new'}` : '';
  tools.append(el('span', {class: 'says'}, `${plural(graph.nodes.length, 'node')}, ${plural(graph.edges.length, 'edge')}${says}`), el('span', {class: 'gap'}),
    el('span', {class: 'group'}, button('−', {'aria-label': 'Zoom out', title: 'zoom out (-)'}, () => zoom(1 / 1.3)), button('+', {'aria-label': 'Zoom in', title: 'zoom in (+)'}, () => zoom(1.3)),
    button('Fit', {title: 'the whole graph'}, () => fit(true)), button('Top', {title: 'readable, from the top (0)'}, () => fit(false))));
  panel.append(tools, el('div', {class: 'picture'}, canvas, side), legend(graph));

  const scene = svg('g', {id: 'picture-scene'}), root = svg('svg', {role: 'group', 'aria-label': `Graph ${early ? 'before' : 'after'} ${r.name}`}, svg('defs', {},
    svg('marker', {id: 'arrow', viewBox: '0 0 8 8', refX: 4, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: 'userSpaceOnUse', orient: 'auto'}, svg('path', {d: 'M0 0L8 4L0 8z'}))), scene);
  const nodes = [], edges = [];
  for (const edge of graph.edges) {
    const path = svg('path', {d: edgePath(graph, edge), 'marker-end': 'url(#arrow)'});
    edges.push(path);
    scene.append(path);
    if (words[edge[2]]) {
      const from = graph.nodes[edge[0]];
      scene.append(svg('text', {class: 'e', x: from[4] + 6, y: from[5] + from[7] / 2 + 13}, words[edge[2]]));
    }
  }
  graph.nodes.forEach((node, i) => {
    const [label, type, , style, x, y, wide, high] = node;
    const g = svg('g', {class: `n s${style}${fresh.has(i) ? early ? ' gone' : ' fresh' : ''}`, 'data-node': i, tabindex: i ? -1 : 0, role: 'button', 'aria-label': `${words[label]} ${words[type]}`},
      svg('rect', {x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: 6}), svg('text', {x, y: words[type] ? y - 3 : y + 4}, cutTo(words[label], wide, 7.25)));
    if (words[type]) g.append(svg('text', {class: 't', x, y: y + 12}, cutTo(words[type], wide, 6)));
    if (query && has(`${words[label]} ${words[type]} ${nodeText(node)}`)) g.classList.add('found');
    nodes.push(g);
    scene.append(g);
  });
  canvas.append(root);
  view = {graph, nodes, edges, root, scene, canvas, side, x: 0, y: 0, scale: 1, run: r, early, at: -1};
  moveBy(root);
  fit(false);
}
function legend(graph) {
  const styles = new Map();
  for (const node of graph.nodes) if (words[node[2]]) styles.set(words[node[2]], node[3]);
  return el('div', {class: 'legend'}, ...[...styles].map(([name, style]) =>
    el('span', {}, svg('svg', {class: 'key', 'aria-hidden': 'true'}, svg('g', {class: `n s${style}`}, svg('rect', {x: 1, y: 1, width: 12, height: 10, rx: 3}))), name)));
}
function place() { view.scene.setAttribute('transform', `translate(${view.x.toFixed(1)} ${view.y.toFixed(1)}) scale(${view.scale.toFixed(4)})`); }
function fit(all) {
  const wide = view.canvas.clientWidth || 800, high = view.canvas.clientHeight || 600, {width, height} = view.graph;
  view.scale = all ? Math.min(1.2, wide / width, high / height) : Math.min(1.1, Math.max(0.8, wide / width));
  view.x = (wide - width * view.scale) / 2;
  view.y = height * view.scale < high ? (high - height * view.scale) / 2 : 0;
  if (!all && width * view.scale > wide) { // centre the first node
    const {nodes, edges} = view.graph, used = edges.length ? edges.map(edge => nodes[edge[0]]) : nodes, first = used.reduce((a, b) => b[5] < a[5] ? b : a);
    view.x = wide / 2 - first[4] * view.scale;
  }
  place();
}
function zoom(by, x = view.canvas.clientWidth / 2, y = view.canvas.clientHeight / 2) {
  const scale = Math.min(4, Math.max(0.02, view.scale * by)), ratio = scale / view.scale;
  view.x = x - (x - view.x) * ratio;
  view.y = y - (y - view.y) * ratio;
  view.scale = scale;
  place();
}
function moveBy(root) {
  let from = null;
  const nodeAt = e => e.target.closest && e.target.closest('g.n');
  root.addEventListener('wheel', e => {
    e.preventDefault();
    const box = root.getBoundingClientRect();
    zoom(Math.exp(-e.deltaY * (e.deltaMode ? 0.05 : 0.0016)), e.clientX - box.left, e.clientY - box.top);
  }, {passive: false});
  root.addEventListener('pointerdown', e => { from = {x: e.clientX - view.x, y: e.clientY - view.y, moved: false, sx: e.clientX, sy: e.clientY}; });
  root.addEventListener('pointermove', e => {
    if (!from || !(e.buttons & 1)) return;
    if (!from.moved && Math.hypot(e.clientX - from.sx, e.clientY - from.sy) < 4) return;
    if (!from.moved) { from.moved = true; root.setPointerCapture(e.pointerId); root.classList.add('drag'); }
    view.x = e.clientX - from.x;
    view.y = e.clientY - from.y;
    place();
  });
  root.addEventListener('pointerup', () => { root.classList.remove('drag'); });
  root.addEventListener('click', e => {
    const dragged = from && from.moved;
    from = null;
    if (nodeAt(e) && !dragged) showNode(+nodeAt(e).dataset.node, false);
  });
  root.addEventListener('keydown', e => {
    const node = nodeAt(e);
    if (e.ctrlKey || e.metaKey || e.altKey || !node) return;
    const at = +node.dataset.node, {graph} = view;
    const nearest = list => list.sort((a, b) => Math.abs(graph.nodes[a][4] - graph.nodes[at][4]) - Math.abs(graph.nodes[b][4] - graph.nodes[at][4]))[0];
    const beside = by => graph.nodes.map((each, i) => i).filter(i => graph.nodes[i][5] === graph.nodes[at][5] && (graph.nodes[i][4] - graph.nodes[at][4]) * by > 0);
    const actions = {ArrowDown: () => nearest(graph.edges.filter(each => each[0] === at).map(each => each[1])), ArrowUp: () => nearest(graph.edges.filter(each => each[1] === at).map(each => each[0])),
      ArrowRight: () => nearest(beside(1)), ArrowLeft: () => nearest(beside(-1)), Enter: () => at, ' ': () => at};
    if (e.key === '+' || e.key === '=') zoom(1.3);
    else if (e.key === '-') zoom(1 / 1.3);
    else if (e.key === '0') fit(false);
    else if (actions[e.key]) {
      const next = actions[e.key]();
      if (next !== undefined) { showNode(next, true); view.nodes[next].focus({preventScroll: true}); }
    } else return;
    e.preventDefault();
    e.stopPropagation();
  });
}
// Selects a node and shows its details, operands and users.
function showNode(i, move) {
  const {graph, nodes, edges, side} = view, node = graph.nodes[i];
  if (view.at >= 0) { nodes[view.at].classList.remove('on'); nodes[view.at].tabIndex = -1; }
  nodes[0].tabIndex = -1;
  view.at = i;
  nodes[i].classList.add('on');
  nodes[i].tabIndex = 0;
  graph.edges.forEach((edge, k) => edges[k].classList.toggle('near', edge[0] === i || edge[1] === i));
  if (move) {
    const x = node[4] * view.scale + view.x, y = node[5] * view.scale + view.y, wide = view.canvas.clientWidth, high = view.canvas.clientHeight;
    if (x < 60 || x > wide - 60 || y < 40 || y > high - 40) { view.x += wide / 2 - x; view.y += high / 2 - y; place(); }
  }
  const list = (head, found) => found.length ? [el('h3', {}, head), el('ul', {}, ...found.map(([to, label]) =>
    el('li', {}, button((label ? `${label}: ` : '') + words[graph.nodes[to][0]], {}, () => { showNode(to, true); nodes[to].focus({preventScroll: true}); }))))] : [];
  const text = nodeText(node), lines = new Set(node.slice(8).map(n => Math.floor(n / 64)));
  side.replaceChildren(el('h4', {id: 'node-name'}, words[node[0]]));
  if (words[node[1]]) side.append(el('h3', {}, 'Type'), el('pre', {id: 'node-type'}, words[node[1]]));
  if (text) {
    const version = linesOf(view.early ? view.run.before : view.run.after);
    side.append(el('h3', {}, 'Text'), el('pre', {id: 'node-text'}, text));
    const inText = version.filter(n => lines.has(Math.floor(n / 64)) || words[Math.floor(n / 64)].replace(/;$/, '') === words[Math.floor(node[node.length - 1] / 64)]);
    if (inText.length) side.append(el('p', {}, button('Show in the text', {}, () => { whole = true; shownLines = new Set(inText); showTab('text'); })), el('p', {}, ' '));
  }
  const traced = values.filter(each => each.name === words[node[0]] || text.startsWith(`${each.name} =`) || text.startsWith(`let ${each.name} =`));
  if (traced.length) side.append(el('h3', {}, 'Value'), ...traced.map(each => el('pre', {}, each.text)));
  side.append(...list('From', graph.edges.filter(edge => edge[1] === i).map(edge => [edge[0], words[edge[2]]])), ...list('Used by', graph.edges.filter(edge => edge[0] === i).map(edge => [edge[1], words[edge[2]]])));
}
)js";

} // namespace tutti::instrument
