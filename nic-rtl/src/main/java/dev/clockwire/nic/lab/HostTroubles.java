package dev.clockwire.nic.lab;

import dev.clockwire.roce.fabric.Link;
import dev.clockwire.roce.soft.SoftTroubles;

/** What can go wrong with one host, to be done from an event of another node; everything happens from 1 ps later on. */
public final class HostTroubles {
    /** Nobody comes back as late as this. */
    public static final long NEVER = Long.MAX_VALUE / 4;

    private final LabHost host;
    private final Link link;

    /**
     * Names a host.
     *
     * @param link its cable
     */
    HostTroubles(LabHost host, Link link) {
        this.host = host;
        this.link = link;
    }

    /**
     * Takes programs, connections and the link away at once; a host that comes back has its link again and nothing else.
     *
     * @param backPs after which it comes back, {@link #NEVER} if it does not
     * @param power whether devices lose what they hold in memory that does not last
     */
    public void crash(long now, long backPs, boolean power) {
        if (power) {
            host.host().powerOffAt(now);
        } else {
            host.host().haltAt(now);
        }
        reset(now, backPs == NEVER ? 0 : backPs);
        link.cut(now, now + backPs);
        if (backPs < NEVER) {
            host.host().bootAt(now + backPs);
        }
    }

    /** Ends its programs and begins them anew, as whoever watches a process does. */
    public void restart(long now) {
        host.host().bootAt(now);
    }

    /** Has the device take nothing from the line for a time. */
    public void pause(long now, long ps) {
        if (host.isHardware()) {
            host.nic().receiver().stall().send(now + 1, 0, ps, 0);
        } else {
            host.soft().troubles().port().send(now + 1, SoftTroubles.STALL, ps, 0);
        }
    }

    /**
     * Has the device forget its state.
     *
     * @param backPs after which its driver has started it anew, 0 if nothing is said of that
     */
    public void reset(long now, long backPs) {
        if (host.isHardware()) {
            host.nic().resetAt(now, backPs);
        } else {
            host.soft().troubles().port().send(now + 1, SoftTroubles.RESET, backPs, 0);
        }
    }

    /** Takes its link down for a time. */
    public void cut(long now, long ps) {
        link.cut(now, now + ps);
    }
}
