package dev.clockwire.storage.check.monitor;

import org.jspecify.annotations.Nullable;

/**
 * DUR-1, DUR-3: what a client was told is there. An acknowledgement is judged by the version of the chain under which the head gave it, not by that under
 * which the write was committed: a write that comes again is acknowledged by a head that has committed it as a node of the middle, in a chain whose head never did.
 */
final class DurabilityMonitor extends Monitor {
    DurabilityMonitor(Replicas replicas, Findings findings) {
        super(replicas, findings);
    }

    @Override
    public void acked(long ps, int client, int chain, long key, long chainVer, long version) {
        @Nullable ChainTable table = replicas.table(chain, chainVer);
        int chunk = replicas.chunk(chain, key);
        if (table == null || table.servingCount() == 0) {
            report(
                    Invariant.DUR_3,
                    ps,
                    "client " + client + ", " + name(chunk),
                    "version " + version + " under version " + chainVer + " of the chain, in which nobody serves");
            return;
        }
        int tail = table.serving(table.servingCount() - 1);
        early(ps, tail, "tail", chunk, version);
        if (table.serving(0) != tail) {
            early(ps, table.serving(0), "head", chunk, version);
        }
    }

    private void early(long ps, int node, String role, int chunk, long version) {
        long committed = replicas.highestCommitted(node, chunk);
        if (committed < version) {
            report(
                    Invariant.DUR_3,
                    ps,
                    node,
                    chunk,
                    "version " + version + " acknowledged, the " + role + " has committed " + committed);
        }
    }

    @Override
    public void quiescent(long ps) {
        for (int chunk = 0; chunk < replicas.chunkCount(); chunk++) {
            @Nullable ChainTable table = replicas.table(replicas.chainOf(chunk));
            for (int i = 0; table != null && i < table.servingCount(); i++) {
                long has = replicas.commitVersion(table.serving(i), chunk);
                if (has < replicas.ackedVersion(chunk)) {
                    report(
                            Invariant.DUR_1,
                            ps,
                            table.serving(i),
                            chunk,
                            "version " + replicas.ackedVersion(chunk) + " was acknowledged, " + has + " is there");
                }
            }
        }
    }
}
