package dev.clockwire.roce.fabric.bridge;

import java.util.List;

/**
 * A switch with queues.
 *
 * @param latencyPs from a frame's last bit (cut-through: first bit) to its place in the queue, 0 to 1 ms
 * @param cutThrough a frame may leave before its last bit is here, if its port is idle and not faster than where it came from
 * @param buffer the shared buffer
 * @param pause pauses
 * @param quanta bytes of each class in a round of deficit round robin, 0 = strict
 * @param classes which class a frame is in
 * @param exempt bit n: frames of class n occupy nothing, as in models that leave control frames out of the account
 * @param watchdog what ends a pause storm
 * @param ingress what it does not let in
 */
public record BridgeSpec(
        long latencyPs,
        boolean cutThrough,
        BufferSpec buffer,
        PauseSpec pause,
        List<Integer> quanta,
        ClassMap classes,
        int exempt,
        WatchdogSpec watchdog,
        IngressSpec ingress) {
    private static final long MAX_LATENCY = 1_000_000_000;
    private static final int MAX_QUANTUM = 1 << 24;

    /** Checks the ranges. */
    public BridgeSpec {
        quanta = List.copyOf(quanta);
        Ranges.range("switch latency in ps", latencyPs, 0, MAX_LATENCY);
        Ranges.range("number of scheduler quanta", quanta.size(), SharedBuffer.CLASSES, SharedBuffer.CLASSES);
        Ranges.range("exempt classes", exempt, 0, 0xFF);
        quanta.forEach(q -> Ranges.range("scheduler quantum in bytes", q, 0, MAX_QUANTUM));
    }

    /**
     * Returns the bytes that ports share: what their reserves and headrooms leave of the buffer.
     *
     * @throws dev.clockwire.sim.error.ConfigurationException if that is nothing
     */
    public long shareable(List<PortSpec> ports) {
        int[] headroom = ports.stream().mapToInt(PortSpec::headroom).toArray();
        return SharedBuffer.shareable(buffer, pause.lossless(), headroom);
    }

    /** Returns a switch that stores and forwards at once, all classes strict, without pauses and watchdog. */
    public static BridgeSpec of(BufferSpec buffer) {
        return new BridgeSpec(
                0,
                false,
                buffer,
                PauseSpec.NONE,
                java.util.Collections.nCopies(SharedBuffer.CLASSES, 0),
                ClassMap.standard(),
                0,
                WatchdogSpec.OFF,
                IngressSpec.OPEN);
    }

    /** Returns a copy with pauses. */
    public BridgeSpec withPause(PauseSpec other) {
        return new BridgeSpec(latencyPs, cutThrough, buffer, other, quanta, classes, exempt, watchdog, ingress);
    }

    /** Returns a copy with other quanta. */
    public BridgeSpec withQuanta(List<Integer> other) {
        return new BridgeSpec(latencyPs, cutThrough, buffer, pause, other, classes, exempt, watchdog, ingress);
    }

    /** Returns a copy with another latency. */
    public BridgeSpec withLatency(long ps, boolean through) {
        return new BridgeSpec(ps, through, buffer, pause, quanta, classes, exempt, watchdog, ingress);
    }

    /** Returns a copy with another map of classes. */
    public BridgeSpec withClasses(ClassMap other) {
        return new BridgeSpec(latencyPs, cutThrough, buffer, pause, quanta, other, exempt, watchdog, ingress);
    }

    /** Returns a copy with another buffer. */
    public BridgeSpec withBuffer(BufferSpec other) {
        return new BridgeSpec(latencyPs, cutThrough, other, pause, quanta, classes, exempt, watchdog, ingress);
    }

    /** Returns a copy with a watchdog. */
    public BridgeSpec withWatchdog(WatchdogSpec other) {
        return new BridgeSpec(latencyPs, cutThrough, buffer, pause, quanta, classes, exempt, other, ingress);
    }

    /** Returns a copy in which frames of some classes occupy nothing. */
    public BridgeSpec withExempt(int bits) {
        return new BridgeSpec(latencyPs, cutThrough, buffer, pause, quanta, classes, bits, watchdog, ingress);
    }

    /** Returns a copy that lets other things in. */
    public BridgeSpec withIngress(IngressSpec other) {
        return new BridgeSpec(latencyPs, cutThrough, buffer, pause, quanta, classes, exempt, watchdog, other);
    }
}
