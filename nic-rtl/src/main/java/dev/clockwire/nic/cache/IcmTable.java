package dev.clockwire.nic.cache;

import dev.clockwire.nic.profile.CacheSpec;
import dev.clockwire.pcie.endpoint.DmaError;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The part of one table that is on the chip, and what of it is on its way there. Without a cache all of it is on the chip. */
final class IcmTable implements State {
    private final @Nullable SetCache cache;
    private final @Nullable MissTable misses;

    IcmTable(@Nullable CacheSpec spec, @Nullable RandomStream random) {
        cache = spec == null ? null : new SetCache(spec, random);
        misses = spec == null ? null : new MissTable(spec.misses());
    }

    boolean absent(long key) {
        return cache != null && !cache.holds(key);
    }

    boolean pending(long key) {
        return misses != null && misses.pending(key);
    }

    int free() {
        return misses == null ? 0 : misses.free();
    }

    /** Whether an entry that is absent may be waited for. */
    boolean mayMiss(long key) {
        return free() > 0 || pending(key);
    }

    boolean touch(long key) {
        return cache == null || cache.touch(key);
    }

    DmaRead begin(long key) {
        return Objects.requireNonNull(misses).begin(key);
    }

    /** Ends a read; what could not be read is not kept. */
    void end(DmaRead read, long key) {
        Objects.requireNonNull(misses).end(read, key);
        if (read.error == DmaError.NONE) {
            Objects.requireNonNull(cache).fill(key);
        }
    }

    void forget(long key) {
        if (cache != null) {
            cache.invalidate(key);
        }
    }

    long hits() {
        return cache == null ? 0 : cache.hits();
    }

    long missed() {
        return cache == null ? 0 : cache.misses();
    }

    @Override
    public void save(Snapshot out) {
        if (cache != null && misses != null) {
            cache.save(out);
            misses.save(out);
        }
    }

    @Override
    public void load(Snapshot in) {
        if (cache != null && misses != null) {
            cache.load(in);
            misses.load(in);
        }
    }
}
