package dev.clockwire.bench.perftest;

import dev.clockwire.roce.transport.QpType;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** The block that the real perftest prints above its results, and one line more: that this is a simulation, and of what. */
public final class HeaderText {
    /** The line between the parts. */
    static final String RULE = "-".repeat(87);

    private static final String LEFT = " ".repeat(20);

    private HeaderText() {}

    /**
     * Hands the lines to a consumer.
     *
     * @param device name of the device, which the real tool gets from {@code -d}
     * @param gidIndex what the user typed after {@code -x}
     * @param local one entry for each queue pair
     * @param remote the peer of each
     */
    public static void print(
            PerftestSpec spec,
            String device,
            int gidIndex,
            List<EndPoint> local,
            List<EndPoint> remote,
            Consumer<String> lines) {
        Consumer<String> out = lines;
        out.accept(RULE);
        out.accept(LEFT + title(spec));
        out.accept(" Dual-port       : OFF\t\tDevice         : " + device);
        out.accept(" Number of qps   : " + spec.qps() + "\t\tTransport type : IB");
        out.accept(" Connection type : " + spec.connection() + "\t\tUsing SRQ      : "
                + (spec.tuning().sharedReceives() ? "ON" : "OFF"));
        out.accept(" PCIe relax order: OFF");
        out.accept(" ibv_wr* API     : OFF");
        out.accept(" TX depth        : " + spec.txDepth());
        if (spec.postList() > 1) {
            out.accept(" Post List       : " + spec.postList());
        }
        if (!spec.tool().isLatency()) {
            out.accept(" CQ Moderation   : " + spec.cqMod());
        }
        out.accept(" Mtu             : " + spec.mtu() + "[B]");
        out.accept(" Link type       : Ethernet");
        out.accept(" GID index       : " + gidIndex);
        if (spec.tool().verb().isRoundTrip()) {
            out.accept(" Outstand reads  : " + spec.outstandingReads());
        } else {
            out.accept(" Max inline data : " + spec.inline() + "[B]");
        }
        out.accept(" rdma_cm QPs\t : OFF");
        out.accept(" Data ex. method : Ethernet");
        out.accept(" Simulation      : profile " + spec.profile().name() + ", seed " + spec.seed()
                + " (no hardware was measured)");
        out.accept(RULE);
        for (int i = 0; i < local.size(); i++) {
            address("local", spec, local.get(i), out);
            address("remote", spec, remote.get(i), out);
        }
        out.accept(RULE);
    }

    private static String title(PerftestSpec spec) {
        String what = switch (spec.tool().verb()) {
            case WRITE -> "RDMA_Write";
            case READ -> "RDMA_Read";
            case SEND -> "Send";
            case ATOMIC -> "Atomic " + spec.atomic();
        };
        return what + (spec.tool().isLatency() ? " Latency Test" : " BW Test");
    }

    private static void address(String side, PerftestSpec spec, EndPoint end, Consumer<String> out) {
        StringBuilder text = new StringBuilder(
                String.format(Locale.ROOT, " %s address: LID 0000 QPN %#06x PSN %#06x", side, end.qpn(), end.psn()));
        Verb verb = spec.tool().verb();
        if (verb == Verb.READ) {
            text.append(String.format(Locale.ROOT, " OUT %#04x", spec.outstandingReads()));
        }
        if ((verb == Verb.READ || verb == Verb.WRITE) && spec.connection() != QpType.UD) {
            text.append(String.format(Locale.ROOT, " RKey %#08x VAddr %#016x", end.rkey(), end.vaddr()));
        }
        out.accept(text.toString());
        out.accept(" GID: " + end.gidText());
    }
}
