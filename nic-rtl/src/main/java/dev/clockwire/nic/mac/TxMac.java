package dev.clockwire.nic.mac;

import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.ether.EthFrame;
import dev.clockwire.nic.profile.NicSpec;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/**
 * The transmit MAC: arbiter, FIFO, clock crossing, PCS. Cut-through starts when a few beats are in the FIFO,
 * store-and-forward when all are. A few packets may wait for the line; more wait in front of the MAC.
 */
public final class TxMac extends SimModule {
    private final Channel<RocePacket> in;
    private final LongChannel sentNotices;
    private final Line line;
    private final EventPort pause;
    private final DeviceParts parts;
    private @Nullable Channel<EthFrame> ethernet;
    private final MacState s = state(new MacState());

    /**
     * Creates the MAC.
     *
     * @param in from the encoder
     * @param sentNotices to the send engine: the mark of each marked packet once its first bit has left
     */
    public TxMac(
            Scope parent, Clock clock, Channel<RocePacket> in, LongChannel sentNotices, Line line, DeviceParts parts) {
        super(parent, "txMac", clock);
        this.in = in.to(this);
        this.sentNotices = sentNotices.from(this);
        this.line = line;
        this.parts = parts;
        pause = new EventPort(this, "pause") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                s.held = a != 0;
                wake();
            }
        };
    }

    /** Returns the port that holds the sender (a = 1) or lets it go on (a = 0); packets in the MAC's FIFO still leave. */
    public EventPort pause() {
        return pause;
    }

    @Override
    protected boolean tick(long cycle) {
        boolean did = notice(cycle);
        Channel<EthFrame> frames = ethernet;
        if (frames != null && frames.valid(cycle) && !s.held && (s.ethernetTurn || !in.valid(cycle))) {
            return sendFrame(frames, cycle) || did;
        }
        if (in.valid(cycle) && s.noticeCount < MacState.NOTICES && !s.held) {
            long free = s.oldestStart();
            if (cycle < s.nextEntry) {
                wakeAt(s.nextEntry);
            } else if (free > now()) {
                wakeAt(clock().edgeAfter(free - 1));
            } else {
                send(in.take(cycle), cycle);
                s.ethernetTurn = frames != null;
                did = true;
            }
        }
        return did;
    }

    /** Takes Ethernet frames too, in turn with RoCE packets; to be called before elaboration. */
    public void also(Channel<EthFrame> frames) {
        ethernet = frames.to(this);
    }

    private boolean sendFrame(Channel<EthFrame> frames, long cycle) {
        long free = s.oldestStart();
        if (cycle < s.nextEntry) {
            wakeAt(s.nextEntry);
            return false;
        }
        if (free > now()) {
            wakeAt(clock().edgeAfter(free - 1));
            return false;
        }
        EthFrame frame = frames.take(cycle);
        NicSpec spec = parts.spec();
        int beats = spec.beats(frame.length + EthFrame.FCS_BYTES);
        int fill = spec.cutThrough() ? Math.min(beats, spec.thresholdBeats()) : beats;
        int latency = spec.arbiterCycles() + fill + spec.txCrossingCycles() + spec.pcsCycles();
        s.started(line.send(Math.max(clock().edgeTime(cycle + latency), now() + 1), frame));
        s.nextEntry = cycle + beats;
        s.ethernetTurn = false;
        return true;
    }

    private void send(RocePacket packet, long cycle) {
        NicSpec spec = parts.spec();
        int beats = spec.beats(packet.wireBytes());
        int fill = spec.cutThrough() ? Math.min(beats, spec.thresholdBeats()) : beats;
        int latency = spec.arbiterCycles() + fill + spec.txCrossingCycles() + spec.pcsCycles();
        long mark = packet.tag;
        packet.tag = 0;
        int macStage = parts.journal().txMacOf(packet);
        int wireStage = parts.journal().wireOf(packet);
        long journey = packet.journey;
        int psn = packet.psn;
        long ready = Math.max(clock().edgeTime(cycle + latency), now() + 1);
        long start = line.send(ready, packet);
        parts.journal().stamp(journey, macStage, psn, now(), start, start > ready ? parts.journal().behind : 0);
        parts.journal().stamp(journey, wireStage, psn, start, line.arrival());
        s.nextEntry = cycle + beats;
        s.started(start);
        if (mark != 0) {
            s.addNotice(mark, start);
        }
    }

    private boolean notice(long cycle) {
        if (s.noticeCount == 0) {
            return false;
        }
        long due = s.noticeDue();
        if (due > now()) {
            wakeAt(clock().edgeAfter(due - 1));
            return false;
        }
        if (!sentNotices.ready(cycle)) {
            return false;
        }
        sentNotices.put(cycle, s.removeNotice());
        return true;
    }
}
