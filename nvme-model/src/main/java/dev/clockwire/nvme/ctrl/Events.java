package dev.clockwire.nvme.ctrl;

import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.Arrays;
import java.util.function.IntConsumer;

/** Asynchronous events: requests of the host wait for something to tell; a type is told once until its log page is read. */
final class Events implements State {
    /** Requests that wait at a time. */
    static final int LIMIT = 4;
    /** Log page: errors. */
    static final int ERROR_LOG = 1;

    static final int INVALID_DOORBELL = 0;
    static final int INVALID_VALUE = 1;

    private static final int TYPES = 8;
    private static final int INFO_SHIFT = 8;
    private static final int PAGE_SHIFT = 16;
    private static final int NONE = -1;

    private final IntConsumer end;
    private final Command[] commands;
    private final int[] waiting = new int[LIMIT];
    private final boolean[] masked = new boolean[TYPES];
    private final int[] pending = new int[TYPES];
    private int count;

    /**
     * Creates it.
     *
     * @param end ends the command of a slot
     */
    Events(Command[] commands, IntConsumer end) {
        this.commands = commands;
        this.end = end;
        Arrays.fill(pending, NONE);
    }

    /** A request came. Returns 0 if it waits, or a status. */
    int request(Command c) {
        if (count == LIMIT) {
            return NvmeStatus.EVENT_LIMIT.code() | NvmeStatus.DO_NOT_RETRY;
        }
        waiting[count++] = c.slot;
        for (int type = 0; type < TYPES && count > 0; type++) {
            if (pending[type] != NONE && !masked[type]) {
                tell(type);
            }
        }
        return 0;
    }

    /** Something happened. */
    void happened(int type, int info, int page) {
        if (pending[type] != NONE || masked[type]) {
            return;
        }
        pending[type] = type | info << INFO_SHIFT | page << PAGE_SHIFT;
        if (count > 0) {
            tell(type);
        }
    }

    private void tell(int type) {
        Command c = commands[waiting[0]];
        System.arraycopy(waiting, 1, waiting, 0, --count);
        c.result = pending[type];
        pending[type] = NONE;
        masked[type] = true;
        end.accept(c.slot);
    }

    /** The host has read a log page: what it is about may be told again. */
    void read(int page) {
        if (page == ERROR_LOG) {
            masked[0] = false;
        }
        if (page == 2) {
            masked[1] = false;
        }
        if (page == 4) {
            masked[2] = false;
        }
    }

    /** Takes a waiting request away; returns whether there was one. */
    boolean forget(int slot) {
        for (int i = 0; i < count; i++) {
            if (waiting[i] == slot) {
                System.arraycopy(waiting, i + 1, waiting, i, --count - i);
                return true;
            }
        }
        return false;
    }

    void reset() {
        count = 0;
        Arrays.fill(masked, false);
        Arrays.fill(pending, NONE);
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(count);
        for (int i = 0; i < count; i++) {
            out.putInt(waiting[i]);
        }
        for (int t = 0; t < TYPES; t++) {
            out.putBoolean(masked[t]);
            out.putInt(pending[t]);
        }
    }

    @Override
    public void load(Snapshot in) {
        count = in.getInt();
        for (int i = 0; i < count; i++) {
            waiting[i] = in.getInt();
        }
        for (int t = 0; t < TYPES; t++) {
            masked[t] = in.getBoolean();
            pending[t] = in.getInt();
        }
    }
}
