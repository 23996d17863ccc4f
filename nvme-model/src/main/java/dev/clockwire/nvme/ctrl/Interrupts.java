package dev.clockwire.nvme.ctrl;

import dev.clockwire.pcie.config.MsixTable;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.Timer;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** Messages for completions, one for several where the host wants that. Vector 0, the admin queue's, never waits. */
final class Interrupts implements State {
    private static final long UNIT_PS = 100_000_000;
    private static final int MESSAGE = 4;

    private final SimNode node;
    private final HostAccess host;
    private final MsixTable table;
    private final int[] held;
    private final boolean[] immediate;
    private final Timer[] timers;
    private int threshold;
    private long timePs;
    private long sent;

    Interrupts(SimNode node, HostAccess host, MsixTable table, int vectors) {
        this.node = node;
        this.host = host;
        this.table = table;
        held = new int[vectors];
        immediate = new boolean[vectors];
        timers = new Timer[vectors];
        for (int i = 0; i < vectors; i++) {
            int vector = i;
            timers[i] = new Timer(node, "coalesce" + i) {
                @Override
                protected void expired(long at) {
                    flush(vector);
                }
            };
        }
    }

    /** Sets the feature: entries in bits 7:0, one less than they are, and time in bits 15:8, in 100 us. */
    void feature(int value) {
        threshold = value & 0xFF;
        timePs = (value >>> 8 & 0xFF) * UNIT_PS;
    }

    /** Lets a vector wait, or not. */
    void vector(int vector, boolean disabled) {
        immediate[vector] = disabled;
    }

    int vectors() {
        return held.length;
    }

    boolean isImmediate(int vector) {
        return immediate[vector];
    }

    /** An entry was put into a queue of a vector. */
    void completed(int vector) {
        if (vector == 0 || immediate[vector] || timePs == 0 || threshold == 0) {
            message(vector);
            return;
        }
        if (++held[vector] > threshold) {
            flush(vector);
        } else if (held[vector] == 1) {
            timers[vector].arm(node.now() + timePs);
        }
    }

    private void flush(int vector) {
        held[vector] = 0;
        timers[vector].cancel();
        message(vector);
    }

    private void message(int vector) {
        if (table.request(vector)) {
            send(vector);
        }
    }

    /** Sends the message of a vector that may pass. */
    void send(int vector) {
        int x = table.data(vector);
        byte[] b = {(byte) x, (byte) (x >> 8), (byte) (x >> 16), (byte) (x >> 24)};
        host.write(table.address(vector), b, MESSAGE);
        sent++;
    }

    /** Returns the messages sent. */
    long sent() {
        return sent;
    }

    void reset() {
        threshold = 0;
        timePs = 0;
        for (int i = 0; i < held.length; i++) {
            held[i] = 0;
            immediate[i] = false;
            timers[i].cancel();
        }
    }

    @Override
    public void save(Snapshot out) {
        for (int i = 0; i < held.length; i++) {
            out.putInt(held[i]);
            out.putBoolean(immediate[i]);
        }
        out.putInt(threshold);
        out.putLong(timePs);
        out.putLong(sent);
    }

    @Override
    public void load(Snapshot in) {
        for (int i = 0; i < held.length; i++) {
            held[i] = in.getInt();
            immediate[i] = in.getBoolean();
        }
        threshold = in.getInt();
        timePs = in.getLong();
        sent = in.getLong();
    }
}
