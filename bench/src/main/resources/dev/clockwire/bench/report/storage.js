// The page of a comparison of storage systems: what an operation costs on the wire and in cores, and how long it takes.

const {storage} = data;
const unique = of => [...new Set(storage.rows.map(of))];
const ALL = 'all';
const sizeText = n => n >= 1 << 20 && n % (1 << 20) === 0 ? `${n >> 20} MiB` : n >= 1024 && n % 1024 === 0 ? `${n >> 10} KiB` : `${n} B`;

function provenance() {
  const rows = [['command', make('code', {}, 'clockwire storage compare')], ['profile', storage.profile], ['seed', storage.seed], ['version', storage.version],
    ['systems', unique(r => r.system).join(', ')], ['sizes', unique(r => r.size).map(sizeText).join(', ')], ['clients', unique(r => r.clients).join(', ')]];
  const note = 'Simulated, no hardware was measured: each value has three replicas.' + (storage.interrupted ? ' The run was interrupted: rows are missing.' : '');
  section('provenance', 'Where this comes from', note).append(facts(rows));
}

const boxes = {
  system: choice('system', 'System', [ALL, ...unique(r => r.system)]), op: choice('op', 'Operation', unique(r => r.op)),
  size: choice('size', 'Size', [ALL, ...unique(r => sizeText(r.size))]), clients: choice('clients', 'Clients', [ALL, ...unique(r => String(r.clients))]),
};
const picked = (name, value) => boxes[name].box.value === ALL || boxes[name].box.value === value;
const left = () => storage.rows.filter(r => picked('system', r.system) && picked('op', r.op) && picked('size', sizeText(r.size)) && picked('clients', String(r.clients)));
/** What the wire carries depends on neither load nor clients. */
const lone = rows => rows.filter((r, i) => rows.findIndex(o => o.system === r.system && o.op === r.op && o.size === r.size) === i);
const amount = (title, of) => ({title, number: true, of});
const what = [{title: 'system', of: r => r.system}, {title: 'size', of: r => sizeText(r.size)}];

/** One value of each system over what the rows differ in. */
function curves(holder, title, rows, over, label, of, text) {
  const places = [...new Set(rows.map(over))].sort((a, b) => a - b), systems = unique(r => r.system).filter(s => rows.some(r => r.system === s));
  holder.append(make('h3', {}, title));
  if (places.length < 2) {
    holder.append(make('p', {class: 'note'}, `Only one ${label} is chosen; the table has its numbers.`));
    return;
  }
  const whole = [places[0] / 1.2, places[places.length - 1] * 1.2];
  const values = systems.map(s => places.map(x => { const row = rows.find(r => r.system === s && over(r) === x); return row ? of(row) : null; }));
  const axes = [axis(label, {splits: () => places, filter: (u, all) => all, values: (u, all) => all.map(text)}), upright(title.split(',')[1].trim())];
  chart(holder, title, {
    scales: {x: {time: false, distr: 3, log: 10, range: (u, min, max) => [min <= places[0] ? whole[0] : min, max >= places[places.length - 1] ? whole[1] : max]}, y: {distr: 3, log: 10}}, axes,
    series: [{label, value: (u, v) => v === null ? '' : text(v)}, ...systems.map((s, i) => line(s, unique(r => r.system).indexOf(s), {spanGaps: true, points: {show: true, size: 7, fill: () => style(`--c${unique(r => r.system).indexOf(s) % COLOURS}`)}, value: (u, v) => v === null || v === undefined ? '' : number(v)}))],
  }, [places, ...values], whole);
}

function drawSpeed(holder) {
  clear(holder);
  const rows = left();
  if (rows.length === 0) {
    holder.append(make('p', {class: 'note'}, 'No row is like this.'));
    return;
  }
  curves(holder, 'Latency of a lone client over size, us', lone(rows), r => r.size, 'size', r => r.alone_us, sizeText);
  const size = Math.max(...rows.map(r => r.size));
  curves(holder, `Throughput of all clients at ${sizeText(size)}, Gbit/s`, rows.filter(r => r.size === size), r => r.clients, 'clients', r => r.gbps, String);
  holder.append(scroll('Speed', sortable(table('Latency and throughput', [...what, amount('clients', r => r.clients), amount('alone P50, us', r => r.alone_us), amount('alone P99, us', r => r.alone_p99_us),
    amount('loaded P50, us', r => r.p50_us), amount('loaded P99, us', r => r.p99_us), amount('Gbit/s', r => r.gbps)], rows))));
}

