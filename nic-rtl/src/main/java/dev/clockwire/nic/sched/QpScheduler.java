package dev.clockwire.nic.sched;

import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.doorbell.Doorbell;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.state.Pool;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/**
 * Chooses among the send queues that have WQEs to fetch, in turns unless a parameter says otherwise. One fetch per queue is on its way at a time, since where the
 * next WQE begins is known only when this one is there. A BlueFlame WQE that is next in its queue goes straight to the
 * parser; one that is not counts as a plain doorbell.
 */
public final class QpScheduler extends SimModule {
    /** Event of {@link #enables}: sends of a managed queue are released; a = its slot, b = index behind the last block. */
    public static final int ENABLE = 0;

    private static final int OPEN = 1;
    private static final int HOLD = 2;
    private static final int POSTED = 3;
    private static final int MAX_BLOCKS = 16;

    private final Channel<Doorbell> doorbells;
    private final LongChannel fetched;
    private final LongChannel started;
    private final LongChannel fetches;
    private final Channel<Wqe> bypass;
    private final Pool<Doorbell> pool;
    private final DeviceParts parts;
    private final int ahead;
    /**
     * Whether a BlueFlame WQE that nobody takes now becomes a plain doorbell. If it waited for a context on its way from memory, posted writes
     * would stand behind it, and behind them the completion that brings the context: they may not be overtaken.
     */
    private final boolean drops;

    private final EventPort enables;
    private @Nullable EventPort fetchedAll;
    private int fetchedKind;
    private final SchedulerState s;

