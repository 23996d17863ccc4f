package dev.clockwire.nic.chip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.pcie.endpoint.MmioWrite;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.Inlet;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimModule;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.state.Token;
import dev.clockwire.testkit.NumberToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The device's own memory: who has which piece of it, and who may write there. */
class ChipMemoryTest {
    private static final int CAPACITY = 256;

    private final Sim sim = new Sim(SimSpec.of(1));
    private final Clock clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
    private final List<MmioWrite> recycled = new ArrayList<>();
    private final ChipMemory memory = new ChipMemory(sim.root(), clock, CAPACITY, recycled::add);

    private Allocation piece(long length) {
        return Objects.requireNonNull(memory.allocate(length));
    }

    private int byteAt(long address) {
        Payload p = new Payload();
        memory.read(address, 1, p);
        return p.byteAt(0);
    }

    @Test
    void itHoldsItsCapacityAndNotAByteMore() {
        assertThat(memory.holds(ChipMemory.BASE)).isTrue();
        assertThat(memory.holds(ChipMemory.BASE + CAPACITY - 1)).isTrue();
        assertThat(memory.holds(ChipMemory.BASE + CAPACITY)).isFalse();
        assertThat(memory.holds(ChipMemory.BASE - 1)).isFalse();
        assertThat(memory.holds(0)).isFalse();
    }

    /** A window is a power of two, as every BAR is, and a page at least. */
    @ParameterizedTest
    @CsvSource({"1,4096", "4096,4096", "4097,8192", "8191,8192", "8192,8192", "8193,16384", "65536,65536"})
    void theWindowIsThePowerOfTwoAround(long capacity, long window) {
        Sim other = new Sim(SimSpec.of(1));
        Clock itsClock = new Clock(other.root(), "clock", Frequency.mhz(250));
        assertThat(new ChipMemory(other.root(), itsClock, capacity, w -> {}).window())
                .isEqualTo(window);
    }

    /** Pieces begin at 64 bytes each. */
    @Test
    void piecesLieBehindEachOther() {
        assertThat(piece(1).address()).isEqualTo(ChipMemory.BASE);
        assertThat(piece(64).address()).isEqualTo(ChipMemory.BASE + 64);
        assertThat(piece(65).address()).isEqualTo(ChipMemory.BASE + 128);
        assertThat(memory.allocate(1)).as("nothing is left").isNull();
    }

    @Test
    void theLastByteCanBeHad() {
        assertThat(memory.allocate(CAPACITY + 1)).isNull();
        assertThat(piece(CAPACITY).end()).isEqualTo(ChipMemory.BASE + CAPACITY);
    }

    /** The first gap that is large enough is taken, one of the very size too. */
    @Test
    void whatIsTakenBackIsGivenAgain() {
        piece(64);
        Allocation gap = piece(64);
        piece(64);
        memory.free(gap);
        assertThat(piece(64).address()).isEqualTo(gap.address());
        assertThat(piece(64).address()).isEqualTo(ChipMemory.BASE + 192);
        assertThat(memory.allocate(1)).isNull();
    }

    @Test
    void aGapThatIsTooSmallIsPassedOver() {
        Allocation gap = piece(64);
        piece(64);
        memory.free(gap);
        assertThat(piece(65).address()).isEqualTo(ChipMemory.BASE + 128);
    }

    private MmioWrite store(long offset, int... bytes) {
        MmioWrite w = new MmioWrite();
        w.offset = offset;
        w.length = bytes.length;
        for (int i = 0; i < bytes.length; i++) {
            w.data[i] = (byte) bytes[i];
        }
        return w;
    }

    private EventPort window() {
        return new EventPort(memory, "window") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                memory.stores().write((MmioWrite) Objects.requireNonNull(token));
            }
        };
    }

    /** A store that is not whole inside of one piece changes nothing. */
    @Test
    void storesWriteIntoPiecesOnly() {
        EventPort window = window();
        sim.elaborate();
        Allocation a = piece(10);
        Allocation b = piece(10);
        window.send(1, 0, 0, 0, store(2, 21, 22));
        window.send(1, 0, 0, 0, store(64 + 9, 31));
        window.send(1, 0, 0, 0, store(64 + 9, 41, 42)); // over the end
        window.send(1, 0, 0, 0, store(200, 51));
        sim.run(100_000);
        assertThat(byteAt(a.address() + 2)).isEqualTo(21);
        assertThat(byteAt(a.address() + 3)).isEqualTo(22);
        assertThat(byteAt(a.address() + 1)).isZero();
        assertThat(byteAt(b.address() + 9)).isEqualTo(31);
        assertThat(recycled).hasSize(4);
    }

    @Test
    void oneStoreACycle() {
        EventPort window = window();
        sim.elaborate();
        for (int i = 0; i < 5; i++) {
            window.send(1, 0, 0, 0, store(0, i));
        }
        sim.runUntil(() -> recycled.size() == 1, 1_000_000);
        long first = sim.now();
        sim.runUntil(() -> recycled.size() == 5, 1_000_000);
        assertThat(sim.now() - first).isEqualTo(4 * 4_000);
    }

    @Test
    void aBlocksWriteIsThereAtOnceAndItsSenderIsTold() {
        EventPort port = memory.writePort("test");
        SimModule writer = new SimModule(sim.root(), "writer", clock) {
            @Override
            protected boolean tick(long cycle) {
                return false;
            }
        };
        Inlet<DmaWrite> done = new Inlet<>(writer, "done", 4, 1);
        EventPort inWriter = new EventPort(writer, "kick") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {}
        };
        sim.elaborate();
        inWriter.send(1, 0, 0, 0);
        Allocation a = piece(64);
        DmaWrite w = new DmaWrite();
        w.address = a.address() + 5;
        w.length = 2;
        w.offset = 1;
        w.data.appendBytes(new byte[] {1, 2, 3, 4}, 0, 4);
        w.done = done;
        DmaWrite silent = new DmaWrite();
        silent.address = a.address();
        silent.length = 1;
        silent.data.appendBytes(new byte[] {9}, 0, 1);
        port.send(10, 0, 0, 0, w);
        port.send(11, 0, 0, 0, silent);
        sim.run(20);
        assertThat(byteAt(a.address() + 5)).isEqualTo(2);
        assertThat(byteAt(a.address() + 6)).isEqualTo(3);
        assertThat(byteAt(a.address() + 7)).isZero();
        assertThat(byteAt(a.address())).isEqualTo(9);
        assertThat(done.space()).as("one word came").isEqualTo(3);
    }

    @Test
    void nothingButWritesComesToAWritePort() {
        EventPort port = memory.writePort("test");
        sim.elaborate();
        port.send(1, 0, 0, 0, new NumberToken(1));
        assertThatThrownBy(() -> sim.run(10))
                .isInstanceOf(InvariantViolation.class)
                .hasMessageContaining("something other than a DmaWrite");
    }
}
