// The sections of the page of a run.

function provenance(run) {
  const rows = [['command', make('code', {}, String(run.command))], ['profile', run.profile], ['profile hash', run.profile_hash && make('code', {}, run.profile_hash)],
    ['seed', run.seed], ['version', run.version], ['commit', run.git && make('code', {}, run.git)], ['simulated', number(run.simulated_ps / 1000) + ' ns']].filter(r => r[1] !== undefined);
  section('provenance', 'Where this comes from', 'Simulated, no hardware was measured. The command makes the same run again, bit for bit.').append(facts(rows));
}

const percent = p => p === 0 ? 'fastest' : p === 100 ? 'slowest' : 'P' + p;

/** Operations of different kinds have waterfalls of their own. */
function waterfalls(falls) {
  const kinds = [...new Set(falls.map(f => f.op))];
  kinds.forEach((op, i) => waterfall(falls.filter(f => f.op === op), i === 0 ? '' : '-' + op, op === undefined ? '' : `: ${op}s`));
}

function waterfall(falls, id, kind) {
  const part = section('waterfall' + id, 'Where the time goes' + kind, 'The critical path of the operation at each percentile: every instant belongs to one stage, so the stages sum to its latency.');
  const stages = inOrder(falls.map(f => f.stages.map(s => s.stage)));
  const longest = Math.max(...falls.map(f => f.latency_ns));
  const bars = make('div', {class: 'fall', role: 'img', 'aria-label': 'Stages of the operation at each percentile; the table below has the numbers'});
  for (const fall of falls) {
    const bar = make('div', {class: 'bar'});
    for (const s of fall.stages) {
      bar.append(make('i', {style: `width:${100 * s.ns / longest}%;background:${fill(stages.indexOf(s.stage))}`, title: `${s.stage}: ${about(s.ns)} ns${s.wait_ns === undefined ? '' : `, of it waiting ${about(s.wait_ns)} ns`}`}));
    }
    bars.append(make('span', {}, percent(fall.percentile)), bar, make('span', {}, about(fall.latency_ns) + ' ns'));
  }
  const legend = stages.map((s, i) => make('li', {}, make('i', {style: `background:${fill(i)}`}), s));
  const share = (fall, stage) => fall.stages.find(s => s.stage === stage);
  const columns = [{title: 'stage', of: s => s}, ...falls.map(f => ({title: percent(f.percentile) + ', ns', number: true, text: about, of: s => s === 'total' ? f.latency_ns : share(f, s)?.ns}))];
  part.append(bars, make('ul', {class: 'legend'}, ...legend), table('Time in each stage, waiting included', columns, [...stages, 'total']));
  tail(falls, id, kind);
}

/** Where the slowest known operation lost what the median did not need, by stage. */
function tail(falls, id, kind) {
  const median = falls.find(f => f.percentile === 50), slowest = falls[falls.length - 1];
  if (!median || slowest === median) return;
  const of = (fall, stage, key) => fall.stages.find(s => s.stage === stage)?.[key] || 0;
  const stages = [...new Set([...slowest.stages, ...median.stages].map(s => s.stage))];
  const rows = stages.map(stage => ({
    stage, median: of(median, stage, 'ns'), slow: of(slowest, stage, 'ns'),
    excess: of(slowest, stage, 'ns') - of(median, stage, 'ns'), wait: of(slowest, stage, 'wait_ns') - of(median, stage, 'wait_ns'),
  })).sort((a, b) => b.excess - a.excess);
  const ns = (title, of) => ({title: title + ', ns', number: true, text: about, of});
  section('tail' + id, 'Where the tail comes from' + kind, `The ${percent(slowest.percentile)} operation beside the median: what each stage took longer, the greatest first.`).append(
    table('Excess by stage', [{title: 'stage', of: r => r.stage}, ns('median', r => r.median), ns(percent(slowest.percentile), r => r.slow), ns('excess', r => r.excess), ...(slowest.stages.some(s => s.wait_ns !== undefined) ? [ns('of it waiting', r => r.wait)] : [])], rows));
}

