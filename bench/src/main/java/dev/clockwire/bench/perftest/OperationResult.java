package dev.clockwire.bench.perftest;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.clockwire.bench.explain.StageReport;
import dev.clockwire.bench.explain.TailReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One operation on idle hosts, explained.
 *
 * @param op the operation, as typed
 * @param size bytes of the message
 * @param totalNs from the post to the poll that found the completion, in ns
 * @param totalCycles the same in cycles of the NIC's core clock
 * @param stages contiguous, together the total
 * @param wire the frames on the line in order
 * @param tail of several operations: why the slow ones were slow; null of one
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record OperationResult(
        String op,
        long size,
        double totalNs,
        double totalCycles,
        List<StageReport> stages,
        List<WireFrame> wire,
        @Nullable TailReport tail) {

    /**
     * A frame on the line.
     *
     * @param frame number, from 1
     * @param opcode name
     * @param psn packet sequence number in hexadecimal
     * @param bytes of the frame, without preamble and FCS
     * @param timeNs when its first bit left, from the post
     * @param from host that sent it
     */
    public record WireFrame(int frame, String opcode, String psn, int bytes, double timeNs, String from) {}
}
