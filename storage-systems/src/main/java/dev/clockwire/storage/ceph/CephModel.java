package dev.clockwire.storage.ceph;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Nearest;
import java.util.List;

/** Combinations of daemon and transport. */
public enum CephModel {
    /** Classic OSD over the async messenger's RDMA stack: real, experimental in Ceph. */
    CLASSIC("classic"),
    /** Crimson over TCP: real, a technical preview; not built, since there is no TCP between simulated nodes of a cluster. */
    CRIMSON("crimson"),
    /** Crimson's reactors over RDMA that they poll themselves: hypothetical, Seastar has no RDMA stack. */
    CRIMSON_RDMA("crimson-rdma");

    private final String word;

    CephModel(String word) {
        this.word = word;
    }

    /** Returns the name. */
    public String word() {
        return word;
    }

    /**
     * Returns the model of a name.
     *
     * @throws ConfigurationException if there is none, or it is not built
     */
    public static CephModel of(String name) {
        for (CephModel m : values()) {
            if (m.word.equals(name)) {
                return m.checked();
            }
        }
        throw new ConfigurationException("unknown Ceph model '" + name + "'"
                + Nearest.hint(name, List.of("classic", "crimson", "crimson-rdma")));
    }

    CephModel checked() {
        if (this == CRIMSON) {
            throw new ConfigurationException(
                    "ceph: Crimson speaks TCP, Seastar has no RDMA: take classic, or crimson-rdma for what it would be like");
        }
        return this;
    }
}
