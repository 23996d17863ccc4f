package dev.clockwire.bench.perftest;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.clockwire.bench.artefact.DeviceCounters;
import dev.clockwire.bench.explain.StageReport;
import dev.clockwire.bench.explain.TailReport;
import dev.clockwire.bench.fault.FaultReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one run has measured. The component names are the field names of the JSON document.
 *
 * @param tool as typed
 * @param size bytes of a message
 * @param iterations messages of each queue pair that were measured
 * @param mtu path MTU in bytes
 * @param latencyUs half a round trip for ping-pong tools, else from post to completion
 * @param bandwidthGbps payload bits over the time from the first post to the last completion
 * @param msgRateMpps messages over that time
 * @param inFlightAvg messages in flight, integrated over that time
 * @param simulatedNs simulated time at the end of the run
 * @param cycles cycles of the NIC's core clock until then
 * @param events events that the kernel handled
 * @param evaluations evaluations of modules
 * @param wallS seconds of the user's clock that the run took
 * @param cpuS processor seconds of the thread that ran it
 * @param traceHash digest of everything observable
 * @param contentHash digest of the data that arrived
 * @param stages critical path of the operation with the median latency
 * @param endedEarly why a run of given duration ended before, null if it did not
 * @param interrupted whether the user stopped the run
 * @param counters of both NICs, null if nobody asked
 * @param faults what became of each rule of the fault plan, null without one
 * @param completionsOutOfOrder completions that came behind those of later sends of their queue pair, null if none did
 * @param tail why the slowest messages were slow, null if nobody asked
 * @param cores what the cores of client and server did
 * @param peakRate highest rate of a stretch of messages, per second; only for the text
 * @param messages of all queue pairs that were measured; only for the text
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PerftestResult(
        String tool,
        long size,
        long iterations,
        int qps,
        int txDepth,
        int mtu,
        LatencyFigures latencyUs,
        double bandwidthGbps,
        double msgRateMpps,
        double inFlightAvg,
        double simulatedNs,
        long cycles,
        long events,
        long evaluations,
        double wallS,
        double cpuS,
        String traceHash,
        String contentHash,
        List<StageReport> stages,
        @Nullable String endedEarly,
        @Nullable Boolean interrupted,
        @Nullable List<DeviceCounters> counters,
        @Nullable List<FaultReport> faults,
        @Nullable Long completionsOutOfOrder,
        @Nullable TailReport tail,
        List<CoreShare> cores,
        @JsonIgnore double peakRate,
        @JsonIgnore long messages) {
    /** Returns a copy with the counters of both NICs. */
    public PerftestResult with(List<DeviceCounters> read) {
        return new PerftestResult(
                tool,
                size,
                iterations,
                qps,
                txDepth,
                mtu,
                latencyUs,
                bandwidthGbps,
                msgRateMpps,
                inFlightAvg,
                simulatedNs,
                cycles,
                events,
                evaluations,
                wallS,
                cpuS,
                traceHash,
                contentHash,
                stages,
                endedEarly,
                interrupted,
                read,
                faults,
                completionsOutOfOrder,
                tail,
                cores,
                peakRate,
                messages);
    }

    /** Returns a copy with an explanation of its tail. */
    public PerftestResult with(TailReport explained) {
        return new PerftestResult(
                tool,
                size,
                iterations,
                qps,
                txDepth,
                mtu,
                latencyUs,
                bandwidthGbps,
                msgRateMpps,
                inFlightAvg,
                simulatedNs,
                cycles,
                events,
                evaluations,
                wallS,
                cpuS,
                traceHash,
                contentHash,
                stages,
                endedEarly,
                interrupted,
                counters,
                faults,
                completionsOutOfOrder,
                explained,
                cores,
                peakRate,
                messages);
    }
}