/** Why a run cannot show where the time goes, and what would. */
const WHY = [
  [/^clockwire storage run/, 'No operation that counts has ended well, so there is none whose stages could be shown.'],
  [/ --provider soft/, 'A software device has no stages inside: an operation is there after a delay. The same command with --provider hw shows them.'],
  [/^clockwire nvmf perf/, 'This run does not know the stages of its I/Os; --stack spdk, kernel-rdma, kernel-tcp and --local do, once I/Os have ended.'],
  [/^clockwire fabric/, 'A flow is many packets without one path; perftest and explain show the stages of an operation.'],
  [/./, 'No operation near the percentiles has all its stamps left: a shorter run (-n) keeps them, explain --tail follows the slow ones.'],
];

function withoutStages(run) {
  section('waterfall', 'Where the time goes').append(make('p', {}, WHY.find(([kind]) => kind.test(run.command))[1]));
}

function latency(points) {
  const part = section('latency', 'Latency by percentile', 'The axis counts nines: each step to the right is ten times rarer. Drag to zoom, double click to show all.');
  const last = points[points.length - 1];
  const rarest = Math.max(10, 2 * last.count); // the slowest alone is a step, too
  const x = p => rarity(p.percentile, rarest);
  const shown = points.filter((p, i) => i === 0 || x(p) > x(points[i - 1]));
  chart(part, 'Latency by percentile', {
    scales: {x: nineScale()}, axes: [nineAxis(), upright('latency, ns')],
    series: [{label: 'percentile', value: (u, v) => v === null ? '' : nines(v)}, line('ns', 0, {paths: uPlot.paths.stepped({align: -1}), value: (u, v) => v === null ? '' : number(v)})],
  }, [shown.map(x), shown.map(p => p.ns)]);
  part.append(behind('The numbers', table('Latency by percentile', [
    {title: 'percentile', number: true, of: p => p.percentile}, {title: 'ns', number: true, text: about, of: p => p.ns}, {title: 'messages up to here', number: true, of: p => p.count}], points)));
}

/** What belongs together stands together; anything else first. */
const ORDER = ['rate_gbps', 'goodput_gbps', 'kops', 'outstanding', 'commands', 'queue_bytes', 'ecn_marks', 'ecn_marked_packets', 'cnps_sent', 'cnps_handled', 'paused'];

/** The time series of a quantity: those ten objects whose values reach highest, of those that the filter leaves. */
function series(all, first) {
  if (all.length === 0) return;
  const part = section('series', 'Over time', 'A gap is a time for which the run has kept no value: an empty queue, a flow that has nothing to send.' + (first ? ' At first it is the time of the load; Show all shows what was before, too.' : ''));
  const words = make('input', {type: 'search', id: 'objects', placeholder: 'for example switch', size: 24});
  const holder = make('div', {});
  part.append(make('div', {class: 'tools', role: 'search'}, make('label', {for: 'objects'}, 'Objects'), words), holder);
  const highest = line => line.values.reduce((a, v) => v !== null && v > a ? v : a, -Infinity);
  const sorted = [...all].sort((a, b) => ORDER.indexOf(a.metric) - ORDER.indexOf(b.metric));
  const draw = () => {
    clear(holder);
    for (const {metric, times_us, objects, of} of sorted) {
      const found = objects.filter(o => o.name.toLowerCase().includes(words.value.toLowerCase()));
      const shown = [...found].sort((a, b) => highest(b) - highest(a)).slice(0, COLOURS);
      if (shown.length === 0) continue;
      holder.append(make('h3', {}, metric + (shown.length < found.length || objects.length < of ? `: the ${shown.length} highest of ${found.length}` + (objects.length < of ? `, those with the most of ${of} in series.csv` : '') : '')));
      const plot = chart(holder, metric, {
        scales: {x: {time: false, range: (u, min, max) => [min, max > min ? max : min + 1]}, y: {}},
        axes: [axis('time, us'), upright(metric)], cursor: {sync: {key: 'time', setSeries: false}},
        series: [{label: 'us'}, ...shown.map((o, i) => line(o.name, i, {points: {size: 4, fill: () => style(`--c${i}`)}}))],
      }, [times_us, ...shown.map(o => o.values)]);
      if (first) plot.setScale('x', first);
      const rows = times_us.map((t, i) => [t, ...shown.map(o => o.values[i])]).filter(r => r.some((v, i) => i > 0 && v !== null));
      holder.append(behind('The numbers', table(metric, ['us', ...shown.map(o => o.name)].map((title, i) => ({title, number: true, of: r => r[i]})), rows)));
    }
  };
  words.addEventListener('input', draw);
  draw();
}

