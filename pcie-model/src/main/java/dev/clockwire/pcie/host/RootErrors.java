package dev.clockwire.pcie.host;

import dev.clockwire.pcie.config.ErrorMessage;
import dev.clockwire.pcie.link.LinkTroubles;
import dev.clockwire.sim.Timer;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.stats.StatRegistry;

/**
 * What a root port does about errors: counts those that the device reports and those it sees itself, and ends loads that no completion
 * answers. Without a completion timeout loads wait for ever, as on a link that loses nothing.
 */
public final class RootErrors implements State {
    private static final int TAGS = 256;

    private final RootPort port;
    private final long timeoutPs;
    private final long[] deadline = new long[TAGS];
    /** Loads that were given up and may still be answered, by their tag. */
    private final long[] late = new long[TAGS];

    private final Timer timer;
    private long correctable;
    private long nonFatal;
    private long fatal;
    private long poisoned;
    private long refused;
    private long malformed;
    private long timeouts;
    private long unexpected;

    RootErrors(RootPort port, Host host, String name, LinkTroubles troubles) {
        this.port = port;
        timeoutPs = troubles.completionTimeoutPs();
        java.util.Arrays.fill(deadline, Long.MAX_VALUE);
        timer = new Timer(host, name + "Timeout") {
            @Override
            protected void expired(long at) {
                look(at);
            }
        };
        StatRegistry stats = host.sim().stats();
        String path = host.path() + "." + name;
        stats.reading(path + ".unsupported", "packets", "requests to addresses that no memory has", this::refused);
        stats.reading(path + ".err_cor", "messages", "correctable errors that the device reported", this::correctable);
        stats.reading(path + ".err_nonfatal", "messages", "errors that it reported as not fatal", this::nonFatal);
        stats.reading(path + ".err_fatal", "messages", "errors that it reported as fatal", this::fatal);
    }

    /** Takes an error message of the device. */
    void message(int code) {
        if (code == ErrorMessage.CORRECTABLE.code()) {
            correctable++;
        } else if (code == ErrorMessage.NON_FATAL.code()) {
            nonFatal++;
        } else if (code == ErrorMessage.FATAL.code()) {
            fatal++;
        }
    }

    void poison() {
        poisoned++;
    }

    /** Packets of the device ask for addresses that no memory has. */
    void refuse(int packets) {
        refused += packets;
    }

    void malform() {
        malformed++;
    }

    /** Takes note of a request that expects a completion; its tag is free. */
    void requested(int tag, long now) {
        if (timeoutPs > 0) {
            deadline[tag] = now + timeoutPs;
            if (!timer.armed()) {
                timer.arm(now + timeoutPs);
            }
        }
    }

    /** Takes note of an answer; returns whether somebody still waits for it. */
    boolean expects(int tag) {
        if (timeoutPs == 0) {
            return true;
        }
        if (late[tag] > 0 || deadline[tag] == Long.MAX_VALUE) {
            late[tag] = Math.max(0, late[tag] - 1); // completions keep their order, so the oldest answer comes first
            unexpected++;
            return false;
        }
        deadline[tag] = Long.MAX_VALUE;
        return true;
    }

    private void look(long now) {
        long next = Long.MAX_VALUE;
        for (int tag = 0; tag < TAGS; tag++) {
            if (deadline[tag] <= now) {
                deadline[tag] = Long.MAX_VALUE;
                late[tag]++;
                timeouts++;
                port.gaveUp(tag);
            }
            next = Math.min(next, deadline[tag]);
        }
        if (next != Long.MAX_VALUE) {
            timer.arm(next);
        }
    }

    /** Returns ERR_COR messages. */
    public long correctable() {
        return correctable;
    }

    /** Returns ERR_NONFATAL messages. */
    public long nonFatal() {
        return nonFatal;
    }

    /** Returns ERR_FATAL messages. */
    public long fatal() {
        return fatal;
    }

    /** Returns poisoned writes and completions; no data of them were used. */
    public long poisoned() {
        return poisoned;
    }

    /** Returns packets of the device for addresses that no memory has: reads are answered UR, writes are lost. */
    public long refused() {
        return refused;
    }

    /** Returns malformed packets, which were dropped. */
    public long malformed() {
        return malformed;
    }

    /** Returns loads and configuration requests that were given up; software got all ones. */
    public long timeouts() {
        return timeouts;
    }

    /** Returns completions that nobody waited for. */
    public long unexpected() {
        return unexpected;
    }

    @Override
    public void save(Snapshot out) {
        out.putLongs(deadline);
        out.putLongs(late);
        out.putLong(correctable);
        out.putLong(nonFatal);
        out.putLong(fatal);
        out.putLong(poisoned);
        out.putLong(refused);
        out.putLong(malformed);
        out.putLong(timeouts);
        out.putLong(unexpected);
    }

    @Override
    public void load(Snapshot in) {
        in.getLongs(deadline);
        in.getLongs(late);
        correctable = in.getLong();
        nonFatal = in.getLong();
        fatal = in.getLong();
        poisoned = in.getLong();
        refused = in.getLong();
        malformed = in.getLong();
        timeouts = in.getLong();
        unexpected = in.getLong();
    }
}
