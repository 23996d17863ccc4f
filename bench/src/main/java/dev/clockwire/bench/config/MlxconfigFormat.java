package dev.clockwire.bench.config;

import dev.clockwire.bench.config.text.ConfigLine;
import dev.clockwire.sim.error.Nearest;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code mlxconfig -d DEV [-y] set NAME=VALUE ...}: parameters of the firmware. */
final class MlxconfigFormat implements ConfigFormat {
    private static final Pattern SETTING =
            Pattern.compile("([A-Z][A-Z0-9_]*(?:\\[[0-9.]+\\])?)=(-?\\d{1,18}|0[xX][0-9a-fA-F]{1,15}|[A-Za-z_]+)");

    private static final Pattern NUMBER = Pattern.compile("-?\\d+|0[xX][0-9a-fA-F]+");

    /** Firmware parameters that people set, and what they do. */
    private static final Map<String, Firmware> KNOWN = new TreeMap<>(Map.ofEntries(
            Map.entry(
                    "PCI_WR_ORDERING",
                    new Firmware(
                            "0: memory regions decide about relaxed ordering, 1: always relaxed",
                            0,
                            1,
                            "per_mkey",
                            "force_relax")),
            Map.entry("ROCE_NEXT_PROTOCOL", new Firmware("IP protocol number of RoCE v1.5", 0, 255)),
            Map.entry("ROCE_CC_PRIO_MASK_P1", new Firmware("priorities with congestion control on port 1", 0, 255)),
            Map.entry("ROCE_CC_PRIO_MASK_P2", new Firmware("priorities with congestion control on port 2", 0, 255)),
            Map.entry("ROCE_CC_SHAPER_COALESCE_P1", new Firmware("rate shapers shared by queue pairs", 0, 2)),
            Map.entry("CNP_DSCP_P1", new Firmware("DSCP of CNPs", 0, 63)),
            Map.entry("CNP_802P_PRIO_P1", new Firmware("priority of CNPs", 0, 7)),
            Map.entry("LINK_TYPE_P1", new Firmware("1: InfiniBand, 2: Ethernet", 1, 3, "IB", "ETH", "VPI")),
            Map.entry("LINK_TYPE_P2", new Firmware("1: InfiniBand, 2: Ethernet", 1, 3, "IB", "ETH", "VPI")),
            Map.entry("CQE_COMPRESSION", new Firmware("0: balanced, 1: aggressive", 0, 1, "BALANCED", "AGGRESSIVE")),
            Map.entry("MAX_ACC_OUT_READ", new Firmware("outstanding PCIe reads, 0: the firmware's choice", 0, 1024)),
            Map.entry("NUM_OF_VFS", new Firmware("virtual functions", 0, 1023)),
            Map.entry("SRIOV_EN", new Firmware("virtual functions on or off", 0, 1, "False", "True")),
            Map.entry("ATS_ENABLED", new Firmware("address translation services", 0, 1, "False", "True"))));

    static {
        ReactionPointKeys.ALL.forEach(
                (name, key) -> KNOWN.put(name, new Firmware(key.meaning(), key.least(), key.most())));
    }

    /** A parameter of the firmware: what it does, its least and largest value, and the words for them, from the least on. */
    private record Firmware(String meaning, long least, long most, List<String> words) {
        Firmware(String meaning, long least, long most, String... words) {
            this(meaning, least, most, List.of(words));
        }

        /** Returns the value that a text stands for, less than the least if it is none; the tool minds no case. */
        long value(String text) {
            for (int i = 0; i < words.size(); i++) {
                if (words.get(i).equalsIgnoreCase(text)) {
                    return least + i;
                }
            }
            return NUMBER.matcher(text).matches() ? number(text) : least - 1;
        }

        String allowed() {
            return "from " + least + " to " + most + (words.isEmpty() ? "" : ", or " + String.join(", ", words));
        }
    }

    @Override
    public String name() {
        return "mlxconfig";
    }

    @Override
    public boolean knows(ConfigLine line) {
        return line.program().equals("mlxconfig");
    }

