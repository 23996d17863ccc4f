package dev.clockwire.nic.send;

import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.profile.NicSpec;
import dev.clockwire.nic.rate.RateGate;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.Requester;
import dev.clockwire.roce.transport.RequesterSpec;
import dev.clockwire.roce.transport.RequesterState;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The send side of one queue pair in the engine: WQEs that wait, WQEs in flight, and how far packets were made. */
final class SendQueue implements State {
    /** No WQE in {@link #latched}. */
    static final int NOTHING = -1;

    private static final int WAITING = 128;

    final QpContext qp;
    final RequesterState requester;
    private final @Nullable Wqe[] waiting = new Wqe[WAITING];
    private int waitingHead;
    int waitingCount;
    private final @Nullable Wqe[] inFlight;
    /** Entry and packet that are made next; ahead of the transport's cursor by the packets that wait for payload. */
    long issueEntry;

    int issuePacket;
    final RateGate gate;
    private final boolean perMessage;

    /** Index of a WQE that was read again for what is done next, and since when the read has been under way, in ps. */
    int latched = NOTHING;

    long asked;
    /** Entries below were sent before, if they are made now. */
    private long rewoundTo;

    /** Why: the receiver was not ready; else something was lost. */
    boolean rewoundByReceiver;

    /** Since when the packet that is made next has waited for its rate, in ps; {@link #NOTHING}: it has not. */
    long pacedSince = NOTHING;

    /** Earliest cycle at which the next WQE may start. */
    long nextStart;
    /** Since when it could make a packet, in ps, and the packets of all queues by then. */
    long readyAt;

    long madeThen;
    /** The queue failed: everything that comes is flushed. */
    boolean failed;
    /** A work request has ended with an error since it failed: what failed behind that is flushed like the rest. */
    boolean told;
    /** Entries below are finished. */
    long reported;
    /** Entry whose payload cannot be read, -1 without one. */
    long broken = -1;

    /** When unacknowledged packets are sent again, and when the event comes that looks; see {@link AckTimers}. */
    long ackDeadline = AckTimers.OFF;

    long ackEvent = AckTimers.OFF;
    /** Index behind the newest WQE that does not wait any more, and that at which an empty queue is to be told; -1: no need. */
    int taken;

    int emptyAt = -1;
    /** Where the next WQE begins when it is empty. */
    int nextIndex;

    final LocalWork local = new LocalWork();
    /** In SQD, and the device knows that nothing is under way. */
    boolean drained;

    private boolean connected;

    SendQueue(QpContext qp, NicSpec spec) {
        this.qp = qp;
        gate = new RateGate(spec.rate());
        perMessage = spec.rate().perMessage();
        int capacity = Math.min(1024, 1 << qp.logSqBlocks);
        requester = new RequesterState(capacity);
        inFlight = new Wqe[capacity];
    }

    /** Whether every packet of every admitted WQE was made. */
    boolean allMade() {
        return issueEntry >= requester.tail();
    }

    /** Whether what is made next is of a work request that cannot go on, or behind it. */
    boolean isBroken() {
        return broken >= 0 && issueEntry >= broken;
    }

    /** Whether the packet that is made next was sent before. */
    boolean isRewound() {
        return issueEntry < rewoundTo;
    }

    /** Goes back to what the rules ask for. */
    void goBack(boolean receiverNotReady) {
        rewoundByReceiver = receiverNotReady;
        gate.forget();
        pacedSince = NOTHING;
        rewoundTo = requester.tail();
        latched = NOTHING;
        issueEntry = requester.cursorEntry();
        issuePacket = requester.cursorPacket();
    }

    /** Whether there is something to make, to start or to flush. */
    boolean hasWork() {
        return waitingCount > 0 || !allMade();
    }

    /** Whether only a response, a notice or the end of a receiver-not-ready wait can free it; each puts it back into the ring. */
    boolean waitsForResponse() {
        return !failed && (requester.rnrWaiting() || (allMade() ? !idle() : !mayMake()));
    }

    /** Whether the peer has receives for the packet that is made next; else an answer to an earlier packet is awaited. */
    boolean mayMake() {
        return Requester.mayFill(requester, issueEntry, issuePacket);
    }

    /** Whether nothing is in flight. */
    boolean idle() {
        return reported >= requester.tail();
    }

    /** Whether the ring of WQEs in flight is full. */
    boolean full() {
        return requester.tail() - reported >= inFlight.length;
    }

    /** Returns the transport's state, connected with the context's values at first use. */
    RequesterState connected(int deviceMaxRdAtomic) {
        if (!connected) {
            connected = true;
            issueEntry = 0;
            issuePacket = 0;
            reported = 0;
            rewoundTo = 0;
            latched = NOTHING;
            broken = -1;
            RequesterSpec told = Objects.requireNonNull(qp.requester);
            requester.connect(told.withMaxRdAtomic(Math.min(told.maxRdAtomic(), deviceMaxRdAtomic)));
        }
        return requester;
    }

