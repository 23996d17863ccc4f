package dev.clockwire.nic.notify;

import dev.clockwire.nic.stage.TokenQueue;
import dev.clockwire.roce.congestion.NotificationPacing;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.List;

/** When each queue pair, or the port, may notify again, and the notifications that are being made. */
final class NotificationState implements State {
    final NotificationPacing ofPort = new NotificationPacing();
    private final List<NotificationPacing> ofQueue = new ArrayList<>();
    /** Each has the cycle in which it is done as its mark. */
    final TokenQueue<RocePacket> pipe = new TokenQueue<>();

    long marked;
    long sent;

    NotificationPacing of(int q) {
        while (q >= ofQueue.size()) {
            ofQueue.add(new NotificationPacing());
        }
        return ofQueue.get(q);
    }

    @Override
    public void save(Snapshot out) {
        ofPort.save(out);
        out.putInt(ofQueue.size());
        for (NotificationPacing pacing : ofQueue) {
            pacing.save(out);
        }
        pipe.save(out);
        out.putLong(marked);
        out.putLong(sent);
    }

    @Override
    public void load(Snapshot in) {
        ofPort.load(in);
        ofQueue.clear();
        for (int n = in.getInt(), q = 0; q < n; q++) {
            of(q).load(in);
        }
        pipe.load(in);
        marked = in.getLong();
        sent = in.getLong();
    }
}
