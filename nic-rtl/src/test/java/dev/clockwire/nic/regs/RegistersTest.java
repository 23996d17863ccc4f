package dev.clockwire.nic.regs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.doorbell.UarControl;
import dev.clockwire.nic.doorbell.UarLayout;
import dev.clockwire.pcie.config.BarSpec;
import dev.clockwire.pcie.config.ConfigSpace;
import dev.clockwire.pcie.config.ConfigSpec;
import dev.clockwire.pcie.config.MsixTable;
import dev.clockwire.pcie.config.PcieError;
import dev.clockwire.pcie.endpoint.DmaWrite;
import dev.clockwire.pcie.endpoint.MmioWrite;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.roce.congestion.TokenBucketSpec;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Registers, vectors and buckets by stores and loads, as docs/registers.md has them, without a bus in between. */
class RegistersTest {
    private static final int DB_FORMAT = 1;

    private final Sim sim = new Sim(SimSpec.of(1));
    private final SimNode owner = new SimNode(sim.root(), "nic") {};
    private final ConfigSpace config;
    private final ContextTable table = new ContextTable();
    private final List<Integer> sent = new ArrayList<>();
    private final NicRegisters regs;

    RegistersTest() {
        config = config(owner);
        table.setUars(8);
        regs = new NicRegisters(owner, table, config, sent::add);
    }

    private static ConfigSpace config(SimNode owner) {
        List<BarSpec> bars = List.of(
                new BarSpec(2, UarLayout.WINDOW, true, true),
                new BarSpec(4, NicRegisters.VECTOR_BAR_BYTES, false, true));
        ConfigSpec spec = new ConfigSpec(
                1,
                2,
                0,
                0x02_0000,
                0,
                bars,
                NicRegisters.VECTORS,
                4,
                0,
                NicRegisters.PENDING,
                512,
                PcieLinkSpec.of(4, 16));
        return new ConfigSpace(owner, spec, () -> false);
    }

    private long load(long offset) {
        return regs.read(NicRegisters.BAR, offset, 4);
    }

    private void store(long offset, long value) {
        store(NicRegisters.BAR, offset, value, 4);
    }

