'use strict';
// Draws the page from the data in it. Tables and charts read the same objects; text goes in as text, never as markup.
const data = JSON.parse(document.getElementById('data').textContent);
const COLOURS = 10;
const LONG = 24;
const colour = i => `var(--c${i % COLOURS})`;
/** What a bar is filled with: those beyond the tenth are hatched, so no two of twenty look alike. */
const fill = i => i < COLOURS ? colour(i) : `repeating-linear-gradient(135deg, ${colour(i)} 0 4px, var(--ground) 4px 6px)`;
const style = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const number = x => Number.isInteger(x) ? x.toLocaleString('en') : x.toLocaleString('en', {maximumFractionDigits: 3});

/** Times to 10 ps: a model lets nothing take no time, so a wait or an end may be a ps late. */
const round = x => Math.round(x * 100) / 100;
const about = x => number(round(x));

/** Makes an element: attributes (and listeners by on…), then children or texts. */
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== null) element.setAttribute(name, value);
  }
  element.append(...children.filter(child => child !== null));
  return element;
}

/** Names of several lists, each once: one that a list does not have stands where the others have it. */
function inOrder(lists) {
  const all = [];
  for (const list of lists) {
    let at = -1;
    for (const name of list) {
      const known = all.indexOf(name);
      if (known < 0) all.splice(++at, 0, name);
      else at = Math.max(at, known);
    }
  }
  return all;
}

/** Starts a section, which the contents list. */
function section(id, title, note) {
  const made = make('section', {id, 'aria-labelledby': id + '-title'}, make('h2', {id: id + '-title'}, title));
  if (note) made.append(make('p', {class: 'note'}, note));
  document.getElementById('main').append(made);
  document.getElementById('contents').append(make('a', {href: '#' + id}, title));
  return made;
}

/** A table; a column is {title, of, number, text}: text writes a number otherwise. Cells keep the exact value in data-value. */
function table(caption, columns, rows) {
  const cell = (column, row) => {
    const value = column.of(row);
    if (value === undefined || value === null) return make('td', {});
    return column.number && typeof value === 'number'
      ? make('td', {class: 'number', 'data-value': value}, (column.text || number)(value))
      : make('td', {class: String(value).length > LONG ? 'long' : null}, String(value));
  };
  const head = columns.map(c => make('th', {scope: 'col', class: c.number ? 'number' : null}, c.title));
  const body = rows.map(row => make('tr', {}, ...columns.map(c => cell(c, row))));
  return make('table', {}, make('caption', {}, caption), make('thead', {}, make('tr', {}, ...head)), make('tbody', {}, ...body));
}

/** Lets the heads of a table sort it, by mouse and keyboard: numbers as numbers, what is empty at the end. */
function sortable(made) {
  const heads = [...made.tHead.rows[0].cells], body = made.tBodies[0];
  const value = (row, i) => row.cells[i].dataset.value ?? row.cells[i].textContent;
  const compare = (a, b) => {
    if (a === '' || b === '') return 0;
    return Number.isFinite(+a) && Number.isFinite(+b) ? a - b : a.localeCompare(b);
  };
  heads.forEach((head, i) => {
    const sort = () => {
      const down = head.getAttribute('aria-sort') === 'ascending';
      heads.forEach(h => h.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const order = (a, b) => (value(a, i) === '') - (value(b, i) === '') || (down ? -1 : 1) * compare(value(a, i), value(b, i));
      body.append(...[...body.rows].sort(order));
    };
    head.replaceChildren(make('button', {type: 'button', onclick: sort}, head.textContent));
  });
  return made;
}

/** A field that leaves those rows of a table that have all its words, and those alone that another choice leaves; returns it, with what applies that choice. */
function narrowing(id, made, texts, placeholder, chosen = () => true) {
  const rows = [...made.tBodies[0].rows];
  const words = make('input', {type: 'search', id, placeholder, size: 28});
  const count = make('output', {for: id, 'aria-live': 'polite'});
  const apply = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(w => w);
    rows.forEach((row, i) => { row.hidden = !(chosen(i) && wanted.every(w => texts[i].toLowerCase().includes(w))); });
    count.textContent = `${rows.filter(row => !row.hidden).length} of ${rows.length}`;
  };
  words.addEventListener('input', apply);
  apply();
  return {field: make('span', {class: 'pair'}, make('label', {for: id}, 'Filter '), words), count, apply};
}

/** A box to choose from, with its name before it. */
function choice(id, label, names, first) {
  const box = make('select', {id}, ...names.map(n => make('option', {value: n}, n)));
  if (first !== undefined) box.value = first;
  return {box, shown: make('span', {class: 'pair'}, make('label', {for: id}, label + ' '), box)};
}

