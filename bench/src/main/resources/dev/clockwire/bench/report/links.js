// How busy links were over time.

/** Shares of a line by time: payload, headers and gaps; where the run has kept nothing the line was idle. */
function linkShares(all) {
  const of = metric => all.find(s => s.metric === metric);
  const payload = of('payload_percent'), overhead = of('overhead_percent');
  if (!payload || !overhead) return [];
  return Object.assign(payload.objects.map(({name, values}) => {
    const other = overhead.objects.find(o => o.name === name).values;
    const rows = payload.times_us.map((us, i) => ({us, payload: values[i], overhead: other[i]})).filter(r => r.payload !== null && r.overhead !== null);
    const used = rows.reduce((sum, r) => sum + r.payload + r.overhead, 0);
    return {name, times: payload.times_us, payload: values.map(v => v ?? 0), busy: values.map((v, i) => (v ?? 0) + (other[i] ?? 0)), rows, used};
  }).sort((a, b) => b.used - a.used), {of: payload.of});
}

/** The time in which a load ran, if the run knows of one: at first charts show no more, for what it takes to connect may be much longer. */
function loaded(all) {
  const under = all.find(s => s.metric === 'outstanding');
  if (!under) return undefined;
  const times = under.times_us.filter((us, i) => under.objects.some(o => o.values[i] !== null));
  const min = times[0], max = times[times.length - 1];
  return max > min ? {min, max} : undefined;
}

/** A small chart for each direction of each link, the busiest ten of those that the filter leaves. */
function utilisation(all, first) {
  const lines = linkShares(all);
  if (lines.length === 0) return;
  const part = section('utilisation', 'How busy links are', 'Share of what a line can carry, for each direction of PCIe (up: from the device) and of the wire: payload, above it headers, framing and gaps; the rest is idle. Something counts when it is handed to the line, so a short stretch may show a little more than 100 %.');
  const words = make('input', {type: 'search', id: 'links-filter', placeholder: 'for example pcie', size: 24});
  const found = make('output', {for: 'links-filter', 'aria-live': 'polite'});
  const holder = make('div', {class: 'pairs'});
  part.append(make('div', {class: 'tools', role: 'search'}, make('label', {for: 'links-filter'}, 'Links'), words, found), holder);
  const percent = v => v === null || v === undefined ? '' : number(v) + ' %';
  const area = (label, i) => line(label, i, {fill: () => style(`--c${i}`) + 'cc', value: (u, v) => percent(v)});
  const draw = () => {
    clear(holder);
    const left = lines.filter(l => l.name.toLowerCase().includes(words.value.toLowerCase()));
    const shown = left.slice(0, COLOURS);
    found.textContent = `${shown.length} of ${lines.length}` + (lines.length < lines.of ? `, the busiest of ${lines.of} in series.csv` : '');
    const highest = shown.reduce((most, l) => l.busy.reduce((a, b) => Math.max(a, b), most), 1);
    const top = Math.min(highest * 1.1, Math.max(100, highest));
    for (const {name, times, payload, busy, rows} of shown) {
      const box = make('div', {}, make('h3', {}, name));
      holder.append(box);
      const plot = chart(box, name + ', share of the line', {
        height: 190, scales: {x: {time: false, range: (u, min, max) => [min, max > min ? max : min + 1]}, y: {range: [0, top]}},
        axes: [axis('time, us'), axis('%', {size: 50})], cursor: {sync: {key: 'time', setSeries: false}},
        series: [{label: 'us'}, area('headers on top of payload', 1), area('payload', 0)],
      }, [times, busy, payload], undefined, true);
      if (first) plot.setScale('x', first);
      box.append(behind('The numbers', table(name, [
        {title: 'us', number: true, of: r => r.us}, {title: 'payload, %', number: true, of: r => r.payload},
        {title: 'headers, framing, gaps, %', number: true, of: r => r.overhead},
        {title: 'idle, %', number: true, of: r => Math.max(0, 100 - r.payload - r.overhead)}], rows)));
    }
  };
  words.addEventListener('input', draw);
  draw();
}
