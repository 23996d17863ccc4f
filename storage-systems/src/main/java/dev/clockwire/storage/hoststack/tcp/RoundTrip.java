package dev.clockwire.storage.hoststack.tcp;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** Smoothed round-trip time and what follows for the timeout, RFC 6298; a segment at a time is measured, none that was sent again (Karn). */
final class RoundTrip implements State {
    private static final long NOT = -1;

    private final TcpSpec spec;
    private long smoothed = NOT;
    private long variation;
    private long rto;
    private int timedEnd;
    private long timedAt = NOT;

    RoundTrip(TcpSpec spec) {
        this.spec = spec;
        rto = spec.firstRtoPs();
    }

    /** Returns the timeout in ps. */
    long rto() {
        return rto;
    }

    /** Returns the smoothed round trip in ps, -1 before the first. */
    long smoothed() {
        return smoothed;
    }

    /** A segment is sent for the first time. */
    void sent(int end, long now) {
        if (timedAt == NOT) {
            timedEnd = end;
            timedAt = now;
        }
    }

    /** Something is sent again: what its acknowledgement is for cannot be told. */
    void again() {
        timedAt = NOT;
    }

    /** The timeout has passed. */
    void expired() {
        again();
        rto = Math.min(2 * rto, spec.mostRtoPs());
    }

    /** New data are acknowledged. */
    void acked(int ack, long now) {
        if (timedAt == NOT || TcpSegment.before(ack, timedEnd)) {
            return;
        }
        measured(now - timedAt);
        timedAt = NOT;
    }

    /** Takes a measured round trip. */
    void measured(long ps) {
        if (smoothed == NOT) {
            smoothed = ps;
            variation = ps / 2;
        } else {
            variation += (Math.abs(smoothed - ps) - variation) / 4;
            smoothed += (ps - smoothed) / 8;
        }
        rto = Math.max(spec.leastRtoPs(), Math.min(spec.mostRtoPs(), smoothed + 4 * variation));
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(smoothed);
        out.putLong(variation);
        out.putLong(rto);
        out.putInt(timedEnd);
        out.putLong(timedAt);
    }

    @Override
    public void load(Snapshot in) {
        smoothed = in.getLong();
        variation = in.getLong();
        rto = in.getLong();
        timedEnd = in.getInt();
        timedAt = in.getLong();
    }
}
