package dev.clockwire.bench.device;

import dev.clockwire.bench.artefact.DeviceCounters;
import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.driver.NicEthernet;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.pcie.config.BarSpec;
import dev.clockwire.pcie.config.ConfigSpace;
import dev.clockwire.pcie.fabric.PcieSwitch;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QueuePair;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/** The NIC of one host of a lab as the tools of a real machine show it. Values that the simulation does not have are not shown. */
public final class DeviceText {
    /** Bus address of every simulated NIC. */
    static final String ADDRESS = "3b:00.0";

    private static final String BRIDGE_TITLE =
            "PCI bridge: Broadcom / LSI Clockwire simulated PCIe switch (prog-if 00 [Normal decode])";
    private static final String TITLE = "Ethernet controller: Mellanox Technologies Clockwire simulated NIC";

    private final LabHost host;
    private final LinkEnd own;
    private final LinkEnd facing;
    private final List<QueuePair> qps;
    private final DeviceCounters counters;
    private final String device;
    private final String command;

    /**
     * Looks at one host.
     *
     * @param second whether it is the second host of the lab
     * @param qps queue pairs of its program
     * @param device name of the RDMA device
     * @param command name of the program
     */
    public DeviceText(Lab lab, boolean second, List<QueuePair> qps, String device, String command) {
        host = second ? lab.b() : lab.a();
        own = second ? lab.endOfB() : lab.endOfA();
        facing = second ? lab.facingB() : lab.facingA();
        this.qps = List.copyOf(qps);
        counters = DeviceCounters.of(lab).get(second ? 1 : 0);
        this.device = device;
        this.command = command;
    }

    /** Returns the lines of a format, the first a comment with the command; nothing of hardware where a device has none. */
    public List<String> lines(DeviceFormat format) {
        List<String> lines = new ArrayList<>();
        switch (format) {
            case COUNTERS -> files(lines, "counters", portCounters());
            case HW_COUNTERS -> files(lines, "hw_counters", counters.hwCounters());
            case ETHTOOL_S -> {
                lines.add(title("ethtool -S eth0"));
                lines.add("NIC statistics:");
                counters.ethtool().forEach((name, value) -> lines.add("     " + name + ": " + value));
            }
            case ETHTOOL_C -> coalescing(lines);
            case LSPCI -> lspci(lines);
            case LSPCI_DUMP -> {
                lines.add(title("lspci -xxxx -s " + ADDRESS));
                if (host.isHardware()) {
                    LspciText.dump(ADDRESS, TITLE, config(), lines::add);
                }
            }
            case RDMA -> resources(lines);
            case QPS -> debugFiles(lines);
            case NUMA, INTERRUPTS, STATUS, IOMMU -> new HostText(host, device, command).lines(format, lines::add);
        }
        return lines;
    }

    private String title(String typed) {
        return "# " + host.name() + ": " + typed;
    }

    private void files(List<String> lines, String folder, Map<String, Long> values) {
        String path = "/sys/class/infiniband/" + device + "/ports/1/" + folder + "/";
        lines.add(title("grep . " + path + "*"));
        values.forEach((name, value) -> lines.add(path + name + ":" + value));
    }

    /** Data are counted in words of 4 bytes. */
    private Map<String, Long> portCounters() {
        Map<String, Long> all = new TreeMap<>();
        all.put("port_xmit_packets", own.framesSent());
        all.put("port_rcv_packets", facing.framesPassed());
        all.put("port_xmit_data", words(own, own.lineBytesSent(), own.framesSent()));
        all.put("port_rcv_data", words(facing, facing.lineBytesPassed(), facing.framesPassed()));
        all.put("unicast_xmit_packets", own.framesSent());
        all.put("unicast_rcv_packets", facing.framesPassed());
        all.put("port_rcv_errors", counters.hwCounters().getOrDefault("rx_icrc_encapsulated", 0L));
        return all;
    }

    /** Preamble, FCS and gaps are no data. */
    private static long words(LinkEnd end, long lineBytes, long frames) {
        int overhead = end.spec().framing().lineBytes(1024) - 1024;
        return (lineBytes - overhead * frames) / 4;
    }

