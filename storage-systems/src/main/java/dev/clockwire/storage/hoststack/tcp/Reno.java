package dev.clockwire.storage.hoststack.tcp;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** The congestion window: slow start, congestion avoidance, fast retransmit and recovery (RFC 5681, RFC 6582). */
final class Reno implements State {
    /** Duplicates that tell of a loss. */
    static final int DUPLICATES = 3;

    private static final int LARGEST = 1 << 30;

    private final int initialWindow;
    private int mss;
    private int window;
    private int threshold = LARGEST;
    private int duplicates;
    private boolean recovers;
    private int recover;
    /** Bytes acknowledged since the window last grew by a segment. */
    private int counted;

    Reno(int initialWindow) {
        this.initialWindow = initialWindow;
    }

    /** Begins with segments of a size. */
    void begin(int segmentBytes, int iss) {
        mss = segmentBytes;
        window = initialWindow * mss;
        recover = iss;
    }

    /** Returns the bytes that may be under way. */
    int window() {
        return window;
    }

    /** Returns whether a loss is being repaired. */
    boolean recovers() {
        return recovers;
    }

    /** New data are acknowledged; returns whether the next segment is missing too and must be sent again. */
    boolean acked(int bytes, int ack, int inFlight) {
        duplicates = 0;
        if (recovers) {
            if (TcpSegment.before(ack, recover)) {
                window = Math.max(mss, window - bytes + mss);
                return true;
            }
            recovers = false;
            window = Math.min(threshold, Math.max(inFlight, mss) + mss);
            return false;
        }
        if (window < threshold) {
            grow(bytes); // all of it, as Linux does since acknowledgements of joined segments are few
        } else {
            counted += bytes;
            if (counted >= window) {
                counted -= window;
                grow(mss);
            }
        }
        return false;
    }

    private void grow(int bytes) {
        window = Math.min(LARGEST, window + bytes);
    }

    /** A duplicate was received; returns whether the oldest segment must be sent again. */
    boolean duplicate(int una, int next) {
        if (recovers) {
            grow(mss);
            return false;
        }
        duplicates++;
        if (duplicates != DUPLICATES || TcpSegment.before(una, recover)) {
            return false;
        }
        lost(next - una);
        recovers = true;
        recover = next;
        window = threshold + DUPLICATES * mss;
        return true;
    }

    /** The timeout has passed. */
    void expired(int una, int next) {
        lost(next - una);
        recovers = false;
        duplicates = 0;
        recover = next;
        window = mss;
    }

    private void lost(int inFlight) {
        threshold = Math.max(inFlight / 2, 2 * mss);
        counted = 0;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(mss);
        out.putInt(window);
        out.putInt(threshold);
        out.putInt(duplicates);
        out.putBoolean(recovers);
        out.putInt(recover);
        out.putInt(counted);
    }

    @Override
    public void load(Snapshot in) {
        mss = in.getInt();
        window = in.getInt();
        threshold = in.getInt();
        duplicates = in.getInt();
        recovers = in.getBoolean();
        recover = in.getInt();
        counted = in.getInt();
    }
}
