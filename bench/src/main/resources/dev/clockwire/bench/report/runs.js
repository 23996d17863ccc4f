// The page of several runs beside each other. The first one is what the others are held against.

const {runs, statistics, configuration} = data;
const first = runs[0].name;

function provenance() {
  const columns = [{title: 'run', of: r => r.name}, {title: 'command', of: r => r.command}, {title: 'profile', of: r => r.profile}, {title: 'seed', of: r => r.seed},
    {title: 'version', of: r => r.version}, {title: 'simulated, ns', number: true, of: r => r.simulated_ps / 1000}];
  section('provenance', 'The runs', 'Simulated, no hardware was measured. The commands make the same runs again, bit for bit.').append(scroll('The runs', table('The runs', columns, runs)));
}

/** The values of all runs as columns. */
const each = of => runs.map((run, i) => ({title: run.name, of: row => of(row, i)}));

function configurations() {
  const {options, parameters, unknown} = configuration;
  const part = section('configuration', 'What was configured differently', options.length + parameters.length === 0 ? 'Nothing: commands and parameters are the same.' : null);
  const differences = (title, rows) => {
    if (rows.length === 0) return;
    const made = sortable(table(title, [{title: 'name', of: r => r.name}, ...each((r, i) => r.values[i]), {title: 'unit', of: r => r.unit}], rows));
    const id = 'of-' + title.split(' ')[0].toLowerCase();
    const {field, count} = narrowing(id, made, rows.map(r => [r.name, ...r.values].join(' ')), 'for example pcie');
    if (rows.length > 12) part.append(make('div', {class: 'tools', role: 'search'}, field, count));
    part.append(scroll(title, made));
  };
  differences('Options of the commands', options);
  differences('Parameters of the hardware', parameters);
  if (unknown.length > 0) part.append(make('p', {class: 'note'}, `This version does not know the values of ${unknown.join(', ')}: of it only what its command lays over it is compared.`));
}

function latency() {
  const known = runs.filter(r => r.latency && r.latency.points.length > 0);
  const without = runs.filter(r => !known.includes(r)).map(r => r.name);
  const note = without.length > 0 ? ` No latency.hgrm, so no curve: ${without.join(', ')}.` : '';
  if (known.length === 0) return;
  const part = section('latency', 'Latency by percentile', 'The axis counts nines: each step to the right is ten times rarer. Drag to zoom, double click to show all.' + note);
  const curves = known.map(run => {
    const points = run.latency.points, rarest = Math.max(10, 2 * points[points.length - 1].count), x = p => rarity(p.percentile, rarest);
    const shown = points.filter((p, i) => i === 0 || x(p) > x(points[i - 1]));
    return [shown.map(x), shown.map(p => p.ns)];
  });
  const joined = uPlot.join(curves);
  const label = {label: 'percentile', value: (u, v) => v === null ? '' : nines(v)};
  chart(part, 'Latency by percentile', {
    scales: {x: nineScale()}, axes: [nineAxis(), upright('latency, ns')],
    series: [label, ...known.map((run, i) => line(run.name, i, {spanGaps: true, paths: uPlot.paths.stepped({align: -1}), value: (u, v) => v === null || v === undefined ? '' : number(v)}))],
  }, joined);
  const at = [0, 50, 90, 99, 99.9, 99.99, 100];
  const value = (run, p) => run.latency.points.find(q => q.percentile >= p)?.ns;
  const enough = (run, p) => p === 100 || run.latency.points[run.latency.points.length - 1].count * (100 - p) >= 100;
  const rows = at.filter(p => known.every(run => enough(run, p)));
  part.append(scroll('Latency', table('Latency at percentiles, ns', [{title: 'percentile', of: p => p === 0 ? 'fastest' : p === 100 ? 'slowest' : 'P' + p},
    ...known.map(run => ({title: run.name, number: true, text: about, of: p => value(run, p)})),
    ...known.slice(1).map(run => ({title: `${run.name} over ${known[0].name}, %`, number: true, text: about, of: p => 100 * (value(run, p) / value(known[0], p) - 1)}))], rows)));
}

/** The same percentile of each run, stage by stage. */
function waterfalls() {
  const known = runs.filter(r => r.waterfalls);
  if (known.length < 2) return;
  const part = section('waterfall', 'Where the time goes', 'The critical path of the operation at a percentile, in each run that has left it.');
  const name = f => (f.op === undefined ? '' : f.op + ', ') + (f.percentile === 0 ? 'fastest' : f.percentile === 100 ? 'slowest' : 'P' + f.percentile);
  const common = known[0].waterfalls.map(name).filter(n => known.every(r => r.waterfalls.some(f => name(f) === n)));
  if (common.length === 0) {
    part.append(make('p', {}, 'No percentile is known of all of them.'));
    return;
  }
  const at = choice('percentile', 'Operation', common, common.find(n => n.endsWith('P50')));
  const holder = make('div', {});
  const draw = () => {
    const falls = known.map(run => ({label: run.name, ...run.waterfalls.find(f => name(f) === at.box.value)}));
    const stages = inOrder(falls.map(f => f.stages.map(s => s.stage)));
    const ns = (fall, stage) => stage === 'total' ? fall.latency_ns : fall.stages.find(s => s.stage === stage)?.ns;
    holder.replaceChildren(bars(falls.map(f => ({...f, total: f.latency_ns})), stages, 'Stages of the operation in each run; the table below has the numbers'),
      scroll('Stages', table('Time in each stage, ns', [{title: 'stage', of: s => s}, ...falls.map(f => ({title: f.label, number: true, text: about, of: s => ns(f, s)})),
        ...falls.slice(1).map(f => ({title: `${f.label} less ${falls[0].label}`, number: true, text: about, of: s => (ns(f, s) ?? 0) - (ns(falls[0], s) ?? 0)}))], [...stages, 'total'])));
  };
  at.box.addEventListener('change', draw);
  part.append(make('div', {class: 'tools'}, at.shown), holder);
  draw();
}

function differences() {
  const {different, equal} = statistics;
  const part = section('statistics', 'Statistics that differ', `${number(equal)} statistics are the same in all runs, the others are here. Percent are of ${first}.`);
  if (different.length === 0) return;
  const change = (row, i) => row.values[0] && row.values[i] !== null ? 100 * (row.values[i] / row.values[0] - 1) : null;
  const made = sortable(table('Counters, levels and distributions that differ', [{title: 'name', of: r => r.name + (r.field ? ' ' + r.field : '')},
    ...runs.map((run, i) => ({title: run.name, number: true, of: r => r.values[i]})),
    ...runs.slice(1).map((run, i) => ({title: `${run.name}, change %`, number: true, text: about, of: r => change(r, i + 1)})),
    {title: 'unit', of: r => r.unit}, {title: 'meaning', of: r => r.description}], different));
  const {field, count} = narrowing('filter', made, different.map(r => `${r.name} ${r.field} ${r.unit} ${r.description}`), 'for example host0 pause');
  part.append(make('div', {class: 'tools', role: 'search'}, field, count), scroll('Statistics', made));
}

provenance();
configurations();
latency();
waterfalls();
differences();
document.title = `Clockwire: ${runs.length} runs compared`;
