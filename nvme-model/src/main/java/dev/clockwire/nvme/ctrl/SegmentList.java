package dev.clockwire.nvme.ctrl;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;

/** Where a command's data lie in the host: pieces in order, neighbours joined. */
final class SegmentList implements State {
    /** Address of a piece that takes data and drops them. */
    static final long NOWHERE = -1;

    private static final int FIRST = 4;

    private long[] address = new long[FIRST];
    private int[] bytes = new int[FIRST];
    private int count;
    private long total;

    void clear() {
        count = 0;
        total = 0;
    }

    void add(long at, int length) {
        total += length;
        int last = count - 1;
        if (last >= 0 && at != NOWHERE && address[last] != NOWHERE && address[last] + bytes[last] == at) {
            bytes[last] += length;
            return;
        }
        if (count == bytes.length) {
            address = Arrays.copyOf(address, count * 2);
            bytes = Arrays.copyOf(bytes, count * 2);
        }
        address[count] = at;
        bytes[count++] = length;
    }

    int count() {
        return count;
    }

    long total() {
        return total;
    }

    long address(int i) {
        return address[i];
    }

    int bytes(int i) {
        return bytes[i];
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(count);
        for (int i = 0; i < count; i++) {
            out.putLong(address[i]);
            out.putInt(bytes[i]);
        }
    }

    @Override
    public void load(Snapshot in) {
        clear();
        for (int n = in.getInt(); n > 0; n--) {
            long at = in.getLong();
            int length = in.getInt();
            add(at, length);
        }
    }
}
