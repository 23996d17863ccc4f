package dev.clockwire.sim;

import dev.clockwire.sim.error.ConfigurationException;

/** A place in the hierarchy of names. The root's path is empty, a child's is {@code parent.child}. */
public class Scope {
    final Sim sim;
    private final String path;

    /** Creates the root. */
    Scope(Sim sim) {
        this.sim = sim;
        path = "";
    }

    /** Creates a scope below another one; the path must be new in this simulation. */
    Scope(Scope parent, String name) {
        sim = parent.sim;
        path = parent.pathOf(name);
        sim.design.register(this);
    }

    /** Returns the simulation. */
    public final Sim sim() {
        return sim;
    }

    /** Returns the hierarchical name. */
    public final String path() {
        return path;
    }

    /** Returns the plain scope of that name below this one; it is created at the first call. */
    public final Scope scope(String name) {
        Scope known = sim.design.scope(pathOf(name));
        return known != null ? known : new Scope(this, name);
    }

    /** Returns the full name of something called {@code name} in this scope. */
    final String pathOf(String name) {
        if (name.isEmpty()) {
            throw new ConfigurationException(path, ConfigurationException.BEFORE_TIME_ZERO, "empty name");
        }
        return path.isEmpty() ? name : path + "." + name;
    }

    @Override
    public String toString() {
        return path;
    }
}
