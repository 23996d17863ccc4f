package dev.clockwire.roce.fabric;

import dev.clockwire.sim.Scope;

/** A full-duplex link: two ends that do not disturb each other. */
public final class Link {
    private final LinkSpec spec;
    private final LinkEnd a;
    private final LinkEnd b;

    /** Creates the link with its ends {@code name.a} and {@code name.b}. */
    public Link(Scope parent, String name, LinkSpec spec) {
        this.spec = spec;
        Scope scope = parent.scope(name);
        a = new LinkEnd(scope, "a", spec);
        b = new LinkEnd(scope, "b", spec);
        a.join(b);
        b.join(a);
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
