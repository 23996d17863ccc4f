package dev.clockwire.nic.mac;

import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.ether.EthFrame;
import dev.clockwire.nic.profile.NicSpec;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.state.Token;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transmit MAC: arbiter, FIFO, clock crossing, PCS. Cut-through starts when a few beats are in the FIFO,
 * store-and-forward when all are. A few packets may wait for the line; more wait in front of the MAC.
 */
public final class TxMac extends SimModule {
    /** Event of {@link #pause}: holds the sender, or lets it go on. */
    public static final int HOLD = 0;

    /** Event of {@link #pause}: a pause frame has come. */
    public static final int TAKEN = 1;

    /** Event of {@link #pause}: the far end is to be told. */
    public static final int SAY = 2;

    /** Event of {@link #pause}: which classes have flow control. */
    public static final int AGREED = 3;

    private final Channel<RocePacket> in;
    private final LongChannel sentNotices;
    private final Line line;
    private final EventPort pause;
    private final DeviceParts parts;
    private final int latency;
    private @Nullable Channel<EthFrame> ethernet;
    private @Nullable Channel<RocePacket> notifications;
    private @Nullable PauseGate gate;
    private List<EventPort> engines = List.of();
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
        NicSpec spec = parts.spec();
        latency = spec.arbiterCycles() + spec.txCrossingCycles() + spec.pcsCycles();
        pause = new EventPort(this, "pause") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                PauseGate g = gate;
                if (kind == HOLD) {
                    s.held = a != 0;
                } else if (g != null) {
                    happened(g, kind, a, b, token);
                }
                wake();
            }
        };
    }

    /**
     * Lets the far end pause this MAC, and this device the far end; to be called before elaboration.
     *
     * @param told ports of the engines in front: a = the classes that they shall not send, bit n for class n
     */
    public void obeysPauses(List<EventPort> told) {
        gate = state(
                new PauseGate(parts.spec().congestion(), parts.spec().rate().lineRate()));
        engines = List.copyOf(told);
    }

    /** Takes notifications of congestion too, before anything else; to be called before elaboration. */
    public void alsoFirst(Channel<RocePacket> cnps) {
        notifications = cnps.to(this);
    }

    /**
     * Returns the port for pauses. {@link #HOLD}: the sender is held (a = 1) or may go on (a = 0), packets in the MAC's FIFO still leave.
     * {@link #TAKEN}: a pause frame has come, or one is over. {@link #SAY}: tell the far end of the classes a, bit n for class n, that they
     * are paused for b quanta. {@link #AGREED}: the classes a have flow control from now on, where pauses are of classes.
     */
    public EventPort pause() {
        return pause;
    }

    private void happened(PauseGate g, int kind, long a, long b, @Nullable Token token) {
        if (kind == SAY) {
            say(g, (int) a, (int) b);
            return;
        }
        g.agreed = kind == AGREED ? (int) a : g.agreed;
        paused(g, token);
    }

    private void say(PauseGate g, int wanted, int quanta) {
        int classes = quanta == 0 ? wanted : wanted & g.agreed;
        if (classes == 0) {
            return;
        }
        PauseFrame frame = parts.pauses().take();
        frame.reset();
        frame.source = parts.port().mac();
        if (parts.spec().congestion().wholeLink()) {
            frame.wholeLink = true;
            frame.quanta[0] = quanta;
        } else {
            for (int c = 0; c < PauseFrame.CLASSES; c++) {
                if ((classes >> c & 1) != 0) {
                    frame.set(c, quanta);
                }
            }
        }
        g.says.add(frame);
    }

    /** A pause has come, or is over: the engines are told if that changes what may leave. */
    private void paused(PauseGate g, @Nullable Token token) {
        if (token instanceof PauseFrame frame) {
            g.take(frame, now());
            parts.pauses().give(frame);
        }
        int stopped = g.stopped(now());
        if (stopped != g.told) {
            g.told = stopped;
            for (int i = 0; i < engines.size(); i++) {
                engines.get(i).send(now() + 1, 0, stopped, 0);
            }
        }
        long over = g.over();
        if (over != Long.MAX_VALUE && (g.looksAt <= now() || over < g.looksAt)) {
            g.looksAt = over;
            pause.send(over, TAKEN, 0, 0);
        }
    }

    @Override
    protected boolean tick(long cycle) {
        boolean did = notice(cycle);
        if (gate != null || notifications != null) {
            return sendByClass(cycle) || did;
        }
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
        return did && (more(cycle + 1) || rest(true));
    }

    /** Whether the next cycle may have work; asks for the one in which the next packet starts that the send engine waits for. */
    private boolean more(long next) {
        if (s.noticeCount > 0) {
            long due = s.noticeDue();
            if (due <= clock().edgeTime(next)) {
                return true;
            }
            wakeAt(clock().edgeAfter(due - 1));
        }
        return in.valid(next) || (ethernet != null && ethernet.valid(next));
    }

    /** Pauses and notifications go first, then what stepped aside for a pause that is over, then the usual. */
    private boolean sendByClass(long cycle) {
        PauseGate g = gate;
        int stopped = g == null ? 0 : g.stopped(now());
        Channel<RocePacket> cnps = notifications;
        boolean says = g != null && g.says.size() > 0;
        boolean tells = cnps != null && cnps.valid(cycle) && !isStopped(stopped, cnps.bits());
        int aside = g == null || s.noticeCount == MacState.NOTICES ? -1 : g.next(stopped);
        boolean usual = s.noticeCount < MacState.NOTICES && !s.held && in.valid(cycle);
        if (g != null && usual && isStopped(stopped, in.bits())) {
            g.stepAside(in.take(cycle));
            return true;
        }
        Channel<EthFrame> frames = ethernet;
        boolean other = frames != null && frames.valid(cycle) && !s.held && (stopped & 1) == 0;
        if (!(says || tells || aside >= 0 || usual || other) || !lineTakes(cycle)) {
            return false;
        }
        if (g != null && says) {
            sendPause(g, cycle);
        } else if (cnps != null && tells) {
            send(cnps.take(cycle), cycle);
        } else if (g != null && aside >= 0) {
            send(g.remove(aside), cycle);
        } else if (frames != null && other && (s.ethernetTurn || !usual)) {
            putFrame(frames.take(cycle), cycle);
        } else {
            send(in.take(cycle), cycle);
            s.ethernetTurn = frames != null;
        }
        return true;
    }

    private static boolean isStopped(int classes, RocePacket packet) {
        return (classes >> PauseGate.classOf(packet) & 1) != 0;
    }

    /** Whether another frame may enter; else wakes this block when it may. */
    private boolean lineTakes(long cycle) {
        long free = s.oldestStart();
        if (cycle < s.nextEntry) {
            wakeAt(s.nextEntry);
            return false;
        }
        if (free > now()) {
            wakeAt(clock().edgeAfter(free - 1));
            return false;
        }
        return true;
    }

    private void sendPause(PauseGate g, long cycle) {
        PauseFrame frame = g.says.remove();
        g.counted(frame, now());
        int beats = parts.spec().beats(PauseFrame.BYTES + EthFrame.FCS_BYTES);
        s.started(line.send(Math.max(clock().edgeTime(cycle + latency + beats), now() + 1), frame));
        s.nextEntry = cycle + beats;
    }

    /** Returns the pause frames taken that spoke of a class ({@code rx_prioN_pause}). */
    public long pausesTaken(int c) {
        return gate == null ? 0 : gate.taken(c);
    }

    /** Returns the pause frames sent that spoke of a class ({@code tx_prioN_pause}). */
    public long pausesSent(int c) {
        return gate == null ? 0 : gate.sent(c);
    }

    /** Returns the time a class was paused, in ps ({@code rx_prioN_pause_duration}). */
    public long pausedPs(int c) {
        return gate == null ? 0 : gate.pausedPs(c, now());
    }

    /** Returns the time for which the far end was to stop a class, in ps ({@code tx_prioN_pause_duration}). */
    public long pausingPs(int c) {
        return gate == null ? 0 : gate.pausingPs(c, now());
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
        putFrame(frames.take(cycle), cycle);
        return true;
    }

    private void putFrame(EthFrame frame, long cycle) {
        NicSpec spec = parts.spec();
        int beats = spec.beats(frame.length + EthFrame.FCS_BYTES);
        int fill = spec.cutThrough() ? Math.min(beats, spec.thresholdBeats()) : beats;
        s.started(line.send(Math.max(clock().edgeTime(cycle + latency + fill), now() + 1), frame));
        s.nextEntry = cycle + beats;
        s.ethernetTurn = false;
    }

    private void send(RocePacket packet, long cycle) {
        NicSpec spec = parts.spec();
        int beats = spec.beats(packet.wireBytes());
        int fill = spec.cutThrough() ? Math.min(beats, spec.thresholdBeats()) : beats;
        long mark = packet.tag;
        packet.tag = 0;
        int macStage = parts.journal().txMacOf(packet);
        int wireStage = parts.journal().wireOf(packet);
        long journey = packet.journey;
        int psn = packet.psn;
        long ready = Math.max(clock().edgeTime(cycle + latency + fill), now() + 1);
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
