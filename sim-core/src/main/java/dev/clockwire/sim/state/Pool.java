package dev.clockwire.sim.state;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Tokens that are used again. Which object serves next is invisible to a simulation, so a pool may be shared by the blocks
 * of a run and is no state.
 *
 * @param <T> what is kept
 */
public final class Pool<T> {
    private final List<T> free = new ArrayList<>();
    private final Supplier<T> fresh;

    /** Creates an empty pool. */
    public Pool(Supplier<T> fresh) {
        this.fresh = fresh;
    }

    /** Returns an object; its fields are as its last user left them. */
    public T take() {
        int n = free.size();
        return n == 0 ? fresh.get() : free.remove(n - 1);
    }

    /** Gives an object back; the caller keeps no reference. */
    public void give(T object) {
        free.add(object);
    }
}
