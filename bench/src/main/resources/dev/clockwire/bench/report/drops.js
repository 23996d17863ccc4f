// What was lost, and why.

const DROPS = /[^.]*(drop|discard|lost|out_of_buffer|oversize|unreadable|icrc|crc_err)[^.]*$/;

/** Counters of lost frames and packets by cause, which is the last part of their names. */
function drops(run) {
  const counters = run.stats.filter(s => DROPS.test(s.name) && s.value !== undefined);
  const part = section('drops', 'Drops by cause');
  const lost = counters.filter(s => s.value > 0);
  if (lost.length === 0) {
    part.append(make('p', {}, counters.length > 0 ? `No drops: none of ${counters.length} counters of lost frames and packets has counted one.` : 'This run counts no lost frames or packets.'));
    return;
  }
  const causes = new Map();
  for (const s of lost) {
    const cause = s.name.slice(s.name.lastIndexOf('.') + 1);
    const known = causes.get(cause) || {cause, total: 0, meaning: s.description, unit: s.unit, at: []};
    known.total += s.value;
    known.at.push(`${s.name.slice(0, s.name.lastIndexOf('.'))} (${number(s.value)})`);
    causes.set(cause, known);
  }
  const rows = [...causes.values()].sort((a, b) => b.total - a.total);
  const most = rows[0].total;
  const bars = make('div', {class: 'fall', role: 'img', 'aria-label': 'Drops by cause; the table below has the numbers'});
  rows.forEach((r, i) => bars.append(make('span', {}, r.cause), make('div', {class: 'bar'}, make('i', {style: `width:${100 * r.total / most}%;background:${colour(i)}`})), make('span', {}, number(r.total))));
  part.append(bars, scroll('Drops by cause', table('Drops by cause', [{title: 'cause', of: r => r.cause}, {title: 'number', number: true, of: r => r.total},
    {title: 'unit', of: r => r.unit}, {title: 'meaning', of: r => r.meaning}, {title: 'where', of: r => r.at.join(', ')}], rows)));
}
