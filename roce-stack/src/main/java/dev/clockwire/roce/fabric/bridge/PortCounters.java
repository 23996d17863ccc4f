package dev.clockwire.roce.fabric.bridge;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.stats.StatRegistry;

/** What has happened at a port of a switch, by class. */
public final class PortCounters implements State {
    private static final int KINDS = 9;

    private final long[] rxFrames = new long[SharedBuffer.CLASSES];
    private final long[] txFrames = new long[SharedBuffer.CLASSES];
    private final long[] marked = new long[SharedBuffer.CLASSES];
    private final long[] shortest = new long[SharedBuffer.CLASSES];
    private final long[] dropped = new long[SharedBuffer.CLASSES];
    private final long[] xoffSent = new long[SharedBuffer.CLASSES];
    private final long[] xonSent = new long[SharedBuffer.CLASSES];
    private final long[] xoffTaken = new long[SharedBuffer.CLASSES];
    private final long[] xonTaken = new long[SharedBuffer.CLASSES];
    private long xoffFrames;
    private long oversize;
    private long filtered;
    private long storms;
    private long restores;
    private long stormDrops;

    PortCounters() {}

    void received(int c) {
        rxFrames[c]++;
    }

    void sent(int c) {
        txFrames[c]++;
    }

    void mark(int c, long queued) {
        shortest[c] = marked[c] == 0 ? queued : Math.min(shortest[c], queued);
        marked[c]++;
    }

    void drop(int c) {
        dropped[c]++;
    }

    void tooLong() {
        oversize++;
    }

    void filter() {
        filtered++;
    }

    void stormed() {
        storms++;
    }

    void restored() {
        restores++;
    }

    /** The watchdog has thrown frames away. */
    void threwAway(long frames) {
        stormDrops += frames;
    }

    void pause(int off, int on) {
        xoffFrames += off == 0 ? 0 : 1;
        for (int c = 0; c < SharedBuffer.CLASSES; c++) {
            xoffSent[c] += off >> c & 1;
            xonSent[c] += on >> c & 1;
        }
    }

    void told(int c, int quanta) {
        if (quanta > 0) {
            xoffTaken[c]++;
        } else {
            xonTaken[c]++;
        }
    }

    /** Returns the frames of a class that came in. */
    public long rxFrames(int c) {
        return rxFrames[c];
    }

    /** Returns the frames of a class that were sent. */
    public long txFrames(int c) {
        return txFrames[c];
    }

    /** Returns the frames of a class that were marked on their way out. */
    public long marked(int c) {
        return marked[c];
    }

    /** Returns the frames of a class that came in and found no room. */
    public long dropped(int c) {
        return dropped[c];
    }

    /** Returns the frames that came in and were longer than the MTU. */
    public long oversize() {
        return oversize;
    }

    /** Returns the frames that came in and that the packet filter denied. */
    public long filtered() {
        return filtered;
    }

    /** Returns the frames sent that stop at least one class. */
    public long xoffFrames() {
        return xoffFrames;
    }

    /** Returns how often the far end was stopped in a class. */
    public long xoffSent(int c) {
        return xoffSent[c];
    }

    /** Returns how often the far end was let go in a class. */
    public long xonSent(int c) {
        return xonSent[c];
    }

    /** Returns how often the far end stopped a class. */
    public long xoffTaken(int c) {
        return xoffTaken[c];
    }

    /** Returns how often the far end let a class go. */
    public long xonTaken(int c) {
        return xonTaken[c];
    }

    /**
     * Shows the counters in a registry under the names that {@code ethtool -S} has for them, of mlx5 and, of packet filters, of Spectrum
     * switches (mlxsw).
     */
    void register(StatRegistry stats, String port) {
        stats.reading(port + ".rx_oversize_pkts_phy", "frames", "Frames longer than the MTU", this::oversize);
        stats.reading(port + ".ingress_policy_engine", "frames", "Frames that a packet filter denied", this::filtered);
        for (int c = 0; c < SharedBuffer.CLASSES; c++) {
            int k = c;
            String rx = port + ".rx_prio" + c + "_";
            String tx = port + ".tx_prio" + c + "_";
            stats.reading(rx + "packets", "frames", "Frames of the class that came in", () -> rxFrames[k]);
            stats.reading(rx + "discards", "frames", "Frames of the class that found no room", () -> dropped[k]);
            stats.reading(rx + "pause", "frames", "Times the far end stopped the class", () -> xoffTaken[k]);
            stats.reading(rx + "pause_transition", "frames", "Times the far end let the class go", () -> xonTaken[k]);
            stats.reading(tx + "packets", "frames", "Frames of the class that were sent", () -> txFrames[k]);
            stats.reading(tx + "ecn_marked", "frames", "Frames of the class that were marked", () -> marked[k]);
            stats.reading(tx + "ecn_queue_min", "bytes", "Shortest queue that marked a frame", () -> shortest[k]);
            stats.reading(tx + "pause", "frames", "Times the far end was stopped in the class", () -> xoffSent[k]);
            stats.reading(tx + "pause_transition", "frames", "Times the far end was let go", () -> xonSent[k]);
        }
    }

    /** Shows what a watchdog has done, under the names of SONiC's counters ({@code pfcwd show stats}); those of all classes together. */
    void registerWatchdog(StatRegistry stats, String port) {
        String at = port + ".PFC_WD_QUEUE_STATS_";
        stats.reading(at + "DEADLOCK_DETECTED", "storms", "Pause storms of the port's queues", () -> storms);
        stats.reading(at + "DEADLOCK_RESTORED", "storms", "Those that have ended", () -> restores);
        stats.reading(at + "TX_DROPPED_PACKETS", "frames", "Frames thrown away because of them", () -> stormDrops);
    }

    private long[] kind(int i) {
        return switch (i) {
            case 0 -> rxFrames;
            case 1 -> txFrames;
            case 2 -> marked;
            case 3 -> dropped;
            case 4 -> xoffSent;
            case 5 -> xonSent;
            case 6 -> xoffTaken;
            case 7 -> shortest;
            default -> xonTaken;
        };
    }

    @Override
    public void save(Snapshot out) {
        for (int i = 0; i < KINDS; i++) {
            out.putLongs(kind(i));
        }
        out.putLong(xoffFrames);
        out.putLong(oversize);
        out.putLong(filtered);
        out.putLong(storms);
        out.putLong(restores);
        out.putLong(stormDrops);
    }

    @Override
    public void load(Snapshot in) {
        for (int i = 0; i < KINDS; i++) {
            in.getLongs(kind(i));
        }
        xoffFrames = in.getLong();
        oversize = in.getLong();
        filtered = in.getLong();
        storms = in.getLong();
        restores = in.getLong();
        stormDrops = in.getLong();
    }
}