/** Bars beside each other's length, each of stages: {label, total, stages: [{stage, ns, title}]}. */
function bars(all, names, description) {
  const longest = Math.max(...all.map(b => b.total));
  const shown = make('div', {class: 'fall', role: 'img', 'aria-label': description});
  for (const {label, total, stages} of all) {
    const parts = stages.map(s => make('i', {style: `width:${100 * s.ns / longest}%;background:${fill(names.indexOf(s.stage))}`, title: `${s.stage}: ${about(s.ns)} ns`}));
    shown.append(make('span', {}, label), make('div', {class: 'bar'}, ...parts), make('span', {}, about(total) + ' ns'));
  }
  return make('div', {}, shown, make('ul', {class: 'legend'}, ...names.map((s, i) => make('li', {}, make('i', {style: `background:${fill(i)}`}), s))));
}

/** Names and what belongs to them; an element stands as it is. */
const facts = rows => make('dl', {}, ...rows.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value instanceof Node ? value : String(value))]));

const scroll = (label, content) => make('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label}, content);

const behind = (title, content) => make('details', {}, make('summary', {}, title), scroll(content.caption?.textContent ?? title, content));

// ---- charts ----

const charts = [];

/** A chart with zoom by dragging, by buttons and by keys: + - 0 and the arrows. What it shows at first is the range of the x values, or more; a small one has no buttons. */
function chart(parent, label, options, values, whole = [values[0][0], values[0][values[0].length - 1]], small = false) {
  const frame = make('div', {class: 'chart', tabindex: 0, role: 'group', 'aria-label': label + ', chart; keys: + and - zoom, arrows move, 0 shows all'});
  const log = options.scales.x.distr === 3;
  const to = log ? Math.log10 : x => x, from = log ? x => 10 ** x : x => x;
  let plot = null;
  const zoom = (factor, shift) => {
    const {min, max} = plot.scales.x;
    const a = to(min), b = to(max), middle = (a + b) / 2 + shift * (b - a), half = (b - a) / 2 * factor;
    plot.setScale('x', {min: Math.max(whole[0], from(middle - half)), max: Math.min(whole[1], from(middle + half))});
  };
  const keys = {
    '+': () => zoom(0.5, 0), '=': () => zoom(0.5, 0), '-': () => zoom(2, 0),
    ArrowLeft: () => zoom(1, -0.25), ArrowRight: () => zoom(1, 0.25),
    '0': () => plot.setScale('x', {min: whole[0], max: whole[1]}),
  };
  frame.addEventListener('keydown', event => {
    if (keys[event.key] && !event.ctrlKey && !event.metaKey) { keys[event.key](); event.preventDefault(); }
  });
  const button = (key, text) => make('button', {type: 'button', onclick: keys[key]}, text);
  parent.append(frame);
  if (!small) parent.append(make('div', {class: 'tools'}, button('+', 'Zoom in'), button('-', 'Zoom out'), button('0', 'Show all')));
  plot = new uPlot({width: frame.clientWidth - 18, height: 340, ...options}, values, frame);
  charts.push({plot, frame});
  return plot;
}

const axis = (label, more) => ({
  label, labelSize: 22, stroke: () => style('--ink'), grid: {stroke: () => style('--line'), width: 1}, ticks: {stroke: () => style('--line')}, ...more,
});
/** Large numbers push the label aside. */
const upright = label => axis(label, {size: (u, values) => Math.max(76, 24 + 7 * Math.max(0, ...(values || []).map(v => String(v ?? '').length)))});
const line = (label, i, more) => ({label, stroke: () => style(`--c${i % COLOURS}`), width: 2, points: {show: false}, ...more});

// The axis of nines: a percentile stands where what is beyond it is ten, a hundred, a thousand times rarer.
const rarity = (percentile, rarest) => percentile === 100 ? rarest : Math.min(rarest, 100 / (100 - percentile));
const nines = v => v >= 1 ? String(+(100 - 100 / v).toPrecision(10)) + ' %' : '';
const nineAxis = () => axis('percentile', {values: (u, splits) => splits.map(v => Number.isInteger(+Math.log10(v).toFixed(6)) ? nines(v) : '')});
const nineScale = () => ({time: false, distr: 3, log: 10, range: (u, min, max) => [min, max]});

/** Empties an element that may hold charts. */
function clear(holder) {
  for (let i = charts.length; i-- > 0;) if (holder.contains(charts[i].frame)) charts.splice(i, 1)[0].plot.destroy();
  holder.replaceChildren();
}

function fit() {
  for (const {plot, frame} of charts) plot.setSize({width: frame.clientWidth - 18, height: plot.height});
}
addEventListener('resize', fit);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => charts.forEach(c => c.plot.redraw()));
