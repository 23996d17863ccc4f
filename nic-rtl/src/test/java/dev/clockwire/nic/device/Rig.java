package dev.clockwire.nic.device;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.CqContext;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.LoneParts;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.RequesterSpec;
import dev.clockwire.roce.transport.ResponderSpec;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import dev.clockwire.testkit.BlockContract;
import dev.clockwire.testkit.LongSink;
import dev.clockwire.testkit.LongSource;
import dev.clockwire.testkit.Stall;
import dev.clockwire.testkit.TokenSink;
import dev.clockwire.testkit.TokenSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** What a block stands in where it stands alone: a clock, tables, a host memory that answers late, and drivers that stall. */
final class Rig {
    /** First queue pair: connected with the next one, and so on in pairs. */
    static final int QPN = 0x100;

    /** Ring of the first send queue; each queue has 64 KB. */
    static final long SEND_RINGS = 0x10_0000;

    /** Ring of the first receive queue; each queue has 64 KB. */
    static final long RECEIVE_RINGS = 0x20_0000;

    /** Ring of the first completion queue; each queue has 1 MB. */
    static final long CQ_RINGS = 0x100_0000;

    /** Records of queue pairs, then of completion queues; 64 B each. */
    static final long RECORDS = 0x30_0000;

    static final long CQ_RECORDS = 0x31_0000;

    private static final int DEPTH = 2;

    final Sim sim;
    final Clock clock;
    final ContextTable table = new ContextTable();
    final DeviceParts parts;
    final HostSide host;
    private final BlockContract.Stalls stalls;
    private final List<Supplier<? extends List<?>>> results = new ArrayList<>();

    Rig(Sim sim, BlockContract.Stalls stalls, Profile hardware) {
        this.sim = sim;
        this.stalls = stalls;
        clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
        table.setUars(64);
        parts = LoneParts.of(sim, clock, hardware, table);
        host = new HostSide(sim);
    }

    /** Adds connected queue pairs, two by two, each with two completion queues of its own. */
    Rig queuePairs(int count, QpType type) {
        for (int i = 0; i < count; i++) {
            int number = QPN + i;
            QpContext qp = new QpContext(
                    number,
                    type,
                    1,
                    SEND_RINGS + i * 0x1_0000L,
                    6,
                    RECEIVE_RINGS + i * 0x1_0000L,
                    8,
                    16,
                    RECORDS + i * 64L,
                    2 * i,
                    2 * i + 1);
            qp.state = QpState.RTS;
            qp.requester = RequesterSpec.of(type, 1024, number, number ^ 1);
            qp.responder = ResponderSpec.of(type, 1024, number ^ 1);
            qp.flow.setIpv4(1 + (i & 1), 1 + (~i & 1));
            qp.contextAddress = 0x40_0000 + i * 256L;
            table.add(qp);
            completionQueue();
            completionQueue();
        }
        return this;
    }

    private void completionQueue() {
        int cqn = table.nextCqn();
        table.add(new CqContext(cqn, CQ_RINGS + cqn * 0x10_0000L, 6, CQ_RECORDS + cqn * 64L));
    }

    <T extends Token> Channel<T> channel(String name) {
        return new Channel<>(sim.root(), name, clock, DEPTH);
    }

    LongChannel words(String name) {
        return new LongChannel(sim.root(), name, clock, DEPTH);
    }

    /** Returns a channel that a driver fills. */
    <T extends Token> Channel<T> from(String name, int count, IntFunction<T> maker) {
        Channel<T> channel = channel(name);
        new TokenSource<>(sim.root(), name + "Source", clock, channel, stalls.of(name), count, maker);
        return channel;
    }

    /** Lets a driver empty a channel; the numbers of the tokens are a result. */
    <T extends Token> Channel<T> to(Channel<T> channel, String name, ToLongFunction<T> number) {
        TokenSink<T> sink = new TokenSink<>(sim.root(), name + "Sink", clock, channel, stalls.of(name), number);
        results.add(sink::values);
        return channel;
    }

    /** The same where two sides leave through one channel in turns: the sign of a number says which, and each side is a result. */
    <T extends Token> Channel<T> toTwo(Channel<T> channel, String name, ToLongFunction<T> number) {
        TokenSink<T> sink = new TokenSink<>(sim.root(), name + "Sink", clock, channel, stalls.of(name), number);
        results.add(() -> sink.values().stream().filter(v -> v < 0).toList());
        results.add(() -> sink.values().stream().filter(v -> v >= 0).toList());
        return channel;
    }

    /** The same where queue pairs share a channel: bits 63:40 of a number are the queue pair's, and each one is a result. */
    <T extends Token> void toEach(Channel<T> channel, String name, ToLongFunction<T> number) {
        TokenSink<T> sink = new TokenSink<>(sim.root(), name + "Sink", clock, channel, stalls.of(name), number);
        for (int q = 0; q < table.qpCount(); q++) {
            int qpn = table.at(q).qpn;
            results.add(
                    () -> sink.values().stream().filter(v -> v >>> 40 == qpn).toList());
        }
    }

