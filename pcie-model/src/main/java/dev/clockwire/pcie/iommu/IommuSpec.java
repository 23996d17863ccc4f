package dev.clockwire.pcie.iommu;

import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.sim.error.ConfigurationException;

/**
 * An IOMMU in front of host memory.
 *
 * @param entries translations the IOTLB holds, a multiple of the ways; sets are a power of two
 * @param ways entries of one set, 1 or more
 * @param hitPs time of a look into the IOTLB
 * @param walkPs time of a walk of four levels; a walk of fewer levels takes its share
 * @param walkers walks under way at a time, 1 to 256; others wait for one to end
 * @param refusal how a read of an unmapped address is refused: UR (as VT-d does) or CA
 */
public record IommuSpec(int entries, int ways, long hitPs, long walkPs, int walkers, CompletionStatus refusal) {
    private static final int MAX_ENTRIES = 1 << 20;
    private static final int MAX_WALKERS = 256;
    private static final long LONGEST_PS = 100_000_000L;

    /** Checks the ranges. */
    public IommuSpec {
        range("ways", ways, 1, MAX_ENTRIES);
        range("entries", entries, ways, MAX_ENTRIES);
        range("hit ps", hitPs, 0, LONGEST_PS);
        range("walk ps", walkPs, PageSize.SMALL.levels(), LONGEST_PS);
        range("walkers", walkers, 1, MAX_WALKERS);
        if (entries % ways != 0 || Integer.bitCount(entries / ways) != 1) {
            throw new ConfigurationException("IOTLB: " + entries + " entries in " + ways
                    + " ways: the number of sets, entries / ways, is a power of two");
        }
        if (refusal != CompletionStatus.UR && refusal != CompletionStatus.CA) {
            throw new ConfigurationException("IOMMU: a fault is answered with " + refusal + ": must be UR or CA");
        }
    }

    private static void range(String what, long value, long min, long max) {
        if (value < min || value > max) {
            throw new ConfigurationException("IOMMU: " + what + " " + value + " is not in " + min + ".." + max);
        }
    }

    /** Returns what pcie-bench saw on Xeon E5: 64 pages, 330 ns for a miss, and that 512 B reads lose nothing: 15 million walks a second. */
    public static IommuSpec xeon() {
        return new IommuSpec(64, 4, 0, 330_000, 5, CompletionStatus.UR);
    }

    /** Returns a copy with another IOTLB. */
    public IommuSpec withIotlb(int otherEntries, int otherWays) {
        return new IommuSpec(otherEntries, otherWays, hitPs, walkPs, walkers, refusal);
    }

    /** Returns a copy with other walks. */
    public IommuSpec withWalks(long ps, int atATime) {
        return new IommuSpec(entries, ways, hitPs, ps, atATime, refusal);
    }

    /** Returns the time that a walk to a page of a size takes. */
    public long walkPs(PageSize size) {
        return walkPs * size.levels() / PageSize.SMALL.levels();
    }
}
