package dev.clockwire.storage.reactor;

/**
 * Something that threads have channels to. It is known to the {@link Reactors} by its order of registration. One that is a
 * {@link dev.clockwire.sim.state.State} takes part in snapshots.
 *
 * @param <C> what a channel holds; if it is a {@link dev.clockwire.sim.state.State} it takes part in snapshots
 */
public interface IoDevice<C> {
    /** Returns the name, for errors. */
    String name();

    /** Makes the context of a thread's channel. */
    C open(StorageThread thread);

    /** Ends a channel that nobody uses any more; on its thread. */
    default void close(C context) {}
}
