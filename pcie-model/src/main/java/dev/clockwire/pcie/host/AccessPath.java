package dev.clockwire.pcie.host;

import dev.clockwire.pcie.iommu.Iommu;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.stats.StatRegistry;
import org.jspecify.annotations.Nullable;

/**
 * What a device's packet passes between the root port and memory on a host that has more there than fixed latencies: translation, stalls,
 * the cache. All ports share it, so packets pass one by one, in the order of their arrival.
 */
final class AccessPath implements State {
    private final @Nullable Iommu iommu;
    private final @Nullable DeviceLines lines;
    private final @Nullable Stalls stalls;

    AccessPath(@Nullable Iommu iommu, @Nullable DeviceLines lines, @Nullable Stalls stalls) {
        this.iommu = iommu;
        this.lines = lines;
        this.stalls = stalls;
    }

    void register(StatRegistry stats, String path) {
        DeviceLines l = lines;
        if (l != null) {
            stats.reading(
                    path + ".ddio.read_hits", "", "device reads of what devices wrote, from the cache", l::readHits);
            stats.reading(path + ".ddio.read_misses", "", "device reads that memory answered", l::readMisses);
            stats.reading(path + ".ddio.evictions", "", "lines of device writes pushed out to memory", l::pushedOut);
        }
        Stalls s = stalls;
        if (s != null) {
            stats.reading(path + ".stalls", "", "times at which all of memory stood still", s::stalls);
            stats.reading(
                    path + ".stall_wait_ps", "ps", "time that requests waited for it, jitter included", s::waitedPs);
        }
    }

    /** Returns when the address of a packet is known, the complement if it is not mapped; see {@link Iommu#translate}. */
    long translate(long at, long va, int bytes) {
        Iommu mmu = iommu;
        return mmu == null ? at : mmu.translate(at, va, bytes);
    }

    /** Returns when memory takes an access that is ready at a time. */
    long begin(long at) {
        Stalls s = stalls;
        return s == null ? at : s.begin(at);
    }

    /** Returns whether the period of a time has a stall. */
    boolean isStruck(long at) {
        Stalls s = stalls;
        return s != null && s.isStruck(at);
    }

    /** A device writes. */
    void write(long va, int bytes) {
        DeviceLines l = lines;
        if (l != null) {
            l.write(va, bytes);
        }
    }

    /** Returns whether a device's read of memory hits lines that devices wrote. */
    boolean cached(long va, int bytes) {
        DeviceLines l = lines;
        return l != null && l.read(va, bytes);
    }

    /** Returns whether a device's read goes to memory only because the ways for devices had no room. */
    boolean lost(long va, int bytes) {
        DeviceLines l = lines;
        return l != null && l.lost(va, bytes);
    }

    @Override
    public void save(Snapshot out) {
        if (lines != null) {
            lines.save(out);
        }
        if (stalls != null) {
            stalls.save(out);
        }
    }

    @Override
    public void load(Snapshot in) {
        if (lines != null) {
            lines.load(in);
        }
        if (stalls != null) {
            stalls.load(in);
        }
    }
}
