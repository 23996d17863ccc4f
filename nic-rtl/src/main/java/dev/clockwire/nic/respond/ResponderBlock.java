package dev.clockwire.nic.respond;

import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.KeyChange;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.format.Eqe;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.Psn;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.RequestDecision;
import dev.clockwire.roce.transport.Responder;
import dev.clockwire.roce.transport.ResponderState;
import dev.clockwire.roce.transport.Syndrome;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.state.Pool;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/**
 * Executes requests, one a cycle: places payload, takes receive WQEs, orders answers and completions. It stops taking
 * packets while too many bytes wait for PCIe, and while a receive WQE that a packet needs is being read.
 */
public final class ResponderBlock extends SimModule {
    /** Event of {@link #prime}: the queue pair is in ERR, its receives are flushed. */
    public static final int FLUSH = 1;
    /** Event of {@link #prime}: the parameters in the context are new. */
    public static final int MODIFIED = 2;
    /** Event of {@link #prime}: a shared queue, a, has the limit b. */
    public static final int LIMIT = 3;

    private static final int SYNC = 1;
    private static final int PSN_BITS = 24;
    private static final int REPLIES = 4096;
    private static final int WRITES = 1 << 16;
    private static final long MAX_BYTES_IN_FLIGHT = 256 << 10;

    private final Channel<RocePacket> requests;
    private final Channel<ResponseJob> jobs;
    private final Channel<Completion> completions;
    private final Inlet<DmaWrite> written;
    private final DeviceParts parts;
    private final ReceiveFetch fetch;
    private final RemoteAccess access;
    private final RequestDecision decision = new RequestDecision();
    private final RespondState s;
    private final Owed owed;
    private final Placer placer;
    private final EventPort answered;
    private final EventPort prime;

