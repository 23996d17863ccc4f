package dev.clockwire.storage.load;

/** Takes what became of an operation on a {@link StorageSystem}. */
@FunctionalInterface
public interface StorageDone {
    /** How it ended. */
    enum How {
        /** Done; a read of what was never written has length 0. */
        OK,
        /** It has had no effect, and will have none. */
        FAIL,
        /** Nobody knows. */
        UNKNOWN
    }

    /**
     * It has ended, in a step of the client's worker.
     *
     * @param why it was without success, in the system's own words for it; empty if it is OK
     * @param version that the system names, -1 if it names none
     * @param length bytes that were read
     */
    void ended(How how, String why, long version, int length);
}
