package dev.clockwire.roce.fabric.bridge;

import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.wire.Frame;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Pool;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.stats.StatRegistry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A switch with a shared buffer, eight classes at each port, pauses and marks. A frame that meets an idle port costs no event here; one
 * that waits costs one, when the port is free again.
 */
public final class FabricSwitch extends SimNode {
    private static final long PS_PER_US = 1_000_000;
    private static final int ETHERNET_BYTES = 14;

    private final BridgeSpec spec;
    private final Routes routes;
    private final Pool<PauseFrame> pauses;
    private final int[] classes;
    private final List<SwitchPort> joining = new ArrayList<>();
    private final List<PortSpec> limits = new ArrayList<>();
    private final EventPort wake;
    private final EventPort forward;
    private final EventPort refresh;
    private final EventPort settings;
    private final @Nullable Watchdog watchdog;
    private final int lossless;
    private final Totals s = state(new Totals());
    private SwitchPort[] ports = new SwitchPort[0];
    private @Nullable SharedBuffer buffer;

    /** What concerns no port. */
    private static final class Totals implements State {
        long unknown;

        @Override
        public void save(Snapshot out) {
            out.putLong(unknown);
        }

        @Override
        public void load(Snapshot in) {
            unknown = in.getLong();
        }
    }

    /** What comes in at a port. */
    private final class Line extends EventPort {
        private final int number;

        Line(int number) {
            super(FabricSwitch.this, "port" + number);
            this.number = number;
        }

        @Override
        protected void event(int kind, long firstBit, long lastBit, @Nullable Token token) {
            if (token instanceof Frame frame) {
                arrive(frame, number, lastBit);
            }
        }
    }

    /**
     * Creates a switch without ports.
     *
     * @param pauses where its pause frames come from and go to
     */
    public FabricSwitch(Scope parent, String name, BridgeSpec spec, Routes routes, Pool<PauseFrame> pauses) {
        super(parent, name);
        this.spec = spec;
        this.routes = routes;
        this.pauses = pauses;
        classes = spec.classes().table();
        lossless = spec.pause().lossless();
        wake = new EventPort(this, "wake") {
            @Override
            protected void event(int kind, long port, long unused, @Nullable Token token) {
                SwitchPort p = ports[(int) port];
                if (p.wakeAt == now()) {
                    p.wakeAt = SwitchPort.NEVER;
                }
                serve(p);
            }
        };
        forward = new EventPort(this, "forward") {
            @Override
            protected void event(int kind, long from, long to, @Nullable Token token) {
                if (token instanceof Frame frame) {
                    queue(frame, (int) from, (int) to);
                }
            }
        };
        refresh = new EventPort(this, "refresh") {
            @Override
            protected void event(int kind, long port, long since, @Nullable Token token) {
                again(ports[(int) port]);
            }
        };
        settings = new EventPort(this, "settings") {
            @Override
            protected void event(int kind, long priorities, long port, @Nullable Token token) {
                agree(ports[(int) port], (int) priorities);
            }
        };
        watchdog = spec.watchdog().detectPs() == 0 ? null : new Watchdog(this, spec.watchdog());
    }

    /**
     * Joins a line to the next port; to be called before elaboration, {@link #close} after the last.
     *
     * @param end the switch's own end
     * @param port what depends on the line
     * @return the port's number
     */
    public int attach(LinkEnd end, PortSpec port) {
        int number = joining.size();
        end.attach(new Line(number));
        Marker[] markers = new Marker[SharedBuffer.CLASSES];
        for (int c = 0; c < markers.length; c++) {
            markers[c] = new Marker(port.marks().get(c), random("mark" + number + "." + c));
        }
        joining.add(state(new SwitchPort(number, end, spec, markers)));
        limits.add(port);
        return number;
    }

    /** Divides the buffer among the ports; to be called once, before elaboration. */
    public void close() {
        ports = joining.toArray(new SwitchPort[0]);
        int[] headroom = limits.stream().mapToInt(PortSpec::headroom).toArray();
        int[] alpha = limits.stream().mapToInt(PortSpec::alphaLog2).toArray();
        try {
            int[] fixed = limits.stream().mapToInt(PortSpec::xoff).toArray();
            buffer = state(new SharedBuffer(spec.buffer(), lossless, headroom, alpha, fixed));
        } catch (ConfigurationException e) {
            throw new ConfigurationException(
                    path(), ConfigurationException.BEFORE_TIME_ZERO, String.valueOf(e.getMessage()));
        }
    }

