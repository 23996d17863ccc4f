package dev.clockwire.nic.doorbell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.CqContext;
import dev.clockwire.nic.context.DeviceParts;
import dev.clockwire.nic.context.LoneParts;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.format.WqeOpcode;
import dev.clockwire.nic.format.WqeWriter;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.pcie.endpoint.MmioWrite;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.sim.Channel;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Pool;
import dev.clockwire.sim.state.Token;
import dev.clockwire.testkit.LongSink;
import dev.clockwire.testkit.Stall;
import dev.clockwire.testkit.TokenSink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of each store into the user access region, and what error a wrong one is. */
class DoorbellBlockTest {
    private static final int A = 0x21;
    private static final int B = 0x4321;
    private static final int CYCLES = 5;

    private final Sim sim = new Sim(SimSpec.of(1));
    private final Clock clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
    private final ContextTable table = new ContextTable();
    private final DeviceParts parts;
    private final Control control = new Control();
    private final DoorbellBlock block;
    private final EventPort window;
    private final List<String> rung = new ArrayList<>();
    private final List<MmioWrite> recycled = new ArrayList<>();
    private final TokenSink<Doorbell> doorbells;
    private final LongSink arms;
    private long stores;

    private static final class Control implements UarControl {
        UarLayout layout = UarLayout.PAGE;
        boolean index = true;
        boolean literal;
        final List<Integer> errors = new ArrayList<>();

        @Override
        public UarLayout layout() {
            return layout;
        }

        @Override
        public boolean carriesIndex() {
            return index;
        }

        @Override
        public boolean articleLiteral() {
            return literal;
        }

        @Override
        public void error(int kind) {
            errors.add(kind);
        }
    }