    /**
     * Creates the responder.
     *
     * @param requests from the receiver
     * @param jobs to the response engine
     * @param completions to the completion unit
     * @param reads the endpoint's port for receive WQEs and doorbell records
     * @param writes the endpoint's port for payload
     * @param pool where jobs come from; the response engine gives them back
     */
    public ResponderBlock(
            Scope parent,
            Clock clock,
            Channel<RocePacket> requests,
            Channel<ResponseJob> jobs,
            Channel<Completion> completions,
            EventPort reads,
            EventPort writes,
            Pool<ResponseJob> pool,
            DeviceParts parts) {
        super(parent, "responder", clock);
        this.requests = requests.to(this);
        this.jobs = jobs.from(this);
        this.completions = completions.from(this);
        this.parts = parts;
        written = new Inlet<>(this, "written", WRITES, SYNC);
        s = state(new RespondState(parts.table()));
        fetch = new ReceiveFetch(reads, new Inlet<>(this, "replies", REPLIES, SYNC), s);
        access = new RemoteAccess(parts.table());
        owed = new Owed(pool, parts, s);
        placer = new Placer(writes, written, parts, access, s);
        answered = new EventPort(this, "answered") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                ReceiveQueue queue = s.queue((int) (a >>> 32));
                if (queue.isConnected()) {
                    onAnswered(queue.connected(), kind, (int) a, b);
                }
            }
        };
        prime = new EventPort(this, "prime") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                if (kind == FLUSH) {
                    int slot = parts.table().slot((int) a);
                    s.at(slot).wqes.endWait(); // what an earlier packet found out is old
                    s.flush.add(slot);
                    wake();
                } else if (kind == LIMIT) {
                    s.shared((int) a).limit = (int) b;
                    checkLimit(s.shared((int) a));
                } else if (kind == MODIFIED) {
                    s.queue((int) a).modified();
                } else {
                    fetch.ahead(s.queue((int) a).wqes, now());
                }
            }
        };
    }

    /**
     * Returns the port to which the response engine reports, by the kind of the job, that it made the last response of a READ or did
     * an atomic: a = {@link #answer}, b = old value.
     */
    public EventPort answered() {
        return answered;
    }

    /** Returns the port that starts reading receive WQEs ahead, or flushing them: a = QPN, kind 0 or {@link #FLUSH}. */
    public EventPort prime() {
        return prime;
    }

    /** Returns requests that came ahead of their turn ({@code out_of_sequence}). */
    public long outOfSequence() {
        return s.outOfSequence;
    }

    /** Returns requests that came again ({@code duplicate_request}). */
    public long duplicates() {
        return s.duplicates;
    }

    /** Returns receiver-not-ready refusals ({@code out_of_buffer}). */
    public long outOfBuffer() {
        return s.resourceErrors;
    }

    /** Packs the argument a of {@link #answered}. */
    static long answer(int qpn, int resource, int psn) {
        return (long) qpn << 32 | (long) resource << PSN_BITS | psn;
    }

    private static void onAnswered(ResponderState told, int kind, int resourceAndPsn, long original) {
        int resource = resourceAndPsn >>> PSN_BITS;
        int psn = resourceAndPsn & Psn.MASK;
        if (kind == ResponseJob.READ) {
            Responder.answered(told, resource, psn);
        } else {
            Responder.atomicDone(told, resource, psn, original);
        }
    }

    @Override
    protected boolean tick(long cycle) {
        boolean did = false;
        while (written.valid(cycle)) {
            DmaWrite w = written.take(cycle);
            s.bytesInFlight -= w.length;
            parts.writes().give(w);
            did = true;
        }
        ReceiveWqes answered = fetch.tick(cycle, now());
        if (answered != null) {
            did = true;
            if (fetch.broken()) {
                unread(answered, cycle);
            }
            if (answered.limit > 0) {
                checkLimit(answered, fetch.checked());
            }
        }
        if (requests.valid(cycle)
                && jobs.ready(cycle)
                && completions.ready(cycle)
                && s.bytesInFlight < MAX_BYTES_IN_FLIGHT) {
            did |= execute(cycle);
        } else if (s.flush.size() > 0 && completions.ready(cycle)) {
            did |= flush(cycle);
        }
        return did && (more(cycle + 1) || rest(true));
    }

    private boolean more(long next) {
        return requests.valid(next) || written.valid(next) || fetch.answered(next) || s.flush.size() > 0;
    }

    /** Receives cannot be read: that breaks the queue pair they are of; of a shared queue, the one whose packet waits for them. */
    private void unread(ReceiveWqes wqes, long cycle) {
        if (!wqes.shared) {
            QpContext qp = parts.table().at(wqes.id);
            if (qp.state != QpState.ERR) {
                parts.control().qpFailed(qp);
                parts.control().happened(Eqe.WQ_CATAS, qp.qpn);
            }
            return;
        }
        parts.control().happened(Eqe.SRQ_CATAS, wqes.id);
        if (wqes.waited && requests.valid(cycle)) {
            parts.control().qpFailed(s.queue(requests.bits().destQp).qp);
        }
    }

    private void checkLimit(ReceiveWqes ring) {
        checkLimit(ring, false);
    }

    /** Raises the event of a shared queue, if the record, read since it seemed due, says that it is. */
    private void checkLimit(ReceiveWqes ring, boolean sure) {
        if (!ring.belowLimit()) {
            return;
        }
        if (sure) {
            ring.limit = 0;
            parts.control().happened(Eqe.SRQ_LIMIT, ring.id);
        } else if (!ring.fetching) {
            fetch.record(ring, now());
        }
    }

    /** Completes one receive of a failed queue pair, or looks whether there are more. */
    private boolean flush(long cycle) {
        int q = s.flush.get(0);
        ReceiveQueue queue = s.at(q);
        ReceiveWqes wqes = queue.wqes;
        if (wqes.shared ? queue.isHolding() : wqes.available() > 0) {
            if (!queue.qp.resetting) {
                completions.put(cycle, owed.flushed(queue, now()));
            }
            queue.complete();
            s.flush.add(s.flush.next());
            return true;
        }
        if (wqes.shared) {
            s.flush.next();
            flushedAll(queue, cycle);
            return true;
        }
        if (wqes.fetching) {
            return false;
        }
        boolean none = !wqes.exists() || wqes.foundNone;
        wqes.endWait();
        wqes.waited = !none;
        if (none) {
            s.flush.next();
            flushedAll(queue, cycle);
        } else {
            fetch.ahead(wqes, now());
        }
        return true;
    }

    /** The other receives of a shared queue are not flushed; the host learns that this queue pair holds none any more. */
    private void flushedAll(ReceiveQueue queue, long cycle) {
        if (queue.qp.resetting) {
            queue.restart();
            completions.put(cycle, parts.completions().take().end(queue.qp.qpn, queue.qp.recvCqn));
        } else if (queue.wqes.shared && !queue.toldLast) {
            queue.toldLast = true;
            parts.control().happened(Eqe.SRQ_LAST_WQE, queue.qp.qpn);
        }
    }

    private boolean execute(long cycle) {
        RocePacket packet = requests.bits();
        ReceiveQueue queue = s.queue(packet.destQp);
        if (!queue.qp.state.acceptsRequests()) {
            s.dropped++;
            queue.wqes.endWait();
            parts.packets().give(requests.take(cycle));
            return true;
        }
        Opcode opcode = Opcode.find(packet.opcode);
        boolean wantsReceive = opcode != null && opcode.consumesRecv();
        ReceiveWqes wqes = queue.wqes;
        if (wqes.maySupply() && wantsReceive && !queue.connected().receiveHeld()) {
            boolean changed = !wqes.waited;
            wqes.waited = true;
            return fetch.ahead(wqes, now()) || changed;
        }
        requests.take(cycle);
        RequestDecision d = decision;
        Responder.onRequest(queue.connected(), packet, access.of(queue), d);
        if (wqes.shared && d.takesReceive) {
            queue.take();
            checkLimit(wqes);
        }
        checkKeys(queue, d);
        if (!queue.established && queue.qp.state == QpState.RTR && executes(d)) {
            queue.established = true;
            parts.control().happened(Eqe.COMM_EST, queue.qp.qpn);
        }
        wqes.endWait();
        act(queue, packet, d, cycle);
        if (wqes.available() < ReceiveWqes.AHEAD / 2 && wqes.exists() && wantsReceive) {
            fetch.ahead(wqes, now());
        }
        parts.packets().give(packet);
        return true;
    }

    private static boolean executes(RequestDecision d) {
        return d.action != RequestDecision.Action.DROP && d.action != RequestDecision.Action.NAK;
    }

    /** What the rules cannot see: own buffers, keys that are gone since the first packet of a message, keys to be taken away. */
    private void checkKeys(ReceiveQueue queue, RequestDecision d) {
        switch (d.action) {
            case SEND -> {
                if (!access.localWritable()) {
                    Responder.refuse(queue.responder, d, Syndrome.NAK_REMOTE_OPERATION);
                    d.receiveStatus = WcStatus.LOC_PROT_ERR;
                }
            }
            case WRITE, READ, REREAD, ATOMIC -> {
                if (d.length > 0) {
                    d.va = access.physical(d.rkey, d.va, d.length, right(d.action));
                    if (d.va == RemoteAccess.GONE) {
                        Responder.refuse(queue.responder, d, Syndrome.NAK_REMOTE_ACCESS);
                    }
                }
            }
            default -> {}
        }
        if (d.completesReceive && d.hasInvalidate) {
            invalidate(queue, d);
        }
    }

    private static AccessFlag right(RequestDecision.Action action) {
        return switch (action) {
            case WRITE -> AccessFlag.REMOTE_WRITE;
            case ATOMIC -> AccessFlag.REMOTE_ATOMIC;
            default -> AccessFlag.REMOTE_READ;
        };
    }

    private void invalidate(ReceiveQueue queue, RequestDecision d) {
        if (!access.mayInvalidate(d.immOrKey)) {
            Responder.notInvalidated(d);
            return;
        }
        KeyChange change = parts.keyChanges().take();
        change.bind = false;
        change.remote = true;
        change.key = d.immOrKey;
        parts.control().changeKeys(queue.qp, change);
    }

    private void act(ReceiveQueue queue, RocePacket packet, RequestDecision d, long cycle) {
        switch (d.action) {
            case DROP -> count(d);
            case WRITE -> placer.write(queue, packet, d, now());
            case SEND -> placer.scatter(queue, packet, d.offset - placer.datagramHeader(queue, packet), now());
            case READ, REREAD -> {
                s.duplicates += d.action == RequestDecision.Action.REREAD ? 1 : 0;
                jobs.put(cycle, owed.read(queue, packet, d, cycle));
            }
            case ATOMIC, REPLAY_ATOMIC -> jobs.put(cycle, owed.atomic(queue, packet, d, cycle));
            case REACK -> s.duplicates++;
            case NAK -> {
                refuse(d);
                jobs.put(cycle, owed.acknowledge(queue, packet, d, cycle));
            }
        }
        if (d.ackDue) {
            jobs.put(cycle, owed.acknowledge(queue, packet, d, cycle));
        }
        boolean failedReceive = d.receiveStatus != WcStatus.SUCCESS;
        if (d.completesReceive || failedReceive) {
            completions.put(cycle, owed.completion(queue.qp, packet, d, queue.counter(), now()));
            queue.complete();
        }
        if (d.qpError) {
            parts.control().qpFailed(queue.qp);
            if (!failedReceive) {
                boolean invalid = d.syndrome == Syndrome.NAK_INVALID_REQUEST;
                parts.control().happened(invalid ? Eqe.WQ_INVAL_REQ : Eqe.WQ_ACCESS, queue.qp.qpn);
            }
        }
    }

    private void count(RequestDecision d) {
        switch (d.drop) {
            case OUT_OF_SEQUENCE -> s.outOfSequence++;
            case DUPLICATE -> s.duplicates++;
            case NO_RECEIVE -> s.resourceErrors++;
            default -> s.dropped++;
        }
    }

    private void refuse(RequestDecision d) {
        if (d.action == RequestDecision.Action.NAK) {
            if (Syndrome.isRnr(d.syndrome)) {
                s.resourceErrors++;
            } else if (d.syndrome == Syndrome.NAK_SEQUENCE) {
                s.outOfSequence++;
            } else {
                s.refused++;
            }
        }
    }
}
