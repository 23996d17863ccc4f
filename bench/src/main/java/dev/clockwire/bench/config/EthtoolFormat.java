package dev.clockwire.bench.config;

import dev.clockwire.bench.config.text.ConfigLine;
import java.util.List;
import java.util.Locale;

/** {@code ethtool -C | -G | -L | -A | -K | -N DEV NAME VALUE ...}: the Ethernet interface, which verbs do not go through. */
final class EthtoolFormat implements ConfigFormat {
    private static final int LARGEST_RING = 8192;
    private static final int MOST_QUEUES = 64;
    /** A completion queue's context has 12 bits for the period and 16 for the count. */
    private static final int MOST_USECS = 4095;

    private static final int MOST_FRAMES = 65_535;
    private static final int MOST_PORT = 65_535;
    private static final List<String> COALESCE = List.of(
            "adaptive-rx",
            "adaptive-tx",
            "rx-usecs",
            "rx-frames",
            "rx-usecs-irq",
            "rx-frames-irq",
            "tx-usecs",
            "tx-frames",
            "tx-usecs-irq",
            "tx-frames-irq",
            "stats-block-usecs",
            "pkt-rate-low",
            "rx-usecs-low",
            "rx-frames-low",
            "tx-usecs-low",
            "tx-frames-low",
            "pkt-rate-high",
            "rx-usecs-high",
            "rx-frames-high",
            "tx-usecs-high",
            "tx-frames-high",
            "sample-interval",
            "cqe-mode-rx",
            "cqe-mode-tx");
    private static final List<String> RINGS =
            List.of("rx", "rx-mini", "rx-jumbo", "tx", "rx-buf-len", "cqe-size", "tx-push-buf-len");
    private static final List<String> CHANNELS = List.of("rx", "tx", "other", "combined");
    private static final List<String> PAUSES = List.of("autoneg", "rx", "tx");
    private static final List<String> FLOWS = List.of(
            "ether", "ip4", "tcp4", "udp4", "sctp4", "ah4", "esp4", "ip6", "tcp6", "udp6", "sctp6", "ah6", "esp6");
    private static final List<String> PRINTS = List.of("-S", "-c", "-g", "-l", "-a", "-k", "-n", "-i", "-T", "-m");

    @Override
    public String name() {
        return "ethtool";
    }

    @Override
    public boolean knows(ConfigLine line) {
        return line.program().equals("ethtool");
    }

    @Override
    public void apply(ConfigLine line, ConfigTarget target) {
        if (line.words().size() < 2) {
            throw line.bad(1, "an option");
        }
        String option = line.words().get(1);
        if (!option.startsWith("-") || PRINTS.contains(option)) {
            target.effect("prints; changes nothing");
            return;
        }
        if (line.words().size() < 3) {
            throw line.bad(2, "an interface");
        }
        switch (option) {
            case "-C", "--coalesce" -> coalesce(line, target);
            case "-G", "--set-ring" -> ring(line, target);
            case "-L", "--set-channels" -> channels(line, target);
            case "-A", "--pause" -> pause(line, target);
            case "-K", "--features", "--offload" -> features(line, target);
            case "-N", "-U", "--config-ntuple" -> steer(line, target);
            default -> throw line.bad(1, "-C, -G, -L, -A, -K or -N");
        }
    }

    private static void pairs(ConfigLine line) {
        if (line.words().size() < 5 || line.words().size() % 2 == 0) {
            throw line.bad(line.words().size(), "NAME VALUE");
        }
    }

    /** The tool knows its words, and does nothing of a line with a wrong one. */
    private static void known(ConfigLine line, int word, List<String> names) {
        String name = line.words().get(word);
        if (!names.contains(name)) {
            throw line.bad(word, "one of " + String.join(", ", names));
        }
    }

    private static long number(ConfigLine line, int word, long most) {
        long number = number(line, word);
        if (number > most) {
            throw line.bad(word, line.words().get(word - 1) + " from 0 to " + most);
        }
        return number;
    }

    private static long number(ConfigLine line, int word) {
        String text = line.words().get(word);
        if (!text.matches("\\d{1,9}")) {
            throw line.bad(word, "a number");
        }
        return Long.parseLong(text);
    }

    private static void onOff(ConfigLine line, int word) {
        if (!line.words().get(word).equals("on") && !line.words().get(word).equals("off")) {
            throw line.bad(word, "on or off");
        }
    }

    private static void coalesce(ConfigLine line, ConfigTarget target) {
        pairs(line);
        long number = 0;
        for (int i = 3; i < line.words().size(); i += 2) {
            String name = line.words().get(i);
            known(line, i, COALESCE);
            if (name.startsWith("adaptive") || name.startsWith("cqe-mode")) {
                onOff(line, i + 1);
                adaptive(name, line.words().get(i + 1), target);
            } else {
                number = Math.max(number, number(line, i + 1, name.contains("usecs") ? MOST_USECS : MOST_FRAMES));
            }
        }
        target.effect("interrupt moderation of the Ethernet queues");
        target.finding(
                "ethtool-coalescing-is-ethernet",
                "warning",
                number,
                "moderates Ethernet queues only; completion queues of verbs have moderation of their own, and a"
                        + " program that polls has no interrupts at all",
                "ibv_modify_cq (CompletionQueue.moderate) with count and period; perftest --event shows the"
                        + " difference");
    }

