package dev.clockwire.roce.fabric.net;

import dev.clockwire.roce.wire.DcbSettings;
import org.jspecify.annotations.Nullable;

/**
 * Which ports of a fabric exchange settings by DCBX.
 *
 * @param timing of their frames
 * @param settings what each port is configured with
 */
public record DcbxPlan(LldpSpec timing, PortSettings settings) {
    /** What ports are configured with. */
    @FunctionalInterface
    public interface PortSettings {
        /** Returns what a node tells at its end of a cable; null if it does not speak there. */
        @Nullable
        DcbSettings of(String node, CableSpec cable);

        /** Whether a node's port has flow control only once its neighbour has spoken: {@code priority-flow-control auto} of H3C. */
        default boolean waits(String node, CableSpec cable) {
            return false;
        }
    }
}
