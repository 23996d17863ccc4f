package dev.clockwire.nic.mac;

import dev.clockwire.nic.profile.CongestionSpec;
import dev.clockwire.nic.stage.TokenQueue;
import dev.clockwire.roce.fabric.bridge.PauseState;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.List;

/**
 * What the MAC may not send, as the far end of the line has told it, and what it is to tell the far end. Packets of a paused class that were
 * between engines and MAC already step aside, so that other classes go on; they leave first when their class may.
 */
final class PauseGate implements State {
    private static final int CLASS_SHIFT = 3;
    private static final int ALL = 0xFF;

    private final CongestionSpec spec;
    private final PauseState paused;
    /** The far end as this end has paused it. */
    private final PauseState pausing;

    private final List<TokenQueue<RocePacket>> aside = new ArrayList<>();
    private int waiting;
    /** Bit n: class n has flow control, as both ends of the line have agreed; all of them where nobody has spoken of it. */
    int agreed = ALL;
    /** What the far end is to be told. */
    final TokenQueue<PauseFrame> says = new TokenQueue<>();
    /** What the engines were told last. */
    int told;
    /** When the event is due that looks whether a pause is over. */
    long looksAt;

    private final long[] taken = new long[PauseFrame.CLASSES];
    private final long[] sent = new long[PauseFrame.CLASSES];

    PauseGate(CongestionSpec spec, long lineRate) {
        this.spec = spec;
        paused = new PauseState(lineRate / 1000, true);
        pausing = new PauseState(lineRate / 1000, true);
        for (int c = 0; c < PauseFrame.CLASSES; c++) {
            aside.add(new TokenQueue<>());
        }
    }

    static int classOf(RocePacket packet) {
        return packet.flow.dscp >> CLASS_SHIFT;
    }

    /** Takes a pause over; a frame of the kind that this port does not use means nothing. */
    void take(PauseFrame frame, long now) {
        if (frame.wholeLink != spec.wholeLink()) {
            return;
        }
        for (int c = 0; c < PauseFrame.CLASSES; c++) {
            taken[c] += frame.of(c) >= 0 ? 1 : 0;
        }
        paused.take(frame, now);
    }

    /** Returns the classes that may not be sent now, bit n for class n. */
    int stopped(long now) {
        return paused.settle(now) & spec.paused() & agreed;
    }

    /** Returns when the first of the pauses is over, {@code Long.MAX_VALUE} without one. */
    long over() {
        return paused.next(spec.paused() & agreed);
    }

    void stepAside(RocePacket packet) {
        int c = classOf(packet);
        aside.get(c).add(packet);
        waiting |= 1 << c;
    }

    /** Returns the class of a packet aside that may leave, -1 without one. */
    int next(int stopped) {
        int able = waiting & ~stopped;
        return able == 0 ? -1 : Integer.numberOfTrailingZeros(able);
    }

    RocePacket remove(int c) {
        RocePacket packet = aside.get(c).remove();
        if (aside.get(c).size() == 0) {
            waiting &= ~(1 << c);
        }
        return packet;
    }

    void counted(PauseFrame frame, long now) {
        pausing.take(frame, now);
        for (int c = 0; c < PauseFrame.CLASSES; c++) {
            sent[c] += frame.of(c) >= 0 ? 1 : 0;
        }
    }

    long taken(int c) {
        return taken[c];
    }

    long sent(int c) {
        return sent[c];
    }

    long pausedPs(int c, long now) {
        return paused.pausedPs(c, now);
    }

    long pausingPs(int c, long now) {
        return pausing.pausedPs(c, now);
    }

    @Override
    public void save(Snapshot out) {
        paused.save(out);
        pausing.save(out);
        aside.forEach(queue -> queue.save(out));
        says.save(out);
        out.putInt(waiting);
        out.putInt(agreed);
        out.putInt(told);
        out.putLong(looksAt);
        out.putLongs(taken);
        out.putLongs(sent);
    }

    @Override
    public void load(Snapshot in) {
        paused.load(in);
        pausing.load(in);
        aside.forEach(queue -> queue.load(in));
        says.load(in);
        waiting = in.getInt();
        agreed = in.getInt();
        told = in.getInt();
        looksAt = in.getLong();
        in.getLongs(taken);
        in.getLongs(sent);
    }
}
