package dev.clockwire.bench.report;

import dev.clockwire.bench.pcap.PacketReport;
import dev.clockwire.bench.pcap.PcapDecode;
import dev.clockwire.sim.capture.CaptureReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a capture.
 *
 * @param first frames in the order of the file
 * @param more whether the file has further ones
 */
record Frames(List<Frame> first, boolean more) {
    /** So many frames show how operations go; the file has the rest. */
    private static final int MOST = 200;

    private static final int BYTES = 256;
    private static final int MAC_BYTES = 6;
    private static final int ETHERNET_BYTES = 14;

    /**
     * A frame.
     *
     * @param timeNs since the capture's epoch
     * @param from IP address of a RoCE packet, MAC address otherwise
     * @param label the opcode, or the EtherType
     * @param length bytes on the wire without FCS
     * @param hex the first bytes
     * @param packet fields of a RoCE packet
     */
    record Frame(
            long number,
            long timeNs,
            String from,
            String to,
            String label,
            long length,
            String hex,
            @Nullable PacketReport packet) {}

    static Frames read(Path file) {
        Map<Long, PacketReport> packets = PcapDecode.decode(file, MOST).packets().stream()
                .collect(Collectors.toMap(PacketReport::frame, Function.identity()));
        List<Frame> first = new ArrayList<>();
        try (CaptureReader reader = CaptureReader.open(file)) {
            while (first.size() < MOST && reader.next()) {
                first.add(frame(reader, packets.get(reader.number())));
            }
            return new Frames(first, first.size() == MOST && reader.next());
        }
    }

    private static Frame frame(CaptureReader reader, @Nullable PacketReport packet) {
        HexFormat hex = HexFormat.of();
        int at = reader.dataOffset();
        int held = Math.min(BYTES, reader.length());
        String bytes = hex.formatHex(reader.data(), at, at + held);
        if (packet != null) {
            String label = packet.opcode() == null ? "RoCE" : packet.opcode();
            return new Frame(
                    reader.number(),
                    reader.ns(),
                    packet.src(),
                    packet.dst(),
                    label,
                    reader.originalLength(),
                    bytes,
                    packet);
        }
        boolean whole = held >= ETHERNET_BYTES;
        HexFormat mac = HexFormat.ofDelimiter(":");
        String to = whole ? mac.formatHex(reader.data(), at, at + MAC_BYTES) : "?";
        String from = whole ? mac.formatHex(reader.data(), at + MAC_BYTES, at + 2 * MAC_BYTES) : "?";
        String type =
                whole ? "EtherType 0x" + hex.formatHex(reader.data(), at + 2 * MAC_BYTES, at + ETHERNET_BYTES) : "cut";
        return new Frame(reader.number(), reader.ns(), from, to, type, reader.originalLength(), bytes, null);
    }
}