    /** The model's driver has it for receiving; that nobody uses it here is said. */
    private static void adaptive(String name, String value, ConfigTarget target) {
        if (name.startsWith("adaptive") && value.equals("on")) {
            boolean receives = name.equals("adaptive-rx");
            target.finding(
                    "ethtool-adaptive-has-no-effect",
                    "warning",
                    1,
                    receives
                            ? "lets the driver of Ethernet queues choose what interrupts wait for; no command opens"
                                    + " Ethernet queues"
                            : "sending is never adaptive in this model",
                    receives
                            ? "NicEthernet.adaptive(queue, true) in a program"
                            : "NicEthernet.coalesce(queue, frames, usecs)");
        }
    }

    private static void ring(ConfigLine line, ConfigTarget target) {
        pairs(line);
        for (int i = 3; i < line.words().size(); i += 2) {
            known(line, i, RINGS);
            long entries = number(line, i + 1);
            if (entries == 0 || entries > LARGEST_RING) {
                throw line.bad(i + 1, "ring entries from 1 to " + LARGEST_RING);
            }
            target.effect(String.format(
                    Locale.ROOT, "Ethernet ring %s of %d entries", line.words().get(i), entries));
            target.finding(
                    "ethtool-ring-is-ethernet",
                    "note",
                    entries,
                    "sizes Ethernet rings; queues of verbs have the size of create_qp (max_send_wr, max_recv_wr)",
                    "perftest -t (send) and -r (receive)");
        }
    }

    private static void channels(ConfigLine line, ConfigTarget target) {
        pairs(line);
        for (int i = 3; i < line.words().size(); i += 2) {
            known(line, i, CHANNELS);
        }
        long queues = number(line, 4);
        if (queues == 0 || queues > MOST_QUEUES) {
            throw line.bad(4, "queues from 1 to " + MOST_QUEUES);
        }
        target.effect("Ethernet queues: " + queues);
        target.override("nic.eth.queues", Long.toString(queues));
        target.finding(
                "ethtool-channels-are-ethernet",
                "note",
                queues,
                "counts Ethernet queues; a program makes its queue pairs itself",
                "perftest -q");
    }

    private static void pause(ConfigLine line, ConfigTarget target) {
        pairs(line);
        for (int i = 3; i < line.words().size(); i += 2) {
            known(line, i, PAUSES);
            onOff(line, i + 1);
        }
        String rx = line.option("rx", "");
        String tx = line.option("tx", "");
        boolean on = rx.equals("on") || tx.equals("on");
        boolean half = on && (rx.equals("off") || tx.equals("off"));
        target.effect("global pause " + (on ? "on" : "off")
                + (half ? "; the simulated port sends pauses and obeys them, or neither" : ""));
        if (on) {
            target.finding(
                    "global-pause-stops-all",
                    "warning",
                    1,
                    "global pause stops all priorities and excludes PFC",
                    "ethtool -A DEV rx off tx off, PFC for the priority of RoCE");
        }
    }

    private static void features(ConfigLine line, ConfigTarget target) {
        pairs(line);
        for (int i = 3; i < line.words().size(); i += 2) {
            String name = line.words().get(i);
            onOff(line, i + 1);
            boolean on = line.words().get(i + 1).equals("on");
            target.effect("Ethernet feature " + name + " " + line.words().get(i + 1));
            if (name.equals("rx-fcs")) {
                target.finding(
                        "rx-fcs-is-no-steering",
                        on ? "warning" : "note",
                        on ? 1 : 0,
                        "says whether received Ethernet frames keep their FCS; off is the default, and flow steering is"
                                + " something else",
                        "leave it; steering is ethtool -K DEV ntuple on");
            }
        }
    }

    private static void steer(ConfigLine line, ConfigTarget target) {
        int action = line.words().indexOf("action");
        if (!line.words().contains("flow-type")
                || action < 0
                || action + 1 == line.words().size()) {
            throw line.bad(line.words().size(), "flow-type TYPE ... action QUEUE");
        }
        long queue = line.words().get(action + 1).equals("-1") ? -1 : number(line, action + 1);
        String type = line.option("flow-type", "");
        known(line, line.words().indexOf("flow-type") + 1, FLOWS);
        for (String port : List.of("src-port", "dst-port")) {
            int at = line.words().indexOf(port);
            if (at >= 0) {
                line.option(port, "");
                number(line, at + 1, MOST_PORT);
            }
        }
        target.effect(
                queue < 0 ? "drops " + type + " frames" : "steers " + type + " frames to Ethernet queue " + queue);
        target.finding(
                "steering-does-not-see-roce",
                "note",
                queue,
                (type.startsWith("tcp") ? "RoCE v2 is UDP, this is TCP; and " : "")
                        + "packets of queue pairs are taken by the NIC before Ethernet steering",
                "queue pairs are steered by their number; nothing is needed");
    }
}
