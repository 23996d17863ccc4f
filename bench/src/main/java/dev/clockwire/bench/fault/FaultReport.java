package dev.clockwire.bench.fault;

import dev.clockwire.nic.lab.FaultCount;
import dev.clockwire.sim.fault.FaultAction;
import java.util.List;
import java.util.Locale;

/**
 * What became of one rule of a fault plan.
 *
 * @param name of the rule: its number in the file if it has none
 * @param action as in a fault file
 * @param hits how often it struck
 */
public record FaultReport(String name, String action, long hits) {
    /** Returns the reports of a run's rules. */
    public static List<FaultReport> of(List<FaultCount> counts) {
        return counts.stream()
                .map(c -> new FaultReport(c.rule().name(), text(c.rule().action()), c.hits()))
                .toList();
    }

    private static String text(FaultAction action) {
        if (action instanceof FaultAction.LinkDown down) {
            return "link down: " + down.link();
        }
        if (action instanceof FaultAction.OnNode on) {
            return on.what().text() + ": " + on.node();
        }
        if (action instanceof FaultAction.OnPacket on) {
            boolean dllp = on.what() == FaultAction.PacketFault.CORRUPT_DLLP;
            String packet = on.type().isEmpty() ? dllp ? "dllp" : "tlp" : "tlp " + on.type();
            String what = on.what().name().toLowerCase(Locale.ROOT).replaceAll("_.*", "");
            return what + ": " + packet + (on.toHost() ? " to " : " from ") + on.node();
        }
        return action.getClass().getSimpleName().toLowerCase(Locale.ROOT) + ": frame";
    }

    /** Returns the line that people read. */
    public String line() {
        return "Fault " + name + " (" + action + "): "
                + (hits == 0 ? "never struck" : hits + (hits == 1 ? " time" : " times"));
    }
}
