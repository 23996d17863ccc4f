// The page of a validation: published numbers against ours.

const {validation} = data;
const KINDS = ['all', 'missed', 'met', 'not simulated'];
const ratio = r => r.simulated !== null && r.expected ? r.simulated / r.expected : null;
const verdict = r => r.unsupported ? 'not simulated' : r.ok ? 'met' : 'missed';
const told = r => r.unsupported ? `not simulated: ${r.unsupported}` : r.weak ? `${verdict(r)}, but of a weak source and not counted` : verdict(r);
const digits = x => x.toLocaleString('en', {maximumSignificantDigits: 5});

function provenance() {
  const simulated = validation.rows.filter(r => !r.unsupported).length, weak = validation.rows.filter(r => r.weak && !r.unsupported).length;
  const rows = [['command', make('code', {}, 'clockwire validate')], ['version', validation.version], ['met', validation.ok], ['missed', validation.failed], ['simulated of weak sources, not counted', weak],
    ['not simulated', validation.rows.length - simulated], ['median of the absolute errors', digits(validation.median_abs_error_pct ?? 0) + ' %']];
  section('provenance', 'Where this comes from', 'Others have published these measurements; ours are simulated without looking at them.' + (validation.interrupted ? ' The run was interrupted: rows are missing.' : '')).append(facts(rows));
}

/** One over the other, row by row: met is what lies near 1. */
function ratios(part, rows, group, title) {
  const shown = rows.filter(r => ratio(r) !== null), groups = [...new Set(shown.map(group))].slice(0, COLOURS);
  if (shown.length < 2) return;
  const first = shown[0].row, last = shown[shown.length - 1].row, by = i => shown.map(r => group(r) === groups[i] ? ratio(r) : null);
  const others = shown.filter(r => !groups.includes(group(r))).length;
  if (others > 0) part.append(make('p', {class: 'note'}, `The chart has no room for the ${others} of further devices; the table has them.`));
  chart(part, title, {
    scales: {x: {time: false, range: (u, min, max) => [min, max]}, y: {distr: 3, log: 10, range: (u, min, max) => [Math.min(0.5, min / 1.1), Math.max(2, max * 1.1)]}},
    axes: [axis('row'), upright('simulated over published')],
    series: [{label: 'row'}, ...groups.map((g, i) => line(g, i, {paths: () => null, points: {show: true, size: 7, fill: () => style(`--c${i}`)}, value: (u, v) => v === null || v === undefined ? '' : digits(v)}))],
  }, [shown.map(r => r.row), ...groups.map((g, i) => by(i))], [first - 1, last + 1]);
}

function measurements(id, title, rows, columns, group) {
  if (!rows || rows.length === 0) return;
  const part = section(id, title, 'A ratio of 1 is the published number itself.');
  ratios(part, rows, group, title);
  const made = sortable(table(title, [{title: 'row', number: true, of: r => r.row}, ...columns, {title: 'published', number: true, of: r => r.expected, text: digits}, {title: 'simulated', number: true, of: r => r.simulated, text: digits}, {title: 'unit', of: r => r.unit},
    {title: 'ratio', number: true, of: ratio, text: digits}, {title: 'error, %', number: true, of: r => r.error_pct}, {title: 'verdict', of: told}, {title: 'source', of: r => r.source}], rows));
  const kind = choice(id + '-kind', 'Show', KINDS);
  const {field, count, apply} = narrowing(id + '-filter', made, rows.map(r => Object.values(r).join(' ')), 'for example write_bw', i => kind.box.value === KINDS[0] || verdict(rows[i]) === kind.box.value);
  kind.box.addEventListener('change', apply);
  part.append(make('div', {class: 'tools', role: 'search'}, kind.shown, field, count), scroll(title, made));
}

provenance();
measurements('nics', 'NICs', validation.rows, [{title: 'device', of: r => r.nic}, {title: 'tool', of: r => r.tool}, {title: 'metric', of: r => r.metric}, {title: 'size, B', number: true, of: r => r.size}], r => r.nic);
measurements('ssds', 'SSDs and their software', validation.ssd_rows, [{title: 'what', of: r => r.setup}, {title: 'metric', of: r => r.metric}], r => r.unit);
document.title = 'Clockwire: published numbers against simulated ones';
