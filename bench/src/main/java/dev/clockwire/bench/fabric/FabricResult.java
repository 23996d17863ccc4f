package dev.clockwire.bench.fabric;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a fabric did.
 *
 * @param flows in the order of the file
 * @param switches each with its ports
 * @param jain fairness of the goodputs, 1 = all alike
 * @param cnps notifications that reached a sender, those in acknowledgements included
 * @param pauses frames that stop at least one class, as sent by switches
 * @param drops frames that found no room
 * @param lost frames that a cable has lost
 * @param deadlock ports that wait for each other in a circle, null if none do
 * @param deadlocks all such circles that have no port in common, in the order in which they were found
 * @param events that the kernel handled
 * @param frames put on a line
 * @param dataPackets packets of flows that hosts sent
 * @param simulatedMs how long it ran
 * @param wallS wall time
 * @param cpuS processor time
 * @param traceHash of the run
 * @param findings what the figures say about the settings
 */
public record FabricResult(
        List<Flow> flows,
        List<Switch> switches,
        double jain,
        long cnps,
        long pauses,
        long drops,
        long lost,
        @Nullable List<String> deadlock,
        List<List<String>> deadlocks,
        long events,
        long frames,
        long dataPackets,
        double simulatedMs,
        double wallS,
        double cpuS,
        String traceHash,
        List<Finding> findings) {
    /** Returns this result with the wall and processor time of whichever of two runs of the same took less wall time. */
    public FabricResult quickest(FabricResult other) {
        FabricResult quick = other.wallS < wallS ? other : this;
        return new FabricResult(
                flows,
                switches,
                jain,
                cnps,
                pauses,
                drops,
                lost,
                deadlock,
                deadlocks,
                events,
                frames,
                dataPackets,
                simulatedMs,
                quick.wallS,
                quick.cpuS,
                traceHash,
                findings);
    }

    /**
     * A flow.
     *
     * @param name its name
     * @param bytes of payload to be sent
     * @param fctUs from its start to its last acknowledgement, null if it did not end
     * @param goodputGbps acknowledged payload over that time, or over its part of the run
     * @param retransmissions packets sent more than once
     * @param naks negative acknowledgements it got; null where the device counts for all its flows
     * @param timeouts how often its acknowledgement timer ran out; null where the device counts for all its flows
     * @param status success, or how it ended
     */
    public record Flow(
            String name,
            long bytes,
            @Nullable Double fctUs,
            double goodputGbps,
            long retransmissions,
            @Nullable Long naks,
            @Nullable Long timeouts,
            String status) {}

    /** A switch and its ports. */
    public record Switch(String name, List<Port> ports) {}

    /**
     * A port of a switch.
     *
     * @param port who is at the other end
     * @param maxQueueBytes the longest queue of the lossless class
     * @param pauseTx XOFF sent
     * @param pauseRx XOFF taken
     * @param ecnMarked frames marked
     * @param drops frames that came in here and found no room
     */
    public record Port(String port, long maxQueueBytes, long pauseTx, long pauseRx, long ecnMarked, long drops) {}

    /**
     * What the figures of a run say about its settings.
     *
     * @param rule its name
     * @param where a port, or hosts
     * @param text the number that breaks and the cure
     */
    public record Finding(String rule, String where, String text) {}
}