    /** Takes over new parameters. */
    void modified(int deviceMaxRdAtomic) {
        RequesterSpec told = qp.requester;
        if (connected && told != null) {
            requester.modify(told.withMaxRdAtomic(Math.min(told.maxRdAtomic(), deviceMaxRdAtomic)));
        }
    }

    /** Whether the packet that is made next must wait for its rate: asks the gate, whose answer is a change of state. */
    boolean passes(long cycle) {
        return !gate.limits()
                || gate.pass(
                        cycle,
                        Requester.payloadOf(requester, issueEntry, issuePacket),
                        issuePacket == 0,
                        requester.length(issueEntry),
                        Requester.packetCount(requester, issueEntry));
    }

    /** The payload of a packet is here; the gate waits for that of its message if that is what is paced. */
    void fetched(boolean last, long cycle) {
        if (last || !perMessage) {
            gate.fetched(cycle);
        }
    }

    /** Whether the gate holds the packet that is made next, as was found before. */
    boolean held(long cycle) {
        return gate.holds(cycle)
                && !failed
                && qp.state != QpState.ERR
                && !allMade()
                && !gate.isOpenFor(issuePacket == 0);
    }

    /** The queue pair has left SQD, or SQE, and what was in the queue is flushed: new work is done again. */
    void resume() {
        drained = false;
        if (failed && waitingCount == 0 && allMade()) {
            failed = false;
            told = false;
            broken = -1;
            issuePacket = 0;
        }
    }

    /** Forgets the connection; the next one begins anew. */
    void restart() {
        gate.forget();
        issueEntry = requester.tail(); // it may fail again before it sends again
        reported = issueEntry;
        emptyAt = -1;
        taken = nextIndex;
        failed = false;
        told = false;
        broken = -1;
        drained = false;
        connected = false;
    }

    void addWaiting(Wqe wqe) {
        waiting[waitingHead + waitingCount++ & WAITING - 1] = wqe;
    }

    Wqe firstWaiting() {
        return Objects.requireNonNull(waiting[waitingHead]);
    }

    Wqe removeWaiting() {
        Wqe wqe = firstWaiting();
        waiting[waitingHead] = null;
        waitingHead = waitingHead + 1 & WAITING - 1;
        waitingCount--;
        taken = wqe.end;
        return wqe;
    }

    void setInFlight(long entry, Wqe wqe) {
        inFlight[(int) entry & inFlight.length - 1] = wqe;
    }

    Wqe inFlight(long entry) {
        return Objects.requireNonNull(inFlight[(int) entry & inFlight.length - 1]);
    }

    Wqe removeInFlight(long entry) {
        Wqe wqe = inFlight(entry);
        inFlight[(int) entry & inFlight.length - 1] = null;
        return wqe;
    }

    @Override
    public void save(Snapshot out) {
        requester.save(out);
        out.putInt(waitingCount);
        for (int i = 0; i < waitingCount; i++) {
            out.putToken(waiting[waitingHead + i & WAITING - 1]);
        }
        for (Wqe wqe : inFlight) {
            out.putToken(wqe);
        }
        out.putLong(issueEntry);
        out.putInt(issuePacket);
        out.putLong(nextStart);
        out.putInt(latched);
        out.putLong(pacedSince);
        out.putLong(asked);
        out.putLong(rewoundTo);
        out.putLong(readyAt);
        out.putLong(madeThen);
        out.putInt((failed ? 1 : 0)
                | (connected ? 2 : 0)
                | (drained ? 4 : 0)
                | (rewoundByReceiver ? 8 : 0)
                | (told ? 16 : 0));
        local.save(out);
        out.putInt(taken);
        out.putInt(emptyAt);
        out.putInt(nextIndex);
        out.putLong(reported);
        out.putLong(broken);
        out.putLong(ackDeadline);
        out.putLong(ackEvent);
        gate.save(out);
    }

    @Override
    public void load(Snapshot in) {
        requester.load(in);
        waitingHead = 0;
        waitingCount = in.getInt();
        for (int i = 0; i < waitingCount; i++) {
            waiting[i] = (Wqe) in.getToken();
        }
        for (int i = 0; i < inFlight.length; i++) {
            inFlight[i] = (Wqe) in.getToken();
        }
        issueEntry = in.getLong();
        issuePacket = in.getInt();
        nextStart = in.getLong();
        latched = in.getInt();
        pacedSince = in.getLong();
        asked = in.getLong();
        rewoundTo = in.getLong();
        readyAt = in.getLong();
        madeThen = in.getLong();
        int flags = in.getInt();
        failed = (flags & 1) != 0;
        connected = (flags & 2) != 0;
        drained = (flags & 4) != 0;
        rewoundByReceiver = (flags & 8) != 0;
        told = (flags & 16) != 0;
        local.load(in);
        taken = in.getInt();
        emptyAt = in.getInt();
        nextIndex = in.getInt();
        reported = in.getLong();
        broken = in.getLong();
        ackDeadline = in.getLong();
        ackEvent = in.getLong();
        gate.load(in);
    }
}
