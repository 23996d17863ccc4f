package dev.clockwire.sim.trace;

import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/** Two observers on one channel. */
public final class Taps implements Tap {
    private final Tap first;
    private final Tap second;

    private Taps(Tap first, Tap second) {
        this.first = first;
        this.second = second;
    }

    /** Returns a tap that calls {@code old}, if there is one, and then {@code added}. */
    public static Tap both(@Nullable Tap old, Tap added) {
        return old == null ? added : new Taps(old, added);
    }

    @Override
    public void put(long cycle, long ps, long bits, @Nullable Token token) {
        first.put(cycle, ps, bits, token);
        second.put(cycle, ps, bits, token);
    }

    @Override
    public void take(long cycle, long ps, long bits, @Nullable Token token) {
        first.take(cycle, ps, bits, token);
        second.take(cycle, ps, bits, token);
    }
}
