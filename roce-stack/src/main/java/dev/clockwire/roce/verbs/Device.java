package dev.clockwire.roce.verbs;

import dev.clockwire.sim.host.Cpu;

/** An RDMA device. */
public final class Device {
    private final VerbsProvider provider;

    /** Creates the device that a provider stands behind. */
    public Device(VerbsProvider provider) {
        this.provider = provider;
    }

    /** Returns the name, for instance {@code mlx5_0}. */
    public String name() {
        return provider.name();
    }

    /** Returns the limits ({@code query_device}). */
    public DeviceAttributes attributes() {
        return provider.attributes();
    }

    /**
     * Returns a port ({@code query_port}).
     *
     * @param number from 1
     * @throws VerbsException EINVAL if there is no such port
     */
    public PortAttributes port(int number) {
        Check.range("query_port", "port", number, 1, attributes().ports());
        return provider.port(number);
    }

    /** Opens the device for the programs of one core ({@code open_device}). */
    public Context open(Cpu cpu) {
        return new Context(this, provider, cpu);
    }

    @Override
    public String toString() {
        return name();
    }
}
