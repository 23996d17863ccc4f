package dev.clockwire.nic.cache;

import dev.clockwire.nic.context.Completion;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.profile.CacheSpec;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Scope;

/**
 * The completion queue context lookup where the chip holds only some contexts, between the engines and the completion unit. A hit takes one cycle; a miss reads
 * the context from host memory first. Each engine's completions keep their order, so one that misses holds those behind it, but they look up
 * and miss while it waits; two that miss the same context share one read. The cache takes as many lookups a cycle as it has ports, from the
 * engines in turn. A queue whose context cannot be read breaks. Arming a queue asks for no context. Where all contexts are on the chip this
 * block is not built.
 */
public final class CqcLookup extends ContextLookup {
    private static final int FLOW = 0xFFFB;
    private static final int CYCLES = 1;

    /**
     * Creates the lookup without lanes; they follow.
     *
     * @param ports lookups a cycle
     * @param reads the endpoint's port for contexts
     */
    public CqcLookup(Scope parent, Clock clock, CacheSpec spec, int ports, EventPort reads, DeviceParts parts) {
        super(parent, "cqcLookup", clock, spec, ports, reads, FLOW, parts);
    }

    /** Adds the lane of an engine's completions. */
    public void completions(Channel<Completion> in, Channel<Completion> out) {
        add(new ContextLane<>(in.to(this), out.from(this), CYCLES, capacity(CYCLES)) {
            @Override
            int numberOf(Completion completion) {
                return completion.cqn;
            }

            @Override
            void held(Completion completion, long from, long to) {
                int stage = completion.stage(parts.journal());
                missed(completion.journey, stage, parts.journal().causes.cqcMiss, from, to);
            }

            @Override
            void left(Completion completion, long entered, long came, long cycle) {}
        });
    }

    @Override
    long address(int number) {
        return parts.table().cqContextAddress(number);
    }

    @Override
    void unread(int number) {
        parts.control().cqFailed(number);
    }

    @Override
    void unread(int number, boolean ends) {}
}