    private void store(int bar, long offset, long value, int bytes) {
        byte[] data = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            data[i] = (byte) (value >>> (8 * i));
        }
        regs.write(bar, offset, data, bytes);
    }

    private QpContext active(int qpn) {
        QpContext qp = new QpContext(qpn, QpType.RC, 1, 0, 4, 0, 4, 16, 0, 0, 0);
        table.add(qp);
        qp.state = QpState.INIT;
        return qp;
    }

    private void pass(int vector) {
        config.setVectors(true, false);
        regs.vectors().program(vector, 0xFEE0_1000L, vector);
    }

    @Test
    void readsHaveAnySizeAndPlace() {
        assertThat(load(0)).isEqualTo(0xC10C_0001L);
        assertThat(regs.read(NicRegisters.BAR, 2, 2)).isEqualTo(0xC10C);
        assertThat(regs.read(NicRegisters.BAR, 3, 1)).isEqualTo(0xC1);
        assertThat(regs.read(NicRegisters.BAR, 0, 8)).isEqualTo(0xC10C_0001L);
        assertThat(regs.read(NicRegisters.BAR, 0x1_2200 - 8, 8))
                .as("the last doorbell")
                .isZero();
        assertThat(regs.read(NicRegisters.BAR, 0x1_2200, 8))
                .as("behind the registers")
                .isZero();
        assertThat(regs.read(NicRegisters.VECTOR_BAR, 12, 4)).as("masked").isEqualTo(1);
        assertThat(regs.read(NicRegisters.VECTOR_BAR, NicRegisters.PENDING + 256, 8))
                .isZero();
    }

    /** Bytes that are not written stay: a store may end anywhere in a register. */
    @Test
    void storesChangeTheirBytesOnly() {
        store(NicRegisters.EQ_CI_REG, 0x1122_3344L);
        store(NicRegisters.BAR, NicRegisters.EQ_CI_REG + 1, 0xAABB, 2);
        assertThat(load(NicRegisters.EQ_CI_REG)).isEqualTo(0x11AA_BB44L);
        assertThat(regs.consumed(0)).isEqualTo(0x11AA_BB44);
        store(NicRegisters.BAR, NicRegisters.EQ_CI_REG + 8 * 511, 0xFFFF_FFFFL, 4);
        assertThat(regs.consumed(511)).isEqualTo(-1);
        store(NicRegisters.BAR, NicRegisters.TB_RATE_REG + 2, 0xAAAA_BBBB_CCCCL, 6); // over the end of one register
        assertThat(load(NicRegisters.TB_RATE_REG)).isEqualTo(0xCCCC_0000L);
        assertThat(load(NicRegisters.TB_RATE_REG + 4)).isEqualTo(0xAAAA_BBBBL);
        store(0x1_2200, -1); // behind the last register
        store(NicRegisters.BAR, 0x1_21FE, -1, 8);
    }

    /** With 32-bit BARs article 1's BAR1 is the upper half of BAR0. */
    @Test
    void theFurtherWindowIsBehindTheFirst() {
        store(NicRegisters.FURTHER_BAR, 0, 5, 4);
        assertThat(regs.read(NicRegisters.FURTHER_BAR, 0, 4)).isEqualTo(load(NicRegisters.FURTHER));
        assertThat(load(0)).isEqualTo(0xC10C_0001L);
    }

    @Test
    void layoutsChangeWhileNoQueuePairIsUsed() {
        assertThat(regs.layout()).isEqualTo(UarLayout.PAGE);
        regs.start(UarLayout.PACKED, true);
        assertThat(load(NicRegisters.UAR_CTRL)).isEqualTo(3);
        assertThat(regs.carriesIndex()).isTrue();
        store(NicRegisters.UAR_CTRL, 4);
        assertThat(regs.layout()).isEqualTo(UarLayout.PAGE);
        assertThat(regs.carriesIndex()).isFalse();
        assertThat(regs.articleLiteral()).isTrue();
        active(0x11);
        store(NicRegisters.UAR_CTRL, 3);
        assertThat(load(NicRegisters.UAR_CTRL)).as("refused").isEqualTo(4);
        assertThat(regs.layout()).isEqualTo(UarLayout.PAGE);
        assertThat(regs.articleLiteral()).isTrue();
        assertThat(regs.carriesIndex()).isFalse();
        assertThat(load(NicRegisters.DB_ERR_STS)).isEqualTo(DB_FORMAT);
    }

    @Test
    void aRefusedChangeShowsTheLayoutInForce() {
        regs.start(UarLayout.PACKED, true);
        active(0x11);
        store(NicRegisters.UAR_CTRL, 4);
        assertThat(load(NicRegisters.UAR_CTRL)).isEqualTo(3);
        assertThat(regs.layout()).isEqualTo(UarLayout.PACKED);
        assertThat(regs.articleLiteral()).isFalse();
    }

    /** How many queue pairs can have doorbells is the layout's. */
    @Test
    void placesAreThoseOfTheLayout() {
        for (int i = 0; i < 8; i++) {
            active(0x11 + i).state = QpState.RESET;
        }
        assertThat(table.hasUar()).as("eight places").isFalse();
        regs.start(UarLayout.PAGE, false);
        assertThat(table.hasUar()).isTrue();
        table.setUars(8);
        store(NicRegisters.UAR_CTRL, 0);
        assertThat(table.hasUar()).as("nothing changed").isFalse();
        store(NicRegisters.UAR_CTRL, 1);
        assertThat(table.hasUar()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {UarControl.BAD_FORMAT, UarControl.MISMATCH, UarControl.OUT_OF_RANGE, UarControl.OVERRUN})
    void doorbellErrorsStayUntilTheyAreCleared(int kind) {
        regs.error(kind);
        regs.error(UarControl.MISMATCH);
        long both = 1L << kind | 2;
        assertThat(load(NicRegisters.DB_ERR_STS)).isEqualTo(both);
        store(NicRegisters.DB_ERR_STS, 2);
        assertThat(load(NicRegisters.DB_ERR_STS)).isEqualTo(both & ~2);
    }

    /** The bits of PCI_ERR_STS; a poisoned packet counts as parity too, and as a system error where those are reported. */
    @ParameterizedTest
    @CsvSource({
        "COMPLETION_TIMEOUT,0x04",
        "UNSUPPORTED_REQUEST,0x08",
        "COMPLETER_ABORT,0x10",
        "UNEXPECTED_COMPLETION,0x20",
        "POISONED,0x41",
        "MALFORMED,0x80"
    })
    void errorsOfPcieAreShown(PcieError error, String bits) {
        config.errors().report(error, null, false);
        assertThat(load(NicRegisters.PCI_ERR_STS)).isEqualTo((long) Integer.decode(bits));
        store(NicRegisters.PCI_ERR_STS, 0xFF);
        assertThat(load(NicRegisters.PCI_ERR_STS)).isZero();
    }

    @Test
    void aSystemErrorIsOneThatTheFunctionSignals() {
        config.write(ConfigSpace.COMMAND, 1 << 8, 3); // SERR# enable
        config.errors().report(PcieError.MALFORMED, null, false);
        assertThat(load(NicRegisters.PCI_ERR_STS)).isEqualTo(0x82);
    }

    @Test
    void banksAreThoseOfTheDocuments() {
        assertThat(regs.banks()).hasSize(2);
        assertThat(regs.banks().get(0).register("UAR_CTRL").offset()).isEqualTo(NicRegisters.UAR_CTRL);
    }

    @Test
    void contextsOfQueuePairsHaveAPlace() {
        QpContext early = active(0x11);
        early.state = QpState.RESET;
        assertThat(regs.contextAddress(0x11)).isZero();
        store(NicRegisters.QP_CTX_BASE, 0x1_2345_6FFFL);
        store(NicRegisters.QP_CTX_BASE + 4, 0xAB);
        assertThat(regs.contextBase()).as("a page").isEqualTo(0xAB_2345_6000L);
        assertThat(regs.contextAddress(3)).isEqualTo(0xAB_2345_6000L + 3 * 256);
        assertThat(early.contextAddress).isEqualTo(0xAB_2345_6000L + 0x11 * 256);
        regs.contextStride(1024);
        assertThat(regs.contextAddress(3)).isEqualTo(0xAB_2345_6000L + 3 * 1024);
        early.state = QpState.RTS;
        store(NicRegisters.QP_CTX_BASE, 0x9000);
        store(NicRegisters.QP_CTX_BASE + 4, 0x9);
        assertThat(regs.contextBase()).isEqualTo(0xAB_2345_6000L);
        assertThat(regs.read(NicRegisters.BAR, NicRegisters.QP_CTX_BASE, 8)).isEqualTo(0xAB_2345_6000L);
        assertThat(load(NicRegisters.DB_ERR_STS)).isEqualTo(DB_FORMAT);
        assertThat(early.contextAddress).isEqualTo(0xAB_2345_6000L + 0x11 * 256);
    }

    @Test
    void ethernetDoorbellsAreHeard() {
        List<String> heard = new ArrayList<>();
        store(NicRegisters.ETH_SQ_DB, 1); // nobody listens
        regs.onEthernet((send, queue, index) -> heard.add(send + " " + queue + " " + index));
        store(NicRegisters.ETH_SQ_DB + 8 * 63, 0xF_FFFE);
        store(NicRegisters.ETH_RQ_DB + 8, 7);
        assertThat(heard).containsExactly("true 63 65534", "false 1 7");
    }

    @Test
    void moderationIsAsSoftwareSaysIt() {
        assertThat(regs.moderation(0)).isEqualTo(0xFF);
        store(NicRegisters.INT_MOD_CTRL + 8 * 5, 0xFFFF_FFFFL);
        assertThat(regs.moderation(5)).as("bits 31:24, 19:16, 15:0").isEqualTo(0xFF0F_FFFF);
    }

    @Test
    void aSnapshotHasAllOfIt() {
        regs.start(UarLayout.PACKED, true);
        store(NicRegisters.UAR_CTRL, 7);
        store(NicRegisters.QP_CTX_BASE, 0x7000);
        config.setVectors(false, false);
        assertThat(regs.request(9)).isFalse();
        Snapshot saved = new Snapshot();
        regs.save(saved);
        saved.rewind();
        SimNode other = new SimNode(sim.root(), "other") {};
        NicRegisters copy = new NicRegisters(other, new ContextTable(), config(other), v -> {});
        copy.load(saved);
        assertThat(copy.layout()).isEqualTo(UarLayout.PACKED);
        assertThat(copy.carriesIndex()).isTrue();
        assertThat(copy.articleLiteral()).isTrue();
        assertThat(copy.contextBase()).isEqualTo(0x7000);
        assertThat(copy.vectors().isPending(9)).isTrue();
        assertThat(copy.vectors().anyPending()).isTrue();
    }

    @Test
    void aVectorsMessageIsWhereItWasProgrammed() {
        MsixTable v = regs.vectors();
        v.program(2047, 0xAB_FEE0_1007L, -3);
        assertThat(regs.address(2047)).as("two low bits are 0").isEqualTo(0xAB_FEE0_1004L);
        assertThat(regs.data(2047)).isEqualTo(-3);
        assertThat(v.isTarget(0xAB_FEE0_1004L)).isTrue();
        assertThat(v.isTarget(0xFEE0_1004L)).isFalse();
        assertThat(regs.read(NicRegisters.VECTOR_BAR, 2047 * 16, 8)).isEqualTo(0xAB_FEE0_1004L);
        assertThat(regs.read(NicRegisters.VECTOR_BAR, 2047 * 16 + 8, 8))
                .as("no mask")
                .isEqualTo(0xFFFF_FFFDL);
    }

    @ParameterizedTest
    @CsvSource({"true,false,0,true", "false,false,0,false", "true,true,0,false", "true,false,1,false"})
    void anInterruptPassesWhereNothingMasksIt(boolean enabled, boolean masked, int mask, boolean passes) {
        pass(33);
        config.setVectors(enabled, masked);
        store(NicRegisters.VECTOR_BAR, 33 * 16 + 12, mask, 4);
        assertThat(regs.request(33)).isEqualTo(passes);
        assertThat(regs.vectors().isPending(33)).isEqualTo(!passes);
        assertThat(regs.vectors().anyPending()).isEqualTo(!passes);
    }

    @Test
    void whatWaitedIsSentOnceWhenItsVectorIsUnmasked() {
        config.setVectors(true, false);
        for (int vector : new int[] {0, 31, 32, 2047}) {
            assertThat(regs.request(vector)).isFalse();
            assertThat(regs.request(vector)).as("again").isFalse();
            assertThat(regs.vectors().isPending(vector)).isTrue();
            assertThat(regs.read(NicRegisters.VECTOR_BAR, NicRegisters.PENDING + vector / 32 * 4, 4) >>> vector % 32
                            & 1)
                    .isEqualTo(1);
        }
        assertThat(regs.vectors().isPending(1)).isFalse();
        store(NicRegisters.VECTOR_BAR, 31 * 16 + 12, 0, 4);
        assertThat(sent).containsExactly(31);
        assertThat(regs.vectors().isPending(31)).isFalse();
        assertThat(regs.vectors().isPending(0)).isTrue();
        store(NicRegisters.VECTOR_BAR, 31 * 16 + 12, 0, 4);
        assertThat(sent).containsExactly(31);
        regs.vectors().program(2047, 1, 2);
        assertThat(sent).containsExactly(31, 2047);
        regs.vectors().program(0, 1, 2);
        regs.vectors().program(32, 1, 2);
        assertThat(sent).containsExactly(31, 2047, 0, 32);
        assertThat(regs.vectors().anyPending()).isFalse();
    }

    @Test
    void whatTheFunctionHeldBackIsSentWhenItLetsPass() {
        pass(5);
        pass(2047);
        pass(7);
        config.setVectors(true, true);
        assertThat(regs.request(2047)).isFalse();
        assertThat(regs.request(5)).isFalse();
        store(NicRegisters.VECTOR_BAR, 5 * 16 + 12, 1, 4);
        config.setVectors(true, false);
        regs.vectors().release();
        assertThat(sent).as("5 is masked by itself").containsExactly(2047);
        assertThat(regs.vectors().anyPending()).isTrue();
    }

    @Test
    void bucketsOfQueuePairs() {
        RateRegisters rates = regs.rates();
        List<Integer> written = new ArrayList<>();
        rates.onWrite(written::add);
        assertThat(rates.count()).isEqualTo(3328);
        assertThat(rates.bucket(0)).isEqualTo(TokenBucketSpec.reset());
        store(NicRegisters.TB_RATE_REG + 0x10 * 7, 0xFFFF_FFFEL);
        store(NicRegisters.TB_RATE_REG + 0x10 * 3327 + 4, 0);
        store(NicRegisters.TB_RATE_REG + 0x10 * 5 + 8, 77); // read only
        assertThat(written).containsExactly(7, 3327);
        assertThat(rates.bucket(7).perCycle()).isEqualTo(0xFFFF_FFFEL);
        assertThat(rates.rate(7)).isEqualTo(-2);
        assertThat(rates.bucket(3327).burstBytes()).as("none is one byte").isEqualTo(1);
        assertThat(rates.burst(3327)).isZero();
        assertThat(rates.burst(0)).isEqualTo(65_536);
        rates.refilled(5, 0x1_0000_0002L);
        assertThat(load(NicRegisters.TB_RATE_REG + 0x10 * 5 + 8)).isEqualTo(2);
        store(NicRegisters.TB_RATE_REG + 0x10 * 6 + 4, 0xFFFF_FFFFL);
        assertThat(rates.bucket(6).burstBytes()).isEqualTo(0xFFFF_FFFFL);
    }

    @Test
    void whatACommandSaysIsShown() {
        RateRegisters rates = regs.rates();
        rates.show(3, new TokenBucketSpec(1L << 40, TokenBucketSpec.REGISTER_BITS, 500));
        assertThat(load(NicRegisters.TB_RATE_REG + 0x30)).as("as much as fits").isEqualTo(0xFFFF_FFFFL);
        assertThat(load(NicRegisters.TB_RATE_REG + 0x34)).isEqualTo(500);
        rates.show(3328, new TokenBucketSpec(5, TokenBucketSpec.REGISTER_BITS, 500)); // has no register
        store(NicRegisters.TB_RATE_REG + 0x10 * 4 + 4, 0);
        rates.show(4, new TokenBucketSpec(0, TokenBucketSpec.REGISTER_BITS, 1));
        assertThat(rates.burst(4))
                .as("the same bucket: what software wrote stays")
                .isZero();
    }

    /** The block between the endpoint's events and the registers. */
    private final class Bench {
        final List<String> messages = new ArrayList<>();
        final List<MmioWrite> recycled = new ArrayList<>();
        final RegisterBlock block = new RegisterBlock(
                sim.root(),
                new EventPort(owner, "writes") {
                    @Override
                    protected void event(int kind, long a, long b, @Nullable Token token) {
                        DmaWrite w = (DmaWrite) Objects.requireNonNull(token);
                        StringBuilder text = new StringBuilder(now() + " " + w.address + " " + w.length);
                        for (int i = 0; i < w.length; i++) {
                            text.append(' ').append(w.data.byteAt(i));
                        }
                        messages.add(text.toString());
                    }
                },
                recycled::add);

        void store(long at, long offset, int value) {
            MmioWrite w = new MmioWrite();
            w.bar = NicRegisters.BAR;
            w.offset = offset;
            w.length = 4;
            for (int i = 0; i < 4; i++) {
                w.data[i] = (byte) (value >>> (8 * i));
            }
            block.stores().send(at, 0, 0, 0, w);
        }
    }

    @Test
    void nothingHappensBeforeTheRegistersAreThere() {
        Bench bench = new Bench();
        sim.elaborate();
        bench.store(1, NicRegisters.EQ_CI_REG, 5);
        bench.block.refills().send(1, 0, 3, 9);
        bench.block.send(4);
        bench.block.configurationChanged();
        sim.run(10);
        assertThat(bench.messages).isEmpty();
        assertThat(bench.recycled).isEmpty();
        assertThat(regs.consumed(0)).isZero();
    }

    @Test
    void storesAndRefillsReachTheRegisters() {
        Bench bench = new Bench();
        sim.elaborate();
        bench.block.connect(regs);
        bench.store(5, NicRegisters.EQ_CI_REG, 0x1234);
        bench.block.refills().send(5, 0, 3327, 9);
        bench.block.refills().send(5, 0, 3328, 9); // has no register
        sim.run(4);
        assertThat(regs.consumed(0)).isZero();
        sim.run(10);
        assertThat(regs.consumed(0)).isEqualTo(0x1234);
        assertThat(bench.recycled).hasSize(1);
        assertThat(load(NicRegisters.TB_RATE_REG + 0x10 * 3327 + 8)).isEqualTo(9);
    }

    @Test
    void aMessageIsFourBytesLittleEndian() {
        Bench bench = new Bench();
        sim.elaborate();
        bench.block.connect(regs);
        regs.vectors().program(4, 0xFEE0_2000L, 0x8403_0201);
        bench.block.send(4);
        sim.run(10);
        assertThat(bench.messages).containsExactly("1 " + 0xFEE0_2000L + " 4 1 2 3 -124");
    }

    @Test
    void aChangeOfTheConfigurationLetsPassWhatWaits() {
        Bench bench = new Bench();
        sim.elaborate();
        bench.block.connect(regs);
        pass(4);
        bench.block.configurationChanged();
        config.setVectors(false, false);
        assertThat(regs.request(4)).isFalse();
        config.setVectors(true, false);
        sim.run(10);
        assertThat(sent).as("nothing waited when the configuration changed").isEmpty();
        bench.block.configurationChanged();
        sim.run(20);
        assertThat(sent).containsExactly(4);
    }
}
