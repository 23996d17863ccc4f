// The sections of the page of a sweep: a point is one choice of the variables, measured by one or more runs.

const sweep = data.sweep;
const variables = [...new Set(sweep.points.flatMap(p => Object.keys(p.variables)))];
const measures = [...new Set(sweep.points.flatMap(p => Object.keys(p.measures)))];
const values = name => [...new Set(sweep.points.map(p => p.variables[name] ?? ''))];
const varying = variables.filter(name => values(name).length > 1);
const numeric = name => values(name).every(v => v.trim() !== '' && Number.isFinite(+v));
const digits = x => x.toLocaleString('en', {maximumSignificantDigits: 6});
const pair = (point, name) => `${name}=${point.variables[name] ?? ''}`;
const rest = (point, x) => varying.filter(name => name !== x).map(name => pair(point, name)).join(' ');
const OTHERS = 'all others', NONE = 'none';

function provenance() {
  const failed = sweep.rows.filter(r => r.exit !== 0).length;
  const example = sweep.rows[0] ? sweep.rows[0].command : '';
  const rows = [['command', make('code', {}, 'clockwire sweep plan.yaml')], ['first run', make('code', {}, example)], ['version', (sweep.versions || []).join(', ') || 'not known'],
    ['runs', `${sweep.runs}, of which ${failed} failed`], ['missing', sweep.missing.length === 0 ? 'none' : `${sweep.missing.length}, the first is row ${sweep.missing[0]}; sweep --resume runs them`],
    ['points', sweep.points.length]];
  const part = section('provenance', 'Where this comes from', 'Simulated, no hardware was measured. The plan makes the same runs again, bit for bit.');
  part.append(facts(rows));
  if (data.plan) part.append(make('details', {open: ''}, make('summary', {}, 'plan.yaml'), scroll('plan.yaml', make('pre', {id: 'plan'}, data.plan))));
  document.title = 'Clockwire: sweep of ' + example.split(' -')[0].replace(/^clockwire /, '');
}

/** The lines of a chart, each with its points: as many as there are colours. */
function lines(points, measure, x, by) {
  const label = p => by === NONE ? measure : by === OTHERS ? rest(p, x) || measure : pair(p, by);
  const found = new Map();
  for (const p of points) {
    if (p.measures[measure]) found.set(label(p), [...(found.get(label(p)) || []), p]);
  }
  return {shown: [...found].slice(0, COLOURS), count: found.size};
}

/** Whiskers from the low to the high end of each interval; uPlot has none of its own. */
function whiskers(plot, shown) {
  const {ctx} = plot, cap = 4 * devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(plot.bbox.left, plot.bbox.top, plot.bbox.width, plot.bbox.height);
  ctx.clip();
  ctx.lineWidth = 2 * devicePixelRatio;
  shown.forEach(({intervals}, i) => {
    if (!plot.series[i + 1].show) return;
    ctx.strokeStyle = style(`--c${i % COLOURS}`);
    ctx.beginPath();
    intervals.forEach((m, k) => {
      if (!m || m.low === undefined) return;
      const at = Math.round(plot.valToPos(plot.data[0][k], 'x', true)), low = plot.valToPos(m.low, 'y', true), high = plot.valToPos(m.high, 'y', true);
      for (const [x0, y0, x1, y1] of [[at, low, at, high], [at - cap, low, at + cap, low], [at - cap, high, at + cap, high]]) {
        ctx.moveTo(x0, y0);
        ctx.lineTo(x1, y1);
      }
    });
    ctx.stroke();
  });
  ctx.restore();
}

/** Where the x values of points lie: numbers as they are, other values beside each other in the order of the plan. */
function ground(points, x) {
  const names = values(x), number = numeric(x);
  const of = p => number ? +p.variables[x] : names.indexOf(p.variables[x] ?? '');
  const places = [...new Set(points.map(of))].sort((a, b) => a - b);
  const first = places[0], last = places[places.length - 1];
  const log = number && first > 0 && last / first >= 32;
  const edge = log ? (last / first) ** 0.04 : (last - first) * 0.04 || 0.5;
  const whole = log ? [first / edge, last * edge] : [first - edge, last + edge];
  const few = !number || (log && places.length <= 12);
  const inside = (u, i, min, max) => { const all = places.filter(v => v >= min && v <= max); return all.filter((v, k) => k % Math.ceil(all.length / 12) === 0); };
  return {
    of, whole, text: v => number ? digits(v) : names[v] ?? '',
    scale: {time: false, distr: log ? 3 : 1, log: 10, range: (u, min, max) => [min <= first ? whole[0] : min, max >= last ? whole[1] : max]},
    axis: axis(x, few ? {splits: inside, filter: (u, all) => all, values: (u, all) => all.map(v => number ? digits(v) : names[v])} : {}),
  };
}

