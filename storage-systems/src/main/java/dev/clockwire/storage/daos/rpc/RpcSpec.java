package dev.clockwire.storage.daos.rpc;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * Limits of RPCs.
 *
 * @param limitBytes of an RPC with what rides inline (DAOS_RPC_SIZE)
 * @param inlineBytes values from here on go by bulk (DAOS_BULK_LIMIT)
 * @param requestBytes of a request without inline data: an assumption, DAOS's own structures take about as much
 * @param responseBytes of a response without inline data, an assumption too
 * @param credits RPCs under way to one peer (CRT_CREDIT_EP_CTX)
 * @param quota RPCs of a client under way (D_QUOTA_RPCS)
 * @param bulkQuota bulk handles of a client registered (D_QUOTA_BULKS)
 * @param registerPs fixed part of registering and of deregistering memory
 * @param registerPagePs added for each page of it
 * @param pageBytes of a page
 * @param cache whether registrations are kept and used again (CRT_MRC_ENABLE)
 */
public record RpcSpec(
        int limitBytes,
        int inlineBytes,
        int requestBytes,
        int responseBytes,
        int credits,
        int quota,
        int bulkQuota,
        long registerPs,
        long registerPagePs,
        int pageBytes,
        boolean cache) {
    /** Checks the ranges. */
    public RpcSpec {
        range("limitBytes", limitBytes, 1024, 1 << 24);
        range("inlineBytes", inlineBytes, 0, limitBytes - requestBytes);
        range("requestBytes", requestBytes, 256, 4096);
        range("responseBytes", responseBytes, 256, 4096);
        range("credits", credits, 1, 256);
        range("quota", quota, 1, 4096);
        range("bulkQuota", bulkQuota, 1, 4096);
        range("registerPs", registerPs, 0, 1_000_000_000L);
        range("registerPagePs", registerPagePs, 0, 1_000_000_000L);
        range("pageBytes", pageBytes, 4096, 1 << 30);
    }

    private static void range(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new ConfigurationException("daos.rpc." + what + " " + value + " is not in " + least + ".." + most);
        }
    }

    /** Returns DAOS's limits; registering 64 KiB takes 10 us and 16 pages of 0.25 us each. */
    public static RpcSpec daos() {
        return new RpcSpec(20_480, 19_456, 640, 256, 32, 64, 64, 10_000_000L, 250_000L, 4096, false);
    }

    /** Returns a copy that keeps registrations or does not. */
    public RpcSpec withCache(boolean on) {
        return new RpcSpec(
                limitBytes,
                inlineBytes,
                requestBytes,
                responseBytes,
                credits,
                quota,
                bulkQuota,
                registerPs,
                registerPagePs,
                pageBytes,
                on);
    }

    /** Returns a copy where values from a length on go by bulk. */
    public RpcSpec withInline(int bytes) {
        return new RpcSpec(
                limitBytes,
                bytes,
                requestBytes,
                responseBytes,
                credits,
                quota,
                bulkQuota,
                registerPs,
                registerPagePs,
                pageBytes,
                cache);
    }

    /** Returns what registering, or deregistering, some memory costs. */
    public long costPs(long va, long bytes) {
        long pages = (va + bytes - 1) / pageBytes - va / pageBytes + 1;
        return registerPs + registerPagePs * pages;
    }
}
