package dev.clockwire.storage.ceph.check;

import dev.clockwire.storage.check.monitor.Findings;
import dev.clockwire.storage.check.monitor.Invariant;
import java.util.Map;
import java.util.TreeMap;

/** CE-3: the numbers of the messages that come over each lossless session. */
final class SessionMonitor implements CephEvents {
    private final Findings findings;
    private final Map<Integer, Map<Integer, Line>> byNode = new TreeMap<>();

    /** What one node has heard from another. */
    private static final class Line {
        long cookie;
        long last;
    }

    SessionMonitor(Findings findings) {
        this.findings = findings;
    }

    @Override
    public void crashed(long ps, int node) {
        byNode.remove(node);
    }

    @Override
    public void delivered(long ps, int node, int peer, long cookie, long seq) {
        Line line = byNode.computeIfAbsent(node, n -> new TreeMap<>()).computeIfAbsent(peer, n -> new Line());
        if (line.cookie != cookie) {
            line.cookie = cookie;
            line.last = 0;
        }
        if (seq != line.last + 1) {
            findings.report(
                    Invariant.CE_3,
                    ps,
                    "node " + node + ", session 0x" + Long.toHexString(cookie) + " with node " + peer,
                    "message " + seq + " behind " + line.last);
        }
        line.last = seq;
    }
}