function draw(holder, points, measure, x, by) {
  clear(holder);
  const {shown, count} = lines(points, measure, x, by);
  if (count === 0) {
    holder.append(make('p', {class: 'note'}, 'No point has this measure.'));
    return;
  }
  const all = shown.flatMap(([, ofLine]) => ofLine), place = ground(all, x);
  all.sort((a, b) => place.of(a) - place.of(b));
  const drawn = shown.map(([label, ofLine]) => {
    const here = new Set(ofLine);
    return {label, joined: new Set(ofLine.map(p => rest(p, x))).size === 1, intervals: all.map(p => here.has(p) ? p.measures[measure] : null)};
  });
  const ends = all.flatMap(p => { const m = p.measures[measure]; return [m.mean, m.low ?? m.mean, m.high ?? m.mean]; });
  const range = uPlot.rangeNum(Math.min(...ends), Math.max(...ends), 0.1, true);
  const told = m => !m ? '' : m.low === undefined ? digits(m.mean) : `${digits(m.mean)} (${digits(m.low)} to ${digits(m.high)})`;
  const series = drawn.map(({label, joined, intervals}, i) => line(label, i, {
    spanGaps: true, points: {show: true, size: 7, fill: () => style(`--c${i}`)}, ...(joined ? {} : {paths: () => null}),
    value: (u, v, s, k) => k === null || k === undefined ? '' : told(intervals[k])}));
  if (shown.length < count) holder.append(make('p', {class: 'note'}, `The first ${shown.length} of ${count} series; the filter chooses others.`));
  chart(holder, `${measure} over ${x}`, {
    scales: {x: place.scale, y: {range: () => range}}, axes: [place.axis, upright(measure)], hooks: {draw: [plot => whiskers(plot, drawn)]},
    series: [{label: x, value: (u, v) => v === null ? '' : place.text(v)}, ...series],
  }, [all.map(place.of), ...drawn.map(d => d.intervals.map(m => m ? m.mean : null))], place.whole);
}

function list(holder, points, measure) {
  const of = key => p => p.measures[measure]?.[key];
  const amount = (title, key) => ({title, number: true, of: of(key), text: digits});
  const command = new Map([...sweep.rows].reverse().map(r => [r.point, r.command]));
  holder.replaceChildren(scroll('Points', sortable(table(`${measure || 'Points'}: mean and 95 % confidence interval of the runs that did not fail`, [
    {title: 'point', of: p => p.point}, ...variables.map(title => ({title, of: p => p.variables[title]})),
    {title: 'runs', number: true, of: of('n')}, amount('mean', 'mean'), amount('low', 'low'), amount('high', 'high'), {title: 'command of the first run', of: p => command.get(p.point)}], points))));
}

/** Whether points have different means of a measure: one that nothing changes is no first choice. */
const differs = name => new Set(sweep.points.map(p => p.measures[name]?.mean).filter(v => v !== undefined)).size > 1;

/** A word with = is a whole choice, size=64; another is looked for anywhere. */
function chosen(point, words) {
  const pairs = variables.map(name => pair(point, name).toLowerCase());
  return words.every(w => pairs.some(p => w.includes('=') ? p === w : p.includes(w)));
}

function results() {
  const part = section('results', 'Measures', 'Whiskers are the 95 % confidence interval of repeated runs. A word of the filter with = in it is a whole choice, for example ' + (sweep.points[0] && varying[0] ? pair(sweep.points[0], varying[0]) : 'size=64') + '.');
  const x = varying.find(numeric) || varying[0] || variables[0];
  const lot = new Set(sweep.points.map(p => rest(p, x))).size;
  const measure = choice('measure', 'Measure', measures, measures.find(differs)), over = choice('x', 'over', variables, x), by = choice('by', 'a series for each', [OTHERS, ...variables, NONE], lot > COLOURS ? NONE : OTHERS);
  const words = make('input', {type: 'search', id: 'filter', placeholder: 'for example size=64', size: 24}), count = make('output', {for: 'filter', id: 'found', 'aria-live': 'polite'});
  const picture = make('div', {}), points = make('div', {});
  const show = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(w => w), left = sweep.points.filter(p => chosen(p, wanted));
    count.textContent = `${left.length} of ${sweep.points.length} points`;
    if (over.box.value) draw(picture, left, measure.box.value, over.box.value, by.box.value);
    list(points, left, measure.box.value);
  };
  part.append(make('div', {class: 'tools', role: 'search'}, measure.shown, over.shown, by.shown, make('span', {class: 'pair'}, make('label', {for: 'filter'}, 'Filter '), words), count), picture, points);
  [measure, over, by].forEach(c => c.box.addEventListener('change', show));
  words.addEventListener('input', show);
  show();
}

function failures() {
  const failed = sweep.rows.filter(r => r.exit !== 0);
  if (failed.length === 0) return;
  section('failed', 'Runs that failed', 'The others went on without them; no mean counts them.').append(scroll('Runs that failed', sortable(table('Runs that failed', [
    {title: 'row', of: r => r.row}, {title: 'point', of: r => r.point}, ...variables.map(title => ({title, of: r => r.variables[title]})),
    {title: 'exit', of: r => r.exit}, {title: 'error', of: r => r.error}, {title: 'command', of: r => r.command}], failed))));
}

provenance();
results();
failures();
