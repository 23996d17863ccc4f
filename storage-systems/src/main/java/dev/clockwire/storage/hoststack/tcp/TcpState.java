package dev.clockwire.storage.hoststack.tcp;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** What changes in a connection: the variables of RFC 9293, section 3.3.1, and its timers. */
final class TcpState implements State {
    static final long NEVER = Long.MAX_VALUE;

    final ByteRing sendRing;
    final ReceiveQueue received;
    final RoundTrip roundTrip;
    final Reno reno;
    TcpPhase phase = TcpPhase.CLOSED;
    /** Oldest number that is not acknowledged, the next to send, and behind the last that ever was. */
    int una;

    int next;
    int max;
    /** Behind the last byte that the user has written. */
    int written;

    boolean finWanted;
    /** The peer's window in bytes, and the segment that said so. */
    int window;

    int windowSeq;
    int windowAck;
    int sendScale;
    int receiveScale;
    int mss;
    /** What was acknowledged last, and the end of the window announced then. */
    int told;

    int edge;
    /** Whether the peer's FIN was seen, and whether everything in front of it was received. */
    boolean finSeen;

    boolean finReceived;

    int finSeq;
    int retries;
    long rtoAt = NEVER;
    long ackAt = NEVER;
    long probeAt = NEVER;
    long waitUntil = NEVER;
    /** Counts: segments sent again, timeouts, fast retransmits, acknowledgements without data, delayed ones that became due. */
    long resent;

    long timeouts;
    long fastResent;
    long pureAcks;
    long delayedAcks;

    TcpState(TcpSpec spec) {
        sendRing = new ByteRing(spec.sendBytes());
        received = new ReceiveQueue(spec.receiveBytes());
        roundTrip = new RoundTrip(spec);
        reno = new Reno(spec.initialWindow());
    }

    @Override
    public void save(Snapshot out) {
        sendRing.save(out);
        received.save(out);
        roundTrip.save(out);
        reno.save(out);
        out.putInt(phase.code());
        for (int x : new int[] {una, next, max, written, window, windowSeq, windowAck, sendScale, receiveScale, mss}) {
            out.putInt(x);
        }
        out.putBoolean(finWanted);
        out.putInt(told);
        out.putInt(edge);
        out.putBoolean(finSeen);
        out.putBoolean(finReceived);
        out.putInt(finSeq);
        out.putInt(retries);
        for (long x : new long[] {rtoAt, ackAt, probeAt, waitUntil}) {
            out.putLong(x);
        }
        for (long x : new long[] {resent, timeouts, fastResent, pureAcks, delayedAcks}) {
            out.putLong(x);
        }
    }

    @Override
    public void load(Snapshot in) {
        sendRing.load(in);
        received.load(in);
        roundTrip.load(in);
        reno.load(in);
        phase = TcpPhase.of(in.getInt());
        una = in.getInt();
        next = in.getInt();
        max = in.getInt();
        written = in.getInt();
        window = in.getInt();
        windowSeq = in.getInt();
        windowAck = in.getInt();
        sendScale = in.getInt();
        receiveScale = in.getInt();
        mss = in.getInt();
        finWanted = in.getBoolean();
        told = in.getInt();
        edge = in.getInt();
        finSeen = in.getBoolean();
        finReceived = in.getBoolean();
        finSeq = in.getInt();
        retries = in.getInt();
        rtoAt = in.getLong();
        ackAt = in.getLong();
        probeAt = in.getLong();
        waitUntil = in.getLong();
        resent = in.getLong();
        timeouts = in.getLong();
        fastResent = in.getLong();
        pureAcks = in.getLong();
        delayedAcks = in.getLong();
    }
}