    DoorbellBlockTest() {
        table.setUars(64);
        for (int qpn : new int[] {A, B}) {
            QpContext qp = new QpContext(qpn, QpType.RC, 1, 0, 4, 0, 4, 16, 0, 0, 0);
            qp.state = QpState.RTS;
            table.add(qp);
            Arrays.fill(qp.journeys, 7000 + qpn);
        }
        table.add(new CqContext(0, 0, 4, 0));
        table.add(new CqContext(1, 0, 4, 0));
        parts = LoneParts.of(sim, clock, Profiles.named("cx7-400g").with("nic.doorbell.cycles", "" + CYCLES), table);
        Channel<Doorbell> out = new Channel<>(sim.root(), "out", clock, 2);
        LongChannel armed = new LongChannel(sim.root(), "armed", clock, 2);
        block = new DoorbellBlock(
                sim.root(), clock, out, armed, new Pool<>(Doorbell::new), recycled::add, parts, control);
        window = new EventPort(block, "window") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                block.mmio().write((MmioWrite) Objects.requireNonNull(token));
            }
        };
        doorbells = new TokenSink<>(sim.root(), "sink", clock, out, Stall.none(), d -> {
            rung.add(d.qpn + " " + d.producer + (d.wqe == null ? "" : " wqe " + d.wqe.index + "/" + d.wqe.blocks));
            return d.journey;
        });
        arms = new LongSink(sim.root(), "arms", clock, armed, Stall.none());
        sim.elaborate();
    }

    private void store(long offset, int length, int... words) {
        MmioWrite w = new MmioWrite();
        w.offset = offset;
        w.length = length;
        for (int i = 0; i < 4 * words.length; i++) {
            w.data[i] = (byte) (words[i / 4] >>> (8 * (i % 4)));
        }
        store(w);
    }

    private void store(MmioWrite w) {
        w.journey = 9000 + ++stores;
        window.send(sim.now() + 1, 0, 0, 0, w);
        sim.run(sim.now() + 100_000);
    }

    /** A piece of 64 bytes of a WQE with inline data of so many bytes. */
    private void piece(long buffer, int qpn, int index, int inline, int number) {
        WqeWriter writer = new WqeWriter();
        writer.begin(WqeOpcode.SEND, index, qpn, true, false, false, 0);
        int at = writer.inline(inline);
        Arrays.fill(writer.bytes(), at, at + inline, (byte) 5);
        writer.finish();
        MmioWrite w = new MmioWrite();
        w.offset = buffer + number * 64L;
        w.length = 64;
        System.arraycopy(writer.bytes(), number * 64, w.data, 0, 64);
        store(w);
    }

    private void expect(String... all) {
        assertThat(rung).containsExactly(all);
        rung.clear();
    }

    private void errors(Integer... kinds) {
        assertThat(control.errors).containsExactly(kinds);
        assertThat(block.errors()).isEqualTo(kinds.length);
    }

    @ParameterizedTest
    @CsvSource({"PAGE", "PACKED"})
    void aDoorbellIsOfItsPlaceAndCarriesTheIndex(UarLayout layout) {
        control.layout = layout;
        store(layout.doorbell(0), 8, A, 0x1_FFFE);
        store(layout.doorbell(1), 8, B, 3);
        store(layout.doorbell(1), 4, B);
        expect(A + " 65534", B + " 3", B + " -1");
        assertThat(doorbells.values()).as("the store's journey").containsExactly(9001L, 9002L, 9003L);
        control.index = false;
        store(layout.doorbell(1), 8, B, 3);
        expect(B + " -1");
        errors();
        assertThat(recycled).hasSize(4);
    }

    /** The second half of a store that was cut in two: the place says whose it is. */
    @Test
    void anIndexAloneIsOfItsPlace() {
        store(UarLayout.PAGE.doorbell(1) + 4, 4, 0x1_0007);
        expect(B + " 7");
        control.index = false;
        store(UarLayout.PAGE.doorbell(1) + 4, 4, 7);
        expect();
        errors();
        store(UarLayout.PAGE.doorbell(1) + 4, 8, 7);
        store(UarLayout.PAGE.doorbell(9) + 4, 4, 7);
        expect();
        errors(UarControl.BAD_FORMAT, UarControl.OUT_OF_RANGE);
    }

    @Test
    void wrongDoorbellsAreCountedByTheirKind() {
        store(UarLayout.PAGE.doorbell(0), 2, A);
        store(UarLayout.PAGE.doorbell(0), 8, B, 1);
        store(UarLayout.PAGE.doorbell(9), 8, 0x99, 1);
        store(UarLayout.PAGE.doorbell(0), 8, A | 1 << 24, 1);
        store(UarLayout.PAGE.doorbell(9), 8, 1 << 24, 1);
        store(0x200, 8, A, 1);
        store(UarLayout.PAGE.blueflame(0, 0), 32, A);
        expect();
        errors(
                UarControl.BAD_FORMAT,
                UarControl.MISMATCH,
                UarControl.OUT_OF_RANGE,
                UarControl.BAD_FORMAT,
                UarControl.BAD_FORMAT,
                UarControl.BAD_FORMAT,
                UarControl.BAD_FORMAT);
        assertThat(recycled).hasSize(7);
    }

    /** As the articles read the number in the data counts, whatever page it is stored into. */
    @Test
    void literallyThePageDoesNotMatter() {
        control.literal = true;
        store(UarLayout.PAGE.doorbell(0), 8, B | 0x5500_0000, 4);
        store(UarLayout.PAGE.doorbell(9), 4, A);
        expect(B + " 4", A + " -1");
        store(UarLayout.PAGE.doorbell(0), 8, 0x99, 4);
        errors(UarControl.MISMATCH);
        control.index = false;
        store(UarLayout.PAGE.doorbell(0), 8, B, 4);
        expect(B + " -1");
    }

    @Test
    void aQueueIsArmed() {
        store(UarLayout.PAGE.arm(1), 8, 1, 0x07ABCDEF);
        assertThat(arms.values()).containsExactly(ArmWord.of(1, 0xABCDEF, 3, true));
        store(UarLayout.PAGE.arm(1), 8, 0x5500_0001, 0x02000004);
        assertThat(arms.values().get(1)).isEqualTo(ArmWord.of(1, 4, 2, false));
        errors();
        store(UarLayout.PAGE.arm(1), 4, 1);
        store(UarLayout.PAGE.arm(1), 8, 2, 0);
        errors(UarControl.BAD_FORMAT, UarControl.OUT_OF_RANGE);
        control.layout = UarLayout.PACKED;
        store(UarLayout.PACKED.arm(1), 8, 1, 5);
        store(UarLayout.PACKED.arm(1), 8, 0, 5);
        errors(UarControl.BAD_FORMAT, UarControl.OUT_OF_RANGE, UarControl.MISMATCH);
        assertThat(arms.values()).hasSize(3);
        expect();
    }

    @Test
    void literallyAnArmHasEightBitsOfTheIndex() {
        control.literal = true;
        store(UarLayout.PAGE.arm(1), 4, 0xFE00_0001);
        assertThat(arms.values()).containsExactly(ArmWord.ofShort(1, 0xFE));
        store(UarLayout.PAGE.arm(1), 2, 1);
        store(UarLayout.PAGE.arm(1), 8, 7, 0);
        errors(UarControl.BAD_FORMAT, UarControl.OUT_OF_RANGE);
    }

    @ParameterizedTest
    @CsvSource({"PAGE", "PACKED"})
    void aWqeComesInPieces(UarLayout layout) {
        control.layout = layout;
        long buffer = layout.blueflame(1, 0);
        piece(buffer, B, 5, 20, 0);
        expect(B + " 6 wqe 5/1");
        piece(buffer, B, 0xFFFE, 150, 0);
        piece(buffer, B, 0xFFFE, 150, 1);
        expect();
        piece(buffer, B, 0xFFFE, 150, 2);
        expect(B + " 1 wqe 65534/3");
        assertThat(doorbells.values()).hasSize(2);
        errors();
    }

    @Test
    void piecesOfTwoQueuePairsAreKeptApart() {
        piece(UarLayout.PAGE.blueflame(0, 0), A, 5, 100, 0);
        piece(UarLayout.PAGE.blueflame(1, 1), B, 6, 100, 0);
        piece(UarLayout.PAGE.blueflame(1, 1), B, 6, 100, 1);
        piece(UarLayout.PAGE.blueflame(0, 0), A, 5, 100, 1);
        expect(B + " 8 wqe 6/2", A + " 7 wqe 5/2");
        errors();
    }

    @Test
    void aPieceOutOfOrderIsAnOrdinaryDoorbell() {
        piece(UarLayout.PAGE.blueflame(1, 0), B, 5, 150, 0);
        piece(UarLayout.PAGE.blueflame(1, 0), B, 5, 150, 2);
        expect(B + " -1");
        errors(UarControl.OVERRUN);
        piece(UarLayout.PAGE.blueflame(1, 0), B, 7, 20, 0);
        expect(B + " 8 wqe 7/1");
        piece(UarLayout.PAGE.blueflame(9, 0), 0x99, 7, 20, 0);
        errors(UarControl.OVERRUN, UarControl.OUT_OF_RANGE);
    }

    /** Two cores copy into one buffer at once: both WQEs are read from memory, and the rest of them is thrown away. */
    @Test
    void interleavedWqesAreFetched() {
        long buffer = UarLayout.PAGE.blueflame(1, 0);
        piece(buffer, B, 5, 150, 0);
        piece(buffer, B, 8, 100, 0);
        expect(B + " -1", B + " -1");
        errors(UarControl.OVERRUN);
        piece(buffer, B, 5, 150, 1);
        piece(buffer, B, 8, 100, 1);
        piece(buffer, B, 5, 150, 2);
        expect();
        piece(buffer, B, 10, 20, 0);
        expect(B + " 11 wqe 10/1");
        errors(UarControl.OVERRUN);
    }

    @Test
    void aThirdOneInBetweenIsFetchedToo() {
        long buffer = UarLayout.PAGE.blueflame(1, 0);
        piece(buffer, B, 5, 100, 0);
        piece(buffer, B, 7, 100, 0);
        piece(buffer, B, 9, 20, 0);
        expect(B + " -1", B + " -1", B + " -1");
        piece(buffer, B, 5, 100, 1);
        piece(buffer, B, 7, 100, 1);
        expect();
        piece(buffer, B, 10, 20, 0);
        expect(B + " 11 wqe 10/1");
        errors(UarControl.OVERRUN, UarControl.OVERRUN);
    }

    /** In the packed layout queue pairs share buffers: the first piece says whose WQE it is. */
    @Test
    void aSharedBufferIsOfTheFirstPiece() {
        control.layout = UarLayout.PACKED;
        long buffer = UarLayout.PACKED.blueflame(44, 0);
        piece(buffer, B, 5, 100, 0);
        piece(buffer, A, 5, 100, 1);
        expect(B + " 7 wqe 5/2");
        piece(buffer, B, 5, 100, 1);
        errors(UarControl.OVERRUN);
        piece(buffer, 0x99, 5, 100, 0);
        errors(UarControl.OVERRUN, UarControl.OUT_OF_RANGE);
        piece(buffer, A, 1, 20, 0);
        expect(A + " 2 wqe 1/1");
        assertThat(doorbells.values().get(1)).isEqualTo(9005);
        piece(buffer, A, 5, 150, 0);
        piece(buffer, B, 9, 100, 0);
        expect(B + " -1", A + " -1");
    }

    @ParameterizedTest
    @CsvSource({"RESET,false", "INIT,false", "RTR,false", "RTS,true", "SQD,true", "SQE,true", "ERR,true"})
    void aQueuePairIsRungOnceItIsReadyToSend(QpState state, boolean rung) {
        Objects.requireNonNull(table.qp(B)).state = state;
        store(UarLayout.PAGE.doorbell(1), 8, B, 3);
        piece(UarLayout.PAGE.blueflame(1, 0), B, 5, 20, 0);
        if (rung) {
            expect(B + " 3", B + " 6 wqe 5/1");
            errors();
        } else {
            expect();
            errors(UarControl.OUT_OF_RANGE, UarControl.OUT_OF_RANGE);
        }
    }

    /** A WQE of more than four blocks has no room in a buffer: it is read from memory. */
    @Test
    void aWqeThatIsTooLongIsFetched() {
        for (int i = 0; i < 4; i++) {
            piece(UarLayout.PAGE.blueflame(1, 0), B, 5, 300, i);
        }
        expect(B + " -1");
        errors(UarControl.OVERRUN);
        piece(UarLayout.PAGE.blueflame(1, 0), B, 10, 20, 0);
        expect(B + " 11 wqe 10/1");
    }

    /** A store takes its cycles; the next one enters when it has left. */
    @Test
    void decodingTakesItsCycles() {
        for (int i = 0; i < 3; i++) {
            MmioWrite w = new MmioWrite();
            w.offset = UarLayout.PAGE.doorbell(0);
            w.length = 8;
            w.data[0] = A;
            w.data[4] = (byte) i;
            window.send(4000, 0, 0, 0, w);
        }
        sim.run(400_000);
        List<Long> cycles = doorbells.cycles();
        assertThat(cycles.get(1) - cycles.get(0)).isEqualTo(CYCLES);
        assertThat(cycles.get(2) - cycles.get(1)).isEqualTo(CYCLES);
        assertThat(cycles.get(0))
                .as("one edge of the synchroniser, and the handover")
                .isEqualTo(1 + 1 + CYCLES);
    }
}
