package dev.clockwire.pcie.host;

import dev.clockwire.pcie.tlp.TranslationEntry;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** The messages of a root port that take translations back from devices and have no answer yet. */
final class Invalidations implements State {
    /** Tags are 5 bits. */
    private static final int TAGS = 32;

    private static final int SMALLEST = 12;

    private final String path;
    private final int[] device = new int[TAGS];
    private int open;
    private int last = TAGS - 1;

    Invalidations(String path) {
        this.path = path;
    }

    /** Returns the smallest page that covers a range. */
    static long entry(long va, long bytes) {
        int shift = SMALLEST;
        while (va >>> shift != (va + Math.max(1, bytes) - 1) >>> shift) {
            shift++;
        }
        return TranslationEntry.of(va, shift, 0);
    }

    /** Takes the next free tag for a device. */
    int next(int id, long now) {
        if (open == -1) {
            throw new ConfigurationException(path, now, "32 invalidations have no answer yet: one more must wait");
        }
        do {
            last = (last + 1) % TAGS;
        } while ((open >>> last & 1) != 0);
        open |= 1 << last;
        device[last] = id;
        return last;
    }

    /** A device has answered; bit n is tag n. */
    void answered(int id, int tags) {
        for (int i = 0; i < TAGS; i++) {
            if ((tags >>> i & 1) != 0 && device[i] == id) {
                open &= ~(1 << i);
            }
        }
    }

    int pending() {
        return Integer.bitCount(open);
    }

    @Override
    public void save(Snapshot out) {
        for (int id : device) {
            out.putInt(id);
        }
        out.putInt(open);
        out.putInt(last);
    }

    @Override
    public void load(Snapshot in) {
        for (int i = 0; i < TAGS; i++) {
            device[i] = in.getInt();
        }
        open = in.getInt();
        last = in.getInt();
    }
}
