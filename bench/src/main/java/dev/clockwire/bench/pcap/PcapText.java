package dev.clockwire.bench.pcap;

import dev.clockwire.bench.text.Count;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** A capture report as lines for people, one for each RoCE frame, then the counts. */
public final class PcapText {
    private static final String[] REFUSALS = {
        "PSN sequence error", "invalid request", "remote access error", "remote operational error", "invalid RD request"
    };

    private static final List<String> CM_SHOWN = List.of(
            "service_id", "qpn", "remote_qpn", "starting_psn", "responder_resources", "initiator_depth", "reason_text");

    private PcapText() {}

    /** Hands the lines of a report to a consumer. Times are relative to the first RoCE frame, in microseconds. */
    public static void print(CaptureReport report, Consumer<String> lines) {
        lines.accept(report.file());
        long start = report.packets().isEmpty() ? 0 : report.packets().get(0).timeNs();
        for (PacketReport packet : report.packets()) {
            lines.accept(line(packet, start));
        }
        lines.accept(Count.of(report.frames(), "frame") + ", " + report.roceFrames() + " RoCE: " + report.icrcGood()
                + " ICRC good, " + report.icrcBad() + " bad, " + report.malformed() + " malformed");
    }

    private static String line(PacketReport p, long start) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT, "%6d %13.3f us  %s -> %s  ", p.frame(), (p.timeNs() - start) / 1000.0, p.src(), p.dst()));
        if (p.opcode() != null) {
            text.append(String.format(Locale.ROOT, "%-30s QP %s PSN %s", p.opcode(), p.destQp(), p.psn()));
            text.append(Boolean.TRUE.equals(p.ackReq()) ? " A" : "");
            text.append(Boolean.TRUE.equals(p.solicited()) ? " SE" : "");
            headers(p, text);
        }
        if (p.icrc() != null) {
            text.append("  ICRC ").append(p.icrc());
        }
        if (p.error() != null && !"bad".equals(p.icrc())) {
            text.append("  [").append(p.error()).append(']');
        }
        return text.toString();
    }

    private static void headers(PacketReport p, StringBuilder text) {
        Integer payload = p.payloadLen();
        if (payload != null && payload > 0) {
            text.append("  ").append(payload).append(" B");
        }
        PacketReport.Reth reth = p.reth();
        if (reth != null) {
            text.append("  va ").append(reth.va()).append(" rkey ").append(reth.rkey());
            text.append(" len ").append(reth.dmaLen());
        }
        PacketReport.AtomicEth atomic = p.atomicEth();
        if (atomic != null) {
            text.append("  va ").append(atomic.va()).append(" rkey ").append(atomic.rkey());
            text.append(" swap/add ")
                    .append(atomic.swapAdd())
                    .append(" compare ")
                    .append(atomic.compare());
        }
        PacketReport.Aeth aeth = p.aeth();
        if (aeth != null) {
            text.append("  ")
                    .append(syndrome(Integer.decode(aeth.syndrome())))
                    .append(" MSN ")
                    .append(aeth.msn());
        }
        PacketReport.AtomicAck before = p.atomicAck();
        if (before != null) {
            text.append("  was ").append(before.original());
        }
        text.append(p.imm() == null ? "" : "  imm " + p.imm());
        text.append(p.ieth() == null ? "" : "  invalidate " + p.ieth());
        PacketReport.Deth deth = p.deth();
        if (deth != null) {
            text.append("  from QP ").append(deth.srcQp()).append(" Q_Key ").append(deth.qkey());
        }
        Map<String, Object> cm = p.cm();
        if (cm != null) {
            text.append("  CM ").append(cm.get("attribute"));
            for (String field : CM_SHOWN) {
                text.append(cm.containsKey(field) ? " " + field + " " + cm.get(field) : "");
            }
        }
    }

    private static String syndrome(int value) {
        int low = value & 0x1F;
        return switch (value >> 5) {
            case 0 -> low == 0x1F ? "ACK" : "ACK credit code " + low;
            case 1 -> "RNR NAK timer code " + low;
            case 3 -> "NAK " + (low < REFUSALS.length ? REFUSALS[low] : "code " + low);
            default -> "reserved syndrome " + value;
        };
    }
}
