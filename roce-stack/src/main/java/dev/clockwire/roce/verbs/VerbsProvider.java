package dev.clockwire.roce.verbs;

import dev.clockwire.sim.host.Cpu;
import java.util.function.Consumer;

/** What stands behind a {@link Device}: a driver with its hardware, or a functional model. Arguments are already checked. */
public interface VerbsProvider {
    /** Returns the name, for instance {@code mlx5_0}. */
    String name();

    /** Returns the limits. */
    DeviceAttributes attributes();

    /** Returns a port; {@code number} is 1 to {@link DeviceAttributes#ports}. */
    PortAttributes port(int number);

    /** Returns whether the device is there: false from a fatal error until its driver has started it anew. */
    default boolean isPresent() {
        return true;
    }

    /** Returns where a connection begins to count, see {@link Numbering#firstPsn}. */
    default int firstPsn(int drawn) {
        return drawn;
    }

    /**
     * Opens the device for the programs of one core.
     *
     * @param cpu pays for what the driver does, and owns the memory
     * @param events gets what happens beside the completions, in a step of that core
     */
    ContextProvider open(Cpu cpu, Consumer<AsyncEvent> events);
}
