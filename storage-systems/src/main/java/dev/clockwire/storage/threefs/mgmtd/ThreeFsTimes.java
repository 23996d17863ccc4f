package dev.clockwire.storage.threefs.mgmtd;

import dev.clockwire.sim.error.ConfigurationException;

/**
 * How long 3FS waits, in ps.
 *
 * @param heartbeat from a node's heartbeat to the next
 * @param fail silence after which a node counts as lost; half of it without an answer ends a service
 * @param sync from a look at what is to be brought up to date to the next
 * @param syncAgain from a try that failed to the next
 * @param forwardFirst a node's first wait for its successor, doubled with each try
 * @param forwardMost its longest
 * @param forwardTotal all of them
 * @param clientFirst a client's first wait for an answer, doubled with each try
 * @param clientMost its longest
 * @param clientTotal all of them
 * @param rpc wait for other answers
 */
public record ThreeFsTimes(
        long heartbeat,
        long fail,
        long sync,
        long syncAgain,
        long forwardFirst,
        long forwardMost,
        long forwardTotal,
        long clientFirst,
        long clientMost,
        long clientTotal,
        long rpc) {
    private static final long MS = 1_000_000_000L;

    /** Checks that each is some time. */
    public ThreeFsTimes {
        for (long t : new long[] {
            heartbeat,
            fail,
            sync,
            syncAgain,
            forwardFirst,
            forwardMost,
            forwardTotal,
            clientFirst,
            clientMost,
            clientTotal,
            rpc
        }) {
            if (t < 1) {
                throw new ConfigurationException("3fs: a wait of " + t + " ps: must be 1 or more");
            }
        }
    }

    /** Returns the defaults of 3FS: a node is lost after a minute, a client waits 10 to 30 s, a minute in all. */
    public static ThreeFsTimes threeFs() {
        return of(10_000, 60_000, 500, 30_000, 100, 1_000, 60_000, 10_000, 30_000, 60_000, 1_000);
    }

    /** Returns the same proportions where a node is lost after 12 ms, for runs of many faults. */
    public static ThreeFsTimes quick() {
        return of(2, 12, 1, 4, 1, 4, 200, 4, 16, 400, 4);
    }

    private static ThreeFsTimes of(
            long heartbeat,
            long fail,
            long sync,
            long syncAgain,
            long forwardFirst,
            long forwardMost,
            long forwardTotal,
            long clientFirst,
            long clientMost,
            long clientTotal,
            long rpc) {
        return new ThreeFsTimes(
                heartbeat * MS,
                fail * MS,
                sync * MS,
                syncAgain * MS,
                forwardFirst * MS,
                forwardMost * MS,
                forwardTotal * MS,
                clientFirst * MS,
                clientMost * MS,
                clientTotal * MS,
                rpc * MS);
    }
}
