package dev.clockwire.roce.verbs;

import dev.clockwire.sim.host.Cpu;
import org.jspecify.annotations.Nullable;

/** An RDMA device. */
public final class Device {
    private final VerbsProvider provider;
    private @Nullable VerbsTap tap;

    /** Creates the device that a provider stands behind. */
    public Device(VerbsProvider provider) {
        this.provider = provider;
    }

    /** Sets the one who looks on at what its programs do from now on; null takes him away. */
    public void tap(@Nullable VerbsTap observer) {
        tap = observer;
    }

    @Nullable
    VerbsTap tap() {
        return tap;
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

    /** Returns where a connection begins to count, see {@link Numbering#firstPsn}. */
    public int firstPsn(int drawn) {
        return provider.firstPsn(drawn);
    }

    /**
     * Returns whether the device can be opened. After {@link AsyncEventType#DEVICE_FATAL} it cannot, until its driver has started it anew. What was
     * opened before never comes back: there all queue pairs stay in ERR, memory has no keys, verbs that make something fail with EIO, those that
     * destroy something work.
     */
    public boolean isPresent() {
        return provider.isPresent();
    }

    /**
     * Opens the device for the programs of one core ({@code open_device}).
     *
     * @throws VerbsException ENODEV if it is not there, see {@link #isPresent}
     */
    public Context open(Cpu cpu) {
        if (!isPresent()) {
            throw new VerbsException(Errno.ENODEV, "open_device", name() + " has failed and is not back yet");
        }
        return new Context(this, provider, cpu);
    }

    @Override
    public String toString() {
        return name();
    }
}
