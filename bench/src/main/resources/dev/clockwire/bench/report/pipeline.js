// Operations stage by stage: a lane for each stage, a bar for each time that an operation or packet was in it.

const ROW = 9;
const MOST_ROWS = 12;
const GAP = 5;
const AXIS = 22;

/** Puts spans that overlap into rows below each other; what finds none of the few rows shares the last one. */
function stack(spans) {
  const ends = [];
  for (const s of [...spans].sort((a, b) => a.from - b.from || b.to - a.to)) {
    let row = ends.findIndex(end => end <= s.from);
    if (row < 0) row = Math.min(ends.length, MOST_ROWS - 1);
    ends[row] = Math.max(ends[row] ?? 0, s.to);
    s.row = row;
  }
  return Math.max(1, ends.length);
}

/** A window as it is drawn: times in ps from the edge of the clock before its operation was posted. */
function scene(window, names, cycle) {
  const own = window.operations.find(o => o.number === window.operation);
  const zero = Math.floor(own.posted_ps / cycle) * cycle;
  const operations = window.operations.map((o, i) => ({number: o.number, i, from: o.posted_ps - zero, to: o.done_ps - zero, ns: (o.done_ps - o.posted_ps) / 1000}));
  const spans = window.operations.flatMap((o, i) => o.spans.map(([lane, part, from, to, cause, way]) => ({lane, part, from: from - zero, to: to - zero, cause, way, operation: operations[i]})));
  let top = AXIS;
  const lanes = [...new Set([...spans].sort((a, b) => a.from - b.from).map(s => s.lane))].map(lane => {
    const inside = spans.filter(s => s.lane === lane);
    const made = {name: names[lane], y: top, height: stack(inside) * ROW, spans: inside};
    top += made.height + GAP;
    return made;
  });
  const from = Math.min(...operations.map(o => o.from), ...spans.map(s => s.from)), to = Math.max(...operations.map(o => o.to), ...spans.map(s => s.to));
  return {window, zero, operations, spans, lanes, from, to, height: top + AXIS};
}

/** The smallest step of 1, 2 or 5 times a power of ten that is not below a value. */
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map(k => k * power).find(step => step >= least * 0.999999);
}

/** Draws what lies between two times into an SVG; returns the place of a time. */
function drawScene(svg, made, view, cycle, selected) {
  const shape = (tag, attributes, text) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const width = Math.max(240, svg.clientWidth), left = width < 500 ? 84 : 130, scale = (width - left - 8) / (view.to - view.from);
  const x = ps => left + (ps - view.from) * scale;
  const all = [];
  const ruler = (unit, y, text, lines) => {
    const least = Math.max(unit === cycle ? 1 : 0.01, 70 / (unit * scale)), step = niceStep(least);
    const first = Math.ceil(view.from / unit / step - 1e-9);
    for (let k = first; k * step * unit <= view.to; k++) {
      const at = x(k * step * unit);
      if (lines) all.push(shape('line', {x1: at, x2: at, y1: AXIS - 4, y2: made.height - AXIS, class: 'grid'}));
      all.push(shape('text', {x: at, y, 'text-anchor': 'middle'}, number(+(k * step).toPrecision(10))));
    }
    all.push(shape('text', {x: 4, y, class: 'unit'}, text));
  };
  for (const lane of made.lanes) {
    all.push(shape('rect', {x: left, y: lane.y - 1, width: width - left - 8, height: lane.height + 1, class: 'lane'}), shape('text', {x: 4, y: lane.y + ROW - 1}, lane.name));
  }
  ruler(cycle, made.height - 6, 'cycles', true);
  ruler(1000, 14, 'ns', false);
  for (const lane of made.lanes) {
    for (const s of lane.spans) {
      if (s.to < view.from || s.from > view.to) continue;
      const a = Math.max(left, x(s.from)), b = Math.min(width - 8, x(s.to));
      const bar = shape('rect', {x: a, y: lane.y + s.row * ROW, width: Math.max(1.5, b - a), height: ROW - 1, fill: colour(s.operation.i), 'data-operation': s.operation.number, class: s.operation === selected ? 'bar chosen' : 'bar'});
      bar.append(shape('title', {}, `${lane.name} of operation ${s.operation.number}: ${about((s.to - s.from) / 1000)} ns, ${about((s.to - s.from) / cycle)} cycles${s.cause ? ', waits for ' + s.cause : ''}`));
      all.push(bar);
    }
  }
  svg.setAttribute('height', made.height);
  svg.replaceChildren(...all);
  return {left, ps: at => view.from + (at - left) / scale};
}