    LongChannel wordsFrom(String name, long... all) {
        LongChannel channel = words(name);
        new LongSource(sim.root(), name + "Source", clock, channel, stalls.of(name), all);
        return channel;
    }

    LongChannel wordsTo(LongChannel channel, String name, boolean isResult) {
        LongSink sink = new LongSink(sim.root(), name + "Sink", clock, channel, stalls.of(name));
        if (isResult) {
            results.add(sink::values);
        }
        return channel;
    }

    /** Passes tokens on from a channel to another one, as a driver that stalls. */
    <T extends Token> Channel<T> relay(Channel<T> from, String name) {
        Channel<T> to = channel(name);
        Stall stall = stalls.of(name);
        new SimModule(sim.root(), name + "Relay", clock) {
            private final Channel<T> in = from.to(this);
            private final Channel<T> out = to.from(this);

            @Override
            protected boolean tick(long cycle) {
                if (!in.valid(cycle) || !out.ready(cycle)) {
                    return false;
                }
                if (!stall.open(cycle)) {
                    wakeAt(cycle + 1);
                    return false;
                }
                out.put(cycle, in.take(cycle));
                return true;
            }
        };
        return to;
    }

    /** Passes words on that a driver makes of tokens; what {@code number} says of each token of a queue pair, is a result. */
    LongChannel relay(Channel<Wqe> from, String name, ToLongFunction<Wqe> word, ToLongFunction<Wqe> number) {
        LongChannel to = words(name);
        Stall stall = stalls.of(name);
        List<Long> seen = new ArrayList<>();
        new SimModule(sim.root(), name + "Relay", clock) {
            private final Channel<Wqe> in = from.to(this);
            private final LongChannel out = to.from(this);

            @Override
            protected boolean tick(long cycle) {
                if (!in.valid(cycle) || !out.ready(cycle)) {
                    return false;
                }
                if (!stall.open(cycle)) {
                    wakeAt(cycle + 1);
                    return false;
                }
                Wqe wqe = in.take(cycle);
                seen.add(number.applyAsLong(wqe));
                out.put(cycle, word.applyAsLong(wqe));
                return true;
            }
        };
        for (int q = 0; q < table.qpCount(); q++) {
            int qpn = table.at(q).qpn;
            result(() -> seen.stream().filter(n -> n >>> 16 == qpn).toList());
        }
        return to;
    }

    LongChannel relay(LongChannel from, String name) {
        LongChannel to = words(name);
        Stall stall = stalls.of(name);
        new SimModule(sim.root(), name + "Relay", clock) {
            private final LongChannel in = from.to(this);
            private final LongChannel out = to.from(this);

            @Override
            protected boolean tick(long cycle) {
                if (!in.valid(cycle) || !out.ready(cycle)) {
                    return false;
                }
                if (!stall.open(cycle)) {
                    wakeAt(cycle + 1);
                    return false;
                }
                out.put(cycle, in.take(cycle));
                return true;
            }
        };
        return to;
    }

    /** Sends events to a port: number i as kind and token, or no token with a = i. */
    void events(String name, EventPort port, int count, int kind, IntFunction<@Nullable Token> maker) {
        new Feeder(this, name, port, stalls.of(name), count, kind, maker);
    }

    /** Holds a sender eight times and lets it go on each time: a is 1 and 0 in turns. */
    void holds(String name, EventPort port) {
        new Feeder(this, name, port, stalls.of(name), 16, 0, i -> null) {
            @Override
            long argument(int i) {
                return ~i & 1;
            }
        };
    }

    /** A port that does with each token that it gets what a link does. */
    EventPort port(String name, Consumer<Token> does) {
        SimNode node = new SimNode(sim.root(), name) {};
        return new EventPort(node, "in") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                does.accept(Objects.requireNonNull(token));
            }
        };
    }

    void result(Supplier<? extends List<?>> result) {
        results.add(result);
    }

    Supplier<List<List<?>>> results() {
        return () -> {
            List<List<?>> all = new ArrayList<>();
            results.forEach(r -> all.add(List.copyOf(r.get())));
            return all;
        };
    }

    private static class Feeder extends SimModule {
        private final EventPort port;
        private final Stall stall;
        private final int count;
        private final int kind;
        private final IntFunction<@Nullable Token> maker;
        private final Next next = state(new Next());

        private static final class Next implements State {
            int value;

            @Override
            public void save(Snapshot out) {
                out.putInt(value);
            }

            @Override
            public void load(Snapshot in) {
                value = in.getInt();
            }
        }

        Feeder(
                Rig rig,
                String name,
                EventPort port,
                Stall stall,
                int count,
                int kind,
                IntFunction<@Nullable Token> maker) {
            super(rig.sim.root(), name, rig.clock);
            this.port = port;
            this.stall = stall;
            this.count = count;
            this.kind = kind;
            this.maker = maker;
        }

        long argument(int i) {
            return i;
        }

        @Override
        protected boolean tick(long cycle) {
            if (next.value == count) {
                return false;
            }
            if (!stall.open(cycle)) {
                wakeAt(cycle + 1);
                return false;
            }
            port.send(now() + 1, kind, argument(next.value), 0, maker.apply(next.value));
            next.value++;
            return true;
        }
    }
}
