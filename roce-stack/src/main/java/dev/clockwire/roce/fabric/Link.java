package dev.clockwire.roce.fabric;

import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.parallel.Mailbox;
import java.util.ArrayList;
import java.util.List;

/** A full-duplex link: two ends that do not disturb each other. */
public final class Link {
    private final LinkSpec spec;
    private final LinkEnd a;
    private final LinkEnd b;
    private final List<FaultyLine> faults = new ArrayList<>();

    /** Creates the link with its ends {@code name.a} and {@code name.b}. */
    public Link(Scope parent, String name, LinkSpec spec) {
        this(parent, name, spec, FaultPlan.NONE);
    }

    /** Creates the link; rules of the plan that name a link apply if they name this one, those about frames always. */
    public Link(Scope parent, String name, LinkSpec spec, FaultPlan plan) {
        this(parent, name, spec, spec, plan);
    }

    /** Creates a link whose frames to the ends are handed over differently: a switch may want them at their first bit. */
    public Link(Scope parent, String name, LinkSpec fromA, LinkSpec fromB, FaultPlan plan) {
        spec = fromA;
        Scope scope = parent.scope(name);
        a = new LinkEnd(scope, "a", fromA);
        b = new LinkEnd(scope, "b", fromB);
        a.join(b);
        b.join(a);
        if (!plan.isEmpty()) {
            FaultyLine there = a.suffer(name, true, plan);
            FaultyLine back = b.suffer(name, false, plan);
            there.join(back);
            back.join(there);
            faults.add(there);
            faults.add(back);
        }
    }

    /**
     * Creates a link between two parts of a design; outages are refused, since both ends would have to hear of them at once.
     *
     * @param partA where end {@code a} is
     * @param partB where end {@code b} is
     * @param toB what end {@code a} sends
     * @param toA what end {@code b} sends
     */
    public Link(Scope partA, Scope partB, String name, LinkSpec spec, FaultPlan plan, Mailbox toB, Mailbox toA) {
        this.spec = spec;
        a = new LinkEnd(partA.scope(name), "a", spec);
        b = new LinkEnd(partB.scope(name), "b", spec);
        a.join(b);
        b.join(a);
        a.sendAbroad(toB);
        b.sendAbroad(toA);
        if (!plan.isEmpty()) {
            if (plan.rules().stream().anyMatch(rule -> !(rule.action() instanceof FaultAction.Drop))) {
                throw new ConfigurationException(
                        "link " + name + " is between two parts: frames on it can be dropped only");
            }
            a.suffer(name, true, plan);
            b.suffer(name, false, plan);
        }
    }

    /** Schedules what is known beforehand about outages, so that the devices hear of them; to be called once, after elaboration. */
    public void start() {
        faults.forEach(FaultyLine::start);
    }

    /**
     * Lets frames of this link set off a rule whose damage is done elsewhere; to be called before elaboration.
     *
     * @param strike gets an event of {@code kind} 1 ps after each hit
     */
    public void watch(FaultRule rule, EventPort strike, int kind) {
        if (!faults.isEmpty() && rule.direction().includes(true)) {
            faults.get(0).watch(rule, strike, kind);
        }
        if (!faults.isEmpty() && rule.direction().includes(false)) {
            faults.get(1).watch(rule, strike, kind);
        }
    }

    /** Takes the link down at both ends, from 1 ps after a time on until another; its plan must say that something can go wrong. */
    public void cut(long now, long until) {
        requirePlan();
        faults.forEach(line -> line.outage().send(now + 1, 0, until, 0));
    }

    /**
     * Loses frames of both ends to one receiver, from 1 ps after a time on until another.
     *
     * @param mac the receiver's address
     */
    public void part(long now, long mac, long until) {
        requirePlan();
        faults.forEach(line -> line.parting().send(now + 1, 0, mac, until));
    }

    private void requirePlan() {
        if (faults.isEmpty()) {
            throw new ConfigurationException("link " + a.path()
                    + ": nothing can go wrong on it, says its fault plan; FaultPlan.withMore changes that");
        }
    }

    /** Returns the parameters. */
    public LinkSpec spec() {
        return spec;
    }

    /** Returns one end. */
    public LinkEnd a() {
        return a;
    }

    /** Returns the other end. */
    public LinkEnd b() {
        return b;
    }
}
