package dev.clockwire.pcie.link;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/**
 * The transmit side of a lane bundle: items go out one behind the other. The end of an item is kept as whole picoseconds
 * and a remainder, so a busy link never drifts from its exact rate.
 */
public final class Serialiser implements State {
    private final long num;
    private final long den;
    private long end;
    private long remainder;
    private int knownBytes;
    private long knownPs;
    private long knownRemainder;

    /** Creates an idle transmitter. */
    public Serialiser(LinkRate rate) {
        num = rate.num();
        den = rate.den();
    }

    /** Returns the time, rounded down, at which the last item ends; an item handed over by then starts right behind it. */
    public long end() {
        return end;
    }

    /** Returns the time that some bytes take at least, headers included, in ps. */
    long least(long bytes) {
        return bytes * num / den;
    }

    /**
     * Sends an item as soon as the transmitter is free.
     *
     * @param now earliest start in ps
     * @param bytes bytes on the wire, framing included
     * @return the time at which the item ends, rounded down to ps
     */
    public long send(long now, int bytes) {
        if (bytes != knownBytes) {
            long ticks = num * bytes;
            knownBytes = bytes;
            knownPs = ticks / den;
            knownRemainder = ticks - knownPs * den;
        }
        if (now > end) {
            end = now;
            remainder = 0;
        }
        long r = remainder + knownRemainder;
        long t = end + knownPs;
        if (r >= den) {
            r -= den;
            t++;
        }
        remainder = r;
        end = t;
        return t;
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(end);
        out.putLong(remainder);
    }

    @Override
    public void load(Snapshot in) {
        end = in.getLong();
        remainder = in.getLong();
    }
}
