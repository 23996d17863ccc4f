package dev.clockwire.roce.fabric;

import dev.clockwire.roce.wire.LldpPacket;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Probe;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultGate;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.parallel.Mailbox;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.stats.StatRegistry;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One end of a link. Its sending half belongs to the module that sends on it, which calls {@link #transmit}: nobody else may. What the
 * far end sends comes out of the port given to {@link #attach}, as an event {@link #FRAME} whose values are the times at which
 * the first and the last bit are here; the frame belongs to the receiver.
 */
public final class LinkEnd extends SimNode {
    /** Kind of the event that brings a frame. */
    public static final int FRAME = 0;

    /** Kind of the event, without a frame, that tells the device at this end that the link is lost. */
    public static final int LINK_DOWN = 1;

    /** Kind of the event, without a frame, that tells the device at this end that the link is there again. */
    public static final int LINK_UP = 2;

    private final LinkSpec spec;
    private final Serialiser serialiser;
    private final LinkCounters sent;
    private final Probe probe;
    private @Nullable LinkEnd peer;
    private @Nullable EventPort receiver;
    private @Nullable EventPort control;
    private @Nullable FrameTap tap;
    private @Nullable FrameTap departures;
    private @Nullable FrameTap arrivals;
    private @Nullable FaultyLine faults;
    private @Nullable Mailbox abroad;

    LinkEnd(Scope link, String name, LinkSpec spec) {
        super(link, name);
        this.spec = spec;
        serialiser = state(new Serialiser(spec));
        sent = state(new LinkCounters());
        probe = new Probe(this, "tx");
    }

    void join(LinkEnd other) {
        peer = other;
    }

    /** The far end is in another part of the design: what is sent there goes by mail. */
    void sendAbroad(Mailbox post) {
        abroad = post;
    }

    /** Lets things go wrong with what this end sends. */
    FaultyLine suffer(String link, boolean firstEnd, FaultPlan plan) {
        FaultyLine line = new FaultyLine(this, link, firstEnd, plan);
        faults = line;
        state(line.state());
        return line;
    }

    /** Lets the frames of the far end come out of a port. */
    public void attach(EventPort port) {
        if (receiver != null) {
            String text = "already attached to " + receiver.path() + ", cannot attach " + port.path();
            throw new ConfigurationException(path(), ConfigurationException.BEFORE_TIME_ZERO, text);
        }
        receiver = port;
    }

    /** Lets the LLDP frames of the far end come out of a port of their own; without one they are lost, as at a device that does not know LLDP. */
    public void attachControl(EventPort port) {
        control = port;
    }

    /** Adds an observer of the frames that this end sends; null takes all away. */
    public void tap(@Nullable FrameTap observer) {
        FrameTap before = tap;
        tap = observer == null || before == null ? observer : FrameTap.both(before, observer);
    }

    /** Sets the one observer of the frames that the device at this end sends, before anything happens to them; null takes it away. */
    public void tapDepartures(@Nullable FrameTap observer) {
        departures = observer;
    }

    /** Sets the one observer of the frames of this end that reach the far end, each with the time of its last bit there; null takes it away. */
    public void tapArrivals(@Nullable FrameTap observer) {
        arrivals = observer;
    }

    /** Sends a RoCE packet; see {@link #transmit(long, Token, int, int)}. */
    public long transmit(long at, RocePacket packet) {
        return transmit(at, packet, spec.framing().lineBytes(packet), packet.payloadLength);
    }

    /**
     * Sends a frame. It goes on the line at {@code at}, or as soon as the frame before it and its gap are over.
     *
     * @param at earliest time of its first bit in ps, not before now
     * @param frame belongs to the link from now on
     * @param lineBytes bytes of line time, gap included; see {@link Framing#lineBytes(int)}
     * @param payloadBytes bytes of them that are payload, for the statistics
     * @return when its first bit leaves, in ps
     */
    public long transmit(long at, Token frame, int lineBytes, int payloadBytes) {
        serialiser.begin(Math.max(at, now()), lineBytes);
        long first = serialiser.firstBit();
        sent.frames++;
        sent.lineBytes += lineBytes;
        sent.payloadBytes += payloadBytes;
        if (departures != null) {
            departures.frame(first, this, frame);
        }
        FaultyLine line = faults;
        FaultGate fault = line == null ? null : line.judge(first, frame);
        probe.fold(first, lineBytes, frame.digest());
        if (tap != null) {
            tap.frame(first, this, frame);
        }
        if (line == null) {
            deliver(first + spec.flightPs(), serialiser.lastBit() + spec.flightPs(), frame);
        } else {
            RocePacket again = line.send(first, frame, lineBytes, fault);
            if (again != null) {
                repeat(again, lineBytes, payloadBytes, line);
            }
        }
        return first;
    }

    /** Puts the copy of a frame on the line; no rule looks at it. */
    private void repeat(RocePacket copy, int lineBytes, int payloadBytes, FaultyLine line) {
        serialiser.begin(now(), lineBytes);
        long first = serialiser.firstBit();
        sent.frames++;
        sent.lineBytes += lineBytes;
        sent.payloadBytes += payloadBytes;
        probe.fold(first, lineBytes, copy.digest());
        if (tap != null) {
            tap.frame(first, this, copy);
        }
        line.send(first, copy, lineBytes, null);
    }

    /** Tells the device at this end of the link's state. */
    void tell(int kind) {
        EventPort port = receiver;
        if (port != null) {
            port.send(now() + 1, kind, 0, 0);
        }
    }

    /** Lets a frame arrive; times of its first and last bit. */
    void deliver(long firstThere, long lastThere, Token frame) {
        if (arrivals != null) {
            arrivals.frame(lastThere, this, frame);
        }
        long at = spec.atFirstBit() ? firstThere : lastThere;
        EventPort to = frame instanceof LldpPacket ? farControl() : farReceiver();
        Mailbox post = abroad;
        if (to == null) {
            return;
        }
        if (post == null) {
            to.send(at, FRAME, firstThere, lastThere, frame);
        } else {
            post.put(to, at, FRAME, firstThere, lastThere, frame);
        }
    }

    private @Nullable EventPort farControl() {
        return peer == null ? null : peer.control;
    }

    private EventPort farReceiver() {
        EventPort port = peer == null ? null : peer.receiver;
        if (port == null) {
            throw new ConfigurationException(path(), now(), "sends, but nothing is attached to the other end");
        }
        return port;
    }

    /** Returns when the last bit of the newest frame has left, in ps. */
    public long lastBitAt() {
        return serialiser.lastBit();
    }

    /** Returns from when on another frame can begin, in ps. */
    public long freeAt() {
        return serialiser.free();
    }

    /** Returns the parameters of the link. */
    public LinkSpec spec() {
        return spec;
    }

    /** Returns the frames sent. */
    public long framesSent() {
        return sent.frames;
    }

    /** Returns the bytes of line time sent, framing and gaps included. */
    public long lineBytesSent() {
        return sent.lineBytes;
    }

    /** Returns the bytes of payload sent. */
    public long payloadBytesSent() {
        return sent.payloadBytes;
    }

    /** Returns the frames sent that a fault has not taken away: what the far port gets, those under way included. */
    public long framesPassed() {
        return sent.frames - framesLost();
    }

    /** Returns the bytes of line time of {@link #framesPassed()}. */
    public long lineBytesPassed() {
        return sent.lineBytes - fault(LinkFaults::lostLineBytes);
    }

    private long fault(ToLongFunction<LinkFaults> counter) {
        FaultyLine line = faults;
        return line == null ? 0 : counter.applyAsLong(line.state());
    }

    /** Returns how often a rule of the plan has acted at this end so far. */
    public long hits(FaultRule rule) {
        FaultyLine line = faults;
        return line == null ? 0 : line.state().hits(rule, now());
    }

    /** Returns the frames that a fault has taken away, those sent while the link was down included. */
    public long framesLost() {
        return fault(LinkFaults::lost);
    }

    /** Returns the frames in which a fault has flipped a bit. */
    public long framesCorrupted() {
        return fault(f -> f.corrupted);
    }

    /** Returns how many of the corrupted frames the far port drops before RoCE: another address, broken IP or UDP header. */
    public long framesUnreadable() {
        return fault(f -> f.unreadable);
    }

    /** Returns the frames that a fault has sent twice. */
    public long framesDuplicated() {
        return fault(f -> f.duplicated);
    }

    /** Returns the frames that a fault has delayed or put behind others. */
    public long framesLate() {
        return fault(f -> f.late);
    }

    private void registerFaults(StatRegistry stats) {
        stats.reading(path() + ".fault_lost", "frames", "Frames that a fault took away", this::framesLost);
        stats.reading(path() + ".fault_corrupted", "frames", "Frames with a bit flipped", this::framesCorrupted);
        stats.reading(
                path() + ".fault_unreadable",
                "frames",
                "Corrupted frames that the far port drops before RoCE",
                this::framesUnreadable);
        stats.reading(path() + ".fault_duplicated", "frames", "Frames sent twice", this::framesDuplicated);
        stats.reading(path() + ".fault_late", "frames", "Frames delayed or overtaken", this::framesLate);
    }

    /** Shows the counters in a registry, below the path of this end. */
    public void register(StatRegistry stats) {
        stats.reading(path() + ".tx_frames", "frames", "Frames put on the line", this::framesSent);
        stats.reading(path() + ".tx_line_bytes", "B", "Line time used, with framing and gaps", this::lineBytesSent);
        stats.reading(path() + ".tx_payload_bytes", "B", "Payload put on the line", this::payloadBytesSent);
        stats.reading(path() + ".line_kbps", "kbit/s", "Rate of the line", spec::kbps);
        if (faults != null) {
            registerFaults(stats);
        }
    }
}
