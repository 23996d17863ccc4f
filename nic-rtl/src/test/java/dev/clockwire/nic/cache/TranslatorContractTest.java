package dev.clockwire.nic.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.LoneParts;
import dev.clockwire.nic.context.SavedRun;
import dev.clockwire.nic.context.StalledClient;
import dev.clockwire.nic.context.Translation;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.roce.transport.MemoryKeys;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.Probe;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Token;
import dev.clockwire.testkit.BlockContract;
import dev.clockwire.testkit.NumberToken;
import dev.clockwire.testkit.Stall;
import dev.clockwire.testkit.TokenSink;
import dev.clockwire.testkit.TokenSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The translator alone, with clients that stall, and tables that answer late and in any order. */
class TranslatorContractTest {
    private static final int ACCESSES = 120;
    private static final int KEYS = 5;
    private static final int PAGES = 40;
    private static final long UNTIL_PS = 400_000_000;
    private static final long TABLES = 1L << 40;

    private static Profile hardware() {
        return Profiles.named("cx7-400g")
                .with("nic.cache.mtt_entries", "8")
                .with("nic.cache.mtt_ways", "2")
                .with("nic.cache.mpt_entries", "2")
                .with("nic.cache.mpt_ways", "1")
                .with("nic.cache.misses", "2")
                .with("nic.cache.ports", "1");
    }

    /** Asks for accesses of its lane, in an order that is always the same. */
    private static final class Client extends StalledClient {
        private final EventPort lane;
        private final boolean reads;

        Client(Scope parent, String name, Clock clock, EventPort lane, Stall stall, boolean reads) {
            super(parent, name, clock, stall, ACCESSES);
            this.lane = lane;
            this.reads = reads;
        }

        @Override
        protected void send(int n) {
            RandomStream r = RandomStream.named(n, path());
            int key = (1 + r.below(KEYS)) << MemoryKeys.VARIANT_BITS;
            long address = r.below(PAGES - 3) * 4096L + r.below(4096);
            int length = 1 + r.below(9000);
            lane.send(now() + 1, 0, 0, 0, reads ? read(key, address, length) : write(key, address, length));
        }

        private static DmaRead read(int key, long address, int length) {
            DmaRead read = new DmaRead();
            read.key = key;
            read.address = address;
            read.length = length;
            return read;
        }

        private static DmaWrite write(int key, long address, int length) {
            DmaWrite write = new DmaWrite();
            write.key = key;
            write.address = address;
            write.length = length;
            return write;
        }
    }

    /** Where accesses go, and the tables. */
    private static final class Memory extends SimNode {
        private final Probe probe = new Probe(this, "accesses");

        Memory(Sim sim) {
            super(sim.root(), "memory");
        }

        EventPort out(String name, List<Long> seen) {
            return new EventPort(this, name) {
                @Override
                protected void event(int kind, long a, long b, @Nullable Token token) {
                    long address =
                            token instanceof DmaRead r ? r.address : ((DmaWrite) Objects.requireNonNull(token)).address;
                    probe.fold(now(), kind, address);
                    seen.add(address);
                }
            };
        }

        EventPort tables() {
            EventPort answer = new EventPort(this, "answer") {
                @Override
                protected void event(int kind, long a, long b, @Nullable Token token) {
                    DmaRead read = (DmaRead) Objects.requireNonNull(token);
                    read.into.appendZeros(read.length);
                    Objects.requireNonNull(read.reply).write(read);
                }
            };
            return new EventPort(this, "tables") {
                @Override
                protected void event(int kind, long a, long b, @Nullable Token token) {
                    DmaRead read = (DmaRead) Objects.requireNonNull(token);
                    probe.fold(now(), 9, read.address);
                    answer.send(now() + 50_000 + read.address * 7919 % 400_000, 0, 0, 0, read);
                }
            };
        }
    }

    private static DeviceParts parts(Sim sim, Clock clock) {
        ContextTable table = new ContextTable();
        for (int k = 1; k <= KEYS; k++) {
            long at = TABLES + k * 65_536L;
            long first = table.addTranslations(PAGES);
            table.translation(k << MemoryKeys.VARIANT_BITS, new Translation(at, at + 4096, 0, first, first + PAGES));
        }
        return LoneParts.of(sim, clock, hardware(), table);
    }

    /** Three lanes, and words that must stay behind the writes of the last; returns what left each, in its order. */
    private static Supplier<List<List<Long>>> build(Sim sim, BlockContract.Stalls stalls) {
        Clock clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
        Memory memory = new Memory(sim);
        Translator translator = new Translator(sim.root(), clock, memory.tables(), parts(sim, clock));
        List<List<Long>> left = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            List<Long> seen = new ArrayList<>();
            left.add(seen);
            EventPort lane = translator.lane("lane" + i, memory.out("out" + i, seen));
            new Client(sim.root(), "client" + i, clock, lane, stalls.of("client" + i), i < 2);
        }
        Channel<NumberToken> in = new Channel<>(sim.root(), "in", clock, 2);
        Channel<NumberToken> out = new Channel<>(sim.root(), "out", clock, 2);
        new TokenSource<>(sim.root(), "source", clock, in, stalls.of("source"), ACCESSES, NumberToken::new);
        translator.behind(in, out);
        TokenSink<NumberToken> sink =
                new TokenSink<>(sim.root(), "sink", clock, out, stalls.of("sink"), NumberToken::number);
        return () -> {
            List<List<Long>> all = new ArrayList<>(left);
            all.add(sink.values());
            return all;
        };
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void keepsTheLawsOfBlocks(long seed) {
        BlockContract contract = BlockContract.of(TranslatorContractTest::build, UNTIL_PS);
        contract.modes(seed);
        contract.stalls(seed);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void allLeavesOnceAndInOrder(long seed) {
        Sim sim = new Sim(SimSpec.of(seed));
        Supplier<List<List<Long>>> left = build(sim, name -> Stall.random(0.3, seed));
        sim.run(UNTIL_PS);
        assertThat(left.get()).allSatisfy(lane -> assertThat(lane).hasSize(ACCESSES));
        assertThat(left.get().get(3)).isSorted();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aRunThatIsSavedGoesOn(long seed) {
        Sim sim = new Sim(SimSpec.of(seed));
        build(sim, name -> Stall.random(0.3, seed));
        SavedRun.goesOn(sim, UNTIL_PS, 100_000, 777_777, 12_000_000, 3_000_000);
    }
}