    @Override
    public void apply(ConfigLine line, ConfigTarget target) {
        line.option("-d", "");
        int set = Math.max(line.words().indexOf("set"), line.words().indexOf("s"));
        if (set < 0) {
            if (!line.words().contains("query") && !line.words().contains("q")) {
                throw line.bad(line.words().size(), "set NAME=VALUE or query");
            }
            target.effect("prints; changes nothing");
            return;
        }
        if (set + 1 == line.words().size()) {
            throw line.bad(set + 1, "NAME=VALUE");
        }
        for (int i = set + 1; i < line.words().size(); i++) {
            Matcher m = SETTING.matcher(line.words().get(i));
            if (!m.matches()) {
                throw line.bad(i, "NAME=VALUE");
            }
            setting(line, i, m, target);
        }
    }

    private static long number(String text) {
        return text.startsWith("0x") || text.startsWith("0X")
                ? Long.parseLong(text.substring(2), 16)
                : Long.parseLong(text);
    }

    private static void setting(ConfigLine line, int word, Matcher m, ConfigTarget target) {
        String name = m.group(1);
        Firmware known = KNOWN.get(name);
        if (known == null) {
            target.effect("refused by the tool: no such parameter");
            target.finding(
                    "mlxconfig-no-such-parameter",
                    "error",
                    NUMBER.matcher(m.group(2)).matches() ? number(m.group(2)) : 0,
                    "the firmware has no " + name + Nearest.hint(name, List.copyOf(KNOWN.keySet())),
                    name.startsWith("ROCE_CC")
                            ? "congestion control is on or off by priority: ROCE_CC_PRIO_MASK_P1=255"
                            : "mlxconfig -d DEV query lists the names");
            return;
        }
        long value = known.value(m.group(2));
        ReactionPointKeys.Key rate = ReactionPointKeys.ALL.get(name);
        if (rate != null && NUMBER.matcher(m.group(2)).matches()) {
            rate.apply(name, value, target);
            return;
        }
        if (value < known.least || value > known.most) {
            throw line.bad(word, name + " " + known.allowed());
        }
        target.effect(name + " = " + value + " (" + known.meaning + "), in force after a reset of the firmware");
        simulated(name, value, target);
        judge(name, value, target);
    }

    /** Sets what the simulated NIC has of it. */
    private static void simulated(String name, long value, ConfigTarget target) {
        switch (name) {
            case "PCI_WR_ORDERING" -> target.override("nic.pci_wr_ordering", value == 1 ? "force_relax" : "per_mkey");
            case "ATS_ENABLED" -> translations(value == 1, target);
            case "CQE_COMPRESSION" -> target.override("nic.cqe.compression", value == 1 ? "all" : "cq");
            case "ROCE_CC_PRIO_MASK_P1" -> target.override("nic.rate.dcqcn", value == 0 ? "off" : "vendor");
            case "LINK_TYPE_P1" -> target.override("link.framing", value == 1 ? "infiniband" : "ethernet");
            case "MAX_ACC_OUT_READ" -> {
                if (value > 0) {
                    target.override("nic.dma.payload_outstanding_reads", Long.toString(value));
                } else {
                    target.keep("nic.dma.payload_outstanding_reads");
                }
            }
            default -> {}
        }
    }

    /** Without an IOMMU there is nothing that could translate: the capability stays switched off. */
    private static void translations(boolean on, ConfigTarget target) {
        if (on && !target.flag("host.iommu.enabled")) {
            target.keep("pcie.ats");
            target.finding(
                    "ats-needs-an-iommu",
                    "warning",
                    1,
                    "shows a capability that only a host with an IOMMU switches on, and this one has none",
                    "-P host.iommu.enabled=true");
            return;
        }
        target.override("pcie.ats", Boolean.toString(on));
    }

    private static void judge(String name, long value, ConfigTarget target) {
        if (name.equals("ROCE_NEXT_PROTOCOL")) {
            target.finding(
                    "roce-next-protocol-is-no-switch",
                    "warning",
                    value,
                    "is the IP protocol number of RoCE v1.5 frames (default 254) and does not turn RoCE v2 on, which"
                            + " is UDP port 4791 and always there",
                    "leave it; RoCE v2 is chosen with the GID index, or for rdma_cm with cma_roce_mode -m 2");
        } else if (name.startsWith("LINK_TYPE") && value != 2) {
            target.finding(
                    "link-type-infiniband", "warning", value, "the port is no Ethernet port: no RoCE", name + "=2");
        } else if (name.equals("MAX_ACC_OUT_READ") && value > 0) {
            target.finding(
                    "outstanding-reads-of-a-queue-pair",
                    "note",
                    value,
                    "limits the payload reads of each simulated queue pair, those of the whole device in the firmware",
                    "divide by the number of queue pairs at work");
        }
    }
}
