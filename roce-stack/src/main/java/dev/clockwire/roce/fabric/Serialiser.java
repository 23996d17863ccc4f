package dev.clockwire.roce.fabric;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/**
 * Puts frames on a line one after the other. The time it is free again is kept as whole ps and a remainder in 1 / kbps ps, so
 * a million frames end where the formula says, not a million roundings later.
 */
final class Serialiser implements State {
    private final LinkSpec spec;
    private long freePs;
    private long freeTicks;
    private long firstBit;
    private long lastBit;

    Serialiser(LinkSpec spec) {
        this.spec = spec;
    }

    /** Begins a frame at {@code at}, or when the line is free if that is later; {@link #free} means exactly then. */
    void begin(long at, int lineBytes) {
        if (at > roundedUp()) {
            freePs = at;
            freeTicks = 0;
        }
        firstBit = roundedUp();
        long startPs = freePs;
        long startTicks = freeTicks;
        advance(lineBytes - spec.framing().gapBytes());
        lastBit = roundedUp();
        freePs = startPs;
        freeTicks = startTicks;
        advance(lineBytes);
    }

    private void advance(int bytes) {
        long ticks = freeTicks + spec.lineTicks(bytes);
        freePs += ticks / spec.kbps();
        freeTicks = ticks % spec.kbps();
    }

    private long roundedUp() {
        return freeTicks == 0 ? freePs : freePs + 1;
    }

    /** Returns when the first bit of the newest frame leaves, rounded up to ps. */
    long firstBit() {
        return firstBit;
    }

    /** Returns when the last bit of the newest frame has left, rounded up to ps. */
    long lastBit() {
        return lastBit;
    }

    /** Returns when the next frame can begin, rounded up to ps. */
    long free() {
        return roundedUp();
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(freePs);
        out.putLong(freeTicks);
        out.putLong(firstBit);
        out.putLong(lastBit);
    }

    @Override
    public void load(Snapshot in) {
        freePs = in.getLong();
        freeTicks = in.getLong();
        firstBit = in.getLong();
        lastBit = in.getLong();
    }
}
