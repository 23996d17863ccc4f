package dev.clockwire.storage.check.monitor;

import org.jspecify.annotations.Nullable;

/** VER-3: neighbours that serve under the same version of their chain. */
final class PrefixMonitor extends Monitor {
    PrefixMonitor(Replicas replicas, Findings findings) {
        super(replicas, findings);
    }

    @Override
    public void adopted(long ps, int node, int chain, long chainVer) {
        for (int chunk = 0; chunk < replicas.chunkCount(); chunk++) {
            if (replicas.chainOf(chunk) == chain) {
                neighbours(
                        ps,
                        node,
                        chunk,
                        chainVer,
                        replicas.updateVersion(node, chunk),
                        replicas.commitVersion(node, chunk));
            }
        }
    }

    @Override
    public void updated(long ps, int node, int chain, long key, long version) {
        int chunk = replicas.chunk(chain, key);
        moved(ps, node, chunk, version, replicas.commitVersion(node, chunk));
    }

    @Override
    public void committed(long ps, int node, int chain, long key, long chainVer, long version, long digest) {
        int chunk = replicas.chunk(chain, key);
        moved(ps, node, chunk, replicas.updateVersion(node, chunk), version);
    }

    @Override
    public void replaced(long ps, int node, int chain, long key, long chainVer, long version, long digest) {
        moved(ps, node, replicas.chunk(chain, key), version, version);
    }

    private void moved(long ps, int node, int chunk, long update, long commit) {
        int chain = replicas.chainOf(chunk);
        long chainVer = replicas.adopted(node, chain);
        if (replicas.serves(node, chain, chainVer)) {
            neighbours(ps, node, chunk, chainVer, update, commit);
        }
    }

    private void neighbours(long ps, int node, int chunk, long chainVer, long update, long commit) {
        int chain = replicas.chainOf(chunk);
        @Nullable ChainTable table = replicas.table(chain, chainVer);
        int place = table == null ? -1 : table.placeOf(node);
        if (table == null || place < 0) {
            return;
        }
        if (place > 0 && replicas.serves(table.serving(place - 1), chain, chainVer)) {
            int before = table.serving(place - 1);
            long commitBefore = replicas.commitVersion(before, chunk);
            pair(ps, before, node, chunk, replicas.updateVersion(before, chunk), commitBefore, update, commit);
        }
        if (place + 1 < table.servingCount() && replicas.serves(table.serving(place + 1), chain, chainVer)) {
            int behind = table.serving(place + 1);
            long commitBehind = replicas.commitVersion(behind, chunk);
            pair(ps, node, behind, chunk, update, commit, replicas.updateVersion(behind, chunk), commitBehind);
        }
    }

    private void pair(
            long ps,
            int before,
            int behind,
            int chunk,
            long update,
            long commit,
            long updateBehind,
            long commitBehind) {
        if (update < updateBehind) {
            report(
                    Invariant.VER_3,
                    ps,
                    "nodes " + before + " and " + behind + ", " + name(chunk),
                    "update version " + update + " before " + updateBehind);
        }
        if (commit > commitBehind) {
            report(
                    Invariant.VER_3,
                    ps,
                    "nodes " + before + " and " + behind + ", " + name(chunk),
                    "commit version " + commit + " before " + commitBehind);
        }
    }
}
