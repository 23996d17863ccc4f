package dev.clockwire.nvme.ctrl;

import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/** Blocks that a medium cannot read, or cannot write, or that the controller itself fails at, so and so often. */
final class BadBlocks implements State {
    private static final int WORDS = 5;

    static final int READS = 0;
    static final int WRITES = 1;
    /** Reads and writes alike, and not for the medium's sake. */
    static final int INTERNAL = 2;

    /** Namespace, first block, blocks, one of the kinds above, and how often, of each range. */
    private long[] ranges = new long[0];

    void add(int nsid, long slba, long blocks, int kind, long times) {
        if (slba < 0 || blocks < 1 || times < 1) {
            throw new ConfigurationException("bad blocks: " + blocks + " from " + slba + ", " + times
                    + " times: must be 1 or more from 0 or more, once or more");
        }
        int at = ranges.length;
        ranges = Arrays.copyOf(ranges, at + WORDS);
        ranges[at] = nsid;
        ranges[at + 1] = slba;
        ranges[at + 2] = blocks;
        ranges[at + 3] = kind;
        ranges[at + 4] = times;
    }

    /** Returns what a command that reads or writes the medium ends with: 0, unrecovered read error, write fault or internal error. */
    int touch(int nsid, long slba, long blocks, boolean writes) {
        for (int at = 0; at < ranges.length; at += WORDS) {
            boolean meets =
                    ranges[at] == nsid && slba < ranges[at + 1] + ranges[at + 2] && ranges[at + 1] < slba + blocks;
            boolean internal = ranges[at + 3] == INTERNAL;
            if (meets && (internal || ranges[at + 3] == (writes ? WRITES : READS)) && ranges[at + 4] > 0) {
                ranges[at + 4]--;
                NvmeStatus medium = writes ? NvmeStatus.WRITE_FAULT : NvmeStatus.UNRECOVERED_READ;
                return (internal ? NvmeStatus.INTERNAL_ERROR : medium).code();
            }
        }
        return 0;
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
