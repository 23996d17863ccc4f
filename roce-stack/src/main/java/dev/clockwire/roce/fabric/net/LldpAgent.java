package dev.clockwire.roce.fabric.net;

import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.fabric.net.DcbExchange.Difference;
import dev.clockwire.roce.wire.DcbSettings;
import dev.clockwire.roce.wire.LldpFrame;
import dev.clockwire.roce.wire.LldpPacket;
import dev.clockwire.roce.wire.PfcSettings;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.Timer;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.stats.StatRegistry;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells the other end of a cable by LLDP what a port is configured with, and the port what comes of what the other end says (DCBX). It speaks when
 * the port comes up, to a new neighbour at once and a few times more, then each interval; what it has heard holds for the time to live that came
 * with it, or until the neighbour takes it back with 0 s. Each end tells its configuration, not what it has taken over. Its frames go between those of
 * the port, in no class. Source: IEEE 802.1AB-2009, clause 9.2 (without the credits that bound a burst, which five frames do not reach); IEEE 802.1Qaz.
 */
public final class LldpAgent extends SimNode {
    private static final long PS_PER_S = 1_000_000_000_000L;

    private final LldpSpec spec;
    private final LinkEnd end;
    private final boolean waits;
    private final LldpFrame words;
    private final Timer speaks;
    private final Timer ages;
    private final LldpState s = state(new LldpState());
    private @Nullable EventPort port;
    private int kind;
    private long number;

    /**
     * Creates an agent.
     *
     * @param end of the cable, where it hears and speaks
     * @param address MAC address of the port, 48 bits
     * @param portName what it calls the port
     * @param own what the port is configured with
     * @param waits the port has no flow control before its neighbour has spoken
     */
    @SuppressWarnings("checkstyle:ParameterNumber") // what an agent is
    LldpAgent(
            Scope parent,
            String name,
            LldpSpec spec,
            LinkEnd end,
            long address,
            String portName,
            DcbSettings own,
            boolean waits) {
        super(parent, name);
        this.spec = spec;
        this.end = end;
        this.waits = waits;
        words = new LldpFrame(address, portName, spec.seconds(), own);
        speaks = new Timer(this, "speaks") {
            @Override
            protected void expired(long at) {
                speak();
            }
        };
        ages = new Timer(this, "ages") {
            @Override
            protected void expired(long at) {
                s.neighbour = null;
                s.aged++;
                tell();
            }
        };
        end.attachControl(new EventPort(this, "line") {
            @Override
            protected void event(int kind, long firstBit, long lastBit, @Nullable Token token) {
                if (token instanceof LldpPacket packet) {
                    hear(packet);
                }
            }
        });
    }

    /**
     * Sets who is told of the priorities that have flow control; to be called before elaboration.
     *
     * @param to gets an event a ps after each change: a = the priorities, bit n for priority n, b = {@code which}
     * @param event the event's kind
     * @param which of the receiver's ports it is about
     */
    public void tells(EventPort to, int event, long which) {
        port = to;
        kind = event;
        number = which;
    }

    /** The port comes up; to be called once, after elaboration. */
    void start() {
        speaks.arm(now() + 1);
        tell();
    }

    private void speak() {
        s.sent++;
        LldpPacket packet = new LldpPacket(words.encode());
        end.transmit(now(), packet, end.spec().framing().lineBytes(packet.wireBytes()), 0);
        s.fast = Math.max(0, s.fast - 1);
        speaks.arm(now() + (s.fast > 0 ? spec.fastS() : spec.intervalS()) * PS_PER_S);
    }

    private void hear(LldpPacket packet) {
        Optional<LldpFrame> read = LldpFrame.decode(packet.bytes());
        if (read.isEmpty()) {
            s.discarded++;
            return;
        }
        s.taken++;
        LldpFrame frame = read.get();
        boolean isNew = s.neighbour == null || s.neighbour.source() != frame.source();
        if (frame.seconds() == 0) {
            s.neighbour = null;
            ages.cancel();
        } else {
            s.neighbour = frame;
            ages.arm(now() + frame.seconds() * PS_PER_S);
            if (isNew) {
                s.fast = Math.max(s.fast, spec.fastFrames());
                speaks.arm(now() + 1);
            }
        }
        tell();
    }

    /** Tells the port if the outcome has changed. */
    private void tell() {
        PfcSettings outcome = pfc();
        int now = outcome == null ? 0 : outcome.enabled();
        EventPort to = port;
        if (now != s.told && to != null) {
            to.send(now() + 1, kind, now, number);
        }
        s.told = now;
    }

    private @Nullable PfcSettings pfc() {
        LldpFrame far = s.neighbour;
        if (far == null) {
            return waits ? null : words.settings().pfc();
        }
        return DcbExchange.pfc(words.settings(), words.source(), far.settings(), far.source());
    }

    /** Returns the priorities that have flow control now, bit n for priority n. */
    public int priorities() {
        PfcSettings outcome = pfc();
        return outcome == null ? 0 : outcome.enabled();
    }

    /** Returns what the neighbour has said last; null if nobody is known, or no longer. */
    public @Nullable LldpFrame neighbour() {
        return s.neighbour;
    }

    /** Returns what still differs between the two ends, by what this one has heard. */
    public List<Difference> differences() {
        LldpFrame far = s.neighbour;
        return far == null
                ? List.of()
                : DcbExchange.differences(words.settings(), words.source(), far.settings(), far.source());
    }

    /** Returns the frames that came in whole. */
    public long taken() {
        return s.taken;
    }

    /** Returns the frames sent. */
    public long sent() {
        return s.sent;
    }

    /** Returns how often a neighbour has been forgotten, since its time to live was over. */
    public long aged() {
        return s.aged;
    }

    /** Shows what it has done in a registry, below its own name. */
    public void register(StatRegistry stats) {
        stats.reading(
                path() + ".pfc_enabled",
                "bits",
                "Priorities with flow control now, bit n for priority n",
                this::priorities);
        stats.reading(path() + ".tx_frames", "frames", "LLDP frames sent (statsFramesOutTotal)", this::sent);
        stats.reading(path() + ".rx_frames", "frames", "LLDP frames taken (statsFramesInTotal)", this::taken);
        stats.reading(
                path() + ".rx_discarded",
                "frames",
                "LLDP frames that could not be read (statsFramesDiscardedTotal)",
                () -> s.discarded);
        stats.reading(
                path() + ".ageouts", "neighbours", "Neighbours whose time was over (statsAgeoutsTotal)", this::aged);
    }
}
