package dev.clockwire.storage.reactor;

/**
 * A thread's way to a device, counted: whoever gets it puts it back, and behind the last one a message to the own thread ends it.
 *
 * @param <C> what it holds
 */
public final class IoChannel<C> {
    private final StorageThread thread;
    private final IoDevice<C> device;
    private final C context;
    int references;
    /** Messages under way that would end it. */
    int endings;

    IoChannel(StorageThread thread, IoDevice<C> device) {
        this.thread = thread;
        this.device = device;
        context = device.open(thread);
    }

    /** Returns the thread. */
    public StorageThread thread() {
        return thread;
    }

    /** Returns the device. */
    public IoDevice<C> device() {
        return device;
    }

    /** Returns what it holds. */
    public C context() {
        return context;
    }

    /** Returns how often it was got and not put back. */
    public int references() {
        return references;
    }

    void close() {
        device.close(context);
    }
}
