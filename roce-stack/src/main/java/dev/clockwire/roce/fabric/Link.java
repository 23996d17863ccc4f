package dev.clockwire.roce.fabric;

import dev.clockwire.sim.Scope;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultPlan;

/** A full-duplex link: two ends that do not disturb each other. */
public final class Link {
    private final LinkSpec spec;
    private final LinkEnd a;
    private final LinkEnd b;

    /** Creates the link with its ends {@code name.a} and {@code name.b}. */
    public Link(Scope parent, String name, LinkSpec spec) {
        this(parent, name, spec, FaultPlan.NONE);
    }

    /** Creates the link; rules of the plan that name a link apply if they name this one, those about frames always. */
    public Link(Scope parent, String name, LinkSpec spec, FaultPlan plan) {
        this.spec = spec;
        Scope scope = parent.scope(name);
        a = new LinkEnd(scope, "a", spec);
        b = new LinkEnd(scope, "b", spec);
        a.join(b);
        b.join(a);
        if (plan.rules().stream().anyMatch(rule -> !(rule.action() instanceof FaultAction.OnNode))) {
            FaultyLine there = a.suffer(name, true, plan);
            FaultyLine back = b.suffer(name, false, plan);
            there.join(back);
            back.join(there);
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