    /** What completion queues join to one event: that of the first queue pair's send queue stands for all. */
    private void coalescing(List<String> lines) {
        lines.add(title("ethtool -c eth0"));
        lines.add("Coalesce parameters for eth0:");
        lines.add("Adaptive RX: " + adaptive() + "  TX: n/a");
        if (host.isHardware() && !qps.isEmpty()) {
            ContextTable table = host.nic().parts().table();
            for (String way : List.of("rx", "tx")) {
                int cqn = cqn(table, qps.get(0).qpn(), way.equals("tx"));
                lines.add("");
                lines.add(way + "-usecs: " + table.moderationUs(cqn));
                lines.add(way + "-frames: " + table.moderationCount(cqn));
                lines.add(way + "-usecs-irq: n/a");
                lines.add(way + "-frames-irq: n/a");
            }
        }
    }

    /** Only drivers of Ethernet queues choose what interrupts wait for; ethtool says n/a of what a device does not have. */
    private String adaptive() {
        NicEthernet queues = host.ethernet();
        return queues == null ? "n/a" : queues.adaptiveUsecs(0) < 0 ? "off" : "on";
    }

    private static int cqn(ContextTable table, int qpn, boolean send) {
        var qp = table.qp(qpn);
        return qp == null ? 0 : send ? qp.sendCqn : qp.recvCqn;
    }

    /** The ports of a switch in front of the NIC come first, as their buses do. */
    private void lspci(List<String> lines) {
        PcieSwitch fabric = host.pcieSwitch();
        lines.add(title("lspci -vvv" + (fabric == null ? " -s " + ADDRESS : "")));
        for (int port = 0; fabric != null && port < fabric.ports(); port++) {
            int id = fabric.portId(port);
            String address = String.format(Locale.ROOT, "%02x:%02x.%d", id >> 8, id >> 3 & 0x1F, id & 7);
            LspciText.print(address, BRIDGE_TITLE, bytes(fabric.config(port)::read), n -> 0, lines::add);
            lines.add("");
        }
        if (host.isHardware()) {
            lines.addAll(function(ADDRESS, TITLE, host.nic().config()));
        }
    }

    /** Returns what {@code lspci -vvv} shows of any function. */
    public static List<String> function(String address, String title, ConfigSpace space) {
        List<String> lines = new ArrayList<>();
        LspciText.print(
                address,
                title,
                bytes(space::read),
                n -> space.spec().bars().stream()
                        .filter(b -> b.number() == n)
                        .mapToLong(BarSpec::bytes)
                        .sum(),
                lines::add);
        return lines;
    }

    private byte[] config() {
        return bytes(host.nic().config()::read);
    }

    private static byte[] bytes(IntUnaryOperator words) {
        byte[] space = new byte[PciBits.BYTES];
        for (int at = 0; at < PciBits.BYTES; at += 4) {
            PciBits.put(space, at, words.applyAsInt(at));
        }
        return space;
    }

    private void resources(List<String> lines) {
        lines.add(title("rdma resource show qp link " + device + "/1"));
        for (QueuePair qp : qps) {
            QpAttributes a = qp.query();
            boolean connected = qp.type() != QpType.UD;
            lines.add(String.format(
                    Locale.ROOT,
                    "link %s/1 lqpn %d %stype %s state %s %ssq-psn %d pid 1 comm %s",
                    device,
                    qp.qpn(),
                    connected ? "rqpn " + a.destQpn() + " " : "",
                    qp.type(),
                    qp.state(),
                    connected ? "rq-psn " + a.rqPsn() + " " : "",
                    a.sqPsn(),
                    command));
        }
    }

    private void debugFiles(List<String> lines) {
        String path = "/sys/kernel/debug/mlx5/0000:" + ADDRESS + "/QPs/";
        lines.add(title("grep -r . " + path));
        for (QueuePair qp : qps) {
            QpAttributes a = qp.query();
            String at = path + "0x" + Integer.toHexString(qp.qpn()) + "/";
            lines.add(at + "pid:1");
            lines.add(at + "state:" + (qp.state() == QpState.RESET ? "RST" : qp.state()));
            lines.add(at + "transport:" + qp.type());
            if (qp.type() != QpType.UD) {
                lines.add(at + "mtu:" + a.pathMtu().bytes());
                lines.add(at + "remote_qpn:0x" + Integer.toHexString(a.destQpn()));
            }
            lines.add(at + "num_send:" + qp.init().capabilities().maxSendWr());
            lines.add(at + "num_recv:" + qp.init().capabilities().maxRecvWr());
        }
    }
}
