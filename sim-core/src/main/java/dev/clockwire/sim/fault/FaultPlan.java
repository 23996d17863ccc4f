package dev.clockwire.sim.fault;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.List;

/**
 * What goes wrong in a run. Of several rules that hit the same frame the first in the list acts; all of them count it.
 *
 * @param rules each with a name of its own
 * @param more whether somebody who watches the run does more than the rules say: takes links down, parts hosts
 */
public record FaultPlan(List<FaultRule> rules, boolean more) {
    /** Nothing goes wrong. */
    public static final FaultPlan NONE = new FaultPlan(List.of());

    /** Numbers the rules without a name, from 1, and refuses a name that comes twice. */
    public FaultPlan {
        List<FaultRule> named = new ArrayList<>();
        for (FaultRule rule : rules) {
            FaultRule own = rule.name().isEmpty() ? rule.named(Integer.toString(named.size() + 1)) : rule;
            if (named.stream().anyMatch(other -> other.name().equals(own.name()))) {
                throw new ConfigurationException("two fault rules are called " + own.name());
            }
            named.add(own);
        }
        rules = List.copyOf(named);
    }

    /** Creates a plan of which all is known beforehand. */
    public FaultPlan(List<FaultRule> rules) {
        this(rules, false);
    }

    /** Returns a copy that says that more may go wrong than its rules know of. */
    public FaultPlan withMore() {
        return new FaultPlan(rules, true);
    }

    /** Returns a plan of some rules. */
    public static FaultPlan of(FaultRule... rules) {
        return new FaultPlan(List.of(rules));
    }

    /** Returns whether nothing can go wrong. */
    public boolean isEmpty() {
        return rules.isEmpty() && !more;
    }

    /** Returns the rules about single frames, in one direction of a link. */
    public List<FaultRule> onFrames(boolean firstEnd) {
        return rules.stream()
                .filter(r -> r.action() instanceof FaultAction.OnFrame
                        && r.direction().includes(firstEnd))
                .toList();
    }

    /** Returns the rules that take a link down. */
    public List<FaultRule> onLink(String link) {
        return rules.stream()
                .filter(r -> r.action() instanceof FaultAction.LinkDown down
                        && down.link().equals(link))
                .toList();
    }

    /** Returns the rules about a node. */
    public List<FaultRule> onNode(String node) {
        return rules.stream()
                .filter(r ->
                        r.action() instanceof FaultAction.OnNode on && on.node().equals(node))
                .toList();
    }

    /** Returns the rules of one kind about a node. */
    public List<FaultRule> onNode(String node, FaultAction.NodeFault what) {
        return onNode(node).stream()
                .filter(r -> r.action() instanceof FaultAction.OnNode on && on.what() == what)
                .toList();
    }
}
