package dev.clockwire.nic.complete;

import dev.clockwire.nic.context.Completion;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The indices of each completion queue, and whose turn it is. */
final class CqState implements State {
    static final int ANY = 1;
    static final int SOLICITED = 2;

    private long[] producer = new long[16];
    /** What the driver had consumed when its record was read last. */
    private long[] consumer = new long[16];

    boolean receiveTurn;
    /** Of the Ethernet queues and the others it is the Ethernet queues' turn. */
    boolean otherTurn;
    /** A record is being read. */
    boolean reading;
    /** Since when a record is being read. */
    long readSince;
    /** When the last full queue was seen to have room, and since when its record had been read. */
    long roomAt = -1;

    long roomAskedAt;
    /** The queue whose record was read because it was full, -1 for none. */
    int asked = -1;
    /** The read that asks for records. */
    DmaRead record = new DmaRead();
    /** How each queue is armed: 0, {@link #ANY} or {@link #SOLICITED}. */
    private int[] armed = new int[16];
    /** Completions that an event has waited for since the queue was armed. */
    private int[] waited = new int[16];
    /** Index behind the newest solicited entry. */
    private long[] solicited = new long[16];
    /** Events of each queue so far: a period that belongs to an older one is over. */
    private int[] fired = new int[16];
    /** Sequence number of the arming, and that of the one whose event came last; -1 before the first. */
    private int[] sequence = new int[16];

    private int[] firedSequence = unfired(16);
    /** Followed operations that each queue's event has waited for; null for none yet. */
    private @Nullable HeldJourneys[] waiting = new HeldJourneys[16];
    /** The completion that a fault holds back: it is written behind the next one of its queue. */
    @Nullable
    Completion held;

    /** Which channels' first completion the rules of faults have been asked about. */
    int judged;
    /** What is held back is a receive. */
    boolean heldReceive;
    /** The next one has been written. */
    boolean heldDue;
    /** Cycle at which it is written anyway. */
    long heldUntil;
    /** Completions that found their queue broken. */
    long lost;

    private void ensure(int cqn) {
        if (cqn >= producer.length) {
            int n = Math.max(cqn + 1, 2 * producer.length);
            producer = Arrays.copyOf(producer, n);
            consumer = Arrays.copyOf(consumer, n);
            armed = Arrays.copyOf(armed, n);
            waited = Arrays.copyOf(waited, n);
            solicited = Arrays.copyOf(solicited, n);
            fired = Arrays.copyOf(fired, n);
            sequence = Arrays.copyOf(sequence, n);
            int old = firedSequence.length;
            firedSequence = Arrays.copyOf(firedSequence, n);
            Arrays.fill(firedSequence, old, n, -1);
            waiting = Arrays.copyOf(waiting, n);
        }
    }

    /** Returns the entries written that, as far as is known, nobody has consumed. */
    long used(int cqn) {
        ensure(cqn);
        return producer[cqn] - consumer[cqn];
    }

    long produced(int cqn) {
        ensure(cqn);
        return producer[cqn];
    }

    long next(int cqn) {
        ensure(cqn);
        return producer[cqn]++;
    }

    private static int[] unfired(int n) {
        int[] all = new int[n];
        Arrays.fill(all, -1);
        return all;
    }

    /** Returns the followed operations that an event of a queue waits for. */
    HeldJourneys held(int cqn) {
        ensure(cqn);
        HeldJourneys h = waiting[cqn];
        if (h == null) {
            h = new HeldJourneys();
            waiting[cqn] = h;
        }
        return h;
    }

    /**
     * Arms a queue; tells whether something came that the driver had not seen when it asked. An arming with the sequence number of an
     * event that is out already is an old one: the driver has not taken that event yet, and will arm again. Who has asked for any completion
     * is not content with solicited ones.
     *
     * @param known mask of the bits of {@code seen} that count
     * @param sn sequence number, -1 if the arming has none
     */
    boolean arm(int cqn, int how, int seen, int known, int sn) {
        ensure(cqn);
        if (armed[cqn] == 0 && sn >= 0 && firedSequence[cqn] == sn) {
            return false;
        }
        if (armed[cqn] == 0) {
            waited[cqn] = 0;
        }
        armed[cqn] = armed[cqn] == ANY ? ANY : how;
        sequence[cqn] = sn;
        long newest = how == ANY ? producer[cqn] : solicited[cqn];
        int missed = (int) newest - seen & known;
        return missed != 0 && missed <= known / 2;
    }

    /** Notes an entry that was written last; tells whether it counts for an event. */
    boolean counts(int cqn, boolean isSolicited) {
        if (isSolicited) {
            solicited[cqn] = producer[cqn];
        }
        return armed[cqn] == ANY || (armed[cqn] == SOLICITED && isSolicited);
    }

    boolean isArmed(int cqn) {
        return armed[cqn] != 0;
    }

    /** Returns how many completions the next event has waited for, this one included. */
    int wait(int cqn) {
        return ++waited[cqn];
    }

    /** The event goes out: the queue is not armed any more. */
    void fire(int cqn) {
        armed[cqn] = 0;
        waited[cqn] = 0;
        firedSequence[cqn] = sequence[cqn];
        fired[cqn]++;
    }

    int fired(int cqn) {
        return fired[cqn];
    }

    /** Takes over the 24-bit counter of a record. */
    void consumed(int cqn, int counter) {
        consumer[cqn] += counter - (int) consumer[cqn] & 0xFFFFFF;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt((receiveTurn ? 1 : 0) | (reading ? 2 : 0) | (otherTurn ? 4 : 0));
        out.putLong(readSince);
        out.putLong(roomAt);
        out.putLong(roomAskedAt);
        out.putInt(asked);
        out.putToken(record);
        out.putToken(held);
        out.putBoolean(heldReceive);
        out.putInt(judged);
        out.putBoolean(heldDue);
        out.putLong(heldUntil);
        out.putLong(lost);
        out.putInt(producer.length);
        out.putLongs(producer);
        out.putLongs(consumer);
        out.putLongs(solicited);
        for (int i = 0; i < armed.length; i++) {
            out.putInt(armed[i]);
            out.putInt(waited[i]);
            out.putInt(fired[i]);
            out.putInt(sequence[i]);
            out.putInt(firedSequence[i]);
            held(i).save(out);
        }
    }

    @Override
    public void load(Snapshot in) {
        int flags = in.getInt();
        receiveTurn = (flags & 1) != 0;
        reading = (flags & 2) != 0;
        otherTurn = (flags & 4) != 0;
        readSince = in.getLong();
        roomAt = in.getLong();
        roomAskedAt = in.getLong();
        asked = in.getInt();
        record = (DmaRead) Objects.requireNonNull(in.getToken());
        held = (Completion) in.getToken();
        heldReceive = in.getBoolean();
        judged = in.getInt();
        heldDue = in.getBoolean();
        heldUntil = in.getLong();
        lost = in.getLong();
        producer = new long[in.getInt()];
        in.getLongs(producer);
        consumer = new long[producer.length];
        in.getLongs(consumer);
        solicited = new long[producer.length];
        in.getLongs(solicited);
        armed = new int[producer.length];
        waited = new int[producer.length];
        fired = new int[producer.length];
        sequence = new int[producer.length];
        firedSequence = new int[producer.length];
        waiting = new HeldJourneys[producer.length];
        for (int i = 0; i < armed.length; i++) {
            armed[i] = in.getInt();
            waited[i] = in.getInt();
            fired[i] = in.getInt();
            sequence[i] = in.getInt();
            firedSequence[i] = in.getInt();
            held(i).load(in);
        }
    }
}