    private SharedBuffer buffer() {
        SharedBuffer b = buffer;
        if (b == null) {
            throw new ConfigurationException(path(), now(), "close() was not called");
        }
        return b;
    }

    private void arrive(Frame frame, int from, long lastBit) {
        SwitchPort in = ports[from];
        if (frame instanceof PauseFrame pause) {
            if (lastBit > now()) { // handed over at its first bit: it holds when it is whole
                forward.send(lastBit, 0, from, from, pause);
                return;
            }
            paused(in, pause);
            return;
        }
        if (!letsIn(frame, in)) {
            return;
        }
        int to = routes.port(frame.destination(), frame.flowHash());
        if (to < 0) {
            s.unknown++;
            return;
        }
        boolean through = spec.cutThrough() && idle(ports[to], in);
        long due = (through ? now() : lastBit) + spec.latencyPs();
        if (due > now()) {
            forward.send(due, 0, from, to, frame);
        } else {
            queue(frame, from, to);
        }
    }

    private boolean letsIn(Frame frame, SwitchPort in) {
        if (frame.wireBytes() - ETHERNET_BYTES > spec.ingress().mtu()) {
            in.counts.tooLong();
            return false;
        }
        if (spec.ingress().denies(frame.udpPort())) {
            in.counts.filter();
            return false;
        }
        return true;
    }

    private boolean idle(SwitchPort out, SwitchPort in) {
        return out.waiting() == 0
                && out.end.freeAt() <= now()
                && out.end.spec().kbps() <= in.end.spec().kbps();
    }

    /** Gives a frame its place, or loses it. */
    private void queue(Frame frame, int from, int to) {
        if (frame instanceof PauseFrame pause) {
            paused(ports[from], pause);
            return;
        }
        SwitchPort in = ports[from];
        SwitchPort out = ports[to];
        int c = ClassMap.of(frame, classes, spec.classes().trustPcp());
        in.counts.received(c);
        int slot = from << 3 | c;
        boolean exempt = (spec.exempt() >> c & 1) != 0;
        int occupied =
                exempt ? 0 : spec.buffer().occupied(out.end.spec().framing().bufferBytes(frame.wireBytes()));
        boolean stops = (lossless >> c & 1) != 0;
        boolean stormed = watchdog != null && watchdog.drops(out, c);
        if (stormed || !admit(out, c, slot, occupied, stops)) {
            in.counts.drop(c);
            out.counts.threwAway(stormed ? 1 : 0);
            return;
        }
        if (out.markers[c].atEnqueue()) {
            mark(frame, out, c, out.queues[c].bytes());
        }
        out.add(c, frame, slot, occupied);
        if (stops && ((in.agreed & ~in.held) >> c & 1) != 0 && buffer().pauses(slot)) {
            hold(in, c);
        }
        if (watchdog != null) {
            watchdog.watch(out, c);
        }
        serve(out);
    }

    private boolean admit(SwitchPort out, int c, int slot, int occupied, boolean stops) {
        return stops
                ? buffer().admit(slot, occupied)
                : buffer().admitLossy(out.number, occupied, out.queues[c].bytes());
    }

    private void release(SwitchPort out, int slot, int occupied) {
        if ((lossless >> (slot & 7) & 1) != 0) {
            buffer().release(slot, occupied);
        } else {
            buffer().releaseLossy(out.number, occupied);
        }
    }

    private void mark(Frame frame, SwitchPort out, int c, long queued) {
        if (frame.ecnCapable() && out.markers[c].marks(queued)) {
            frame.markCongestion();
            out.counts.mark(c, queued);
        }
    }

