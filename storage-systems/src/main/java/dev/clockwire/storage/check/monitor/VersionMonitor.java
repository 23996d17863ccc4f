package dev.clockwire.storage.check.monitor;

/** VER-1, VER-2, VER-4: versions of each copy and of each node on their own. */
final class VersionMonitor extends Monitor {
    VersionMonitor(Replicas replicas, Findings findings) {
        super(replicas, findings);
    }

    @Override
    public void adopted(long ps, int node, int chain, long chainVer) {
        long before = replicas.adopted(node, chain);
        if (chainVer < before) {
            report(
                    Invariant.VER_4,
                    ps,
                    "node " + node + ", chain " + chain,
                    "version " + chainVer + " after " + before);
        }
    }

    @Override
    public void updated(long ps, int node, int chain, long key, long version) {
        int chunk = replicas.chunk(chain, key);
        long commit = replicas.commitVersion(node, chunk);
        if (version < commit || version > commit + 1) {
            report(Invariant.VER_1, ps, node, chunk, "update version " + version + " over commit version " + commit);
        }
    }

    @Override
    public void committed(long ps, int node, int chain, long key, long chainVer, long version, long digest) {
        int chunk = replicas.chunk(chain, key);
        long commit = replicas.commitVersion(node, chunk);
        long update = replicas.updateVersion(node, chunk);
        if (update < version || update > version + 1) {
            report(Invariant.VER_1, ps, node, chunk, "commit version " + version + " below update version " + update);
        }
        if (version <= commit) {
            report(Invariant.VER_2, ps, node, chunk, "commit version " + version + " after " + commit);
        }
        ofChain(ps, node, chunk, chainVer);
    }

    @Override
    public void replaced(long ps, int node, int chain, long key, long chainVer, long version, long digest) {
        ofChain(ps, node, replicas.chunk(chain, key), chainVer);
    }

    private void ofChain(long ps, int node, int chunk, long chainVer) {
        long adopted = replicas.adopted(node, replicas.chainOf(chunk));
        if (chainVer > adopted) {
            report(
                    Invariant.VER_4,
                    ps,
                    node,
                    chunk,
                    "a copy of chain version " + chainVer + " at a node of " + adopted);
        }
    }
}
