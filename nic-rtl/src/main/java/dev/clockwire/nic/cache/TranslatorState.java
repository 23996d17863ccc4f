package dev.clockwire.nic.cache;

import dev.clockwire.nic.profile.IcmSpec;
import dev.clockwire.roce.transport.MemoryKeys;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.stats.StatRegistry;
import org.jspecify.annotations.Nullable;

/** The two caches of a {@link Translator} and whose turn it is; what waits is in the lanes. */
final class TranslatorState implements State {
    final IcmTable keys;
    final IcmTable pages;
    int turn;
    long prefetches;
    long readErrors;

    /** Lookups left in this cycle: nothing that lasts. */
    int keyPorts;

    int pagePorts;

    TranslatorState(IcmSpec spec, @Nullable RandomStream keyRandom, @Nullable RandomStream pageRandom) {
        keys = new IcmTable(spec.mpt(), keyRandom);
        pages = new IcmTable(spec.mtt(), pageRandom);
    }

    int index(int key) {
        return key >>> MemoryKeys.VARIANT_BITS;
    }

    /** A key is gone; translations have numbers that are not used again, so theirs only go stale. */
    void forget(int key) {
        keys.forget(index(key));
    }

    /** Shows the counters by the names of mlx5's diagnostics. */
    void register(StatRegistry stats, String path) {
        stats.reading(path + ".l0_mpt_hit", "", "Keys that were on the chip", keys::hits);
        stats.reading(path + ".l0_mpt_miss", "", "Keys that were not", keys::missed);
        stats.reading(path + ".l0_mtt_hit", "", "Translations that were on the chip", pages::hits);
        stats.reading(path + ".l0_mtt_miss", "", "Translations that were not", pages::missed);
        stats.reading(path + ".mtt_prefetch", "", "Translations read ahead", () -> prefetches);
        stats.reading(path + ".read_errors", "", "Keys and translations that could not be read", () -> readErrors);
    }

    @Override
    public void save(Snapshot out) {
        keys.save(out);
        pages.save(out);
        out.putInt(turn);
        out.putLong(prefetches);
        out.putLong(readErrors);
    }

    @Override
    public void load(Snapshot in) {
        keys.load(in);
        pages.load(in);
        turn = in.getInt();
        prefetches = in.getLong();
        readErrors = in.getLong();
    }
}
