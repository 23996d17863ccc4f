package dev.clockwire.bench.yardstick;

import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/** Workload {@code hold-P}: P pending events, each handled event sends one, after an almost exponential delay with a mean of 524 ns. */
final class Hold implements Workload {
    private static final int PORTS = 64;
    private static final long MEAN_PS = 524_000;
    private static final int EVENTS_A_CHUNK = 20_000;
    private static final long SEED = 42;
    private static final long LN2_20 = 363_409; // ln 2 as a fraction of 2^19
    private static final int FRACTION = 0xFFFFF;

    private final Sim sim;
    private final Node node;
    private final long chunkPs;

    Hold(SimSpec spec, int pending) {
        sim = new Sim(spec);
        node = new Node(sim);
        EventPort[] ports = new EventPort[Math.min(PORTS, pending)];
        for (int i = 0; i < ports.length; i++) {
            ports[i] = switch (i & 3) {
                case 0 -> new Port0(node, i);
                case 1 -> new Port1(node, i);
                case 2 -> new Port2(node, i);
                default -> new Port3(node, i);
            };
        }
        sim.elaborate();
        for (int i = 0; i < pending; i++) {
            ports[i % ports.length].send(node.delay(), 1, i, 0);
        }
        chunkPs = Math.max(1, MEAN_PS * EVENTS_A_CHUNK / pending);
    }

    @Override
    public Sim sim() {
        return sim;
    }

    @Override
    public void runTo(long events) {
        node.limit = events;
        warmTo(events);
    }

    @Override
    public void warmTo(long events) {
        while (node.tokens < events) {
            long left = Math.min(EVENTS_A_CHUNK, events - node.tokens);
            sim.run(sim.now() + Math.max(1, chunkPs * left / EVENTS_A_CHUNK));
        }
    }

    @Override
    public long tokens() {
        return node.tokens;
    }

    @Override
    public long checksum() {
        return node.checksum;
    }

    private static final class Node extends SimNode implements State {
        private final RandomStream random = new RandomStream(SEED);
        private long tokens;
        private long checksum;
        private long limit = Long.MAX_VALUE;

        Node(Sim sim) {
            super(sim.root(), "hold");
            state(this);
        }

        private long delay() {
            long r = random.nextLong();
            long zeros = Long.numberOfLeadingZeros(r | 1);
            return 1 + ((((zeros << 20) + (r & FRACTION)) * LN2_20) >> 20);
        }

        void handle(EventPort port, long id) {
            if (tokens == limit) {
                return; // beyond the last event that counts
            }
            long t = now();
            checksum = Long.rotateLeft(checksum, 1) ^ t;
            tokens++;
            port.send(t + delay(), 1, id, 0);
        }

        @Override
        public void save(Snapshot out) {
            random.save(out);
            out.putLong(tokens);
            out.putLong(checksum);
        }

        @Override
        public void load(Snapshot in) {
            random.load(in);
            tokens = in.getLong();
            checksum = in.getLong();
        }
    }

    private static final class Port0 extends EventPort {
        private final Node node;

        Port0(Node node, int number) {
            super(node, "port" + number);
            this.node = node;
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            node.handle(this, a);
        }
    }

    private static final class Port1 extends EventPort {
        private final Node node;

        Port1(Node node, int number) {
            super(node, "port" + number);
            this.node = node;
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            node.handle(this, a);
        }
    }

    private static final class Port2 extends EventPort {
        private final Node node;

        Port2(Node node, int number) {
            super(node, "port" + number);
            this.node = node;
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            node.handle(this, a);
        }
    }

    private static final class Port3 extends EventPort {
        private final Node node;

        Port3(Node node, int number) {
            super(node, "port" + number);
            this.node = node;
        }

        @Override
        protected void event(int kind, long a, long b, @Nullable Token token) {
            node.handle(this, a);
        }
    }
}
