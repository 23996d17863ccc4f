package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.device.NicDevice;
import dev.clockwire.nic.doorbell.UarLayout;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nic.regs.NicRegisters;
import dev.clockwire.pcie.host.ConfigPort;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.Numbering;
import dev.clockwire.sim.mem.Allocation;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The register map over PCIe: every access is a packet from a core. */
class RegistersTest {
    private static final long US = 1_000_000;
    private static final long ARTICLE_BAR2 = 0x8000_0000L;

    private final Lab lab = lab("page", true, true);
    private final CpuCore core = lab.a().core();
    private final NicDevice nic = lab.a().nic();

    private static Lab lab(String layout, boolean blueflame, boolean index) {
        Profile profile = Profiles.named("cx7-400g")
                .with("nic.uar.layout", layout)
                .with("nic.blueflame", Boolean.toString(blueflame))
                .with("nic.doorbell.carries_pi", Boolean.toString(index));
        return Lab.twoHosts(profile, LabSpec.of(1));
    }

    private static Pair pair(Lab lab) {
        return new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
    }

    private static QpContext context(Pair p) {
        return Objects.requireNonNull(p.a.host.nic().parts().table().qp(p.a.qp.qpn()));
    }

    private static void run(Lab lab, long ps) {
        lab.sim().run(lab.sim().now() + ps);
    }

    private long load(int bar, long offset, int size) {
        core.mmioRead(nic.endpoint().barAddress(bar) + offset, size);
        run(lab, 3 * US);
        return core.loaded();
    }

    private void store(int bar, long offset, long value, int size) {
        core.mmioWrite(nic.endpoint().barAddress(bar) + offset, value, size);
        run(lab, 3 * US);
    }

