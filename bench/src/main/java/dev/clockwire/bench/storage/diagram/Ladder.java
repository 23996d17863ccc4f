package dev.clockwire.bench.storage.diagram;

import dev.clockwire.nic.lab.MessageTap;
import dev.clockwire.nic.lab.MessageTap.Kind;
import dev.clockwire.nic.lab.MessageTap.Seen;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The messages of a run between its hosts, as a ladder: hosts are columns, messages arrows in the order in which they left.
 *
 * @param title what was run
 * @param hosts names of the hosts that had a part in it, the one that began first
 * @param arrows in their order
 * @param endUs when the last operation had ended, behind the first's beginning
 */
public record Ladder(String title, List<String> hosts, List<Arrow> arrows, double endUs) {
    private static final double PS_PER_US = 1e6;

    /** Keeps copies. */
    public Ladder {
        hosts = List.copyOf(hosts);
        arrows = List.copyOf(arrows);
    }

    /**
     * A message.
     *
     * @param from column
     * @param to column
     * @param kind of message
     * @param label what it is
     * @param aside whether it is no part of an operation
     * @param leftUs when its first frame left, behind the first operation's beginning
     * @param arrivedUs when its last frame arrived
     * @param trips one-way trips up to its arrival
     */
    public record Arrow(
            int from, int to, Kind kind, String label, boolean aside, double leftUs, double arrivedUs, int trips) {
        /** Returns whether a NIC sent it by itself. */
        public boolean isOfNic() {
            return kind == Kind.READ_RESPONSE || kind == Kind.ACK;
        }
    }

    /**
     * Returns the ladder of a run.
     *
     * @param names of all hosts by their numbers
     * @param begunPs when the first operation began
     * @param endPs when the last one had ended
     */
    public static Ladder of(String title, List<String> names, List<Seen> messages, long begunPs, long endPs) {
        List<Seen> sorted = new ArrayList<>(messages);
        sorted.sort(Comparator.comparingLong(Seen::leftPs)
                .thenComparingLong(Seen::arrivedPs)
                .thenComparingInt(Seen::from)
                .thenComparingInt(Seen::to));
        List<Integer> columns = new ArrayList<>();
        sorted.forEach(m -> {
            add(columns, m.from());
            add(columns, m.to());
        });
        List<Arrow> arrows = new ArrayList<>();
        for (Seen m : sorted) {
            arrows.add(new Arrow(
                    columns.indexOf(m.from()),
                    columns.indexOf(m.to()),
                    m.kind(),
                    label(m),
                    m.name().isAside(),
                    (m.leftPs() - begunPs) / PS_PER_US,
                    (m.arrivedPs() - begunPs) / PS_PER_US,
                    m.depth()));
        }
        return new Ladder(title, columns.stream().map(names::get).toList(), arrows, (endPs - begunPs) / PS_PER_US);
    }

    private static void add(List<Integer> columns, int host) {
        if (!columns.contains(host)) {
            columns.add(host);
        }
    }

    private static String label(Seen m) {
        StringBuilder text = new StringBuilder(m.kind().word());
        if (m.kind() == MessageTap.Kind.ACK) {
            return text.append(" of WRITE").toString();
        }
        if (m.immediate()) {
            text.append(" with imm");
        }
        if (!m.name().name().isEmpty()) {
            text.append(": ").append(m.name().name());
        }
        return text.append(", ").append(m.bytes()).append(" B").toString();
    }

    /** Returns it without what is no part of an operation. */
    public Ladder withoutAsides() {
        return new Ladder(title, hosts, arrows.stream().filter(a -> !a.aside()).toList(), endUs);
    }
}
