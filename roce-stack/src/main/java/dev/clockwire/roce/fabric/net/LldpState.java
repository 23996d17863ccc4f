package dev.clockwire.roce.fabric.net;

import dev.clockwire.roce.wire.LldpFrame;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import org.jspecify.annotations.Nullable;

/** What an LLDP agent knows of its neighbour, and what it has done. */
final class LldpState implements State {
    /** The neighbour's newest frame; null if nobody is known. */
    @Nullable
    LldpFrame neighbour;
    /** Frames still to be sent in quick succession. */
    int fast;
    /** Priorities with flow control that the port was told to work with; -1 before the first word. */
    int told = -1;

    long sent;
    long taken;
    long discarded;
    long aged;

    @Override
    public void save(Snapshot out) {
        LldpFrame known = neighbour;
        byte[] bytes = known == null ? new byte[0] : known.encode();
        out.putInt(bytes.length);
        out.putBytes(bytes, 0, bytes.length);
        out.putInt(fast);
        out.putInt(told);
        out.putLong(sent);
        out.putLong(taken);
        out.putLong(discarded);
        out.putLong(aged);
    }

    @Override
    public void load(Snapshot in) {
        byte[] bytes = new byte[in.getInt()];
        in.getBytes(bytes, 0, bytes.length);
        neighbour = LldpFrame.decode(bytes).orElse(null);
        fast = in.getInt();
        told = in.getInt();
        sent = in.getLong();
        taken = in.getLong();
        discarded = in.getLong();
        aged = in.getLong();
    }
}
