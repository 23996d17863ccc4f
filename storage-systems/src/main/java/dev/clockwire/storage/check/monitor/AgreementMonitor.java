package dev.clockwire.storage.check.monitor;

import org.jspecify.annotations.Nullable;

/**
 * AGR-1, AGR-2: what copies hold, beside each other.
 *
 * <p>AGR-2 compares copies of nodes that serve, whatever versions of the chain these go by, if both were committed as version v under version c of the chain. It may:
 * under c there is one head, and v has the content that this head gave it, or that it held as pending when it became head; either is stored before it is sent on.
 * Whoever notes (v, c) has committed what came from that head through the chain, or was given the copy as a whole by one who has. Between c and a
 * later version nodes only leave, or join at the end with copies of those before them. So two contents of (v, c) at nodes that serve mean that a node took part under a
 * version of the chain that it was no part of. Of nodes that do not serve this is not said: what they hold may be of a line that nobody has followed.
 */
final class AgreementMonitor extends Monitor {
    AgreementMonitor(Replicas replicas, Findings findings) {
        super(replicas, findings);
    }

    @Override
    public void committed(long ps, int node, int chain, long key, long chainVer, long version, long digest) {
        int chunk = replicas.chunk(chain, key);
        if (replicas.serves(node, chain, replicas.adopted(node, chain))) {
            others(ps, node, chunk, replicas.adopted(node, chain), chainVer, version, digest);
        }
    }

    @Override
    public void adopted(long ps, int node, int chain, long chainVer) {
        @Nullable ChainTable table = replicas.table(chain, chainVer);
        for (int chunk = 0; chunk < replicas.chunkCount() && table != null && table.placeOf(node) >= 0; chunk++) {
            if (replicas.chainOf(chunk) == chain) {
                long version = replicas.commitVersion(node, chunk);
                others(
                        ps,
                        node,
                        chunk,
                        chainVer,
                        replicas.chainVersion(node, chunk),
                        version,
                        replicas.digest(node, chunk));
            }
        }
    }

    private void others(long ps, int node, int chunk, long adopted, long chainVer, long version, long digest) {
        int chain = replicas.chainOf(chunk);
        @Nullable ChainTable table = replicas.table(chain, adopted);
        for (int i = 0; table != null && i < table.servingCount(); i++) {
            int other = table.serving(i);
            if (other != node
                    && version > 0
                    && replicas.serves(other, chain, replicas.adopted(other, chain))
                    && replicas.commitVersion(other, chunk) == version
                    && replicas.chainVersion(other, chunk) == chainVer
                    && replicas.digest(other, chunk) != digest) {
                report(
                        Invariant.AGR_2,
                        ps,
                        "nodes " + other + " and " + node + ", " + name(chunk),
                        "version " + version + " is " + hex(replicas.digest(other, chunk)) + " and " + hex(digest));
            }
        }
    }

    @Override
    public void quiescent(long ps) {
        for (int chunk = 0; chunk < replicas.chunkCount(); chunk++) {
            @Nullable ChainTable table = replicas.table(replicas.chainOf(chunk));
            for (int i = 0; table != null && i < table.servingCount(); i++) {
                atRest(ps, table.serving(0), table.serving(i), chunk);
            }
        }
    }

    private void atRest(long ps, int head, int node, int chunk) {
        long commit = replicas.commitVersion(node, chunk);
        long commitHead = replicas.commitVersion(head, chunk);
        if (replicas.updateVersion(node, chunk) != commit) {
            report(Invariant.AGR_1, ps, node, chunk, "version " + replicas.updateVersion(node, chunk) + " is pending");
        }
        if (commit != commitHead) {
            report(Invariant.AGR_1, ps, node, chunk, "version " + commit + ", the head has " + commitHead);
        } else if (replicas.digest(node, chunk) != replicas.digest(head, chunk)) {
            report(
                    Invariant.AGR_1,
                    ps,
                    node,
                    chunk,
                    "version " + commit + " is " + hex(replicas.digest(node, chunk)) + ", the head has "
                            + hex(replicas.digest(head, chunk)));
        }
    }
}
