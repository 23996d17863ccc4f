package dev.clockwire.sim;

import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/**
 * A memory that many blocks ask: its state depends on the order of requests due at the same time, and its answers come after coarse
 * random times, so that ties happen.
 */
final class RandomMemory extends SimNode implements State {
    private final RandomStream random = random("random");
    private final Probe probe;
    private long content;

    RandomMemory(Scope parent, String name) {
        super(parent, name);
        probe = new Probe(this, "probe");
        state(this);
    }

    /** Wires block, memory and an inlet of the block. */
    void attach(RandomBlock b, int capacity, int depth) {
        LongInlet in = new LongInlet(b, "answers", capacity, depth);
        EventPort answer = new EventPort(b, "answer") {
            @Override
            protected void event(int kind, long a, long x, @Nullable Token token) {
                in.write(a);
            }
        };
        EventPort request = new EventPort(this, "from " + b.path()) {
            @Override
            protected void event(int kind, long a, long x, @Nullable Token token) {
                content = RandomStream.mix(content * 3 + a + (token instanceof TestToken t ? t.y : 0));
                probe.fold(now(), kind, content);
                answer.send(now() + 500L * (1 + random.below(40)), 2, a ^ content, 0);
            }
        };
        b.f.credit = capacity;
        b.inputs.add(c -> {
            if (!in.valid(c)) {
                return false;
            }
            b.f.held = in.take(c);
            b.f.credit++;
            return true;
        });
        b.outputs.add((c, word) -> {
            if (b.f.credit > 0) {
                b.f.credit--;
                TestToken t = (word & 1024) != 0 ? new TestToken(word, 3) : null;
                request.send(b.now() + 1 + (word & 1023), 1, word, c, t);
            }
            return true;
        });
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(content);
    }

    @Override
    public void load(Snapshot in) {
        content = in.getLong();
    }
}
