package dev.clockwire.nic.lab;

import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultRule;
import java.util.Locale;

/**
 * How often a rule of a fault plan has struck.
 *
 * @param hits frames or completions it was about, times a link went down or something happened to a host; 0 if the rule never fired
 */
public record FaultCount(FaultRule rule, long hits) {
    /** Returns what the rule does, as a fault file says it. */
    public String action() {
        FaultAction action = rule.action();
        if (action instanceof FaultAction.LinkDown down) {
            return "link down: " + down.link();
        }
        if (action instanceof FaultAction.Partition parts) {
            return "partition: " + parts.node() + ", " + parts.other();
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
    @Override
    public String toString() {
        return line(rule.name(), action(), hits);
    }

    /** Returns the line that people read of a rule, by its name and what it does. */
    public static String line(String name, String action, long hits) {
        return "Fault " + name + " (" + action + "): "
                + (hits == 0 ? "never struck" : hits + (hits == 1 ? " time" : " times"));
    }
}
