package dev.clockwire.sim.flow;

import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Token;
import java.util.List;

/**
 * Several channels into one, one token a cycle, chosen by an arbiter. Latency 1 cycle.
 *
 * @param <T> what flows
 */
public final class Merge<T extends Token> extends SimModule {
    private final List<Channel<T>> inputs;
    private final Channel<T> output;
    private final Arbiter arbiter;

    /** Creates the block and connects it to the channels; input i is requester i. */
    public Merge(Scope parent, String name, Clock clock, List<Channel<T>> inputs, Channel<T> output, Arbiter arbiter) {
        super(parent, name, clock);
        if (inputs.isEmpty() || inputs.size() > 64) {
            throw new ConfigurationException(path(), -1, inputs.size() + " inputs; 1 to 64 are possible");
        }
        this.inputs = List.copyOf(inputs);
        this.inputs.forEach(c -> c.to(this));
        this.output = output.from(this);
        this.arbiter = state(arbiter);
    }

    @Override
    protected boolean tick(long cycle) {
        if (!output.ready(cycle)) {
            return false;
        }
        long requests = 0;
        for (int i = 0; i < inputs.size(); i++) {
            if (inputs.get(i).valid(cycle)) {
                requests |= 1L << i;
            }
        }
        int winner = arbiter.choose(requests);
        if (winner < 0) {
            return false;
        }
        arbiter.grant(winner);
        output.put(cycle, inputs.get(winner).take(cycle));
        return true;
    }
}
