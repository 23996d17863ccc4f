package dev.clockwire.storage.check.monitor;

/**
 * LIN-4: what a replica answers reads with, whatever they promise. A version may be read before its copy says that it is pending, while what says so goes to the disk; if the
 * disk does not take it, it is gone again.
 */
final class ReadMonitor extends Monitor {
    ReadMonitor(Replicas replicas, Findings findings) {
        super(replicas, findings);
    }

    @Override
    public void served(long ps, int node, int chain, long key, long version, long digest, long beganPs) {
        int chunk = replicas.chunk(chain, key);
        long commit = replicas.commitVersion(node, chunk);
        long newest = replicas.newest(chunk);
        if (version < commit) {
            report(Invariant.LIN_4, ps, node, chunk, "version " + version + " is read, " + commit + " is committed");
        } else if (version > newest + 1) {
            report(Invariant.LIN_4, ps, node, chunk, "version " + version + " is read, nobody has more than " + newest);
        } else if (version == commit && digest != replicas.digest(node, chunk)) {
            report(
                    Invariant.LIN_4,
                    ps,
                    node,
                    chunk,
                    "version " + version + " is read as " + hex(digest) + ", it is "
                            + hex(replicas.digest(node, chunk)));
        }
        long before = replicas.served(node, chunk, beganPs);
        if (version < before && version >= commit && before <= replicas.updateVersion(node, chunk)) {
            report(Invariant.LIN_4, ps, node, chunk, "version " + version + " is read behind version " + before);
        }
    }
}
