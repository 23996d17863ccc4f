package dev.clockwire.nic.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.format.Cqe;
import dev.clockwire.nic.format.CqeSyndrome;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.MemoryKey;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.wire.FlowAddress;
import dev.clockwire.sim.Clock;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Token;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The tables of a device and what goes through its blocks. */
class TablesTest {
    private final ContextTable table = new ContextTable();

    private QpContext qp(int qpn) {
        QpContext qp = new QpContext(qpn, QpType.RC, 1, 0x1000, 4, 0x2000, 3, 16, 0x3000, 5, 6);
        table.add(qp);
        return qp;
    }

    @Test
    void queuePairsAreFoundByNumberSlotAndPage() {
        table.setUars(3);
        QpContext a = qp(0xFFFFFF);
        QpContext b = qp(2);
        assertThat(table.qpCount()).isEqualTo(2);
        assertThat(table.qp(2)).isSameAs(b);
        assertThat(table.qp(3)).isNull();
        assertThat(table.slot(0xFFFFFF)).isZero();
        assertThat(table.slot(2)).isEqualTo(1);
        assertThat(table.at(1)).isSameAs(b);
        assertThat(table.find(1)).isSameAs(b);
        assertThat(table.find(0)).isSameAs(a);
        assertThat(table.find(2)).isNull();
        assertThat(table.find(-1)).isNull();
        assertThat(table.uar(0)).isSameAs(a);
        assertThat(table.uar(1)).isSameAs(b);
        assertThat(table.uar(2)).isNull();
        assertThat(table.uar(-1)).isNull();
        assertThat(table.uar(16)).as("behind the table").isNull();
        assertThat(table.uar(10_000)).isNull();
    }

    @Test
    void aPageIsGivenAgainAndTheLowestFirst() {
        table.setUars(3);
        QpContext a = qp(1);
        qp(2);
        qp(3);
        assertThat(table.hasUar()).isFalse();
        table.freeUar(a);
        assertThat(table.uar(0)).isNull();
        assertThat(table.hasUar()).isTrue();
        assertThat(qp(4).uar).isZero();
        assertThat(table.hasUar()).isFalse();
        table.setUars(40);
        for (int i = 5; i < 42; i++) {
            assertThat(qp(i).uar).as("those in use are kept").isEqualTo(i - 2);
        }
        assertThat(table.hasUar()).isFalse();
        assertThat(Objects.requireNonNull(table.uar(39)).qpn).isEqualTo(41);
    }

    @Test
    void aTableIsActiveOnceAQueuePairHasLeftReset() {
        table.setUars(8);
        assertThat(table.anyActive()).isFalse();
        qp(1);
        QpContext b = qp(2);
        assertThat(table.anyActive()).isFalse();
        b.state = QpState.INIT;
        assertThat(table.anyActive()).isTrue();
        b.closed = true;
        assertThat(table.anyActive()).isFalse();
    }