/** The stages of one operation as a table, for readers who see no bars, and for numbers. */
function stageTable(made, operation, cycle) {
  const rows = made.spans.filter(s => s.operation === operation).sort((a, b) => a.from - b.from || a.to - b.to);
  const answers = rows.some(s => s.way > 0);
  const lane = s => made.lanes.find(l => l.spans.includes(s)).name;
  const value = (title, of) => ({title, number: true, of, text: v => about(v)});
  const columns = [{title: 'stage', of: lane}, answers && {title: 'of', of: s => s.way > 0 ? 'the answer' : 'the request'}, {title: 'QP, PSN or part', of: s => s.part > 9 ? '0x' + s.part.toString(16) : s.part},
    value('begins, cycle', s => s.from / cycle), value('ends, cycle', s => s.to / cycle), value('cycles', s => (s.to - s.from) / cycle),
    value('begins, ns', s => s.from / 1000), value('ns', s => (s.to - s.from) / 1000), {title: 'waits for', of: s => s.cause}].filter(c => c);
  return table(`Operation ${operation.number}, ${about(operation.ns)} ns from post to completion`, columns, rows);
}

/** The cycle view: windows of operations, zoom by wheel, dragging, buttons and keys, a table of the chosen operation. */
function pipeline({windows, lanes, cycle_ps: cycle, operations, kept}) {
  const part = section('pipeline', 'Pipeline, cycle by cycle', `Bars are operations and their packets in the stages they pass, in cycles of ${about(cycle / 1000)} ns of the NIC's core clock from where the window's operation was posted. A window is one operation and up to seven around it, of ${number(operations)} in all${kept < operations ? `, of which the last ${number(kept)} are kept` : ''}. Choose a bar or a number to see its stages. Drag to zoom, or turn the wheel once the chart has the focus; double click to see all.`);
  const choice = make('select', {id: 'window'}, ...windows.map((w, i) => make('option', {value: i}, w.name)));
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('aria-hidden', 'true');
  const frame = make('div', {class: 'chart cycles', id: 'cycles', tabindex: 0, role: 'group', 'aria-label': 'Pipeline, cycle by cycle, chart; keys: + and - zoom, left and right move, up and down choose an operation, 0 shows all'}, svg);
  const numbers = make('div', {class: 'tools', role: 'group', 'aria-label': 'Operations of the window'});
  const stages = make('div', {id: 'stages', 'aria-live': 'polite'});
  const told = make('p', {class: 'note', id: 'shown', 'aria-live': 'polite'});
  let made, view, chosen, place;
  const draw = () => {
    place = drawScene(svg, made, view, cycle, chosen);
    told.textContent = `Shown are cycles ${about(view.from / cycle)} to ${about(view.to / cycle)}, ${about(view.from / 1000)} to ${about(view.to / 1000)} ns.`;
  };
  const show = (from, to) => {
    const least = Math.min(4 * cycle, made.to - made.from), width = Math.min(made.to - made.from, Math.max(least, to - from));
    const begin = Math.max(made.from, Math.min(made.to - width, (from + to - width) / 2));
    view = {from: begin, to: begin + width};
    draw();
  };
  const zoom = (factor, middle) => {
    const at = middle ?? (view.from + view.to) / 2;
    const width = Math.min(made.to - made.from, Math.max(4 * cycle, (view.to - view.from) * factor));
    const begin = at - (at - view.from) / (view.to - view.from) * width;
    show(begin, begin + width);
  };
  const move = by => show(view.from + by * (view.to - view.from), view.to + by * (view.to - view.from));
  const all = () => show(made.from, made.to);
  const choose = operation => {
    chosen = operation;
    [...numbers.children].forEach((b, i) => b.setAttribute('aria-pressed', String(made.operations[i] === chosen)));
    const rows = stageTable(made, chosen, cycle);
    stages.replaceChildren(scroll(rows.caption.textContent, rows));
    draw();
  };
  const next = by => choose(made.operations[Math.max(0, Math.min(made.operations.length - 1, chosen.i + by))]);
  const open = window => {
    made = scene(window, lanes, cycle);
    view = {from: made.from, to: made.to};
    numbers.replaceChildren(...made.operations.map(o => make('button', {type: 'button', onclick: () => choose(o)},
      make('i', {class: 'swatch', style: `background:${colour(o.i)}`}), `operation ${o.number}, ${about(o.ns)} ns${o.number === window.operation ? ' (' + window.name + ')' : ''}`)));
    const lacks = [window.left_out > 0 && `${window.left_out} operations around it`, window.spans_left_out > 0 && `${number(window.spans_left_out)} bars of the longest`].filter(x => x);
    lack.textContent = lacks.length > 0 ? `Left out, as a picture has an end: ${lacks.join(', ')}.` : '';
    choose(made.operations.find(o => o.number === window.operation));
  };
  const lack = make('p', {class: 'note'});
  const keys = {'+': () => zoom(0.5), '=': () => zoom(0.5), '-': () => zoom(2), '0': all, ArrowLeft: () => move(-0.25), ArrowRight: () => move(0.25), ArrowUp: () => next(-1), ArrowDown: () => next(1)};
  frame.addEventListener('keydown', event => {
    if (keys[event.key] && !event.ctrlKey && !event.metaKey) { keys[event.key](); event.preventDefault(); }
  });
  frame.addEventListener('wheel', event => {
    if (document.activeElement !== frame && !event.ctrlKey) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 0.8 : 1.25, place.ps(event.clientX - svg.getBoundingClientRect().left));
  }, {passive: false});
  dragged(svg, () => place, (from, to) => show(from, to), target => {
    const hit = made.operations.find(o => String(o.number) === target.dataset?.operation);
    if (hit) choose(hit);
    frame.focus({preventScroll: true});
  });
  svg.addEventListener('dblclick', all);
  choice.addEventListener('change', () => open(windows[choice.value]));
  const button = (key, text) => make('button', {type: 'button', onclick: keys[key]}, text);
  part.append(make('div', {class: 'tools'}, make('label', {for: 'window'}, 'Window'), choice, button('+', 'Zoom in'), button('-', 'Zoom out'), button('0', 'Show all')),
    numbers, lack, frame, told, stages);
  open(windows[0]);
  addEventListener('resize', draw);
}

/** Dragging over a drawing marks a stretch; a click is a click. */
function dragged(svg, place, marked, clicked) {
  let begin = null, mark = null;
  const at = event => event.clientX - svg.getBoundingClientRect().left;
  svg.addEventListener('pointerdown', event => {
    if (event.button === 0) begin = at(event);
  });
  addEventListener('pointermove', event => {
    if (begin === null) return;
    if (!mark) {
      mark = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
      mark.setAttribute('class', 'mark');
      svg.append(mark);
    }
    const [a, b] = [begin, at(event)].sort((p, q) => p - q);
    for (const [name, value] of Object.entries({x: a, width: b - a, y: AXIS - 4, height: Math.max(0, svg.clientHeight - 2 * AXIS)})) mark.setAttribute(name, value);
  });
  addEventListener('pointerup', event => {
    if (begin === null) return;
    const [a, b] = [begin, at(event)].sort((p, q) => p - q);
    mark?.remove();
    begin = mark = null;
    if (b - a > 5) marked(place().ps(a), place().ps(b));
    else clicked(document.elementFromPoint(event.clientX, event.clientY) || event.target);
  });
  addEventListener('pointercancel', () => { mark?.remove(); begin = mark = null; });
}
