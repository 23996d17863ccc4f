package dev.clockwire.roce.fabric.host;

import dev.clockwire.roce.congestion.RateMachine;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import org.jspecify.annotations.Nullable;

/** The sending side of a flow: what is next, what is acknowledged, how fast. */
public final class SendFlow implements Flow, State {
    static final long NEVER = Long.MAX_VALUE;
    private static final long BYTE_PS_BPS = 8_000_000_000_000L;

    final FlowSpec spec;
    /** Its place among the flows that the destination receives. */
    final int peer;

    final int hash;
    final int dscp;
    final int priority;
    final long packets;
    private final int payload;
    private final long lineRate;
    final @Nullable RateMachine rate;
    /** The next packet to send. */
    long next;
    /** The oldest packet that is not acknowledged. */
    long oldest;
    /** One beyond the newest packet ever sent. */
    long newest;
    /** Selective repeat: what has come beyond the oldest. */
    final SeqBits came = new SeqBits();
    /** Selective repeat: the next packet to look at for a repetition, and one beyond the last. */
    long repairNext;

    long repairEnd;
    boolean timed;
    boolean started;
    long sentAt;
    int sentBytes;
    long progressAt;
    int retries;
    long doneAt = NEVER;
    boolean failed;
    long sent;
    long again;
    long naks;
    long notifications;
    long timeouts;

    SendFlow(
            FlowSpec spec,
            int peer,
            int hash,
            int dscp,
            int priority,
            int payload,
            long lineRate,
            @Nullable RateMachine rate) {
        this.spec = spec;
        this.peer = peer;
        this.hash = hash;
        this.dscp = dscp;
        this.priority = priority;
        this.payload = payload;
        this.lineRate = lineRate;
        this.rate = rate;
        packets = (spec.bytes() + payload - 1) / payload;
    }

    /** Returns the payload of a packet. */
    int payloadOf(long packet) {
        return packet == packets - 1 ? (int) (spec.bytes() - packet * payload) : payload;
    }

    boolean active() {
        return started && doneAt == NEVER && !failed;
    }

    /** Whether a packet is there to be sent, now or later. */
    boolean hasWork(long windowPackets) {
        if (!active()) {
            return false;
        }
        skipRepaired();
        return repairNext < repairEnd || (next < packets && (windowPackets == 0 || next - oldest < windowPackets));
    }

    private void skipRepaired() {
        repairNext = Math.max(repairNext, oldest);
        while (repairNext < repairEnd && came.has(repairNext)) {
            repairNext++;
        }
    }

    /** Returns the packet to send and moves on; only if there is work. */
    long takeNext() {
        return repairNext < repairEnd ? repairNext++ : next++;
    }

    /** Returns from when on the next packet may leave, by the rate of now: a change of rate moves it. */
    long eligibleAt(long now) {
        if (sentBytes == 0) {
            return 0;
        }
        long bps = lineRate;
        if (rate != null && rate.active()) {
            rate.settle(now);
            bps = rate.rate();
        }
        return sentAt + sentBytes * BYTE_PS_BPS / bps;
    }

    /** Returns when its rate may change by itself. */
    long rateDue() {
        return rate == null || !rate.active() ? NEVER : rate.due();
    }

    /** Returns the flow's parameters. */
    @Override
    public FlowSpec spec() {
        return spec;
    }

    @Override
    public long beginsPs() {
        return spec.startPs();
    }

    /** Whether everything is acknowledged. */
    @Override
    public boolean done() {
        return doneAt != NEVER;
    }

    /** Whether it gave up: retries exceeded. */
    @Override
    public boolean failed() {
        return failed;
    }

    /** Returns the time from its start to its last acknowledgement in ps; only if {@link #done}. */
    @Override
    public long completionPs() {
        return doneAt - spec.startPs();
    }

    /** Returns the bytes of payload that are acknowledged. */
    @Override
    public long acknowledgedBytes() {
        return Math.min(spec.bytes(), oldest * payload);
    }

    /** Returns the packets sent, repetitions included. */
    public long packetsSent() {
        return sent;
    }

    /** Returns the packets sent more than once. */
    @Override
    public long retransmissions() {
        return again;
    }

    /** Returns the NAKs that came. */
    public long naks() {
        return naks;
    }

    /** Returns the notifications of congestion that came. */
    public long notifications() {
        return notifications;
    }

    /** Returns how often nothing came for a whole timeout. */
    public long timeouts() {
        return timeouts;
    }

    /** Returns the present rate in bit/s. */
    @Override
    public long rate(long now) {
        if (rate == null) {
            return lineRate;
        }
        rate.settle(now);
        return rate.rate();
    }

    /** Returns alpha, -1 before the first notification. */
    public double alpha() {
        return rate == null ? -1 : rate.alpha();
    }

    /** Returns how often the rate was cut. */
    public long cuts() {
        return rate == null ? 0 : rate.cuts();
    }

    @Override
    public void save(Snapshot out) {
        if (rate != null) {
            rate.save(out);
        }
        out.putLong(next);
        out.putLong(oldest);
        out.putLong(newest);
        came.save(out);
        out.putLong(repairNext);
        out.putLong(repairEnd);
        out.putBoolean(timed);
        out.putBoolean(started);
        out.putLong(sentAt);
        out.putInt(sentBytes);
        out.putLong(progressAt);
        out.putInt(retries);
        out.putLong(doneAt);
        out.putBoolean(failed);
        out.putLong(sent);
        out.putLong(again);
        out.putLong(naks);
        out.putLong(notifications);
        out.putLong(timeouts);
    }

    @Override
    public void load(Snapshot in) {
        if (rate != null) {
            rate.load(in);
        }
        next = in.getLong();
        oldest = in.getLong();
        newest = in.getLong();
        came.load(in);
        repairNext = in.getLong();
        repairEnd = in.getLong();
        timed = in.getBoolean();
        started = in.getBoolean();
        sentAt = in.getLong();
        sentBytes = in.getInt();
        progressAt = in.getLong();
        retries = in.getInt();
        doneAt = in.getLong();
        failed = in.getBoolean();
        sent = in.getLong();
        again = in.getLong();
        naks = in.getLong();
        notifications = in.getLong();
        timeouts = in.getLong();
    }
}