    /** Sends what may be sent, and asks to be woken if something waits. */
    void serve(SwitchPort out) {
        long now = now();
        long free = out.end.freeAt();
        if (free <= now) {
            if (out.owed != 0) {
                say(out);
            } else {
                int c = out.next(now);
                if (c >= 0) {
                    send(out, c);
                }
            }
            free = out.end.freeAt();
        }
        if (out.owed != 0) {
            wakeAt(out, free);
        } else if (out.waiting() != 0) {
            // one that was sent just now keeps the line busy; if none could be, all that wait are paused
            wakeAt(out, free > now ? free : out.paused.next(out.waiting()));
        }
    }

    private void wakeAt(SwitchPort out, long at) {
        if (at < out.wakeAt) {
            out.wakeAt = at;
            wake.send(at, 0, out.number, 0);
        }
    }

    private void send(SwitchPort out, int c) {
        FrameQueue queue = out.queues[c];
        int slot = queue.slot();
        int occupied = queue.occupied();
        Frame frame = out.take(c, now());
        release(out, slot, occupied);
        if (!out.markers[c].atEnqueue()) {
            mark(frame, out, c, queue.bytes());
        }
        out.counts.sent(c);
        int lineBytes = out.end.spec().framing().lineBytes(frame.wireBytes());
        out.end.transmit(now(), frame, lineBytes, frame.payloadBytes());
        released(slot);
    }

    /** Lets a sender go on if what it holds allows it. */
    private void released(int slot) {
        SwitchPort in = ports[slot >> 3];
        int c = slot & 7;
        if ((in.held >> c & 1) != 0 && buffer().resumes(slot)) {
            in.held &= ~(1 << c);
            owe(in, c);
        }
    }

    private void hold(SwitchPort in, int c) {
        in.held |= 1 << c;
        owe(in, c);
        refreshLater(in);
    }

    /** An XOFF is said again before it expires; one timer of a port serves all its classes. */
    private void refreshLater(SwitchPort in) {
        if (!spec.pause().expires() || in.refreshing) {
            return;
        }
        in.refreshing = true;
        long half = PauseState.quantaPs(spec.pause().quanta(), in.end.spec().kbps()) / 2;
        refresh.send(now() + Math.max(1, half), 0, in.number, 0);
    }

    private void again(SwitchPort in) {
        in.refreshing = false;
        if (in.held != 0) {
            in.owed |= in.held;
            refreshLater(in);
            serve(in);
        }
    }

    private void owe(SwitchPort in, int c) {
        in.owed |= 1 << c;
        serve(in);
    }

    /** What is held without flow control may go on; what is over its threshold and has it now is held. Pauses of the whole link are not agreed on. */
    private void agree(SwitchPort port, int priorities) {
        if (spec.pause().wholeLink()) {
            return;
        }
        port.agreed = priorities;
        for (int c = 0; c < SharedBuffer.CLASSES; c++) {
            int bit = 1 << c;
            if ((port.held & ~priorities & bit) != 0) {
                port.held &= ~bit;
                owe(port, c);
            } else if ((lossless & priorities & ~port.held & bit) != 0 && buffer().pauses(port.number << 3 | c)) {
                hold(port, c);
            }
        }
        serve(port);
    }

    /** Returns the port that is told which classes have flow control: a = the classes, bit n for class n, b = the number of the switch's port. */
    public EventPort settings() {
        return settings;
    }

    /** Tells the far end of a port what is owed, behind the frame that is on the line. */
    private void say(SwitchPort out) {
        PauseFrame frame = pauses.take();
        out.say(frame, spec.pause());
        int lineBytes = out.end.spec().framing().lineBytes(PauseFrame.BYTES);
        out.end.transmit(now(), frame, lineBytes, 0);
    }

    private void paused(SwitchPort port, PauseFrame frame) {
        int before = port.paused.settle(now());
        port.paused.take(frame, now());
        for (int c = 0; c < SharedBuffer.CLASSES; c++) {
            int quanta = frame.of(c);
            if (quanta >= 0) {
                port.counts.told(c, quanta);
                if (watchdog != null) {
                    watchdog.told(port, c, quanta);
                }
            }
        }
        pauses.give(frame);
        if ((before & ~port.paused.settle(now())) != 0 || port.waiting() != 0) {
            serve(port);
        }
    }

