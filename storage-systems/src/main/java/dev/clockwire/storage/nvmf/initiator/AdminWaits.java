package dev.clockwire.storage.nvmf.initiator;

import dev.clockwire.nvme.driver.NvmeDone;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Admin commands under way: who waits for each, since when, and what for. */
final class AdminWaits {
    /** Tag of the command that may wait for ever: that for events. */
    static final int EVENT_TAG = 1;

    private final @Nullable NvmeDone[] waiting;
    private final String[] names;
    private final int[] opcodes;
    private final long[] sincePs;

    AdminWaits(int entries) {
        waiting = new @Nullable NvmeDone[entries];
        names = new String[entries];
        opcodes = new int[entries];
        sincePs = new long[entries];
        Arrays.fill(names, "");
    }

    /** Returns a tag that is free, -1 if there is none. */
    int free() {
        for (int tag = 0; tag < waiting.length; tag++) {
            if (waiting[tag] == null && tag != EVENT_TAG) {
                return tag;
            }
        }
        return -1;
    }

    /**
     * A command leaves.
     *
     * @param name for errors; empty: its opcode
     */
    void begin(int tag, String name, int opcode, long now, NvmeDone then) {
        waiting[tag] = then;
        names[tag] = name;
        opcodes[tag] = opcode;
        sincePs[tag] = now;
    }

    /** A command has ended; returns who waits for it. */
    @Nullable
    NvmeDone end(int tag) {
        NvmeDone then = waiting[tag];
        waiting[tag] = null;
        return then;
    }

    /** Returns what has waited for longer than a time, in words, null if nothing has. */
    @Nullable
    String late(long now, long limitPs) {
        for (int tag = 0; tag < waiting.length; tag++) {
            if (waiting[tag] != null && tag != EVENT_TAG && now - sincePs[tag] > limitPs) {
                return names[tag].isEmpty()
                        ? String.format(Locale.ROOT, "Admin command %02Xh", opcodes[tag])
                        : names[tag];
            }
        }
        return null;
    }
}
