package dev.clockwire.bench.config;

import dev.clockwire.sim.error.Nearest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code mlxconfig -d DEV [-y] set NAME=VALUE ...}: parameters of the firmware. */
final class MlxconfigFormat implements ConfigFormat {
    private static final Pattern SETTING =
            Pattern.compile("([A-Z][A-Z0-9_]*(?:\\[[0-9.]+\\])?)=(-?\\d+|0[xX][0-9a-fA-F]+|[A-Za-z_]+)");

    /** Firmware parameters that people set, and what they do. */
    private static final Map<String, String> KNOWN = new TreeMap<>(Map.ofEntries(
            Map.entry("PCI_WR_ORDERING", "0: memory regions decide about relaxed ordering, 1: always relaxed"),
            Map.entry("ROCE_NEXT_PROTOCOL", "IP protocol number of RoCE v1.5"),
            Map.entry("ROCE_CC_PRIO_MASK_P1", "priorities with congestion control on port 1"),
            Map.entry("ROCE_CC_PRIO_MASK_P2", "priorities with congestion control on port 2"),
            Map.entry("ROCE_CC_SHAPER_COALESCE_P1", "rate shapers shared by queue pairs"),
            Map.entry("CNP_DSCP_P1", "DSCP of CNPs"),
            Map.entry("CNP_802P_PRIO_P1", "priority of CNPs"),
            Map.entry("LINK_TYPE_P1", "1: InfiniBand, 2: Ethernet"),
            Map.entry("LINK_TYPE_P2", "1: InfiniBand, 2: Ethernet"),
            Map.entry("CQE_COMPRESSION", "0: balanced, 1: aggressive"),
            Map.entry("MAX_ACC_OUT_READ", "outstanding PCIe reads, 0: the firmware's choice"),
            Map.entry("NUM_OF_VFS", "virtual functions"),
            Map.entry("SRIOV_EN", "virtual functions on or off"),
            Map.entry("ATS_ENABLED", "address translation services"),
            Map.entry("RPG_BYTE_RESET_P1", "bytes between rate increases"),
            Map.entry("RPG_TIME_RESET_P1", "us between rate increases"),
            Map.entry("RPG_AI_RATE_P1", "Mb/s of an additive increase"),
            Map.entry("RPG_HAI_RATE_P1", "Mb/s of a hyper increase")));

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
            setting(m.group(1), number(m.group(2)), target);
        }
    }

    private static long number(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return switch (lower) {
            case "true", "on", "enabled", "force_relax" -> 1;
            default -> lower.matches("-?\\d+|0x[0-9a-f]+") ? Long.decode(lower) : 0;
        };
    }

    private static void setting(String name, long value, ConfigTarget target) {
        String meaning = KNOWN.get(name);
        if (meaning == null) {
            target.effect("refused by the tool: no such parameter");
            target.finding(
                    "mlxconfig-no-such-parameter",
                    "error",
                    value,
                    "the firmware has no " + name + Nearest.hint(name, List.copyOf(KNOWN.keySet())),
                    name.startsWith("ROCE_CC")
                            ? "congestion control is on or off by priority: ROCE_CC_PRIO_MASK_P1=255"
                            : "mlxconfig -d DEV query lists the names");
            return;
        }
        target.effect(name + " = " + value + " (" + meaning + "), in force after a reset of the firmware");
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
        }
    }
}
