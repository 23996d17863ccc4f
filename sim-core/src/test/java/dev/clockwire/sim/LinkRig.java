package dev.clockwire.sim;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A writer, one link of any kind and a reader. The writer sends bursts of words and rests; the reader rests after every fifth word, so
 * that the link is empty, partly filled and full in turn. Both sleep while they wait. A burst is longer than the link, except into an
 * inlet, which cannot hold its sender back.
 */
final class LinkRig implements State {
    static final int CAPACITY = 3;
    static final int DEPTH = 3;

    /** What joins writer and reader. */
    enum Kind {
        LONG_CHANNEL,
        CHANNEL,
        CREDIT_CHANNEL,
        ASYNC_FIFO,
        INLET,
        LONG_INLET;

        boolean inlet() {
            return this == INLET || this == LONG_INLET;
        }

        boolean wire() {
            return this == LONG_CHANNEL || this == CHANNEL;
        }
    }

    /** The four questions to a link. */
    private interface Ready {
        boolean test(long cycle);
    }

    private interface Put {
        void accept(long cycle, long x);
    }

    private interface Take {
        long apply(long cycle);
    }

    final Sim sim;
    final Clock clock;
    final Clock readClock;
    final LambdaModule writer;
    final LambdaModule reader;
    final Link link;
    /** Lines {@code cycle:word} of the reader's clock. */
    final List<String> log = new ArrayList<>();
    /** Times of puts and takes. */
    final List<Long> puts = new ArrayList<>();

    final List<Long> takes = new ArrayList<>();
    private final long base;
    private final int burst;
    private Ready ready = n -> true;
    private Ready valid = n -> false;
    private Put put = (n, x) -> {};
    private Take take = n -> 0;
    private long nextPut;
    private long nextTake;

    LinkRig(SimSpec spec, Kind kind, long base, long start) {
        this.base = base;
        burst = kind.inlet() ? CAPACITY : CAPACITY + 1;
        nextPut = start;
        sim = new Sim(spec);
        clock = new Clock(sim.root(), "clk", Frequency.mhz(1000));
        readClock = kind == Kind.ASYNC_FIFO ? new Clock(sim.root(), "slow", Frequency.mhz(800), 100) : clock;
        reader = new LambdaModule(sim.root(), "reader", readClock);
        writer = new LambdaModule(sim.root(), "writer", clock);
        writer.state(this);
        link = join(kind);
        writer.tick = this::write;
        reader.tick = this::read;
    }

    private Link join(Kind kind) {
        Scope top = sim.root();
        return switch (kind) {
            case LONG_CHANNEL ->
                words(new LongChannel(top, "link", clock, CAPACITY).from(writer).to(reader));
            case CHANNEL ->
                tokens(new Channel<TestToken>(top, "link", clock, CAPACITY)
                        .from(writer)
                        .to(reader));
            case CREDIT_CHANNEL ->
                credits(new CreditChannel<TestToken>(top, "link", clock, CAPACITY, 3, 5)
                        .from(writer)
                        .to(reader));
            case ASYNC_FIFO ->
                fifo(new AsyncFifo<TestToken>(top, "link", CAPACITY, DEPTH)
                        .from(writer)
                        .to(reader));
            case INLET -> inlet(new Inlet<>(reader, "link", CAPACITY, DEPTH));
            case LONG_INLET -> inlet(new LongInlet(reader, "link", CAPACITY, DEPTH));
        };
    }

    private Link words(LongChannel c) {
        return doors(c, c::ready, c::put, c::valid, n -> same(c.bits(), c.take(n)));
    }

    private Link tokens(Channel<TestToken> c) {
        return doors(c, c::ready, (n, x) -> c.put(n, token(x)), c::valid, n -> same(c.bits().x, c.take(n).x));
    }

    private Link credits(CreditChannel<TestToken> c) {
        return doors(c, c::ready, (n, x) -> c.put(n, token(x)), c::valid, n -> same(c.bits().x, c.take(n).x));
    }

    private Link fifo(AsyncFifo<TestToken> c) {
        return doors(c, c::ready, (n, x) -> c.put(n, token(x)), c::valid, n -> same(c.bits().x, c.take(n).x));
    }

    private Link inlet(Inlet<TestToken> c) {
        EventPort port = port(x -> c.write(token(x)));
        return doors(c, n -> true, (n, x) -> send(port, x), c::valid, n -> same(c.bits().x, c.take(n).x));
    }

    private Link inlet(LongInlet c) {
        EventPort port = port(c::write);
        return doors(c, n -> true, (n, x) -> send(port, x), c::valid, n -> same(c.bits(), c.take(n)));
    }

    private Link doors(Link of, Ready isReady, Put doPut, Ready isValid, Take doTake) {
        ready = isReady;
        put = doPut;
        valid = isValid;
        take = doTake;
        return of;
    }

    private static TestToken token(long x) {
        return new TestToken(x, 1);
    }

    private static long same(long seen, long taken) {
        if (seen != taken) {
            throw new AssertionError("saw " + seen + ", took " + taken);
        }
        return taken;
    }

    /** An event takes a word half a cycle from the writer to the inlet. */
    private void send(EventPort port, long x) {
        port.send(sim.now() + 500, 1, x, 0);
    }

    private interface Sink {
        void accept(long x);
    }

    private EventPort port(Sink sink) {
        return new EventPort(reader, "port") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                sink.accept(a);
            }
        };
    }

    private boolean write(long n) {
        if (n < nextPut) {
            writer.at(nextPut);
            return false;
        }
        if (!ready.test(n)) {
            return false;
        }
        put.accept(n, base + puts.size());
        puts.add(sim.now());
        nextPut = puts.size() % burst == 0 ? n + 17 : n + 1;
        writer.at(nextPut);
        return true;
    }

    private boolean read(long n) {
        if (n < nextTake) {
            reader.at(nextTake);
            return false;
        }
        if (!valid.test(n)) {
            return false;
        }
        long x = take.apply(n);
        log.add(n + ":" + x);
        takes.add(sim.now());
        nextTake = takes.size() % 5 == 0 ? n + 12 : n + 1;
        reader.at(nextTake);
        return true;
    }

    /** Number of observations at a point of the trace hash. */
    long observed(String point) {
        return sim.design.probes.stream()
                .filter(p -> p.path().equals(link.path() + point))
                .findFirst()
                .map(Probe::count)
                .orElse(0L);
    }

    @Override
    public void save(Snapshot out) {
        out.putLong(nextPut);
        out.putLong(nextTake);
        for (List<?> l : List.of(log, puts, takes)) {
            out.putInt(l.size());
            l.forEach(x -> out.putString(Objects.toString(x)));
        }
    }

    @Override
    public void load(Snapshot in) {
        nextPut = in.getLong();
        nextTake = in.getLong();
        log.clear();
        puts.clear();
        takes.clear();
        for (int n = in.getInt(); n > 0; n--) {
            log.add(in.getString());
        }
        for (List<Long> l : List.of(puts, takes)) {
            for (int n = in.getInt(); n > 0; n--) {
                l.add(Long.parseLong(in.getString()));
            }
        }
    }
}
