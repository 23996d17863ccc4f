package dev.clockwire.storage.cluster;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What goes wrong when a machine takes a step of its protocol for the n-th time.
 *
 * @param node machine whose step it is
 * @param event name of the step, as the system calls it: {@code commit}
 * @param nth which of its steps of that name, from 1, counted from the start of the machines
 * @param what goes wrong
 * @param on machine to which it happens
 * @param from the other machine of a partition, else empty
 * @param ps after which it comes back (a crash, power loss or reset; 0: never, of a reset as soon as its driver can), or how long it lasts (0:
 *     for good, of a disk's errors only)
 * @param afterPs from the step to the strike
 */
public record FaultStrike(
        String node, String event, int nth, What what, String on, String from, long ps, long afterPs) {
    /** What can go wrong. */
    public enum What {
        /** The machine loses programs, connections and link; its disk keeps what has ended. */
        CRASH(true),
        /** The same, and nothing that is under way at its disk is written. */
        POWER(true),
        /** The program ends and is begun anew at once. */
        EXIT(false),
        /** The device takes nothing from the line for a time. */
        PAUSE(false),
        /** The device loses its connections. */
        RESET(true),
        /** The link is down for a time. */
        LINK(false),
        /** Nothing passes between it and one other machine for a time; both reach everybody else. */
        PARTITION(false),
        /** I/Os that begin fail for a time, or for good. */
        DISK_ERROR(false),
        /** I/Os end 10 ms late for a time. */
        DISK_SLOW(false);

        private final boolean returns;

        What(boolean returns) {
            this.returns = returns;
        }

        /** Returns all that happen to one machine. */
        public static List<What> alone() {
            return Stream.of(values()).filter(what -> what != PARTITION).toList();
        }

        /** Returns the name as it is typed. */
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** Returns whether it lasts for a time that must be said. */
        boolean lasts() {
            return !returns && this != EXIT;
        }

        boolean returns() {
            return returns;
        }

        /** Returns the options that it takes in a line, the one that says how long last. */
        List<String> options() {
            List<String> all = new ArrayList<>(List.of("after", "on"));
            if (this == PARTITION) {
                all.add("from");
            }
            if (this != EXIT) {
                all.add(returns ? "restart" : "for");
            }
            return all;
        }
    }

    /** Checks the ranges. */
    public FaultStrike {
        if (nth < 1 || afterPs < 0) {
            throw new ConfigurationException("schedule: " + node + ":" + event + "#" + nth + " after " + afterPs
                    + " ps: must be 1 or more, and 0 or more");
        }
        if (what == What.PARTITION && (from.isEmpty() || from.equals(on))) {
            throw new ConfigurationException("schedule: a partition of " + on + " says from whom else, as from=mgmt0");
        }
        if (what != What.PARTITION && !from.isEmpty()) {
            throw new ConfigurationException("schedule: " + what.text() + " has no other machine, only partition has");
        }
        if (ps < 0 || (ps == 0 && what.lasts() && what != What.DISK_ERROR) || (ps > 0 && what == What.EXIT)) {
            throw new ConfigurationException("schedule: " + what.text() + " of " + ps + " ps: "
                    + (what == What.EXIT ? "has no time" : "needs a time, as for=1ms"));
        }
    }

    /** Returns a strike at the machine whose step it is. */
    public static FaultStrike of(String node, String event, int nth, What what, long ps) {
        return new FaultStrike(node, event, nth, what, node, "", ps, 0);
    }

    /** Returns the same at another machine. */
    public FaultStrike at(String other) {
        return new FaultStrike(node, event, nth, what, other, from, ps, afterPs);
    }

    /** Returns a partition of the machine whose step it is from another one. */
    public static FaultStrike partition(String node, String event, int nth, String from, long ps) {
        return new FaultStrike(node, event, nth, What.PARTITION, node, from, ps, 0);
    }

    /** Returns the same, some time after the step. */
    public FaultStrike later(long byPs) {
        return new FaultStrike(node, event, nth, what, on, from, ps, byPs);
    }

    /** Returns it as {@link FaultSchedule#parse} reads it. */
    public String text() {
        StringBuilder b =
                new StringBuilder(node).append(':').append(event).append('#').append(nth);
        b.append(' ').append(what.text());
        if (ps > 0) {
            b.append(what.returns() ? " restart=" : " for=").append(ScheduleTime.text(ps));
        }
        if (!on.equals(node)) {
            b.append(" on=").append(on);
        }
        if (!from.isEmpty()) {
            b.append(" from=").append(from);
        }
        if (afterPs > 0) {
            b.append(" after=").append(ScheduleTime.text(afterPs));
        }
        return b.toString();
    }
}