    /** Loses all frames of a class that wait for a port. */
    void discard(SwitchPort out, int c) {
        FrameQueue queue = out.queues[c];
        while (!queue.isEmpty()) {
            int slot = queue.slot();
            release(out, slot, queue.occupied());
            out.take(c, out.lastSent[c]);
            out.counts.drop(c);
            out.counts.threwAway(1);
            released(slot);
        }
    }

    <S extends State> S own(S part) {
        return state(part);
    }

    SwitchPort port(int number) {
        return ports[number];
    }

    /** Returns the number of ports. */
    public int ports() {
        return ports.length;
    }

    /** Returns what has happened at a port. */
    public PortCounters counters(int port) {
        return ports[port].counts;
    }

    /** Returns the bytes that wait for a port in a class. */
    public long queued(int port, int c) {
        return ports[port].queues[c].bytes();
    }

    /** Returns the frames that wait for a port in a class. */
    public int waiting(int port, int c) {
        return ports[port].queues[c].size();
    }

    /** Returns the most bytes that have waited for a port in a class. */
    public long maxQueued(int port, int c) {
        return ports[port].queues[c].maxBytes();
    }

    /** Returns the bytes that what came in at a port in a class holds, headroom included. */
    public long held(int port, int c) {
        return buffer().heldBy(port << 3 | c);
    }

    /** Returns the most bytes that what came in at a port in a class has held, headroom included. */
    public long maxHeld(int port, int c) {
        return buffer().mostHeldBy(port << 3 | c);
    }

    /** Returns the fewest bytes from which a port has had to stop a lossless class, as full as the buffer has been. */
    public long lowestXoff(int port) {
        return buffer().lowestXoff(port);
    }

    /** Returns the bytes of them that are in the headroom. */
    public long headroomUsed(int port, int c) {
        return buffer().headroomUsed(port << 3 | c);
    }

    /** Whether the far end of a port is asked not to send a class. */
    public boolean holds(int port, int c) {
        return (ports[port].held >> c & 1) != 0;
    }

    /** Whether a port may not send a class now. */
    public boolean isPaused(int port, int c) {
        return ((ports[port].paused.settle(now()) & ports[port].agreed) >> c & 1) != 0;
    }

    /** Returns the time a port has been paused in a class, in ps. */
    public long pausedPs(int port, int c) {
        return ports[port].paused.pausedPs(c, now());
    }

    /** Whether a frame that waits for a port in a class came in at another port. */
    public boolean waitsFrom(int port, int c, int from) {
        return ports[port].queues[c].holdsFrom(from << 3 | c);
    }

    /** Returns when a port last sent a frame of a class, in ps. */
    public long lastSent(int port, int c) {
        return ports[port].lastSent[c];
    }

    /** Returns the frames to addresses that no route leads to. */
    public long unknown() {
        return s.unknown;
    }

    /** Returns how many pause storms were detected. */
    public long storms() {
        return watchdog == null ? 0 : watchdog.storms();
    }

    /** Returns how many of them have ended. */
    public long stormsEnded() {
        return watchdog == null ? 0 : watchdog.restores();
    }

    /** Returns the bytes that can be shared. */
    public long shareable() {
        return buffer().shareable();
    }

    /** Shows what has happened at each port in a registry, and how full queues and buffer have been. */
    public void register(StatRegistry stats) {
        for (SwitchPort port : ports) {
            int n = port.number;
            String name = path() + ".port" + n;
            port.counts.register(stats, name);
            if (watchdog != null) {
                port.counts.registerWatchdog(stats, name);
            }
            for (int c = 0; c < SharedBuffer.CLASSES; c++) {
                int k = c;
                String prio = "_prio" + c + "_";
                stats.reading(name + ".tx" + prio + "queue_max", "bytes", "Longest queue", () -> maxQueued(n, k));
                stats.reading(name + ".rx" + prio + "buffer_max", "bytes", "Most buffer held", () -> maxHeld(n, k));
                stats.reading(
                        name + ".rx" + prio + "pause_duration",
                        "us",
                        "Time for which the far end had stopped the class",
                        () -> pausedPs(n, k) / PS_PER_US);
            }
        }
        stats.reading(path() + ".unknown_mac", "frames", "Frames to an address that no route leads to", this::unknown);
        stats.reading(path() + ".pfc_storms", "storms", "Pause storms that the watchdog has detected", this::storms);
    }
}
