package dev.clockwire.roce.fabric;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** What one end of a link has sent. */
final class LinkCounters implements State {
    long frames;
    long lineBytes;
    long payloadBytes;

    @Override
    public void save(Snapshot out) {
        out.putLong(frames);
        out.putLong(lineBytes);
        out.putLong(payloadBytes);
    }

    @Override
    public void load(Snapshot in) {
        frames = in.getLong();
        lineBytes = in.getLong();
        payloadBytes = in.getLong();
    }
}
