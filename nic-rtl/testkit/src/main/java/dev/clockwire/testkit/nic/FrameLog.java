package dev.clockwire.testkit.nic;

import dev.clockwire.nic.lab.FabricLab;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nic.lab.StarLab;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.transport.Syndrome;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.wire.FrameEncoder;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.capture.PcapngWriter;
import dev.clockwire.sim.state.Token;
import dev.clockwire.testkit.SimEvent;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/** The RoCE packets that the hosts of a lab send, lost ones too; the last {@link #MOST} are kept. */
public final class FrameLog {
    /** Packets kept. */
    public static final int MOST = 4096;

    private static final int SHORTEST = 60;
    private static final int HEADERS = 256;
    /** Congestion experienced. */
    private static final int MARKED = 3;

    private final List<String> hosts = new ArrayList<>();
    private final Deque<Sent> sent = new ArrayDeque<>();
    private long count;

    private FrameLog() {}

    /** Starts to listen to the line between two hosts. */
    public static FrameLog of(Lab lab) {
        return new FrameLog().listen(lab.a(), lab.endOfA()).listen(lab.b(), lab.endOfB());
    }

    /** Starts to listen to the hosts of a star. */
    public static FrameLog of(StarLab lab) {
        FrameLog log = new FrameLog();
        for (int i = 0; i < lab.size(); i++) {
            log.listen(lab.host(i), lab.link(i).a());
        }
        return log;
    }

    /** Starts to listen to the hosts of a fabric. */
    public static FrameLog of(FabricLab lab) {
        FrameLog log = new FrameLog();
        for (int i = 0; i < lab.hosts().size(); i++) {
            log.listen(lab.hosts().get(i), lab.wiring().hostEnd(i));
        }
        return log;
    }

    private FrameLog listen(LabHost host, LinkEnd end) {
        hosts.add(host.name());
        end.tap((ps, from, frame) -> add(ps, host.name(), frame));
        return this;
    }

    /**
     * A packet on the line.
     *
     * @param ps when its first bit leaves
     * @param host name of the host that sends it
     * @param packet a copy
     */
    public record Sent(long ps, String host, RocePacket packet) {
        /** Returns the name of the operation, the number of a reserved opcode. */
        public String opcode() {
            Opcode known = Opcode.find(packet.opcode);
            return known == null ? "opcode 0x" + Integer.toHexString(packet.opcode) : known.name();
        }

        /** What is wrong, if the packet says that something is. */
        private String answer() {
            if (!packet.isResponse() || Syndrome.isAck(packet.syndrome)) {
                return "";
            }
            if (Syndrome.isRnr(packet.syndrome)) {
                return ", receiver not ready: no receive was posted; again in "
                        + Syndrome.rnrWaitPs(packet.syndrome) / 1_000_000 + " us";
            }
            WcStatus failure = Syndrome.failure(packet.syndrome);
            String why = packet.syndrome == Syndrome.NAK_SEQUENCE ? "PSN sequence error" : "";
            return ", NAK 0x" + Integer.toHexString(packet.syndrome) + " " + (failure == null ? why : failure.text());
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%s psn 0x%06x to QP 0x%06x%s%s%s%s",
                    opcode(),
                    packet.psn,
                    packet.destQp,
                    packet.payloadLength > 0 ? ", " + packet.payloadLength + " bytes" : "",
                    answer(),
                    packet.flow.ecn == MARKED ? ", marked" : "",
                    packet.icrcOk ? "" : ", bad ICRC");
        }
    }

    private void add(long ps, String host, Token frame) {
        if (!(frame instanceof RocePacket packet)) {
            return;
        }
        count++;
        if (sent.size() == MOST) {
            sent.removeFirst();
        }
        RocePacket copy = new RocePacket();
        copy.set(packet);
        sent.addLast(new Sent(ps, host, copy));
    }

    /** Returns the packets kept, by the time of their first bits. */
    public List<Sent> packets() {
        return sent.stream().sorted(Comparator.comparingLong(Sent::ps)).toList();
    }

    /** Returns how many there were, those not kept included. */
    public long count() {
        return count;
    }

    /** Returns the packets kept as events of their hosts. */
    List<SimEvent> events() {
        return packets().stream()
                .map(s -> new SimEvent(s.ps, s.host, s.toString()))
                .toList();
    }

    /** Writes the packets kept as pcapng, one interface for each host; of payload without bytes the headers alone. */
    public void write(Path file, String comment) {
        FrameEncoder encoder = new FrameEncoder();
        try (PcapngWriter out = PcapngWriter.create(file, "Clockwire", comment)) {
            hosts.forEach(out::addInterface);
            for (Sent s : packets()) {
                RocePacket p = s.packet;
                int length = Math.max(SHORTEST, p.wireBytes());
                boolean whole = p.payload.isBytes() && p.payload.length() == p.payloadLength;
                byte[] bytes = new byte[length + HEADERS];
                int kept = length;
                if (whole) {
                    encoder.encode(p, bytes, 0);
                } else {
                    kept = encoder.encodeHeaders(p, bytes, 0);
                }
                out.write(hosts.indexOf(s.host), s.ps, bytes, 0, kept, length);
            }
            out.commit();
        }
    }
}
