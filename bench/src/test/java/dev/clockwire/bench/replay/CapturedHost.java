package dev.clockwire.bench.replay;

import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.wire.FrameDecoder;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.capture.CaptureReader;
import dev.clockwire.sim.state.Token;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A captured NVMe host at the end of a line. Its frames are sent again, each when the simulated target has said all that the captured one had
 * said before it; numbers that a target chooses (queue pairs, first PSNs, communication ids) are replaced by those chosen now.
 */
final class CapturedHost extends SimNode {
    private static final int HOST = 10 << 24 | 1;
    private static final int CM = 1;
    private static final int MAD_HEAD = 24;
    private static final int REP = 0x13;
    private static final int RTU = 0x14;
    private static final int DREQ = 0x15;
    private static final int DREP = 0x16;
    private static final int PSN_MASK = 0xFF_FFFF;

    /** What was captured, and what is said now. */
    final Side captured = new Side();

    final Side simulated = new Side();
    /** The host's frames with what the target had said before, queue by queue. */
    final List<Step> steps = new ArrayList<>();

    final TreeSet<Integer> lost = new TreeSet<>();
    private final LinkEnd end;

    /** A frame of the host. */
    static final class Step {
        final int number;
        final RocePacket packet;
        final Map<Integer, Integer> before;

        Step(int number, RocePacket packet, Map<Integer, Integer> before) {
            this.number = number;
            this.packet = packet;
            this.before = before;
        }
    }

    /** The messages of a target, by the host's queue pair that they went to, and the numbers it chose. */
    static final class Side {
        final Map<Integer, List<String>> messages = new TreeMap<>();
        final List<byte[]> replies = new ArrayList<>();
        private final Map<Integer, StringBuilder> open = new TreeMap<>();
        private final Map<Integer, ByteBuffer> bytes = new TreeMap<>();

        Map<Integer, Integer> counts() {
            Map<Integer, Integer> all = new TreeMap<>();
            messages.forEach((qp, list) -> all.put(qp, list.size()));
            return all;
        }

        /** Adds a packet; a message is said when its last packet is. Acknowledgements are none. */
        void add(RocePacket p) {
            String op = Opcode.of(p.opcode).name();
            if (op.equals("RC_ACKNOWLEDGE")) {
                return;
            }
            byte[] payload = new byte[p.payloadLength];
            p.payload.copyTo(0, payload, 0, payload.length);
            if (p.destQp == CM) {
                cm(payload);
                return;
            }
            StringBuilder text = open.computeIfAbsent(p.destQp, q -> new StringBuilder());
            ByteBuffer data = bytes.computeIfAbsent(p.destQp, q -> ByteBuffer.allocate(1 << 18));
            text.append(op, 3, op.length()).append(' ').append(payload.length).append(' ');
            data.put(payload);
            if (op.contains("WRITE_FIRST") || op.contains("WRITE_ONLY") || op.contains("READ_REQUEST")) {
                text.append(String.format("va=%x key=%x length=%x ", p.va, p.rkey, p.dmaLen));
            }
            if (op.contains("INV")) {
                text.append(String.format("inv=%x ", p.invalidateKey));
            }
            if (op.contains("ONLY") || op.contains("LAST") || op.contains("READ_REQUEST")) {
                byte[] all = new byte[data.flip().remaining()];
                data.get(all).clear();
                text.append(HexFormat.of().formatHex(all));
                messages.computeIfAbsent(p.destQp, q -> new ArrayList<>()).add(text.toString());
                open.remove(p.destQp);
            }
        }

        private void cm(byte[] mad) {
            int attribute = mad[17] & 0xFF;
            if (attribute == REP) {
                replies.add(mad);
            }
            String data = attribute == REP ? HexFormat.of().formatHex(mad, MAD_HEAD + 36, MAD_HEAD + 68) : "";
            messages.computeIfAbsent(CM, q -> new ArrayList<>()).add("CM " + attribute + " " + data);
        }

        int qpn(int i) {
            return ByteBuffer.wrap(replies.get(i)).getInt(MAD_HEAD + 12) >>> 8;
        }

        int psn(int i) {
            return ByteBuffer.wrap(replies.get(i)).getInt(MAD_HEAD + 20) >>> 8;
        }

        int id(int i) {
            return ByteBuffer.wrap(replies.get(i)).getInt(MAD_HEAD);
        }
    }

    CapturedHost(Scope parent, LinkEnd end) {
        super(parent, "host");
        this.end = end;
        end.attach(new EventPort(this, "line") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                if (token instanceof RocePacket p) {
                    simulated.add(p);
                }
            }
        });
    }

    void read(Path file) {
        FrameDecoder decoder = new FrameDecoder();
        try (CaptureReader reader = CaptureReader.open(file)) {
            while (reader.next()) {
                RocePacket p = new RocePacket();
                decoder.decode(reader.data(), reader.dataOffset(), reader.length(), p);
                if ((int) p.flow.srcLo == HOST) {
                    steps.add(new Step((int) reader.number(), p, captured.counts()));
                } else {
                    captured.add(p);
                }
            }
        }
    }

    /** Returns whether the target has said as much as the captured one had before a frame. */
    boolean isDue(Step s) {
        Map<Integer, Integer> now = simulated.counts();
        return s.before.entrySet().stream().allMatch(e -> now.getOrDefault(e.getKey(), 0) >= e.getValue());
    }

    /** Sends a frame of the host with the numbers that hold now; not one that was lost on its way. */
    void send(Step s) {
        if (lost.contains(s.number)) {
            return;
        }
        RocePacket p = s.packet;
        if (p.destQp == CM) {
            patch(p);
        } else {
            int i = connection(p.destQp);
            p.destQp = simulated.qpn(i);
            if (Opcode.of(p.opcode).name().startsWith("RC_SEND")) {
                p.psn = (p.psn - captured.psn(i) + simulated.psn(i)) & PSN_MASK;
            }
        }
        end.transmit(now(), p);
    }

    private int connection(int capturedQpn) {
        int i = 0;
        while (captured.qpn(i) != capturedQpn) {
            i++;
        }
        return i;
    }

    /** In messages behind the reply the target's communication id, and its queue pair, are named. */
    private void patch(RocePacket p) {
        byte[] mad = new byte[p.payloadLength];
        p.payload.copyTo(0, mad, 0, mad.length);
        int attribute = mad[17] & 0xFF;
        if (attribute != RTU && attribute != DREQ && attribute != DREP) {
            return;
        }
        ByteBuffer b = ByteBuffer.wrap(mad);
        int remote = b.getInt(MAD_HEAD + 4);
        int i = 0;
        while (captured.id(i) != remote) {
            i++;
        }
        b.putInt(MAD_HEAD + 4, simulated.id(i));
        if (attribute == DREQ) {
            b.putInt(MAD_HEAD + 8, (simulated.qpn(i) << 8) | (b.getInt(MAD_HEAD + 8) & 0xFF));
        }
        p.payload.clear();
        p.payload.appendBytes(mad, 0, mad.length);
    }
}