/** Bytes as dumps show them: offset, hexadecimal, text. */
function dump(hex) {
  const bytes = hex.match(/../g) || [], lines = [];
  for (let i = 0; i < bytes.length; i += 16) {
    const row = bytes.slice(i, i + 16);
    const text = row.map(b => { const c = parseInt(b, 16); return c > 31 && c < 127 ? String.fromCharCode(c) : '.'; });
    lines.push(`${i.toString(16).padStart(4, '0')}  ${row.join(' ').padEnd(47)}  ${text.join('')}`);
  }
  return lines.join('\n');
}

/** Who sent what to whom: a lane for each address, a row for each frame, its bytes when it is chosen. */
function ladder({first, more}) {
  const part = section('ladder', 'Packets', `The ${more ? 'first ' : ''}${first.length} frames of capture.pcapng, in ns from the first. Choose one to see its fields and bytes; a PSN as filter leaves a request and its answer.`);
  const lanes = [...new Set(first.flatMap(f => [f.from, f.to]))];
  const place = lane => lanes.indexOf(lane);
  const bytes = make('pre', {id: 'bytes', 'aria-live': 'polite', tabindex: 0}, 'No frame chosen.');
  const show = frame => {
    const {packet, hex, ...head} = frame;
    const fields = Object.entries(packet || head).map(([k, v]) => `${k}: ${typeof v === 'object' ? JSON.stringify(v) : v}`);
    const cut = hex.length / 2 < frame.length ? `\n(the first ${hex.length / 2} of ${frame.length} bytes)` : '';
    bytes.textContent = `${fields.join('\n')}\n\n${dump(hex)}${cut}`;
    rows.forEach((r, i) => r.setAttribute('aria-pressed', String(first[i] === frame)));
  };
  const rows = first.map(frame => {
    const a = place(frame.from), b = place(frame.to), left = Math.min(a, b), right = Math.max(a, b);
    const arrow = make('i', {class: b < a ? 'arrow back' : 'arrow', style: `grid-column:${left + 2}/${Math.max(right, left + 1) + 2}`}, make('b', {}, `${frame.label}${frame.packet && frame.packet.psn ? ' ' + frame.packet.psn : ''}, ${frame.length} B`));
    return make('button', {type: 'button', class: 'rung', 'aria-pressed': 'false', onclick: () => show(frame),
      'aria-label': `frame ${frame.number}, ${frame.label} from ${frame.from} to ${frame.to}`}, make('span', {}, number(frame.time_ns - first[0].time_ns)), arrow);
  });
  const head = make('div', {class: 'rung head'}, make('span', {}, 'ns'), ...lanes.slice(0, -1).map((lane, i) => make('span', {class: 'lane'}, lane, i === lanes.length - 2 ? make('em', {}, lanes[i + 1]) : '')));
  const grid = make('div', {class: 'ladder', style: `--lanes:${Math.max(1, lanes.length - 1)}`}, head, ...rows);
  const words = make('input', {type: 'search', id: 'packets', placeholder: 'for example a PSN, or acknowledge', size: 32});
  words.addEventListener('input', () => first.forEach((f, i) => {
    const text = `${f.label} ${f.packet?.psn} ${f.from} ${f.to}`.toLowerCase();
    rows[i].hidden = !words.value.toLowerCase().split(/\s+/).every(w => text.includes(w));
  }));
  part.append(make('div', {class: 'tools', role: 'search'}, make('label', {for: 'packets'}, 'Filter'), words), make('div', {class: 'packets'}, scroll('Packets', grid), make('div', {class: 'scroll'}, bytes)));
}

