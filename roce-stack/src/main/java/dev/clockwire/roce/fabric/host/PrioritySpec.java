package dev.clockwire.roce.fabric.host;

import dev.clockwire.roce.fabric.bridge.ClassMap;
import dev.clockwire.sim.error.ConfigurationException;

/**
 * What the priorities of a host do: which one its packets have, whose pauses it obeys, and whether it tells of marks.
 *
 * @param classes priority of a code point, as {@code mlnx_qos --dscp2prio} sets it
 * @param obeyed bit n: a pause of priority n stops it, as {@code mlnx_qos --pfc} sets it
 * @param notifies marks that come in are told to the sender: the notification point is on
 */
public record PrioritySpec(ClassMap classes, int obeyed, boolean notifies) {
    /** Code points 8n to 8n + 7 are priority n, all pauses are obeyed, marks are told. */
    public static final PrioritySpec STANDARD = new PrioritySpec(ClassMap.standard(), 0xFF, true);

    /** Checks the range. */
    public PrioritySpec {
        if (obeyed < 0 || obeyed > 0xFF) {
            throw new ConfigurationException("priorities whose pauses are obeyed " + obeyed + " is not in 0..255");
        }
    }

    /** Returns the priority of a code point. */
    int of(int dscp) {
        return classes.ofDscp().get(dscp);
    }
}
