package dev.clockwire.pcie.iommu;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/** Ranges that are not mapped although memory is there: few, and given back as they were taken. */
final class Holes implements State {
    private long[] ranges = new long[0];

    boolean touch(long va, long length) {
        for (int i = 0; i < ranges.length; i += 2) {
            if (ranges[i] < va + length && va < ranges[i] + ranges[i + 1]) {
                return true;
            }
        }
        return false;
    }

    void add(long va, long length) {
        ranges = Arrays.copyOf(ranges, ranges.length + 2);
        ranges[ranges.length - 2] = va;
        ranges[ranges.length - 1] = length;
    }

    void remove(long va, long length) {
        for (int i = 0; i < ranges.length; i += 2) {
            if (ranges[i] == va && ranges[i + 1] == length) {
                long[] less = Arrays.copyOf(ranges, ranges.length - 2);
                System.arraycopy(ranges, i + 2, less, i, less.length - i);
                ranges = less;
                return;
            }
        }
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(ranges.length);
        for (long x : ranges) {
            out.putLong(x);
        }
    }

    @Override
    public void load(Snapshot in) {
        ranges = new long[in.getInt()];
        for (int i = 0; i < ranges.length; i++) {
            ranges[i] = in.getLong();
        }
    }
}
