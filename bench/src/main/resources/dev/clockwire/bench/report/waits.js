// Who waited for whom.

const REASONS = {
  not_taken: 'it has not taken what lies there',
  no_room: 'it has left no room',
  nothing: 'it has nothing for it',
};

/** Waits that are no channel's, from the statistics: who waits stands before the last dot of the name. */
function countedWaits(run) {
  const names = new Set(run.stats.map(s => s.name));
  return run.stats.filter(s => /(stall|wait)\w*_ps$/.test(s.name) && s.value).map(s => {
    const waits = s.name.slice(0, s.name.lastIndexOf('.'));
    const host = waits.slice(0, waits.indexOf('.'));
    const pcie = s.name.endsWith('credit_stall_ps');
    const far = !pcie ? null : waits.endsWith('.pcie.up') ? host + '.root' : names.has(host + '.pcie.up.tlps') ? host + '.pcie' : null;
    return {channel: s.name, waits, for: far || (pcie ? 'the other end' : s.name.slice(waits.length + 1)), reason: s.description, ps: s.value};
  });
}

/** The stall table. Shares are of the time from the first word in a channel to the last one, of counted waits of the whole simulated time. */
function stalls(run) {
  const {from_ps: from, to_ps: to, channels, stages} = run.waits || {from_ps: 0, to_ps: 0, channels: [], stages: []};
  const share = w => 100 * w.ps / Math.max(1, to - from);
  const all = [
    ...stages.map(w => ({...w, waits: `operations in ${w.stage}`, channel: w.stage, reason: 'of what their stamps tell', share: share(w)})),
    ...channels.map(w => ({...w, reason: REASONS[w.why], share: share(w)})),
    ...countedWaits(run).map(w => ({...w, share: 100 * w.ps / run.simulated_ps})),
  ];
  if (all.length === 0) return;
  all.sort((a, b) => (a.why === 'nothing') - (b.why === 'nothing') || b.share - a.share);
  const window = channels.length === 0 ? '' : ` Of channels and stages it is a share of the ${about((to - from) / 1000)} ns from the first word in a channel to the last, of counters of the simulated time. A channel lists three waits: a producer waits while its word is not taken, and while there is no room for the next; a consumer waits while it has taken everything. In a stage at least one operation waited.`;
  const part = section('waits', 'Who waits for whom', 'Time in which something waited, several may wait at once.' + window);
  const words = make('input', {type: 'search', id: 'waits-filter', placeholder: 'for example txMac', size: 24});
  const idle = make('input', {type: 'checkbox', id: 'waits-idle'});
  const found = make('output', {for: 'waits-filter waits-idle', 'aria-live': 'polite'});
  const ns = (title, key) => ({title: title + ', ns', number: true, text: about, of: r => r[key] === undefined ? null : r[key] / 1000});
  const made = table('Waits, the longest first', [
    {title: 'waits', of: r => r.waits}, {title: 'for', of: r => r.for}, {title: 'because', of: r => r.reason}, {title: 'at', of: r => r.channel},
    {title: 'of the time, %', number: true, of: r => r.share}, ns('in all', 'ps'), ns('longest', 'longest_ps'),
    {title: 'times', number: true, of: r => r.times}, ns('waits still, since', 'since_ps')], all);
  const rows = [...made.tBodies[0].rows];
  const filter = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(w => w);
    let left = 0;
    all.forEach((r, i) => {
      const text = `${r.waits} ${r.for} ${r.reason} ${r.channel}`.toLowerCase();
      const seen = (idle.checked || r.why !== 'nothing') && wanted.every(w => text.includes(w));
      rows[i].hidden = !seen;
      left += seen;
    });
    found.textContent = `${left} of ${all.length}`;
  };
  words.addEventListener('input', filter);
  idle.addEventListener('change', filter);
  filter();
  part.append(make('div', {class: 'tools', role: 'search'}, make('label', {for: 'waits-filter'}, 'Filter'), words,
    make('label', {}, idle, ' consumers that have nothing to do, too'), found), scroll('Waits', sortable(made)));
}
