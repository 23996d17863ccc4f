package dev.clockwire.storage.ceph.osd;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * How long OSDs wait, in ps.
 *
 * @param heartbeat {@code osd_heartbeat_interval}
 * @param grace {@code osd_heartbeat_grace}: silence after which a peer is reported
 * @param lease for how long an answered heartbeat lets a primary answer reads: {@code osd_pool_default_read_lease_ratio} of the grace
 * @param again before a question of peering, or one to the monitor, is asked again
 */
public record OsdTimes(long heartbeat, long grace, long lease, long again) {
    private static final long MS = 1_000_000_000L;

    /** Checks that each is some time, and that a lease ends before its holder is declared dead. */
    public OsdTimes {
        for (long t : new long[] {heartbeat, grace, lease, again}) {
            if (t < 1) {
                throw new ConfigurationException("ceph: a wait of " + t + " ps: must be 1 or more");
            }
        }
        if (lease > grace || heartbeat > lease) {
            throw new ConfigurationException("ceph: a lease of " + lease
                    + " ps: must be from the heartbeat's interval, " + heartbeat + ", to the grace, " + grace);
        }
    }

    /** Returns how often a client looks at operations that take long: {@code objecter_tick_interval}, 5 s, as a part of the grace. */
    public long tick() {
        return Math.max(1, grace / 4);
    }

    /** Returns behind what time an operation takes long: {@code objecter_timeout}, 10 s, as a part of the grace. */
    public long laggy() {
        return grace / 2;
    }

    /** Returns Ceph's defaults: 6 s, 20 s, 0.8 of that. */
    public static OsdTimes ceph() {
        return new OsdTimes(6_000 * MS, 20_000 * MS, 16_000 * MS, 1_000 * MS);
    }

    /** Returns times of milliseconds, for runs of many faults. */
    public static OsdTimes quick() {
        return new OsdTimes(2 * MS, 12 * MS, 9 * MS, 2 * MS);
    }
}