    /**
     * Creates the scheduler.
     *
     * @param doorbells from the doorbell block
     * @param fetched from the fetch engine: blocks consumed, or a producer index from a record
     * @param started from the send engine: one word, the QPN, per WQE that leaves its queue
     * @param fetches to the fetch engine
     * @param bypass to the parser
     * @param pool where doorbells go
     */
    public QpScheduler(
            Scope parent,
            Clock clock,
            Channel<Doorbell> doorbells,
            LongChannel fetched,
            LongChannel started,
            LongChannel fetches,
            Channel<Wqe> bypass,
            Pool<Doorbell> pool,
            DeviceParts parts) {
        super(parent, "scheduler", clock);
        this.doorbells = doorbells.to(this);
        this.fetched = fetched.to(this);
        this.started = started.to(this);
        this.fetches = fetches.from(this);
        this.bypass = bypass.from(this);
        this.pool = pool;
        this.parts = parts;
        ahead = parts.spec().queues().ahead();
        drops = parts.spec().icm().qpc() != null || parts.spec().icm().cqc() != null;
        s = state(new SchedulerState(QpArbiter.of(parts.spec().queues().policy(), parts.table())));
        enables = new EventPort(this, "enables") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                if (kind == POSTED) {
                    onPosted((int) a, (int) b);
                } else {
                    onManaged(kind, (int) a, (int) b);
                }
            }
        };
    }

    /** Returns the port that releases sends of managed queues: kind {@link #ENABLE}. */
    public EventPort enables() {
        return enables;
    }

    /** Lets all that is posted to a managed queue go, to be flushed; or holds it from now on, when the queue is empty. */
    public void hold(QpContext qp, boolean on, long now) {
        if (qp.managedSends) {
            enables.send(now + 1, on ? HOLD : OPEN, qp.slot, 0);
        }
    }

    /** Says who hears, by which event, that all of a queue that was {@linkplain #close closed} has been read. To be called before elaboration. */
    public void tellFetched(EventPort port, int kind) {
        fetchedAll = port;
        fetchedKind = kind;
    }

    /** Says how much is posted to a queue that is to be emptied; it need not have been heard of, if a doorbell record cannot be read. */
    public void close(QpContext qp, int index, long now) {
        enables.send(now + 1, POSTED, qp.slot, index);
    }

    private void onPosted(int q, int index) {
        s.ensure(q);
        if (isAhead(s.posted[q], index)) {
            s.posted[q] = index;
        }
        if (isAhead(s.producer[q], index)) {
            s.producer[q] = index; // what a doorbell announced beyond it was never posted
            s.fetched[q] = s.busy[q] || isAhead(index, s.fetched[q]) ? s.fetched[q] : index;
        }
        announce(q, index);
        s.closing[q] = true;
        closed(q);
        activate(q);
        if (s.ready.size() > 0) {
            wake();
        }
    }

    /** Tells how far a queue has been read, if it is to be emptied and no more of it is. */
    private void closed(int q) {
        EventPort port = fetchedAll;
        if (port != null && s.closing[q] && !s.busy[q] && !s.record[q] && s.producer[q] == s.fetched[q]) {
            port.send(now() + 1, fetchedKind, q, s.handed[q] | (long) s.producer[q] << Short.SIZE);
            s.closing[q] = false;
            s.handed[q] = s.producer[q];
        }
    }

    private void onManaged(int kind, int q, int index) {
        s.ensure(q);
        s.open[q] = kind == OPEN || (kind == ENABLE && s.open[q]);
        if (kind == HOLD) {
            s.enabled[q] = s.posted[q];
        } else if (kind == ENABLE && isAhead(index, s.enabled[q])) {
            s.enabled[q] = index;
        }
        release(q);
        activate(q);
        wake();
    }

    private static boolean isAhead(int index, int of) {
        return (index - of & 0xFFFF) <= 0x8000;
    }

    /** A managed queue goes as far as is both posted and released. */
    private void release(int q) {
        int to = s.open[q] || isAhead(s.enabled[q], s.posted[q]) ? s.posted[q] : s.enabled[q];
        if (isAhead(to, s.producer[q])) {
            s.producer[q] = to;
        }
    }

    @Override
    protected boolean tick(long cycle) {
        boolean did = false;
        if (started.valid(cycle)) {
            int q = slot((int) started.take(cycle));
            s.ahead[q]--;
            activate(q);
            did = true;
        }
        if (fetched.valid(cycle)) {
            onFetched(fetched.take(cycle));
            did = true;
        }
        if (doorbells.valid(cycle) && (drops || doorbells.bits().wqe == null || bypass.ready(cycle))) {
            Doorbell d = doorbells.take(cycle);
            onDoorbell(d, cycle);
            pool.give(d);
            did = true;
        }
        if (s.ready.size() > 0 && fetches.ready(cycle)) {
            issue(cycle);
            did = true;
        }
        return did && (more(cycle + 1) || rest(true));
    }

    private boolean more(long next) {
        return (s.ready.size() > 0 && fetches.ready(next))
                || started.valid(next)
                || fetched.valid(next)
                || doorbells.valid(next);
    }

    /** Returns the most fetches of others while one queue waited for its own; 0 if all take turns anyway. */
    public long overtaken() {
        return s.ready.overtaken();
    }

    private int slot(int qpn) {
        int q = parts.table().slot(qpn);
        s.ensure(q);
        return q;
    }

    private void onFetched(long word) {
        int q = slot(FetchWord.qpn(word));
        s.busy[q] = false;
        if (FetchWord.blocks(word) == FetchWord.RECORD) {
            announce(q, FetchWord.index(word));
        } else {
            int consumed = FetchWord.blocks(word);
            int wqes = FetchWord.index(word);
            s.handed[q] = s.fetched[q] + consumed & 0xFFFF;
            s.fetched[q] = isAhead(s.producer[q], s.handed[q]) ? s.handed[q] : s.producer[q]; // taken back meanwhile
            s.whole[q] = consumed == 0;
            s.ahead[q] += wqes;
        }
        closed(q);
        activate(q);
    }

    private void onDoorbell(Doorbell d, long cycle) {
        int q = slot(d.qpn);
        Wqe wqe = d.wqe;
        boolean next = wqe != null && bypass.ready(cycle) && wqe.index == s.fetched[q] && s.producer[q] == s.fetched[q];
        if (wqe != null
                && next
                && !parts.table().at(q).managedSends
                && !s.busy[q]
                && !s.record[q]
                && s.ahead[q] < ahead) {
            s.producer[q] = d.producer;
            s.fetched[q] = d.producer;
            s.handed[q] = d.producer;
            wqe.end = d.producer;
            s.ahead[q]++;
            d.wqe = null;
            parts.journal().stamp(wqe.journey, parts.journal().doorbell, 0, now(), clock().edgeTime(cycle + 1));
            bypass.put(cycle, wqe);
            return;
        }
        if (wqe != null) {
            d.wqe = null;
            parts.wqes().give(wqe);
        }
        if (d.producer < 0) {
            s.record[q] = true;
        } else {
            announce(q, d.producer);
        }
        activate(q);
    }

    /**
     * Takes a producer index over unless a newer one is known: a record may have been read before a later doorbell came. More than a ring
     * ahead of what was read is nothing that a driver can have posted.
     */
    private void announce(int q, int producer) {
        QpContext qp = parts.table().at(q);
        if ((producer - s.fetched[q] & 0xFFFF) > 1 << qp.logSqBlocks) {
            return;
        }
        if (qp.managedSends) {
            if (isAhead(producer, s.posted[q])) {
                heard(qp, s.posted[q], producer);
                s.posted[q] = producer;
            }
            release(q);
        } else if (isAhead(producer, s.producer[q])) {
            heard(qp, s.producer[q], producer);
            s.producer[q] = producer;
        }
    }

    /** The doorbell of some WQEs has done its work: they wait in their queue, if only until the end of this cycle. */
    private void heard(QpContext qp, int from, int to) {
        if (from == to) {
            return;
        }
        s.newest[qp.slot] = from;
        s.newestAt[qp.slot] = now();
        if (parts.journal().follows()) {
            long visible = clock().edgeTime(clock().edgeAfter(now()));
            for (int i = from; i != to; i = i + 1 & 0xFFFF) {
                parts.journal().stamp(qp.journey(i), parts.journal().doorbell, 0, now(), visible);
            }
        }
    }

    private void activate(int q) {
        boolean work = s.record[q] || (s.producer[q] != s.fetched[q] && s.ahead[q] < ahead);
        if (work && !s.busy[q] && s.ready.add(q)) {
            s.readyAt[q] = now();
            s.issuedThen[q] = s.issued;
        }
    }

    private void issue(long cycle) {
        s.ready.begin();
        int q = s.ready.next();
        s.ready.granted(q);
        QpContext qp = parts.table().at(q);
        int qpn = qp.qpn;
        s.busy[q] = true;
        waited(qp.journey(s.fetched[q]), q);
        if (s.record[q]) {
            s.record[q] = false;
            fetches.put(cycle, FetchWord.of(qpn, 0, FetchWord.RECORD));
            return;
        }
        int pending = s.producer[q] - s.fetched[q] & 0xFFFF;
        int blocks = Math.min(pending, s.whole[q] ? MAX_BLOCKS : parts.spec().fetchBatch());
        left(qp, s.fetched[q], blocks, cycle);
        fetches.put(cycle, FetchWord.of(qpn, s.fetched[q], blocks));
    }

    /**
     * Says whose fault a wait was. One fetch is issued a cycle whenever the engine takes it: each of another queue cost this one a cycle, and
     * for the rest of the wait the engine was full.
     */
    private void waited(long journey, int q) {
        long others = s.issued++ - s.issuedThen[q];
        long from = s.readyAt[q];
        long now = now();
        if (now > from) {
            long full = Math.max(from, clock().edgeTime(clock().cycle() - others));
            beforeFetch(journey, parts.journal().causes.fetchQueue, from, full);
            beforeFetch(journey, parts.journal().causes.scheduler, full, now);
        }
    }

    /** It waited in its queue; where that is no stage of its own, the fetch's own wait. */
    private void beforeFetch(long journey, int cause, long from, long to) {
        parts.journal().delayedIn(parts.journal().sqWait, journey, cause, from, to);
        parts.journal().delayedIn(parts.journal().wqeFetch, journey, cause, from, to);
    }

    /** WQEs are read from the next edge on. Those that were there before this cycle have waited, most for others of their queue. */
    private void left(QpContext qp, int from, int blocks, long cycle) {
        if (!parts.journal().follows()) {
            return;
        }
        long visible = clock().edgeTime(cycle + 1);
        for (int i = 0; i < blocks; i++) {
            int index = from + i & 0xFFFF;
            if (s.newestAt[qp.slot] < now() || !isAhead(index, s.newest[qp.slot])) {
                parts.journal().stamp(qp.journey(index), parts.journal().sqWait, 0, visible, visible);
            }
        }
    }
}
