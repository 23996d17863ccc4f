package dev.clockwire.storage.daos.pool;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * How long DAOS waits, in ps.
 *
 * @param rpc wait for an answer (CRT_TIMEOUT)
 * @param retryFirst a client's first wait before it asks again, doubled with each try
 * @param retryMost its longest
 * @param retryTotal after which a client gives an operation up; DAOS itself never does
 * @param swimPeriod from an engine's ping to its next
 * @param swimPing wait for an answer to a ping
 * @param swimSuspect from the first ping that nobody answered to the report
 * @param lease without an answer of the manager an engine serves no longer than this, and is not excluded before. DAOS has none: an engine that is cut off could
 *     serve old values there
 * @param dtxAge committable transactions are committed after this at the latest (DTX_COMMIT_THRESHOLD_AGE)
 * @param dtxRefresh prepared transactions older than this are asked for
 * @param dtxKeep committed transactions are remembered for this, against resends (DTX_AGG_AGE)
 */
public record DaosTimes(
        long rpc,
        long retryFirst,
        long retryMost,
        long retryTotal,
        long swimPeriod,
        long swimPing,
        long swimSuspect,
        long lease,
        long dtxAge,
        long dtxRefresh,
        long dtxKeep) {
    private static final long US = 1_000_000L;

    /** Checks that each is some time. */
    public DaosTimes {
        long least = Math.min(Math.min(rpc, retryFirst), Math.min(retryMost, retryTotal));
        least = Math.min(least, Math.min(Math.min(swimPeriod, swimPing), Math.min(swimSuspect, lease)));
        least = Math.min(least, Math.min(dtxAge, Math.min(dtxRefresh, dtxKeep)));
        if (least < 1) {
            throw new ConfigurationException("daos: a wait of " + least + " ps: must be 1 or more");
        }
        if (dtxKeep < retryTotal) {
            throw new ConfigurationException("daos: transactions are forgotten after " + dtxKeep
                    + " ps, but clients send again for " + retryTotal + " ps: must be as long");
        }
    }

    /** Returns DAOS's times: RPCs 60 s, SWIM 1 s, 0.9 s and 20 s, commit after 10 s, memory of 630 s; clients give up after ten minutes. */
    public static DaosTimes daos() {
        return of(
                60_000_000,
                10_000,
                1_000_000,
                600_000_000,
                1_000_000,
                900_000,
                20_000_000,
                15_000_000,
                10_000_000,
                20_000_000,
                630_000_000);
    }

    /** Returns times in which an engine is excluded after 12 ms, and a lone write is committed everywhere half a millisecond later. */
    public static DaosTimes quick() {
        return of(8_000, 100, 2_000, 400_000, 2_000, 3_000, 6_000, 8_000, 500, 4_000, 600_000);
    }

    private static DaosTimes of(
            long rpc,
            long retryFirst,
            long retryMost,
            long retryTotal,
            long swimPeriod,
            long swimPing,
            long swimSuspect,
            long lease,
            long dtxAge,
            long dtxRefresh,
            long dtxKeep) {
        return new DaosTimes(
                rpc * US,
                retryFirst * US,
                retryMost * US,
                retryTotal * US,
                swimPeriod * US,
                swimPing * US,
                swimSuspect * US,
                lease * US,
                dtxAge * US,
                dtxRefresh * US,
                dtxKeep * US);
    }
}
