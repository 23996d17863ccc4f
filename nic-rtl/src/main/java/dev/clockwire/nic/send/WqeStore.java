package dev.clockwire.nic.send;

import dev.clockwire.nic.cache.MissTable;
import dev.clockwire.nic.cache.SetCache;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.profile.CacheSpec;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.stats.StatRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Room on the chip for WQEs that were read ahead and wait for their execution. Where there are more, one makes room and is read again
 * when its turn comes; so is one that is sent again, since a WQE under execution takes no room here. Part of the send engine, not a
 * block; not there where all that was read fits.
 */
final class WqeStore implements State {
    private static final int FLOW = 0xFFFA;
    private static final int WINDOW = 64;
    private static final int INDEX_BITS = 16;

    private final SetCache cache;
    private final MissTable misses;
    private final DeviceParts parts;
    private final EventPort reads;
    private final Inlet<DmaRead> replies;
    private long hits;
    private long missed;

    /**
     * Creates an empty store.
     *
     * @param spec one set
     * @param random chooses what makes room; null: the oldest
     */
    WqeStore(
            CacheSpec spec, @Nullable RandomStream random, EventPort reads, Inlet<DmaRead> replies, DeviceParts parts) {
        cache = new SetCache(spec, random);
        misses = new MissTable(spec.misses());
        this.reads = reads;
        this.replies = replies;
        this.parts = parts;
    }

    void register(StatRegistry stats, String path) {
        stats.reading(path + ".wqe_hit", "", "WQEs that were still on the chip when their turn came", () -> hits);
        stats.reading(path + ".wqe_miss", "", "WQEs that were read again", () -> missed);
    }

    private static long key(int q, int index) {
        return (long) q << INDEX_BITS | index;
    }

    /** A WQE came. */
    void add(int q, Wqe wqe) {
        cache.fill(key(q, wqe.index));
    }

    /** Whether what a queue does next needs a WQE that is not on the chip. */
    boolean lacks(SendQueue queue, int q) {
        Wqe wqe = next(queue);
        return wqe != null && queue.latched != wqe.index && (queue.isRewound() || !cache.holds(key(q, wqe.index)));
    }

    private static @Nullable Wqe next(SendQueue queue) {
        if (!queue.allMade()) {
            return queue.isRewound() ? queue.inFlight(queue.issueEntry) : null;
        }
        return queue.waitingCount > 0 && queue.qp.state != QpState.SQD ? queue.firstWaiting() : null;
    }

    /** Reads what a queue lacks; false if it is on its way, or too many are. */
    boolean ask(SendQueue queue, int q, long now) {
        Wqe wqe = next(queue);
        if (wqe == null || misses.free() == 0 || misses.pending(key(q, wqe.index))) {
            return false;
        }
        missed++;
        QpContext qp = queue.qp;
        int blocks = 1 << qp.logSqBlocks;
        int block = wqe.index & blocks - 1;
        long key = key(q, wqe.index);
        DmaRead read = misses.begin(key);
        read.address = qp.sqBase + (long) block * Wqe.BLOCK;
        read.length = Math.min(wqe.blocks, blocks - block) * Wqe.BLOCK; // what wraps is one more TLP of no consequence
        read.cookie = -1 - key;
        read.flow = FLOW;
        read.window = WINDOW;
        read.reply = replies;
        queue.asked = now;
        reads.send(now + 1, 0, 0, 0, read);
        return true;
    }

    /** Returns the queue for which a WQE came again. */
    int queueOf(DmaRead reply) {
        return (int) ((-1 - reply.cookie) >>> INDEX_BITS);
    }

    /** A WQE came again; returns it if it is still what its queue does next. */
    @Nullable
    Wqe arrived(SendQueue queue, DmaRead reply, long now) {
        long key = -1 - reply.cookie;
        misses.end(reply, key);
        queue.latched = (int) key & (1 << INDEX_BITS) - 1;
        Wqe wqe = next(queue);
        if (wqe != null && wqe.index == queue.latched) {
            parts.journal().delayedBeforePackets(wqe.journey, parts.journal().causes.wqeMiss, queue.asked, now);
            return wqe;
        }
        return null;
    }

    /** A WQE is under execution. */
    void started(SendQueue queue, int q, int index) {
        hits += queue.latched == index ? 0 : 1;
        queue.latched = SendQueue.NOTHING;
        cache.invalidate(key(q, index));
    }

    @Override
    public void save(Snapshot out) {
        cache.save(out);
        misses.save(out);
        out.putLong(hits);
        out.putLong(missed);
    }

    @Override
    public void load(Snapshot in) {
        cache.load(in);
        misses.load(in);
        hits = in.getLong();
        missed = in.getLong();
    }
}