    private static void works(Pair p, int bytes) {
        assertThat(new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, bytes)).isEqualTo(1);
        assertThat(p.next(p.a).wrId).isEqualTo(1);
    }

    /** Article 1: UAR page of QPN 0x15 at 0x80000000 + 0x15 * 0x1000. */
    @ParameterizedTest
    @CsvSource({"page, 0x80015000, 0x80015800", "packed, 0x800000A8, 0x80800400"})
    void theAddressesOfTheArticles(String layout, String doorbell, String blueflame) {
        Lab l = lab(layout, true, true);
        l.a().host().assign(l.a().host().port(0), 0, ARTICLE_BAR2);
        Pair p = pair(l);
        while (p.a.qp.qpn() != 0x15) {
            p = pair(l);
        }
        NicDevice n = l.a().nic();
        assertThat(n.doorbell(context(p))).isEqualTo(Long.decode(doorbell));
        assertThat(n.blueflame(context(p), 0)).isEqualTo(Long.decode(blueflame));
        works(p, 100);
        assertThat(n.doorbellErrors()).isZero();
    }

    @Test
    void theLayoutsOfTheArticlesExcludeEachOther() {
        assertThat(UarLayout.PAGE.doorbell(2048 - Numbering.FIRST_QPN))
                .isEqualTo(UarLayout.PACKED.blueflame(0, 0))
                .isEqualTo((1L << 20) * 8);
        assertThat(UarLayout.PACKED.places() + Numbering.FIRST_QPN).isEqualTo(1 << 20);
        assertThat(UarLayout.PAGE.places() + Numbering.FIRST_QPN).isEqualTo(16_384);
        assertThat(UarLayout.PACKED.arm(5)).isEqualTo(0xA0_0028);
    }

    @ParameterizedTest
    @CsvSource({
        "page, true, true",
        "page, false, true",
        "page, false, false",
        "packed, true, true",
        "packed, false, true",
        "packed, false, false"
    })
    void bothLayoutsCarryWorkAndEvents(String layout, boolean blueflame, boolean index) {
        Lab l = lab(layout, blueflame, index);
        Pair first = pair(l);
        Pair second = pair(l);
        for (int i = 0; i < 4; i++) {
            Pair p = i % 2 == 0 ? first : second;
            p.a.cq.reqNotify(false);
            Completion<CompletionQueue> event = p.a.cq.channel().cqEvent();
            works(p, 100 + i);
            run(l, 20 * US);
            assertThat(event.isDone()).isTrue();
        }
        assertThat(l.a().nic().doorbellErrors()).isZero();
    }

    @Test
    void resetValuesAndReservedPlaces() {
        assertThat(load(NicRegisters.BAR, 0, 4)).isEqualTo(0xC10C_0001L);
        assertThat(load(NicRegisters.BAR, NicRegisters.INT_MOD_CTRL + 8 * 511, 4))
                .isEqualTo(0xFF);
        assertThat(load(NicRegisters.BAR, NicRegisters.TB_RATE_REG + 0x10 * 3327, 8))
                .isEqualTo(65536L << 32);
        assertThat(load(NicRegisters.BAR, 0x1_2340, 4)).isZero();
        assertThat(load(NicRegisters.BAR, NicRegisters.BAR_BYTES - 4, 4)).isZero();
        store(NicRegisters.BAR, NicRegisters.BAR_BYTES - 4, -1, 4);
        assertThat(load(2, 0x15_000, 8)).as("doorbells cannot be read").isZero();
        assertThat(load(NicRegisters.VECTOR_BAR, 12, 4)).as("masked").isEqualTo(1);
        assertThat(nic.endpoint().unsupportedRequests()).isZero();
    }

    @Test
    void moderationAndRatesHoldWhatFitsThem() {
        store(NicRegisters.BAR, NicRegisters.INT_MOD_CTRL, -1, 4);
        assertThat(load(NicRegisters.BAR, NicRegisters.INT_MOD_CTRL, 4)).isEqualTo(0xFF0F_FFFFL);
        store(NicRegisters.BAR, NicRegisters.TB_RATE_REG + 0x50, 0x0061_B333, 4);
        store(NicRegisters.BAR, NicRegisters.TB_RATE_REG + 0x54, 16_384, 4);
        store(NicRegisters.BAR, NicRegisters.TB_RATE_REG + 0x58, 7, 4);
        nic.registers().rates().refilled(5, 0x1_0000_0009L);
        assertThat(nic.registers().rates().rate(5)).isEqualTo(0x0061_B333);
        assertThat(nic.registers().rates().burst(5)).isEqualTo(16_384);
        assertThat(nic.registers().rates().burst(4)).isEqualTo(65_536);
        assertThat(load(NicRegisters.BAR, NicRegisters.TB_RATE_REG + 0x58, 4)).isEqualTo(9);
        assertThat(load(NicRegisters.BAR, NicRegisters.TB_RATE_REG + 0x51, 1)).isEqualTo(0xB3);
    }

    @Test
    void theLayoutChangesOnlyBeforeQueuePairsAreUsed() {
        assertThat(load(NicRegisters.BAR, NicRegisters.UAR_CTRL, 4))
                .as("page, with index")
                .isEqualTo(0b10);
        store(NicRegisters.BAR, NicRegisters.UAR_CTRL, 0b11, 4);
        Pair p = pair(lab);
        assertThat(nic.doorbell(context(p))).isEqualTo(nic.endpoint().barAddress(2) + p.a.qp.qpn() * 8L);
        works(p, 300);
        store(NicRegisters.BAR, NicRegisters.UAR_CTRL, 0, 4);
        assertThat(load(NicRegisters.BAR, NicRegisters.UAR_CTRL, 4)).isEqualTo(0b11);
        assertThat(load(NicRegisters.BAR, NicRegisters.DB_ERR_STS, 4)).isEqualTo(1);
        works(p, 300);
    }

    @Test
    void theContextBaseIsLockedLikewise() {
        store(NicRegisters.BAR, NicRegisters.QP_CTX_BASE, 0x12_3456_7FFFL, 8);
        assertThat(nic.registers().contextBase()).isEqualTo(0x12_3456_7000L);
        Pair p = pair(lab);
        store(NicRegisters.BAR, NicRegisters.QP_CTX_BASE, 0x1000, 4);
        store(NicRegisters.BAR, NicRegisters.QP_CTX_BASE + 4, 0x1, 4);
        assertThat(load(NicRegisters.BAR, NicRegisters.QP_CTX_BASE, 8)).isEqualTo(0x12_3456_7000L);
        assertThat(p.a.qp.qpn()).isPositive();
    }

    @Test
    void doorbellErrorsStandInTheirRegisterUntilCleared() {
        Pair p = pair(lab);
        long page = nic.uarPage(p.a.qp.qpn()) - nic.endpoint().barAddress(2);
        store(2, page, p.a.qp.qpn() | 1L << 24, 4);
        assertThat(load(NicRegisters.BAR, NicRegisters.DB_ERR_STS, 4))
                .as("format")
                .isEqualTo(0b0001);
        store(2, page, p.a.qp.qpn() + 1L, 4);
        assertThat(load(NicRegisters.BAR, NicRegisters.DB_ERR_STS, 4))
                .as("mismatch")
                .isEqualTo(0b0011);
        store(2, 0x300_0000, 0x3000, 4);
        assertThat(load(NicRegisters.BAR, NicRegisters.DB_ERR_STS, 4))
                .as("nobody")
                .isEqualTo(0b0111);
        core.mmioWrite(nic.endpoint().barAddress(2) + page + 0x840, new byte[64], 0, 64);
        run(lab, 3 * US);
        assertThat(load(NicRegisters.BAR, NicRegisters.DB_ERR_STS, 4))
                .as("out of order")
                .isEqualTo(0b1111);
        assertThat(nic.doorbellErrors()).isEqualTo(4);
        store(NicRegisters.BAR, NicRegisters.DB_ERR_STS, 0b0101, 4);
        assertThat(load(NicRegisters.BAR, NicRegisters.DB_ERR_STS, 4)).isEqualTo(0b1010);
        works(p, 100);
    }

    @Test
    void pcieErrorsAreMirrored() {
        core.mmioRead(nic.endpoint().barAddress(2) + 8, 4);
        run(lab, 3 * US);
        assertThat(load(NicRegisters.BAR, NicRegisters.PCI_ERR_STS, 4)).isZero();
        core.mmioWrite(nic.endpoint().barAddress(4) + 0x8000, new byte[64], 0, 64);
        run(lab, 3 * US);
        ConfigPort config = lab.a().host().port(0).config();
        setpci(config, 0x0104);
        core.mmioWrite(nic.endpoint().barAddress(0), 1, 4);
        run(lab, 3 * US);
        setpci(config, 0x0106);
        assertThat(load(NicRegisters.BAR, NicRegisters.PCI_ERR_STS, 4))
                .as("system error, UR")
                .isEqualTo(0b1010);
        store(NicRegisters.BAR, NicRegisters.PCI_ERR_STS, 0b1000, 4);
        assertThat(load(NicRegisters.BAR, NicRegisters.PCI_ERR_STS, 4)).isEqualTo(0b0010);
    }

    private void setpci(ConfigPort config, int command) {
        config.write(4, 2, command);
        assertThat(lab.sim().runUntil(() -> !config.busy(), lab.sim().now() + 10 * US))
                .isTrue();
    }

    /** Article 2, section 5.2: the line that is said to turn on relaxed ordering stops the device. */
    @Test
    void theArticlesCommandStopsTheDeviceAndTheRightOneResumesIt() {
        Pair p = pair(lab);
        Posts posts = new Posts(p.a, p.b);
        for (int i = 0; i < 8; i++) {
            posts.post(WrOpcode.RDMA_WRITE, 100_000);
        }
        run(lab, 3 * US);
        ConfigPort config = lab.a().host().port(0).config();
        setpci(config, 0x0100);
        run(lab, 20 * US);
        long messages = nic.config().errors().messages();
        long sent = nic.endpoint().transmitter().packets() - messages;
        int seen = 0;
        while (p.a.cq.hasCompletion()) {
            p.next(p.a);
            seen++;
        }
        assertThat(seen).isLessThan(8);
        posts.post(WrOpcode.RDMA_WRITE, 10);
        run(lab, 100 * US);
        messages = nic.config().errors().messages();
        assertThat(nic.endpoint().transmitter().packets() - messages)
                .as("nothing leaves but what the command's SERR# reports")
                .isEqualTo(sent);
        assertThat(p.a.cq.hasCompletion()).isFalse();
        assertThat(nic.endpoint().unsupportedRequests()).as("the doorbell").isPositive();
        setpci(config, 0x0106);
        for (; seen < 8; seen++) {
            p.next(p.a);
        }
        posts.post(WrOpcode.RDMA_WRITE, 10);
        p.next(p.a);
        p.next(p.a);
        assertThat(p.a.qp.state()).isEqualTo(dev.clockwire.roce.transport.QpState.RTS);
    }

    /**
     * Public fault 19, linux-rdma/rdma-core pull request 89: the doorbell before the record. The device sees the record as it is when it is
     * read.
     */
    @Test
    void aStaleRecordHidesWorkUntilTheNextDoorbell() {
        Lab l = lab("page", false, false);
        Pair p = pair(l);
        Posts posts = new Posts(p.a, p.b);
        posts.post(WrOpcode.RDMA_WRITE, 10);
        p.next(p.a);
        long record = context(p).recordAddress + 4;
        int before = l.a().host().memory().getIntBe(record);
        posts.post(WrOpcode.RDMA_WRITE, 10);
        int after = l.a().host().memory().getIntBe(record);
        l.a().host().memory().putIntBe(record, before);
        run(l, 50 * US);
        l.a().host().memory().putIntBe(record, after);
        run(l, 50 * US);
        assertThat(p.a.cq.hasCompletion()).as("missed").isFalse();
        l.a().core().mmioWrite(l.a().nic().doorbell(context(p)), p.a.qp.qpn(), 4);
        assertThat(p.next(p.a).wrId).isEqualTo(2);
    }

    /** Public fault 19, openucx/ucx pull request 5034: the record was not initialised. */
    @ParameterizedTest
    @ValueSource(ints = {0xFFFF, 0x8001})
    void aRecordThatLiesBehindIsIgnored(int rubbish) {
        Lab l = lab("page", false, false);
        Pair p = pair(l);
        l.a().host().memory().putIntBe(context(p).recordAddress + 4, rubbish);
        l.a().core().mmioWrite(l.a().nic().doorbell(context(p)), p.a.qp.qpn(), 4);
        run(l, 50 * US);
        assertThat(p.a.cq.hasCompletion()).isFalse();
        works(p, 100);
    }

    /**
     * Public fault 19, linux-rdma/rdma-core pull request 867: more WQEs were written into the device than it takes at a time. In one step of a
     * core each of many goes into one of two BlueFlame buffers: all are executed, once and in order.
     */
    @ParameterizedTest
    @CsvSource({"page, true", "page, false", "packed, true"})
    void aBurstOfWritesIntoTheDeviceIsExecutedOnceAndInOrder(String layout, boolean index) {
        Lab l = lab(layout, true, index);
        Pair p = pair(l);
        Posts posts = new Posts(p.a, p.b);
        int burst = 16;
        for (int i = 0; i < burst; i++) {
            posts.post(WrOpcode.RDMA_WRITE, 10);
        }
        for (int i = 1; i <= burst; i++) {
            assertThat(p.next(p.a).wrId).isEqualTo(i);
        }
        run(l, 50 * US);
        assertThat(p.a.cq.hasCompletion()).isFalse();
        assertThat(l.a().nic().doorbellErrors()).isZero();
    }

    /** A store of 8 bytes may arrive as two of 4: both ring, and the second finds nothing new. */
    @ParameterizedTest
    @CsvSource({"page, true", "page, false", "packed, true", "packed, false"})
    void aDoorbellInTwoHalvesRingsTwice(String layout, boolean index) {
        Lab l = lab(layout, false, index);
        Pair p = pair(l);
        works(p, 100);
        int posted = l.a().host().memory().getIntBe(context(p).recordAddress + 4);
        long at = l.a().nic().doorbell(context(p));
        l.a().core().mmioWrite(at, p.a.qp.qpn(), 4);
        l.a().core().mmioWrite(at + 4, posted, 4);
        run(l, 20 * US);
        assertThat(l.a().nic().doorbellErrors()).isZero();
        assertThat(p.a.cq.hasCompletion()).isFalse();
        works(p, 100);
    }

    /** The half with the index is enough by itself to start work that is in the ring. */
    @Test
    void theIndexAloneRings() {
        Lab l = lab("page", false, true);
        Pair p = pair(l);
        l.a().host().port(0).config().write(4, 2, 0x0104); // the doorbell of this post is lost
        run(l, 3 * US);
        new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 10);
        run(l, 3 * US);
        l.a().host().port(0).config().write(4, 2, 0x0106);
        run(l, 20 * US);
        assertThat(p.a.cq.hasCompletion()).isFalse();
        l.a().core().mmioWrite(l.a().nic().doorbell(context(p)) + 4, 1, 4);
        assertThat(p.next(p.a).wrId).isEqualTo(1);
    }

    @Test
    void aMaskedInterruptIsPendingUntilItIsUnmasked() {
        Pair p = pair(lab);
        Posts posts = new Posts(p.a, p.b);
        p.a.cq.reqNotify(false);
        Completion<CompletionQueue> event = p.a.cq.channel().cqEvent();
        store(NicRegisters.VECTOR_BAR, 12, 1, 4);
        posts.post(WrOpcode.RDMA_WRITE, 10);
        run(lab, 20 * US);
        assertThat(event.isDone()).isFalse();
        assertThat(load(NicRegisters.VECTOR_BAR, 0x8000, 8)).isEqualTo(1);
        store(NicRegisters.VECTOR_BAR, 0x8000, 0, 8);
        assertThat(load(NicRegisters.VECTOR_BAR, 0x8000, 8)).as("read only").isEqualTo(1);
        store(NicRegisters.VECTOR_BAR, 12, 0, 4);
        run(lab, 20 * US);
        assertThat(event.isDone()).isTrue();
        assertThat(load(NicRegisters.VECTOR_BAR, 0x8000, 8)).isZero();
    }

    @Test
    void theFunctionMaskHoldsInterruptsBack() {
        Pair p = pair(lab);
        Posts posts = new Posts(p.a, p.b);
        p.a.cq.reqNotify(false);
        Completion<CompletionQueue> event = p.a.cq.channel().cqEvent();
        ConfigPort config = lab.a().host().port(0).config();
        config.write(0x9E, 2, 0xC000);
        run(lab, 3 * US);
        posts.post(WrOpcode.RDMA_WRITE, 10);
        run(lab, 20 * US);
        assertThat(event.isDone()).isFalse();
        assertThat(nic.registers().vectors().isPending(0)).isTrue();
        config.write(0x9E, 2, 0x8000);
        run(lab, 20 * US);
        assertThat(event.isDone()).isTrue();
    }

    /** Slots of the packed layout are shared: pieces of two queue pairs mix, none of them is executed wrongly. */
    @Test
    void interleavedPiecesInOneSlotFallBackToTheDoorbell() {
        Lab l = lab("packed", true, true);
        Pair p = pair(l);
        byte[] piece = new byte[64];
        piece[4] = (byte) (p.a.qp.qpn() >> 16);
        piece[5] = (byte) (p.a.qp.qpn() >> 8);
        piece[6] = (byte) p.a.qp.qpn();
        piece[7] = 8;
        long slot = l.a().nic().blueflame(context(p), 0);
        l.a().core().mmioWrite(slot, piece, 0, 64);
        l.a().core().mmioWrite(slot + 128, piece, 0, 64);
        run(l, 20 * US);
        assertThat(l.a().nic().doorbellErrors()).isEqualTo(1);
        assertThat(p.a.cq.hasCompletion()).isFalse();
        works(p, 200);
    }

    /** libxlio PR#123: two cores copy into one BlueFlame register at once. Neither mixture of their halves is executed. */
    @Test
    void twoWqesThatMixInOneSlotAreBothReadFromMemory() {
        Lab l = lab("packed", true, true);
        Pair p = pair(l);
        byte[] first = new byte[64];
        first[4] = (byte) (p.a.qp.qpn() >> 16);
        first[5] = (byte) (p.a.qp.qpn() >> 8);
        first[6] = (byte) p.a.qp.qpn();
        first[7] = 8; // 128 bytes
        byte[] second = new byte[64];
        long slot = l.a().nic().blueflame(context(p), 0);
        l.a().core().mmioWrite(slot, first, 0, 64);
        l.a().core().mmioWrite(slot, first, 0, 64);
        l.a().core().mmioWrite(slot + 64, second, 0, 64);
        l.a().core().mmioWrite(slot + 64, second, 0, 64);
        run(l, 20 * US);
        assertThat(l.a().nic().doorbellErrors()).isEqualTo(1);
        assertThat(p.a.cq.hasCompletion()).isFalse();
        works(p, 200);
    }
}