/** Views of the statistics: what was lost and why, how busy links were. */
function views(run) {
  const named = pattern => run.stats.filter(s => pattern.test(s.name) && s.value);
  const name = {title: 'counter', of: s => s.name}, meaning = {title: 'meaning', of: s => s.description}, unit = {title: 'unit', of: s => s.unit};
  const view = (id, title, note, rows, ...columns) => {
    if (rows.length > 0) section(id, title, note).append(scroll(title, table(title, [name, ...columns, meaning], rows)));
  };
  const value = {title: 'value', number: true, of: s => s.value};
  view('losses', 'Losses, errors and pauses', 'Counters that tell of drops, errors, repetitions, marks and pauses, where they are not zero; diagnose names likely causes.',
    named(/(drop|discard|_err|error|out_of|retr|nak|fault|storm|exceeded|oversize|policy_engine|timeout|ecn_marked|cnp_|_pause$)/), value, unit);
  const rate = {title: 'Gb/s', number: true, of: s => 8000 * s.value / run.simulated_ps};
  view('links', 'PCIe links', 'Mean over the whole simulated time, headers and framing included.', named(/\.wire_bytes$/), value, rate);
}

/** What was laid over the profile, where it differs from the profile's own value. */
function overrides(run) {
  if (!run.overrides) return;
  const part = document.getElementById('provenance'), title = `Parameters that differ from profile ${run.profile}`;
  if (run.overrides.length === 0) {
    part.append(make('p', {}, `All parameters are those of profile ${run.profile}.`));
    return;
  }
  const source = r => r.source === 'override' ? '-P' : r.source;
  part.append(scroll(title, table(title, [{title: 'parameter', of: r => r.path}, {title: 'value of the run', of: r => r.value}, {title: `value of ${run.profile}`, of: r => r.own},
    {title: 'unit', of: r => r.unit}, {title: 'set by', of: source}], run.overrides)));
}

function statistics(stats) {
  const part = section('statistics', 'All statistics', null);
  const kinds = new Set(stats.flatMap(s => Object.keys(s)));
  const values = ['value', 'count', 'mean', 'min', 'p50', 'p99', 'p999', 'max', 'stdev'].filter(k => kinds.has(k));
  const shown = table('Every counter, level and distribution of the run', [
    {title: 'name', of: s => s.name}, ...values.map(k => ({title: k, number: true, of: s => s[k]})),
    {title: 'unit', of: s => s.unit}, {title: 'meaning', of: s => s.description}], stats);
  const rows = [...shown.tBodies[0].rows];
  const words = make('input', {type: 'search', id: 'filter', placeholder: 'for example host0 pause', size: 32});
  const zeros = make('input', {type: 'checkbox', id: 'zeros'});
  const count = make('output', {for: 'filter zeros', id: 'found', 'aria-live': 'polite'});
  const filter = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(w => w);
    let left = 0;
    stats.forEach((s, i) => {
      const text = (s.name + ' ' + s.unit + ' ' + s.description).toLowerCase();
      const seen = wanted.every(w => text.includes(w)) && (zeros.checked || values.some(k => s[k]));
      rows[i].hidden = !seen;
      left += seen;
    });
    count.textContent = `${left} of ${stats.length}`;
  };
  words.addEventListener('input', filter);
  zeros.addEventListener('change', filter);
  filter();
  part.append(make('div', {class: 'tools', role: 'search'}, make('label', {for: 'filter'}, 'Filter'), words, make('label', {}, zeros, ' zeros too'), count),
    scroll('Statistics', sortable(shown)));
}

provenance(data.run);
overrides(data.run);
if (data.run.waterfalls) waterfalls(data.run.waterfalls);
else withoutStages(data.run);
if (data.operations) pipeline(data.operations);
if (data.latency && data.latency.points.length > 0) latency(data.latency.points);
if (data.series) {
  utilisation(data.series, loaded(data.series));
  series(data.series.filter(s => !/^(payload|overhead)_percent$/.test(s.metric)), loaded(data.series));
}
if (data.frames && data.frames.first.length > 0) ladder(data.frames);
drops(data.run);
views(data.run);
stalls(data.run);
statistics(data.run.stats);
document.title = 'Clockwire: ' + data.run.command;
