package dev.clockwire.bench.fault;

import dev.clockwire.bench.yaml.YamlValue;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultTrigger;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The trigger of an entry that waits for a step of a protocol: {@code at_event: commit, of: node1, nth: 2}. */
record StepTrigger(FaultPlaces places, YamlValue entry, Map<String, YamlValue> keys) {
    private static final String CABLE = "-switch";
    /** A step that is not the last of them. */
    static final int MOST = 999_999_999;

    /** Reads it; whose step it is need not be said if it is that of the machine to which something happens. */
    FaultTrigger read(YamlValue step, @Nullable FaultAction about) {
        if (about == null || about instanceof FaultAction.OnFrame) {
            throw step.error("'" + step.text()
                    + "' is a step of a protocol: it sets off what happens to machines, cables and disks; frames have "
                    + String.join(", ", FaultFile.frameEvents()));
        }
        boolean ends = keys.containsKey("for_us");
        if (!ends && !(about instanceof FaultAction.OnNode on && on.what() != NodeFault.DISK_SLOW)) {
            throw entry.error("what is cut, parted or slow from a step on has 'for_us'");
        }
        int nth = keys.containsKey("nth") ? (int) keys.get("nth").integer() : 1;
        return new FaultTrigger.AtStep(keys.containsKey("of") ? node(keys.get("of")) : own(about), step.text(), nth);
    }

    private String node(YamlValue of) {
        String node = places.nodes().get(of.text());
        if (node == null) {
            throw of.unknown("node", of.text(), new TreeSet<>(places.nodes().keySet()));
        }
        return node;
    }

    private static String own(FaultAction about) {
        if (about instanceof FaultAction.OnNode on) {
            return on.node();
        }
        return about instanceof FaultAction.Partition parts
                ? parts.node()
                : machine(((FaultAction.LinkDown) about).link());
    }

    /** Returns the machine that a cable leads to. */
    static String machine(String cable) {
        return cable.substring(0, cable.length() - CABLE.length());
    }
}
