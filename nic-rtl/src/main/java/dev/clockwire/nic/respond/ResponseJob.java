package dev.clockwire.nic.respond;

import dev.clockwire.nic.context.BehindWrites;
import dev.clockwire.nic.stage.Journal;
import dev.clockwire.roce.transport.ResponderState;
import dev.clockwire.roce.transport.Syndrome;
import dev.clockwire.roce.wire.FlowAddress;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/** An answer that is owed: an acknowledgement, the responses of a READ, or an atomic with its answer. */
public final class ResponseJob extends Token implements BehindWrites {
    /** Answer with one ACKNOWLEDGE. */
    public static final int ACK = 0;
    /** Read memory and answer with READ responses. */
    public static final int READ = 1;
    /** Do an atomic and answer with its result. */
    public static final int ATOMIC = 2;
    /** Answer with the kept result of an atomic. */
    public static final int ATOMIC_REPLAY = 3;
    /** Answer with the result of an atomic that an earlier job of the same queue pair brings. */
    public static final int ATOMIC_AGAIN = 4;

    /** No {@link #resource}. */
    public static final int NONE = -1;

    /** One of this class's kinds. */
    public int kind;
    /** Local queue pair. */
    public int qpn;
    /** Addresses of the answer. */
    public @Nullable FlowAddress flow;
    /** Queue pair numbers and MTU of the answer; only read. */
    public @Nullable ResponderState state;
    /** The connection to which the answer belongs: {@link ResponderState#connection()}. */
    public int connection;
    /** PSN of the acknowledgement, or of the first response. */
    public int psn;
    /** Syndrome of the acknowledgement. */
    public int syndrome;
    /** MSN of the answer. */
    public int msn;
    /** Address to read or to change. */
    public long va;
    /** Key by which the request named it. */
    public int rkey;
    /** Bytes to read in all. */
    public long length;
    /** Next response of a READ to make. */
    public int next;
    /** First response of a READ that is not to be made any more. */
    public int end;
    /** Slot in which the responder keeps a READ or an atomic's result; {@link #NONE} of a repetition. */
    public int resource;
    /** Compare and swap, else fetch and add. */
    public boolean compareSwap;
    /** Value to swap in or to add. */
    public long swapAdd;
    /** Value to compare with. */
    public long compare;
    /** Kept result of an atomic. */
    public long original;
    /** Cycle from which on the answer may be made. */
    public long due;

    /** Tells whether the queue pair has lost the connection that this answers: nobody waits for it. */
    public boolean isOld() {
        ResponderState told = state;
        return told == null || told.connection() != connection;
    }

    /** Creates a job; all fields that its kind needs are set by the responder. */
    public ResponseJob() {}

    @Override
    public int stage(Journal journal) {
        return kind == ACK ? journal.ack : journal.responderDma;
    }

    @Override
    public int queuePair() {
        return qpn;
    }

    /** Jobs have none: those of the connection before are known by {@link #isOld}. */
    @Override
    public boolean isEnd() {
        return false;
    }

    /** Each answer from here on would acknowledge the write too, so it refuses the write's packet instead. */
    @Override
    public void unplaced(boolean first, int part) {
        if (!isOld()) {
            kind = ACK;
            psn = part;
            syndrome = Syndrome.NAK_REMOTE_OPERATION;
        }
    }

    @Override
    protected ResponseJob copy() {
        ResponseJob j = new ResponseJob();
        j.flow = flow;
        j.state = state;
        j.connection = connection;
        j.kind = kind;
        j.qpn = qpn;
        j.psn = psn;
        j.syndrome = syndrome;
        j.msn = msn;
        j.va = va;
        j.rkey = rkey;
        j.length = length;
        j.next = next;
        j.end = end;
        j.resource = resource;
        j.compareSwap = compareSwap;
        j.swapAdd = swapAdd;
        j.compare = compare;
        j.original = original;
        j.due = due;
        return j;
    }
}
