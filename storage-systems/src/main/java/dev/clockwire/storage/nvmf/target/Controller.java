package dev.clockwire.storage.nvmf.target;

import dev.clockwire.nvme.fabrics.ConnectData;
import dev.clockwire.storage.nvmf.subsystem.Subsystem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a host has at a subsystem: its queues, and what it has set. It lives on the thread of its admin queue. */
final class Controller {
    private static final long DISCOVERY_MS = 120_000;
    /** The longest time that the 32 bits of KATO hold. */
    private static final long MOST_MS = 0xFFFF_FFFFL;

    private final NvmfTarget target;
    private final Subsystem subsystem;
    private final int cntlid;
    private final int number;
    private final NvmfQpair admin;
    private final ConnectData host;
    private final @Nullable NvmfQpair[] queues;
    private final Properties properties;
    private final SessionFeatures features;
    private final SessionEvents events;
    private final KeepAlive keepAlive;
    private boolean ending;
    /** Commands that ended well, for the health log: reads, writes, and 512-byte units. */
    long reads;

    long writes;
    long readUnits;
    long writtenUnits;

    Controller(NvmfTarget target, Subsystem subsystem, int cntlid, NvmfQpair admin, ConnectData host, int number) {
        this.number = number;
        this.target = target;
        this.subsystem = subsystem;
        this.cntlid = cntlid;
        this.admin = admin;
        this.host = host;
        queues = new @Nullable NvmfQpair[target.limits().maxIoQpairs() + 1];
        queues[0] = admin;
        properties = new Properties(target.spec().profile(), target.limits());
        features = new SessionFeatures(target);
        events = new SessionEvents(this);
        keepAlive = admin.group().keepAlive(this);
    }

    NvmfTarget target() {
        return target;
    }

    Subsystem subsystem() {
        return subsystem;
    }

    int cntlid() {
        return cntlid;
    }

    /** Returns a number that no other controller of the target ever has. */
    int number() {
        return number;
    }

    NvmfQpair admin() {
        return admin;
    }

    byte[] hostId() {
        return Fabrics.hostId(host);
    }

    String hostNqn() {
        return host.host();
    }

    Properties properties() {
        return properties;
    }

    SessionFeatures features() {
        return features;
    }

    SessionEvents events() {
        return events;
    }

    KeepAlive keepAlive() {
        return keepAlive;
    }

    boolean isDiscovery() {
        return subsystem.kind() == Subsystem.Kind.DISCOVERY;
    }

    /** Returns whether its admin queue is going or gone. */
    boolean isEnding() {
        return ending;
    }

    /** Returns how many queues it may have, the admin queue included. */
    int maxQueues() {
        return queues.length;
    }

    @Nullable
    NvmfQpair queue(int qid) {
        return qid >= 0 && qid < queues.length ? queues[qid] : null;
    }

    void add(NvmfQpair q) {
        queues[q.qid] = q;
        q.controller = this;
    }

    /** Sets the keep-alive time as the host wishes, rounded as SPDK does, which wants one of discovery always; returns what it is. */
    long setKeepAlive(long ms) {
        long set = ms == 0 && isDiscovery() && !target.isLinux() ? DISCOVERY_MS : ms;
        if (ms > 0 && target.spec().profile() == TargetProfile.SPDK) {
            long unit = 100L * target.limits().kas();
            long least = target.limits().minKeepAliveMs();
            // SPDK rounds in 32 bits, where the longest times wrap to a few seconds: here they become the longest that
            // fits
            set = ms <= least ? least : Math.min((ms + unit - 1) / unit, MOST_MS / unit) * unit;
        }
        features.keepAlive(set);
        keepAlive.set(set);
        return set;
    }

    /** The host has not been heard of in time. */
    void expired() {
        properties.fatal();
        target.note("controller " + cntlid + " of " + hostNqn() + ": keep alive timer expired");
        end();
    }

    /** The host has connected and done no more. */
    void neverEnabled() {
        target.note("controller " + cntlid + " of " + hostNqn() + ": not enabled in time");
        end();
    }

    /** CC asks for the end of all I/O queues; RDY or SHST tell when they are gone. Linux leaves that to the host, and says so at once. */
    void stop() {
        if (target.isLinux()) {
            properties.stopped();
            return;
        }
        boolean none = true;
        for (int i = 1; i < queues.length; i++) {
            NvmfQpair q = queues[i];
            if (q != null) {
                none = false;
                target.sessions().disconnect(q);
            }
        }
        if (none) {
            properties.stopped();
        }
    }

    /** The admin queue goes: all the others go too. */
    void end() {
        if (ending) {
            return;
        }
        ending = true;
        events.drop();
        keepAlive.stop();
        for (NvmfQpair q : queues) {
            if (q != null) {
                target.sessions().disconnect(q);
            }
        }
    }

    /** A queue is gone, on the thread of the admin queue. */
    void removed(int qid) {
        queues[qid] = null;
        boolean any = false;
        for (int i = 1; i < queues.length; i++) {
            any |= queues[i] != null;
        }
        if (qid == 0) {
            end();
        }
        if (!any && properties.isStopping()) {
            properties.stopped();
        }
        if (!any && queues[0] == null) {
            target.sessions().forget(this);
        }
    }

    ControllerInfo info() {
        List<ControllerInfo.Qpair> all = new ArrayList<>();
        for (NvmfQpair q : queues) {
            if (q != null) {
                all.add(new ControllerInfo.Qpair(
                        q.qid,
                        q.state.name().toLowerCase(Locale.ROOT),
                        q.group().thread().name()));
            }
        }
        String id = String.format(
                Locale.ROOT, "%016x%016x", Long.reverseBytes(host.hostIdHigh()), Long.reverseBytes(host.hostIdLow()));
        return new ControllerInfo(cntlid, host.host(), id, all);
    }
}
