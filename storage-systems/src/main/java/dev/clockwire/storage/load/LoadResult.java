package dev.clockwire.storage.load;

import dev.clockwire.sim.stats.Histogram;
import dev.clockwire.storage.check.History;
import dev.clockwire.storage.check.Verdict;
import dev.clockwire.storage.cluster.CpuWork;
import java.util.List;
import java.util.Map;

/**
 * What a load has seen.
 *
 * @param latency of operations that ended well, in ps
 * @param begun operations of the loops, whether they count or not
 * @param ended how many ended well
 * @param bytes that they moved
 * @param begunPs when the first operation began
 * @param elapsedPs from the first to the end of the last
 * @param traffic what the wire carried meanwhile
 * @param work what the cores of each machine did meanwhile, in the order of {@code traffic.nics()}
 * @param history of all operations, those before and after the measured ones included
 * @param verdict whether it is linearizable
 * @param lostAcked writes that were acknowledged and are in no later state
 * @param differences where replicas in service differ in the end, in words, and what else is wrong
 * @param gaveUp what never came to its end, in words; empty if all did
 * @param gone machines that have crashed and do not come back, and disks that have failed for good
 * @param failures how many operations ended without success, by reason; those that never ended are not among them
 */
public record LoadResult(
        Histogram latency,
        long begun,
        long ended,
        long bytes,
        long begunPs,
        long elapsedPs,
        Traffic traffic,
        List<CpuWork> work,
        History history,
        Verdict verdict,
        long lostAcked,
        List<String> differences,
        String gaveUp,
        List<String> gone,
        Map<String, Long> failures) {
    /**
     * What the wire carried for operations.
     *
     * @param sends messages
     * @param reads messages
     * @param writes messages
     * @param immediates messages with immediate data
     * @param overheads messages that were no part of operations, by name
     * @param overheadBytes their frames with what acknowledges them, by name; frames that were sent again are called {@code resent}
     * @param payload bytes that messages of operations carried
     * @param oneSided how many of them moved by RDMA READ and WRITE
     * @param acks bytes of frames that only acknowledge messages of operations
     * @param nics bytes of each machine, by name
     * @param trips one-way trips behind the last answer, if there was one operation only
     */
    public record Traffic(
            long sends,
            long reads,
            long writes,
            long immediates,
            Map<String, Long> overheads,
            Map<String, Long> overheadBytes,
            long payload,
            long oneSided,
            long acks,
            List<Nic> nics,
            int trips) {}

    /**
     * Bytes of frames of a machine.
     *
     * @param node name
     * @param tx sent
     * @param rx received
     * @param operationTx how much of what it sent belongs to operations
     * @param operationRx how much of what it received does
     */
    public record Nic(String node, long tx, long rx, long operationTx, long operationRx) {}

    /** Returns whether nothing was lost and replicas are equal. */
    public boolean isSafe() {
        return verdict.isLinearizable() && lostAcked == 0 && differences.isEmpty();
    }

    /** Returns bytes of operations per second, in Gbit/s. */
    public double gbps() {
        return elapsedPs == 0 ? 0 : bytes * 8e3 / elapsedPs;
    }
}
