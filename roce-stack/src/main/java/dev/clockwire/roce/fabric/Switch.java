package dev.clockwire.roce.fabric;

import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.stats.StatRegistry;
import dev.clockwire.sim.trace.Waterfall;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Forwards frames by destination MAC address. A frame that stores and forwards passes whole: each hop costs its line time once more,
 * which is what makes the latency of small messages steeper behind a switch.
 *
 * <p>It stands between the hosts of a lab, where messages are followed stage by stage: it has no classes, no limits and no queue but the line's, and
 * stamps when a packet has crossed it. {@link dev.clockwire.roce.fabric.bridge.FabricSwitch} is the switch of fabrics; where both can do the same, both
 * do it at the same time.
 */
public final class Switch extends SimNode {
    private final SwitchSpec spec;
    private final List<Line> lines = new ArrayList<>();
    private final EventPort forward;
    private final Counters s = state(new Counters());
    private final int requestStage;
    private final int responseStage;
    private final int ackStage;
    private final int behind;
    private long[] addresses = new long[0];

    /** What the switch has done. */
    private static final class Counters implements State {
        long forwarded;
        long unknown;

        @Override
        public void save(Snapshot out) {
            out.putLong(forwarded);
            out.putLong(unknown);
        }

        @Override
        public void load(Snapshot in) {
            forwarded = in.getLong();
            unknown = in.getLong();
        }
    }

    /** A port: its end of a line, and what comes in there. */
    private final class Line extends EventPort {
        final LinkEnd end;

        Line(LinkEnd end, int number) {
            super(Switch.this, "port" + number);
            this.end = end;
        }

        @Override
        protected void event(int kind, long firstBit, long lastBit, @Nullable Token token) {
            if (token instanceof RocePacket packet) {
                arrive(packet, firstBit, lastBit, end);
            }
        }
    }

    /** Creates a switch without ports. */
    public Switch(Scope parent, String name, SwitchSpec spec) {
        super(parent, name);
        this.spec = spec;
        requestStage = sim().stages().id("switch");
        responseStage = sim().stages().id("response_switch");
        ackStage = sim().stages().id("ack_switch");
        behind = sim().stages().id(Waterfall.BEHIND);
        forward = new EventPort(this, "forward") {
            @Override
            protected void event(int port, long lastBit, long due, @Nullable Token token) {
                if (token instanceof RocePacket packet) {
                    leave(packet, port, lastBit, due);
                }
            }
        };
    }

    /**
     * Joins a line to the next port; to be called before elaboration.
     *
     * @param end the switch's own end; a switch that cuts through needs frames at their first bit
     * @param mac address of the device at the other end
     */
    public void attach(LinkEnd end, long mac) {
        for (long known : addresses) {
            if (known == mac) {
                String text = "MAC address " + Long.toHexString(mac) + " is at another port already";
                throw new ConfigurationException(path(), ConfigurationException.BEFORE_TIME_ZERO, text);
            }
        }
        Line line = new Line(end, lines.size());
        end.attach(line);
        lines.add(line);
        addresses = Arrays.copyOf(addresses, lines.size());
        addresses[lines.size() - 1] = mac;
    }

    private int portOf(long mac) {
        for (int i = 0; i < addresses.length; i++) {
            if (addresses[i] == mac) {
                return i;
            }
        }
        return -1;
    }

    private void arrive(RocePacket packet, long firstBit, long lastBit, LinkEnd from) {
        int port = portOf(packet.flow.dstMac);
        if (port < 0) {
            s.unknown++;
            return;
        }
        boolean through = spec.cutThrough()
                && lines.get(port).end.spec().kbps() <= from.spec().kbps();
        long due = (through ? firstBit : lastBit) + spec.latencyPs();
        forward.send(Math.max(due, now() + 1), port, lastBit, due, packet);
    }

    private void leave(RocePacket packet, int port, long lastBit, long due) {
        LinkEnd out = lines.get(port).end;
        long journey = packet.journey;
        int psn = packet.psn;
        int stage = stageOf(packet);
        s.forwarded++;
        long start = out.transmit(now(), packet);
        if (journey != 0) {
            long there = out.lastBitAt() + out.spec().flightPs();
            stamp(journey, stage, psn, lastBit, there, start > due ? behind : 0);
        }
    }

    private int stageOf(RocePacket packet) {
        if (!packet.isResponse()) {
            return requestStage;
        }
        return packet.opcode == Opcode.RC_ACKNOWLEDGE.code() ? ackStage : responseStage;
    }

    /** Returns the frames sent on. */
    public long forwarded() {
        return s.forwarded;
    }

    /** Shows the counters in a registry. */
    public void register(StatRegistry stats) {
        stats.reading(path() + ".forwarded", "frames", "Frames sent on", this::forwarded);
        stats.reading(path() + ".unknown_mac", "frames", "Frames to an address at no port, dropped", () -> s.unknown);
    }
}
