package dev.clockwire.roce.fabric.host;

import dev.clockwire.roce.congestion.NotificationPacing;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** The receiving side of a flow. */
final class ReceiveFlow implements State {
    final int src;
    final int hash;
    /** Its place among the flows that the source sends. */
    final int peer;

    final long packets;

    /** The packet that is due next. */
    long expected;
    /** Selective repeat: what has come beyond it. */
    final SeqBits came = new SeqBits();

    int sinceAck;
    long nakedFor = -1;
    long nakAgainAt;
    long received;
    long duplicates;
    long outOfOrder;
    final NotificationPacing pacing = new NotificationPacing();
    long cnps;

    ReceiveFlow(int src, int hash, int peer, long packets) {
        this.src = src;
        this.hash = hash;
        this.peer = peer;
        this.packets = packets;
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(expected);
        came.save(out);
        out.putInt(sinceAck);
        out.putLong(nakedFor);
        out.putLong(nakAgainAt);
        out.putLong(received);
        out.putLong(duplicates);
        out.putLong(outOfOrder);
        pacing.save(out);
        out.putLong(cnps);
    }

    @Override
    public void load(Snapshot in) {
        expected = in.getLong();
        came.load(in);
        sinceAck = in.getInt();
        nakedFor = in.getLong();
        nakAgainAt = in.getLong();
        received = in.getLong();
        duplicates = in.getLong();
        outOfOrder = in.getLong();
        pacing.load(in);
        cnps = in.getLong();
    }
}
