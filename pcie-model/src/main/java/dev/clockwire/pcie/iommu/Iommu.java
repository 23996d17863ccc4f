package dev.clockwire.pcie.iommu;

import dev.clockwire.pcie.tlp.TranslationEntry;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.stats.StatRegistry;

/**
 * Translates the addresses of devices. Every allocation of the host is mapped unless it was {@linkplain #unmap taken away}; bus addresses
 * are the host's own.
 *
 * <p>What a packet waits for is known when it asks: the IOTLB, a walk that is under way to the same page, or a walk of its own as soon as
 * one of the walkers is free. So there are no events here: times come out, and whoever asks must ask in the order of time.
 */
public final class Iommu implements State {
    private final IommuSpec spec;
    private final HugePages pages;
    private final AddressSpace memory;
    private final Iotlb iotlb;
    private final Walks walks;
    private final Holes holes = new Holes();
    private long hits;
    private long misses;
    private long evictions;
    private long faults;
    private long waitedPs;

    /**
     * Creates an IOMMU in front of a memory.
     *
     * @param path under which its statistics stand
     */
    public Iommu(IommuSpec spec, HugePages pages, AddressSpace memory, StatRegistry stats, String path) {
        this.spec = spec;
        this.pages = pages;
        this.memory = memory;
        iotlb = new Iotlb(spec.entries(), spec.ways());
        walks = new Walks(spec.walkers());
        stats.reading(path + ".hits", "", "translations that the IOTLB held", this::hits);
        stats.reading(path + ".misses", "", "translations that waited for a page walk", this::misses);
        stats.reading(path + ".walks", "", "page walks", walks::started);
        stats.reading(path + ".evictions", "", "translations that made room for others", () -> evictions);
        stats.reading(path + ".faults", "", "requests to addresses that are not mapped", this::faults);
        stats.reading(path + ".wait_ps", "ps", "time that requests waited for page walks", () -> waitedPs);
    }

    /** Returns the parameters. */
    public IommuSpec spec() {
        return spec;
    }

    /** Returns how many translations the IOTLB held. */
    public long hits() {
        return hits;
    }

    /** Returns how many translations waited for a walk, their own or another's. */
    public long misses() {
        return misses;
    }

    /** Returns how many page walks there were. */
    public long walks() {
        return walks.started();
    }

    /** Returns how many requests met an address that is not mapped. */
    public long faults() {
        return faults;
    }

    /**
     * Translates the address of one packet, which lies in one 4 KB page.
     *
     * @param at when the packet asks, in ps, not before the packet that asked last
     * @return when the address is known; its complement if it is then known not to be mapped
     */
    public long translate(long at, long va, int length) {
        for (long ended = walks.ended(at); ended >= 0; ended = walks.ended(at)) {
            evictions += iotlb.fill(ended) ? 1 : 0;
        }
        long looked = at + spec.hitPs();
        Allocation buffer = memory.at(va, Math.max(1, length));
        if (buffer == null || holes.touch(va, Math.max(1, length))) {
            faults++;
            long known = walks.start(looked, spec.walkPs(PageSize.SMALL), Walks.NOTHING);
            return ~known;
        }
        PageSize size = pages.page(buffer, va);
        long tag = Iotlb.tag(va, size);
        if (iotlb.touch(tag)) {
            hits++;
            return looked;
        }
        misses++;
        long known = walks.pending(tag);
        if (known < 0) {
            known = walks.start(looked, spec.walkPs(size), tag);
        }
        known = Math.max(looked, known);
        waitedPs += known - looked;
        return known;
    }

    /** Returns what a translation request for an address is answered with: the page around it that is mapped whole, or none. */
    public long entry(long va) {
        Allocation buffer = memory.at(va, 1);
        if (buffer == null) {
            return 0;
        }
        PageSize size = pages.page(buffer, va);
        size = holes.touch(va & -size.bytes(), size.bytes()) ? PageSize.SMALL : size;
        boolean mapped = !holes.touch(va & -size.bytes(), size.bytes());
        return mapped ? TranslationEntry.of(va, size.shift(), TranslationEntry.READ | TranslationEntry.WRITE) : 0;
    }

    /** Takes a range away from devices: what asks from now on is refused. To be called from outside of a run, or by the host's node. */
    public void unmap(long va, long length) {
        holes.add(va, length);
        iotlb.invalidate(va, length);
        walks.forget(va, length);
    }

    /** Gives a range that was taken away back. */
    public void map(long va, long length) {
        holes.remove(va, length);
    }

    @Override
    public void save(Snapshot out) {
        iotlb.save(out);
        walks.save(out);
        holes.save(out);
        out.putLong(hits);
        out.putLong(misses);
        out.putLong(evictions);
        out.putLong(faults);
        out.putLong(waitedPs);
    }

    @Override
    public void load(Snapshot in) {
        iotlb.load(in);
        walks.load(in);
        holes.load(in);
        hits = in.getLong();
        misses = in.getLong();
        evictions = in.getLong();
        faults = in.getLong();
        waitedPs = in.getLong();
    }
}