function drawWire(holder) {
  const rows = lone(left()), w = of => r => of(r.wire);
  const nics = r => r.wire.nics.map(n => `${n.node} ${number(n.operation_tx)}/${number(n.operation_rx)}`).join(', ');
  const beside = r => Object.entries(r.wire.overheads).map(([name, o]) => `${name}: ${o.messages} messages, ${number(o.bytes)} B`).join('; ') || 'none';
  const cost = [amount('client, ns', r => r.cpu.client_ns), amount('storage nodes, ns', r => r.cpu.server_ns), amount('client touches a byte', r => r.cpu.client_touches), amount('nodes touch a byte', r => r.cpu.server_touches),
    amount('threads woken', r => r.cpu.wake_ups), {title: 'polling', of: r => r.cpu.polling ? 'yes' : 'no'}];
  holder.replaceChildren(
    scroll('Wire', sortable(table('What one operation carries', [...what, amount('SEND', w(x => x.send)), amount('one-sided', w(x => x.one_sided)), amount('trips', w(x => x.trips)), amount('payload, B', w(x => x.payload)),
      amount('of it one-sided, B', w(x => x.one_sided_bytes)), amount('headers, B', w(x => x.headers)), amount('acknowledgements, B', w(x => x.acks)), {title: 'bytes out/in of each NIC', of: nics}, {title: 'beside it', of: beside}], rows))),
    scroll('Cores', sortable(table('What it takes of cores', [...what, ...cost], rows))));
}

/** Each number of the model of traffic beside what was counted. */
function expectations(r) {
  const e = r.wire.expected, nodes = r.wire.nics, client = nodes[nodes.length - 1];
  if (!e) return [];
  const order = (a, b) => a.tx - b.tx || a.rx - b.rx;
  const servers = nodes.slice(0, -1).map(n => ({tx: n.operation_tx, rx: n.operation_rx})).sort(order), model = [...e.servers].sort(order);
  const rows = [['SEND', e.sends, r.wire.send], ['one-sided', e.one_sided, r.wire.one_sided], ['trips', e.trips, r.wire.trips], ['client out, B', e.client.tx, client.operation_tx], ['client in, B', e.client.rx, client.operation_rx]];
  servers.forEach((s, i) => rows.push([`node out, B (${i + 1} of ${servers.length} by bytes)`, model[i]?.tx, s.tx], [`node in, B (${i + 1} of ${servers.length} by bytes)`, model[i]?.rx, s.rx]));
  return rows.map(([number, expected, measured]) => ({system: r.system, size: r.size, number, expected, measured}));
}

function drawExpected(holder) {
  const rows = lone(left()), all = rows.flatMap(expectations), told = rows.flatMap(r => r.wire.differences.map(d => `${r.system} ${r.op} ${sizeText(r.size)}: ${d}`));
  if (all.length === 0) {
    holder.replaceChildren(make('p', {class: 'note'}, 'This document is of a version that did not keep what it computed; a new storage compare --json has it.'));
    return;
  }
  const apart = all.filter(x => x.expected !== x.measured);
  const text = apart.length === 0 ? `All ${all.length} numbers are as computed.` : `${apart.length} of ${all.length} numbers are not as computed: ${told.join('; ')}`;
  holder.replaceChildren(make('p', {}, text), scroll('Expected', sortable(table('Computed from the protocol and counted in the simulation', [...what, {title: 'number', of: x => x.number}, amount('computed', x => x.expected),
    amount('counted', x => x.measured), amount('difference', x => x.measured - x.expected)], all))));
}

provenance();
const tools = make('div', {class: 'tools', role: 'search'}, ...Object.values(boxes).map(b => b.shown));
document.getElementById('main').append(tools);
const views = [['speed', 'Latency and throughput', 'A lone client, then several that load a system together.', drawSpeed], ['wire', 'What an operation costs', 'Of a lone operation, bytes of whole frames; credits, commits and keep-alives are no part of it and stand beside it.', drawWire],
  ['expected', 'Expected and measured', 'What each system\'s protocol says it must send, computed without simulating, against what the NICs have counted.', drawExpected]]
  .map(([id, title, note, draw]) => { const holder = make('div', {}); section(id, title, note).append(holder); return () => draw(holder); });
const show = () => views.forEach(view => view());
Object.values(boxes).forEach(b => b.box.addEventListener('change', show));
show();
document.title = 'Clockwire: storage systems compared';
