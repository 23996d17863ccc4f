package dev.clockwire.testkit;

import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.flow.Arbiter;
import dev.clockwire.sim.flow.Fork;
import dev.clockwire.sim.flow.Join;
import dev.clockwire.sim.flow.Merge;
import dev.clockwire.sim.flow.PriorityArbiter;
import dev.clockwire.sim.flow.RoundRobinArbiter;
import java.util.List;
import java.util.function.Supplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Arbiters, fork and join keep the laws of all blocks, and pass on what they get. */
class FlowContractProperties {
    private static final int TOKENS = 40;
    private static final long END = 1_000_000;

    @Property(tries = 8, shrinking = ShrinkingMode.OFF)
    void merge(@ForAll long seed) {
        BlockContract.of((sim, stalls) -> merge(sim, stalls, new RoundRobinArbiter(3)), END)
                .check(seed);
        BlockContract.of((sim, stalls) -> merge(sim, stalls, new PriorityArbiter()), END)
                .check(seed);
    }

    /** Which input wins depends on stalls; what comes out of each input, and in which order, does not. */
    private static Supplier<?> merge(Sim sim, BlockContract.Stalls stalls, Arbiter arbiter) {
        Scope top = sim.root();
        Clock clock = new Clock(top, "clk", Frequency.mhz(1000));
        List<Channel<NumberToken>> in =
                List.of(channel(top, "a", clock), channel(top, "b", clock), channel(top, "c", clock));
        for (int i = 0; i < in.size(); i++) {
            source(top, "source" + i, clock, in.get(i), stalls, 100 * i);
        }
        Channel<NumberToken> out = channel(top, "out", clock);
        new Merge<>(top, "merge", clock, in, out, arbiter);
        TokenSink<NumberToken> sink = sink(top, "sink", clock, out, stalls);
        return () -> List.of(
                sink.values().stream().filter(v -> v < 100).toList(),
                sink.values().stream().filter(v -> v >= 100 && v < 200).toList(),
                sink.values().stream().filter(v -> v >= 200).toList());
    }

    @Property(tries = 8, shrinking = ShrinkingMode.OFF)
    void forkAndJoin(@ForAll long seed) {
        BlockContract.of(FlowContractProperties::forkAndJoin, END).check(seed);
    }

    private static Supplier<?> forkAndJoin(Sim sim, BlockContract.Stalls stalls) {
        Scope top = sim.root();
        Clock clock = new Clock(top, "clk", Frequency.mhz(1000));
        Channel<NumberToken> in = channel(top, "in", clock);
        Channel<NumberToken> left = channel(top, "left", clock);
        Channel<NumberToken> right = channel(top, "right", clock);
        Channel<NumberToken> side = channel(top, "side", clock);
        Channel<NumberToken> out = channel(top, "out", clock);
        source(top, "source", clock, in, stalls, 0);
        new Fork<>(top, "fork", clock, in, List.of(left, right, side), t -> new NumberToken(t.number() + 1000));
        new Join<>(top, "join", clock, left, right, out, (a, b) -> new NumberToken(10_000 * a.number() + b.number()));
        TokenSink<NumberToken> joined = sink(top, "joined", clock, out, stalls);
        TokenSink<NumberToken> copies = sink(top, "copies", clock, side, stalls);
        return () -> List.of(joined.values(), copies.values());
    }

    private static Channel<NumberToken> channel(Scope top, String name, Clock clock) {
        return new Channel<>(top, name, clock, 2);
    }

    private static void source(
            Scope top, String name, Clock clock, Channel<NumberToken> out, BlockContract.Stalls stalls, int first) {
        new TokenSource<>(top, name, clock, out, stalls.of(name), TOKENS, i -> new NumberToken(first + i));
    }

    private static TokenSink<NumberToken> sink(
            Scope top, String name, Clock clock, Channel<NumberToken> in, BlockContract.Stalls stalls) {
        return new TokenSink<>(top, name, clock, in, stalls.of(name), NumberToken::number);
    }
}
