package dev.clockwire.nic.lab;

import dev.clockwire.roce.fabric.Link;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultGate;
import dev.clockwire.sim.fault.FaultGates;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a fault plan does to one host. A host that crashes loses its link, its programs and its connections at once; one that comes back has
 * its link again and nothing else. A device that is reset loses its connections and the keys of
 * memory, its programs hear of it, and they can open it again when its driver has started it anew.
 */
final class NodeFaults extends SimNode {
    private static final Set<NodeFault> KINDS =
            EnumSet.of(NodeFault.CRASH, NodeFault.RESTART, NodeFault.PAUSE, NodeFault.RESET);

    private final LabHost host;
    private final HostTroubles troubles;
    private final List<FaultRule> rules;
    private final EventPort strike;
    private final @Nullable FaultGates cqeOrder;
    private final Strikes strikes;

    /** How often each rule has struck. */
    private static final class Strikes implements State {
        final long[] hits;

        Strikes(int rules) {
            hits = new long[rules];
        }

        @Override
        public void save(Snapshot out) {
            out.putLongs(hits);
        }

        @Override
        public void load(Snapshot in) {
            in.getLongs(hits);
        }
    }

    /** Prepares the faults of a host that is built; the design is not elaborated yet. */
    NodeFaults(Scope parent, LabHost host, Link link, FaultPlan plan) {
        super(parent, host.name() + "Faults");
        this.host = host;
        troubles = new HostTroubles(host, link);
        rules = plan.onNode(host.name());
        strikes = state(new Strikes(rules.size()));
        strike = new EventPort(this, "strike") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                strike(kind);
            }
        };
        List<FaultRule> order = plan.onNode(host.name(), NodeFault.CQE_ORDER);
        cqeOrder = order.isEmpty() ? null : misorder(order);
        for (int i = 0; i < rules.size(); i++) {
            FaultRule rule = rules.get(i);
            if (what(rule) != NodeFault.CQE_ORDER) {
                check(rule);
                if (!(rule.trigger() instanceof FaultTrigger.At)) {
                    link.watch(rule, strike, i);
                }
            }
        }
    }

    private static NodeFault what(FaultRule rule) {
        return ((FaultAction.OnNode) rule.action()).what();
    }

    private void check(FaultRule rule) {
        if (!KINDS.contains(what(rule))) {
            throw new ConfigurationException("fault " + rule.name() + " of " + host.name() + ": "
                    + what(rule).text() + " cannot happen to a lab's host");
        }
        if (what(rule) == NodeFault.PAUSE && rule.forPs() == 0) {
            throw new ConfigurationException(
                    "fault " + rule.name() + " of " + host.name() + ": a pause lasts for a time");
        }
    }

    private FaultGates misorder(List<FaultRule> order) {
        FaultGates gates = new FaultGates(order.stream()
                .map(rule -> new FaultGate(rule, sim().random(path() + ".fault." + rule.name())))
                .toList());
        if (host.isHardware()) {
            host.nic().completions().misorder(gates);
        } else {
            host.soft().troubles().misorder(gates);
        }
        return gates;
    }

    /** Schedules what has a time; the design is elaborated. */
    void start() {
        for (int i = 0; i < rules.size(); i++) {
            if (rules.get(i).trigger() instanceof FaultTrigger.At at && what(rules.get(i)) != NodeFault.CQE_ORDER) {
                strike.send(Math.max(1, at.ps()), i, 0, 0);
            }
        }
    }

    /** Returns how often a rule has struck here. */
    long hits(FaultRule rule) {
        int i = rules.indexOf(rule);
        return i < 0
                ? 0
                : what(rule) == NodeFault.CQE_ORDER && cqeOrder != null ? cqeOrder.hits(rule) : strikes.hits[i];
    }

    private void strike(int i) {
        FaultRule rule = rules.get(i);
        strikes.hits[i]++;
        switch (what(rule)) {
            case PAUSE -> troubles.pause(now(), rule.forPs());
            case RESET -> troubles.reset(now(), rule.returns() ? rule.returnPs() : 0);
            default -> troubles.crash(now(), rule.returns() ? rule.returnPs() : HostTroubles.NEVER, false);
        }
    }
}
