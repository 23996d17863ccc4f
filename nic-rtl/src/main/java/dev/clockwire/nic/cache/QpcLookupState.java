package dev.clockwire.nic.cache;

import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.profile.CacheSpec;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The WQEs inside a {@link QpcLookup} in their order, those among them that wait for a context, and the reads under way. */
final class QpcLookupState implements State {
    final SetCache cache;
    private final @Nullable Wqe[] wqes;
    private final long[] entered;
    private final long[] due;
    private final boolean[] waits;
    private final long[] came;
    private final @Nullable DmaRead[] idle;
    private final int[] reading;
    private int idleCount;
    private int readingCount;
    private int head;
    private int count;

    QpcLookupState(CacheSpec spec, int capacity) {
        cache = new SetCache(spec);
        wqes = new Wqe[capacity];
        entered = new long[capacity];
        due = new long[capacity];
        waits = new boolean[capacity];
        came = new long[capacity];
        idle = new DmaRead[spec.misses()];
        reading = new int[spec.misses()];
        refill();
    }

    private void refill() {
        for (int i = 0; i < idle.length; i++) {
            idle[i] = new DmaRead();
        }
        idleCount = idle.length;
        readingCount = 0;
    }

    int size() {
        return count;
    }

    boolean full() {
        return count == wqes.length;
    }

    boolean mayRead() {
        return idleCount > 0;
    }

    /** Whether the context of a queue pair is being read. */
    boolean pending(int qpn) {
        for (int i = 0; i < readingCount; i++) {
            if (reading[i] == qpn) {
                return true;
            }
        }
        return false;
    }

    DmaRead takeRead() {
        return Objects.requireNonNull(idle[--idleCount]);
    }

    void add(Wqe wqe, long cycle, long dueCycle, boolean miss) {
        int at = at(count++);
        wqes[at] = wqe;
        entered[at] = cycle;
        due[at] = dueCycle;
        waits[at] = miss;
        came[at] = cycle;
        if (miss && !pending(wqe.qpn)) {
            reading[readingCount++] = wqe.qpn;
        }
    }

    /** A context is here: those that wait for it go on. */
    void arrived(DmaRead read, long cycle) {
        int qpn = (int) read.cookie;
        cache.fill(qpn);
        idle[idleCount++] = read;
        for (int i = 0; i < readingCount; i++) {
            if (reading[i] == qpn) {
                reading[i] = reading[--readingCount];
                break;
            }
        }
        for (int i = 0; i < count; i++) {
            int at = at(i);
            if (waits[at] && Objects.requireNonNull(wqes[at]).qpn == qpn) {
                waits[at] = false;
                came[at] = cycle;
                due[at] = Math.max(due[at], cycle);
            }
        }
    }

    boolean headWaits() {
        return waits[head];
    }

    /** Returns the cycle from which on the first one's context was there. */
    long headCame() {
        return came[head];
    }

    long headDue() {
        return due[head];
    }

    long headEntered() {
        return entered[head];
    }

    Wqe remove() {
        Wqe wqe = Objects.requireNonNull(wqes[head]);
        wqes[head] = null;
        head = head + 1 == wqes.length ? 0 : head + 1;
        count--;
        return wqe;
    }

    private int at(int i) {
        int at = head + i;
        return at < wqes.length ? at : at - wqes.length;
    }

    @Override
    public void save(Snapshot out) {
        cache.save(out);
        out.putInt(count);
        for (int i = 0; i < count; i++) {
            int at = at(i);
            out.putToken(wqes[at]);
            out.putLong(entered[at]);
            out.putLong(due[at]);
            out.putBoolean(waits[at]);
            out.putLong(came[at]);
        }
        out.putInt(readingCount);
        for (int i = 0; i < readingCount; i++) {
            out.putInt(reading[i]);
        }
    }

    @Override
    public void load(Snapshot in) {
        cache.load(in);
        head = 0;
        count = in.getInt();
        for (int i = 0; i < count; i++) {
            wqes[i] = (Wqe) in.getToken();
            entered[i] = in.getLong();
            due[i] = in.getLong();
            waits[i] = in.getBoolean();
            came[i] = in.getLong();
        }
        refill();
        readingCount = in.getInt();
        for (int i = 0; i < readingCount; i++) {
            reading[i] = in.getInt();
        }
        idleCount = idle.length - readingCount;
    }
}
