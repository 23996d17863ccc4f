package dev.clockwire.roce.verbs;

/** Memory inside the device ({@code ibv_dm}): what is sent from there needs no payload DMA. */
public final class DeviceMemory implements AutoCloseable {
    private final DeviceMemoryProvider provider;
    private final Life parent;
    private final long length;
    private final Life life = new Life("DM");

    DeviceMemory(DeviceMemoryProvider provider, Life parent, long length) {
        this.provider = provider;
        this.parent = parent;
        this.length = length;
    }

    /** Returns the bytes. */
    public long length() {
        return length;
    }

    /** Returns what stands behind the memory: for the provider that registers it. */
    public DeviceMemoryProvider provider() {
        return provider;
    }

    /**
     * Copies from host memory into the device ({@code memcpy_to_dm}).
     *
     * @param offset first byte in the device memory
     * @param address first byte in host memory
     * @throws VerbsException EINVAL if the range is not inside the device memory
     */
    public void copyTo(long offset, long address, int bytes) {
        check("memcpy_to_dm", offset, bytes);
        provider.copyTo(offset, address, bytes);
    }

    /** Copies from the device into host memory ({@code memcpy_from_dm}); see {@link #copyTo}. */
    public void copyFrom(long address, long offset, int bytes) {
        check("memcpy_from_dm", offset, bytes);
        provider.copyFrom(address, offset, bytes);
    }

    private void check(String verb, long offset, long bytes) {
        life.requireOpen(verb);
        Check.range(verb, "offset", offset, 0, length);
        Check.range(verb, "length", bytes, 0, length - offset);
    }

    Life life() {
        return life;
    }

    /**
     * Frees the memory ({@code free_dm}).
     *
     * @throws VerbsException EBUSY if a region uses it
     */
    public Completion<DeviceMemory> free() {
        life.close("free_dm");
        parent.release();
        Completion<Integer> done = new Completion<>();
        provider.free(done);
        return done.map(freed -> this);
    }

    /** Frees the memory without waiting for the end. */
    @Override
    public void close() {
        Completion<DeviceMemory> unused = free();
    }
}
