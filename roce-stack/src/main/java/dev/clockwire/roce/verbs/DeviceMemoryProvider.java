package dev.clockwire.roce.verbs;

/** What stands behind a {@link DeviceMemory}. The copies charge the core of the context; what is copied into the device is there after the step. */
public interface DeviceMemoryProvider {
    /** No memory of the host. */
    long INSIDE = -1;

    /** Copies from host memory into the device. */
    void copyTo(long offset, long address, int length);

    /** Copies from the device into host memory. */
    void copyFrom(long address, long offset, int length);

    /** Frees the memory, which no region uses: gives 0. */
    void free(Completion<Integer> done);

    /** Returns where the memory of the host it is made of begins; {@link #INSIDE} for memory that is really in the device. */
    default long hostAddress() {
        return INSIDE;
    }
}
