package dev.clockwire.bench.pcap;

import dev.clockwire.roce.cm.Mad;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.wire.FlowAddress;
import dev.clockwire.roce.wire.FrameDecoder;
import dev.clockwire.roce.wire.FrameVerdict;
import dev.clockwire.roce.wire.Header;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.capture.CaptureReader;
import dev.clockwire.sim.error.ConfigurationException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decodes every frame of a capture file. */
public final class PcapDecode {
    private final FrameDecoder decoder = new FrameDecoder();
    private final RocePacket packet = new RocePacket();
    private final List<PacketReport> packets = new ArrayList<>();
    private long good;
    private long bad;
    private long malformed;

    private PcapDecode() {}

    /**
     * Reads a pcap or pcapng file to its end.
     *
     * @throws ConfigurationException if the file cannot be read, is damaged, or holds something else than Ethernet frames;
     *     the message names file and offset
     */
    public static CaptureReport decode(Path file) {
        return decode(file, Long.MAX_VALUE);
    }

    /** Reads the first frames of a file, at most so many; otherwise as {@link #decode(Path)}. */
    public static CaptureReport decode(Path file, long most) {
        PcapDecode decode = new PcapDecode();
        long frames = 0;
        try (CaptureReader reader = CaptureReader.open(file)) {
            while (frames < most && reader.next()) {
                if (reader.linkType() != CaptureReader.ETHERNET) {
                    throw new ConfigurationException(file + ": offset " + reader.recordOffset() + ": frame "
                            + reader.number() + " has link type " + reader.linkType() + ", expected 1 (Ethernet)");
                }
                decode.frame(reader);
                frames = reader.number();
            }
        }
        return new CaptureReport(
                file.toString(),
                frames,
                decode.packets.size(),
                decode.good,
                decode.bad,
                decode.malformed,
                List.copyOf(decode.packets));
    }

    private void frame(CaptureReader reader) {
        FrameVerdict verdict = decoder.decode(reader.data(), reader.dataOffset(), reader.length(), packet);
        if (!verdict.isRoce()) {
            return;
        }
        if (verdict.isWhole()) {
            good += packet.icrcOk ? 1 : 0;
            bad += packet.icrcOk ? 0 : 1;
        }
        malformed += verdict.isMalformed() ? 1 : 0;
        packets.add(report(reader, verdict));
    }

    private PacketReport report(CaptureReader reader, FrameVerdict verdict) {
        RocePacket p = packet;
        FlowAddress flow = p.flow;
        boolean hasBth = verdict != FrameVerdict.TOO_SHORT && verdict != FrameVerdict.CUT_IN_HEADERS;
        Opcode opcode = hasBth ? Opcode.find(p.opcode) : null;
        Opcode extended = verdict == FrameVerdict.HEADERS_CUT ? null : opcode;
        return new PacketReport(
                reader.number(),
                reader.ns(),
                IpText.of(flow.encapsulation, flow.srcHi, flow.srcLo),
                IpText.of(flow.encapsulation, flow.dstHi, flow.dstLo),
                reader.originalLength(),
                hasBth ? opcode == null ? hex(p.opcode, 2) : opcode.name() : null,
                hasBth ? hex(p.destQp, 6) : null,
                hasBth ? hex(p.psn, 6) : null,
                hasBth ? p.ackReq : null,
                hasBth ? p.solicited : null,
                hasBth ? p.padCount : null,
                hasBth ? hex(p.pkey, 4) : null,
                verdict.isWhole() ? p.icrcOk ? "good" : "bad" : null,
                extended == null ? null : p.payloadLength,
                has(extended, Header.RETH) ? new PacketReport.Reth(hex(p.va, 16), key(p.rkey), p.dmaLen) : null,
                has(extended, Header.AETH) ? new PacketReport.Aeth(hex(p.syndrome, 2), p.msn) : null,
                has(extended, Header.ATOMIC_ETH) ? atomic() : null,
                has(extended, Header.ATOMIC_ACK_ETH) ? new PacketReport.AtomicAck(hex(p.original, 16)) : null,
                has(extended, Header.IMM_DT) ? key(p.imm) : null,
                has(extended, Header.IETH) ? key(p.invalidateKey) : null,
                has(extended, Header.DETH) ? new PacketReport.Deth(key(p.qkey), hex(p.srcQp, 6)) : null,
                verdict == FrameVerdict.OK ? cm() : null,
                error(reader, verdict));
    }

    /** Returns the message of the connection manager, null if it is none. */
    private @Nullable Map<String, Object> cm() {
        if (packet.opcode != Opcode.UD_SEND_ONLY.code()
                || packet.destQp != QpInit.GSI_QPN
                || packet.qkey != Mad.QKEY
                || packet.payloadLength != Mad.BYTES) {
            return null;
        }
        Mad mad = Mad.decode(packet.payload.array(), 0, packet.payloadLength);
        return mad == null ? null : CmReport.of(mad);
    }

    private PacketReport.AtomicEth atomic() {
        return new PacketReport.AtomicEth(
                hex(packet.va, 16), key(packet.rkey), hex(packet.swapAdd, 16), hex(packet.compare, 16));
    }

    private static boolean has(@Nullable Opcode opcode, Header header) {
        return opcode != null && opcode.has(header);
    }

    private static @Nullable String error(CaptureReader reader, FrameVerdict verdict) {
        if (verdict == FrameVerdict.OK) {
            return null;
        }
        if (verdict == FrameVerdict.TRUNCATED && reader.length() < reader.originalLength()) {
            return "truncated: " + reader.length() + " of " + reader.originalLength() + " bytes were captured";
        }
        return verdict.text();
    }

    private static String key(int value) {
        return hex(Integer.toUnsignedLong(value), 8);
    }

    private static String hex(long value, int digits) {
        String text = Long.toHexString(value);
        return "0x" + "0".repeat(Math.max(0, digits - text.length())) + text;
    }
}
