package dev.clockwire.sim.flow;

import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Token;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * One channel into several: each token goes to all outputs in the same cycle, the token itself to the first and copies to the others.
 * Latency 1 cycle; waits until all outputs are ready.
 *
 * @param <T> what flows
 */
public final class Fork<T extends Token> extends SimModule {
    private final Channel<T> input;
    private final List<Channel<T>> outputs;
    private final UnaryOperator<T> copy;

    /** Creates the block and connects it to the channels. */
    public Fork(
            Scope parent, String name, Clock clock, Channel<T> input, List<Channel<T>> outputs, UnaryOperator<T> copy) {
        super(parent, name, clock);
        if (outputs.isEmpty()) {
            throw new ConfigurationException(path(), -1, "a fork needs at least one output");
        }
        this.input = input.to(this);
        this.outputs = List.copyOf(outputs);
        this.outputs.forEach(c -> c.from(this));
        this.copy = copy;
    }

    @Override
    protected boolean tick(long cycle) {
        if (!input.valid(cycle)) {
            return false;
        }
        for (int i = 0; i < outputs.size(); i++) {
            if (!outputs.get(i).ready(cycle)) {
                return false;
            }
        }
        T x = input.take(cycle);
        for (int i = outputs.size() - 1; i > 0; i--) {
            outputs.get(i).put(cycle, copy.apply(x));
        }
        outputs.get(0).put(cycle, x);
        return true;
    }
}
