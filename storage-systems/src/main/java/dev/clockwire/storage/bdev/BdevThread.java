package dev.clockwire.storage.bdev;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.storage.reactor.Errno;
import dev.clockwire.storage.reactor.ObjectPool;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** What a thread has of the layer: its share of the pool, and who waits for an I/O of it. */
final class BdevThread implements State {
    private final Bdevs all;
    private final ObjectPool.Cache cache;
    private final ArrayDeque<Runnable> waiters = new ArrayDeque<>();

    BdevThread(Bdevs all) {
        this.all = all;
        cache = all.pool().cache(all.spec().ioCache());
    }

    /** Takes an I/O; null if there is none, or others wait for those of the pool. */
    @Nullable
    BdevIo take() {
        boolean mayTake = cache.count() > 0 || waiters.isEmpty();
        return mayTake && cache.take() ? all.io() : null;
    }

    /** Gives an I/O back, to who waits for one if anybody does. */
    void give(BdevIo io) {
        all.free(io);
        cache.give();
        while (cache.count() > 0 && !waiters.isEmpty()) {
            waiters.remove().run();
        }
    }

    int await(Runnable waiter) {
        if (cache.count() > 0) {
            return -Errno.EINVAL;
        }
        waiters.add(waiter);
        return 0;
    }

    void close() {
        cache.drain();
    }

    @Override
    public void save(Snapshot out) {
        cache.save(out);
    }

    @Override
    public void load(Snapshot in) {
        cache.load(in);
        waiters.clear();
    }
}
