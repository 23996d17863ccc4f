package dev.clockwire.pcie.host;

import dev.clockwire.pcie.link.LinkRate;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.sim.error.ConfigurationException;

/**
 * The latencies of a host, in ps. A device's read takes the sum of its parts: the request on the link, the root complex, the
 * translation, the memory, the way to another node, the root complex again, the data on the link.
 *
 * @param requestPs root complex, from a request's arrival to the memory system
 * @param translationPs address translation of a request, 0 without an IOMMU
 * @param cacheReadPs a read that the last-level cache answers
 * @param dramReadPs a read that DRAM answers
 * @param nodeHopPs extra for each NUMA hop of a read or write, there and back
 * @param responsePs root complex, from the data to the first completion
 * @param commitPs from the memory system to the moment a write is in memory
 * @param holdPs how long a packet occupies the root port's receive buffer
 * @param storePs from a core's store to a device leaving the core to its packet at the root port
 * @param nodes NUMA nodes
 * @param depth what of a host is built only on request
 */
public record HostSpec(
        long requestPs,
        long translationPs,
        long cacheReadPs,
        long dramReadPs,
        long nodeHopPs,
        long responsePs,
        long commitPs,
        long holdPs,
        long storePs,
        int nodes,
        HostDepth depth) {
    private static final long LARGEST = 1_000_000_000L;

    /** Checks the ranges. */
    public HostSpec {
        check("host.requestPs", requestPs, 0);
        check("host.translationPs", translationPs, 0);
        check("host.cacheReadPs", cacheReadPs, 1);
        check("host.dramReadPs", dramReadPs, 1);
        check("host.nodeHopPs", nodeHopPs, 0);
        check("host.responsePs", responsePs, 0);
        check("host.commitPs", commitPs, 1);
        check("host.holdPs", holdPs, 0);
        check("host.storePs", storePs, 1);
        if (nodes < 1 || nodes > 256) {
            throw new ConfigurationException("host.nodes " + nodes + " is not in 1..256");
        }
        checkNode("memory", depth.numa().memory(), nodes);
        checkNode("core", depth.numa().core(), nodes);
    }

    /** Creates a host with nothing that is built only on request. */
    public HostSpec(
            long requestPs,
            long translationPs,
            long cacheReadPs,
            long dramReadPs,
            long nodeHopPs,
            long responsePs,
            long commitPs,
            long holdPs,
            long storePs,
            int nodes) {
        this(
                requestPs,
                translationPs,
                cacheReadPs,
                dramReadPs,
                nodeHopPs,
                responsePs,
                commitPs,
                holdPs,
                storePs,
                nodes,
                HostDepth.NONE);
    }

    /** Returns a server: about 400 ns from a device's read to its first byte over a link with 50 ns each way. */
    public static HostSpec server() {
        return new HostSpec(90_000, 0, 60_000, 130_000, 100_000, 80_000, 60_000, 50_000, 80_000, 2);
    }

    /** Returns the time from a read's arrival at the root port to its completions being handed to the link. */
    public long readPs(Placement where, int deviceNode) {
        return requestPs
                + translationPs
                + (where.cached() ? cacheReadPs : dramReadPs)
                + hops(where, deviceNode)
                + responsePs;
    }

    /** Returns the time from a write's arrival at the root port to its being in memory. */
    public long writePs(Placement where, int deviceNode) {
        return requestPs + translationPs + commitPs + hops(where, deviceNode);
    }

    /**
     * Returns the time from an endpoint handing a read to an idle link to the first byte of data, in ps: request on the wire,
     * way up, {@link #readPs}, way down.
     */
    public long roundTripPs(PcieLinkSpec link, Placement where, int deviceNode) {
        LinkRate rate = LinkRate.of(link);
        long request = link.wireBytes(true, 0) * rate.num() / rate.den();
        return request + link.upPs() + readPs(where, deviceNode) + link.downPs();
    }

    /** Returns a copy in which DRAM reads take as long as needed for a round trip from node 0 to DRAM of node 0. */
    public HostSpec withRoundTrip(PcieLinkSpec link, long ps) {
        long others = roundTripPs(link, Placement.dram(0), 0) - dramReadPs;
        if (ps <= others) {
            throw new ConfigurationException(
                    "a round trip of " + ps + " ps is not longer than its fixed parts, " + others + " ps");
        }
        return withReads(cacheReadPs, ps - others);
    }

    /** Returns a copy with other memory latencies. */
    public HostSpec withReads(long cachePs, long dramPs) {
        Draft d = new Draft(this);
        d.cacheReadPs = cachePs;
        d.dramReadPs = dramPs;
        return d.done();
    }

    /** Returns a copy with another translation latency. */
    public HostSpec withTranslation(long ps) {
        Draft d = new Draft(this);
        d.translationPs = ps;
        return d.done();
    }

    /** Returns a copy with other parts that are built on request. */
    public HostSpec withDepth(HostDepth other) {
        Draft d = new Draft(this);
        d.depth = other;
        return d.done();
    }

    /** Returns what an access across nodes takes more. */
    long hops(Placement where, int deviceNode) {
        return where.node() == deviceNode ? 0 : nodeHopPs;
    }

    private static void checkNode(String what, int node, int nodes) {
        if (node >= nodes) {
            throw new ConfigurationException("NUMA node of " + what + " " + node + " is not in 0.." + (nodes - 1));
        }
    }

    private static void check(String what, long value, long least) {
        if (value < least || value > LARGEST) {
            throw new ConfigurationException(what + " " + value + " is not in " + least + ".." + LARGEST);
        }
    }

    /** All components of a copy that is about to differ in some. */
    private static final class Draft {
        private long requestPs;
        private long translationPs;
        private long cacheReadPs;
        private long dramReadPs;
        private long nodeHopPs;
        private long responsePs;
        private long commitPs;
        private long holdPs;
        private long storePs;
        private int nodes;
        private HostDepth depth;

        Draft(HostSpec of) {
            requestPs = of.requestPs;
            translationPs = of.translationPs;
            cacheReadPs = of.cacheReadPs;
            dramReadPs = of.dramReadPs;
            nodeHopPs = of.nodeHopPs;
            responsePs = of.responsePs;
            commitPs = of.commitPs;
            holdPs = of.holdPs;
            storePs = of.storePs;
            nodes = of.nodes;
            depth = of.depth;
        }

        HostSpec done() {
            return new HostSpec(
                    requestPs,
                    translationPs,
                    cacheReadPs,
                    dramReadPs,
                    nodeHopPs,
                    responsePs,
                    commitPs,
                    holdPs,
                    storePs,
                    nodes,
                    depth);
        }
    }
}
