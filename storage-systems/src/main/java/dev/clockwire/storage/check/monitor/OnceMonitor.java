package dev.clockwire.storage.check.monitor;

/** AMO-1, AMO-2: requests that come again. */
final class OnceMonitor extends Monitor {
    OnceMonitor(Replicas replicas, Findings findings) {
        super(replicas, findings);
    }

    @Override
    public void executed(long ps, int node, int chain, long key, Request request, long version) {
        Requests known = replicas.requests();
        int caller = known.caller(chain, request);
        int chunk = replicas.chunk(chain, key);
        long last = known.sequence(caller);
        if (request.sequence() < last) {
            report(Invariant.AMO_2, ps, node, chunk, request + " as version " + version + ", behind request " + last);
        } else if (request.sequence() == last && known.node(caller) == node) {
            report(
                    Invariant.AMO_1,
                    ps,
                    node,
                    chunk,
                    request + " as version " + version + ", it was version " + known.version(caller));
        }
    }
}
