package dev.clockwire.storage.daos.client;

/** Takes the end of a client's operation. */
@FunctionalInterface
public interface DaosOutcome {
    /**
     * It has ended, in a step of the client's worker.
     *
     * @param known whether what became of it is known; if not, it may have happened, or may at any time to come
     * @param epoch version of the value, 0 if there is none
     * @param length bytes that were read
     */
    void ended(boolean known, long epoch, int length);
}
