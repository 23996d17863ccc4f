package dev.clockwire.storage.threefs.server;

/** Lets everybody in. */
final class MutantLocks extends Locks {
    @Override
    void lock(long key, Runnable then) {
        then.run();
    }

    @Override
    void unlock(long key) {}
}
