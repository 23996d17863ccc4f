package dev.clockwire.pcie.host;

import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/**
 * Access of the host's software to the configuration space of a device, as {@code setpci} has it: one request at a time, each answered
 * by a completion. From a handler of the host or between runs.
 */
public final class ConfigPort implements State {
    /** Tag of configuration requests; loads carry the number of their core. */
    static final int TAG = 255;

    private static final int WORD = 4;
    private static final int SPACE_BYTES = 0x1000;

    private final RootPort port;
    private final String path;
    private final byte[] data = new byte[WORD];
    private int register;
    private int bytes;
    private boolean busy;
    private long value;
    private CompletionStatus status = CompletionStatus.SC;

    ConfigPort(RootPort port, String path) {
        this.port = port;
        this.path = path;
    }

    /** Sends a read of 1, 2 or 4 bytes that lie in one word; {@link #value} has them when {@link #busy} ends. */
    public void read(int at, int size) {
        read(port.device().id(), at, size);
    }

    /** Sends a read to any function behind the port, by bus, device and function. */
    public void read(int id, int at, int size) {
        start(at, size);
        port.configure(id, false, at, size, data);
    }

    /** Sends a write of 1, 2 or 4 bytes that lie in one word; it is done when {@link #busy} ends. */
    public void write(int at, int size, int x) {
        write(port.device().id(), at, size, x);
    }

    /** Sends a write to any function behind the port, by bus, device and function. */
    public void write(int id, int at, int size, int x) {
        start(at, size);
        for (int i = 0; i < size; i++) {
            data[i] = (byte) (x >>> (8 * i));
        }
        port.configure(id, true, at, size, data);
    }

    private void start(int at, int size) {
        if (busy) {
            throw new ConfigurationException(
                    path, ConfigurationException.BEFORE_TIME_ZERO, "the access before has no answer yet");
        }
        if ((size != 1 && size != 2 && size != WORD) || at < 0 || at % size != 0 || at > SPACE_BYTES - size) {
            throw new ConfigurationException(
                    path,
                    ConfigurationException.BEFORE_TIME_ZERO,
                    "configuration access of " + size + " bytes at 0x" + Integer.toHexString(at)
                            + ": must be 1, 2 or 4, aligned, below 0x1000");
        }
        register = at;
        bytes = size;
        busy = true;
    }

    /** Whether an answer is on its way. */
    public boolean busy() {
        return busy;
    }

    /** Returns what the last read brought; all ones if the device refused. */
    public long value() {
        return value;
    }

    /** Returns the status of the last completion. */
    public CompletionStatus status() {
        return status;
    }

    /** Nobody has answered in time. */
    void gaveUp() {
        busy = false;
        status = CompletionStatus.UR;
        value = (1L << (8 * bytes)) - 1;
    }

    void answered(TlpTrain answer) {
        busy = false;
        status = answer.status;
        long mask = (1L << (8 * bytes)) - 1;
        if (!answer.type.hasData()) {
            value = mask;
            return;
        }
        long x = 0;
        for (int i = WORD - 1; i >= 0; i--) {
            x = x << 8 | (answer.data.byteAt(i) & 0xff);
        }
        value = (x >>> (8 * (register % WORD))) & mask;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(register);
        out.putInt(bytes);
        out.putBoolean(busy);
        out.putLong(value);
        out.putInt(status.code());
    }

    @Override
    public void load(Snapshot in) {
        register = in.getInt();
        bytes = in.getInt();
        busy = in.getBoolean();
        value = in.getLong();
        status = CompletionStatus.of(in.getInt());
    }
}