    /** Tables begin with 16 completion queues. */
    @Test
    void completionQueues() {
        for (int i = 0; i < 40; i++) {
            assertThat(table.nextCqn()).isEqualTo(i);
            assertThat(table.cq(i)).isNull();
            table.add(new CqContext(i, 0x1000L * i, 4, 64L * i));
            assertThat(Objects.requireNonNull(table.cq(i)).base()).isEqualTo(0x1000L * i);
        }
        assertThat(Objects.requireNonNull(table.cq(0)).entries()).isEqualTo(16);
        assertThat(table.cq(-1)).isNull();
        table.replace(new CqContext(7, 5, 6, 7));
        assertThat(Objects.requireNonNull(table.cq(7)).entries()).isEqualTo(64);
        assertThat(table.isBroken(7)).isFalse();
        table.breakCq(7);
        assertThat(table.isBroken(7)).isTrue();
        assertThat(table.isBroken(8)).isFalse();
        table.compress(3, true);
        assertThat(table.isCompressed(3)).isTrue();
        table.compress(3, false);
        assertThat(table.isCompressed(3)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0", "15", "16", "17", "100"})
    void whatIsSaidOfACompletionQueue(int cqn) {
        assertThat(table.moderationCount(cqn)).isZero();
        assertThat(table.moderationUs(cqn)).isZero();
        table.moderate(cqn, 0xFFFF, 0xFFFE);
        assertThat(table.moderationCount(cqn)).isEqualTo(0xFFFF);
        assertThat(table.moderationUs(cqn)).isEqualTo(0xFFFE);
        table.moderate(cqn, 1, 2);
        assertThat(table.moderationCount(cqn)).isEqualTo(1);
        assertThat(table.moderationUs(cqn)).isEqualTo(2);
        table.cqContextAddress(cqn, 0x77);
        assertThat(table.cqContextAddress(cqn)).isEqualTo(0x77);
        assertThat(table.moderationUs(cqn + 1)).isZero();
    }

    @Test
    void sharedQueuesAndEvents() {
        assertThat(table.srqCount()).isZero();
        table.add(new SrqContext(0, 1, 2, 16, 3));
        assertThat(table.srqCount()).isEqualTo(1);
        assertThat(table.srq(0).stride()).isEqualTo(16);
        assertThat(table.events()).isNull();
        EqContext eq = new EqContext(1, 2, 3);
        table.setEvents(eq);
        assertThat(table.events()).isSameAs(eq);
    }

    /** A key's variant says nothing about where its context lies; a window has the pages of the region it is bound to. */
    @Test
    void translationsOfKeys() {
        assertThat(table.addTranslations(5)).isZero();
        assertThat(table.addTranslations(7)).isEqualTo(5);
        assertThat(table.addTranslations(1)).isEqualTo(12);
        MemoryKey region = table.keys().addRegion(0x100, 1, 0x8000, 100, 0x8000, 0xFF | 1 << 4);
        table.translation(0x100, new Translation(10, 20, 30, 40, 50));
        assertThat(Objects.requireNonNull(table.translation(0x1FF)).table()).isEqualTo(20);
        assertThat(table.translation(0x200)).isNull();
        assertThat(Objects.requireNonNull(table.pages(0x100)).table()).isEqualTo(20);
        MemoryKey window = table.keys().addWindow(MemoryKey.Kind.WINDOW_1, 0x200, 1);
        table.translation(0x200, new Translation(11, 0, 0, 0, 0));
        assertThat(table.pages(0x200)).as("not bound").isNull();
        assertThat(table.keys().bind(window, 0x201, region, 0x8000, 10, 7, 0)).isTrue();
        assertThat(Objects.requireNonNull(table.pages(0x201)).table()).isEqualTo(20);
        assertThat(Objects.requireNonNull(table.translation(0x201)).context()).isEqualTo(11);
        table.translation(0x100, null);
        assertThat(table.translation(0x100)).isNull();
        assertThat(table.pages(0x201)).isNull();
        assertThat(table.pages(0x300)).isNull();
    }

    @Test
    void journeysOfARing() {
        table.setUars(1);
        QpContext qp = qp(3);
        assertThat(qp.journeys).hasSize(16);
        qp.journeys[5] = 9;
        assertThat(qp.journey(5)).isEqualTo(9);
        assertThat(qp.journey(16 * 7 + 5)).isEqualTo(9);
        assertThat(qp.journey(6)).isZero();
    }

    @Test
    void whatBlocksShare() {
        Sim sim = new Sim(SimSpec.of(1));
        Clock clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
        DeviceParts parts = LoneParts.of(sim, clock, Profiles.named("cx7-400g"), table);
        assertThat(parts.retireTap()).isNull();
        RetireTap tap = (qpn, index, ps) -> {};
        parts.setRetireTap(tap);
        assertThat(parts.retireTap()).isSameAs(tap);
        assertThat(parts.refills()).isNull();
        EventPort port = new EventPort(new SimNode(sim.root(), "node") {}, "refills") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {}
        };
        parts.setRefills(port);
        assertThat(parts.refills()).isSameAs(port);
        assertThat(parts.table()).isSameAs(table);
        assertThat(parts.wqes().take()).isNotNull();
        assertThat(parts.writes().take()).isNotNull();
        assertThat(parts.completions().take()).isNotNull();
        assertThat(parts.keyChanges().take()).isNotNull();
        assertThat(parts.packets().take()).isNotNull();
    }

    /** A datagram says itself where it goes, and comes from the port; a connection always goes the same way. */
    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    void whereAWqesPacketsGo(QpType type) {
        Sim sim = new Sim(SimSpec.of(1));
        Clock clock = new Clock(sim.root(), "clock", Frequency.mhz(250));
        DeviceParts parts = LoneParts.of(sim, clock, Profiles.named("cx7-400g"), table);
        QpContext qp = new QpContext(3, type, 1, 0, 4, 0, 3, 16, 0, 5, 6);
        Wqe wqe = new Wqe();
        FlowAddress flow = parts.flowOf(qp, wqe);
        assertThat(flow).isSameAs(type == QpType.UD ? wqe.flow : qp.flow);
        FlowAddress stamped = new FlowAddress();
        parts.port().stamp(stamped);
        if (type == QpType.UD) {
            assertThat(flow.srcMac).isEqualTo(stamped.srcMac);
        } else {
            assertThat(flow.srcMac).isZero();
        }
    }

    private static Completion completion(int opcode, WcStatus status) {
        Completion c = new Completion();
        c.opcode = opcode;
        c.syndrome = CqeSyndrome.of(status);
        c.byteCount = 9;
        return c;
    }

    /**
     * What stands behind a write that could not be done: the first says so unless it has failed itself, the rest is flushed.
     */
    @ParameterizedTest
    @CsvSource({
        "0,SUCCESS,true,13,LOC_QP_OP_ERR",
        "2,SUCCESS,true,14,LOC_QP_OP_ERR",
        "1,SUCCESS,false,14,WR_FLUSH_ERR",
        "13,REM_ACCESS_ERR,true,13,REM_ACCESS_ERR",
        "13,REM_ACCESS_ERR,false,13,WR_FLUSH_ERR",
        "14,WR_FLUSH_ERR,true,14,LOC_QP_OP_ERR",
        "13,WR_FLUSH_ERR,true,13,LOC_QP_OP_ERR",
        "14,LOC_LEN_ERR,true,14,LOC_LEN_ERR",
        "0,SUCCESS,false,13,WR_FLUSH_ERR"
    })
    void behindAWriteThatFailed(int opcode, WcStatus status, boolean first, int told, WcStatus as) {
        Completion c = completion(opcode, status);
        c.unplaced(first, 3);
        assertThat(c.opcode).isEqualTo(told);
        assertThat(c.syndrome).isEqualTo(CqeSyndrome.of(as));
        boolean kept = status == as && first && status != WcStatus.SUCCESS;
        assertThat(c.byteCount).isEqualTo(kept ? 9 : 0);
    }

    @Test
    void theEndOfAQueuePairIsNoCompletion() {
        Completion c = completion(Cqe.REQ, WcStatus.SUCCESS);
        c.qpn = 3;
        c.journey = 8;
        assertThat(c.isEnd()).isFalse();
        assertThat(c.queuePair()).isEqualTo(3);
        assertThat(c.end(7, 9)).isSameAs(c);
        assertThat(c.isEnd()).isTrue();
        assertThat(c.queuePair()).isEqualTo(7);
        assertThat(c.cqn).isEqualTo(9);
        assertThat(c.journey).isZero();
    }

    @Test
    void aPooledCompletionForgetsTheFrame() {
        Completion c = new Completion();
        c.hash = 1;
        c.checksums = 2;
        c.sum = 3;
        c.ofRdma();
        assertThat(new int[] {c.hash, c.checksums, c.sum}).containsOnly(0);
    }
}
