package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.send.SendCounters;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.testkit.Modes;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A NIC passes on what it received, by sends that were posted beforehand behind a WAIT. */
class ForwardingTest {
    private static final int BATCH = 32;
    private static final long LONG_PS = 100_000_000;

    private static FaultPlan loss(double p) {
        return p == 0
                ? FaultPlan.NONE
                : FaultPlan.of(FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Probability(p)));
    }

    /** What a number of messages must be. */
    private static byte[] message(int number) {
        Random random = new Random(number);
        byte[] data = new byte[1 + random.nextInt(9000)];
        random.nextBytes(data);
        return data;
    }

    /** Passes messages through the chain, a batch at a time; the middle host posts beforehand and does nothing while they come. */
    private static void pass(Chain c, WrOpcode onward, int from, int count) {
        for (int i = from; i < from + count; i++) {
            c.last.receive(i);
            c.in.receive(i);
            c.out.qp.postWait(i, c.in.cq, i + 1);
            c.out.send(onward, i, message(i).length, c.last);
            c.first.write(i, message(i));
        }
        c.run(LONG_PS);
        long steps = c.in.host.core().steps();
        long busy = c.in.host.core().busyPs();
        assertThat(c.last.cq.hasCompletion()).as("before anything came").isFalse();
        for (int i = from; i < from + count; i++) {
            c.first.send(WrOpcode.SEND_WITH_IMM, i, message(i).length, c.in);
        }
        for (int i = from; i < from + count; i++) {
            WorkCompletion wc = c.next(c.last);
            assertThat(wc.status).isEqualTo(WcStatus.SUCCESS);
            assertThat(wc.wrId).isEqualTo(i);
            assertThat(wc.immOrKey).isEqualTo(i);
            assertThat(wc.byteLength).isEqualTo(message(i).length);
            assertThat(c.last.read(i, message(i).length)).as("message %d", i).isEqualTo(message(i));
        }
        assertThat(c.in.host.core().steps()).isEqualTo(steps);
        assertThat(c.in.host.core().busyPs()).isEqualTo(busy);
        for (int i = from; i < from + count; i++) {
            assertThat(c.next(c.first).wrId).isEqualTo(i);
            assertThat(c.next(c.in).wrId).isEqualTo(i);
            WorkCompletion wc = c.next(c.out);
            assertThat(wc.status).isEqualTo(WcStatus.SUCCESS);
            assertThat(wc.wrId).isEqualTo(i);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "SEND_WITH_IMM, 0",
        "RDMA_WRITE_WITH_IMM, 0",
        "SEND_WITH_IMM, 0.02",
        "RDMA_WRITE_WITH_IMM, 0.02",
    })
    void whatCameGoesOnWithoutACore(WrOpcode onward, double lost) {
        Chain c = new Chain(LabSpec.of(1).withFaults(loss(lost)));
        for (int round = 0; round < 12; round++) {
            pass(c, onward, round * BATCH, BATCH);
        }
        SendCounters sends = c.out.host.nic().sendCounters();
        long again = sends.localAckTimeoutErr() + sends.packetSeqErr();
        assertThat(again > 0).isEqualTo(lost > 0);
    }

    @Test
    void itTakesLessTimeThanACoreInBetween() {
        long byNic = single(true);
        long byCore = single(false);
        assertThat(byNic).isLessThan(byCore);
        // what is saved: the completion's way to the core, its poll, its post, the doorbell and the fetch of the WQE
        assertThat(byCore - byNic).isGreaterThan(300_000);
    }

    private static long single(boolean byNic) {
        Chain c = new Chain(LabSpec.of(1));
        c.in.receive(0);
        c.last.receive(0);
        c.first.write(0, message(0));
        int length = message(0).length;
        if (byNic) {
            c.out.qp.postWait(0, c.in.cq, 1);
            c.out.send(WrOpcode.SEND_WITH_IMM, 0, length, c.last);
        } else {
            c.in.host.core().run((CpuCore core) -> {
                if (c.in.cq.poll(c.in.wc) == 1) {
                    c.out.send(WrOpcode.SEND_WITH_IMM, 0, length, c.last);
                } else {
                    c.in.host.idleUntil(c.in.cq);
                }
            });
        }
        c.run(LONG_PS);
        long start = c.lab.sim().now();
        c.first.send(WrOpcode.SEND_WITH_IMM, 0, length, c.in);
        assertThat(c.next(c.last).status).isEqualTo(WcStatus.SUCCESS);
        assertThat(c.last.read(0, length)).isEqualTo(message(0));
        return c.lab.sim().now() - start;
    }

    @Test
    void theModeOfTheKernelIsInvisible() {
        Long expected = null;
        for (Map.Entry<String, SimSpec> mode : Modes.all(3).entrySet()) {
            Chain c = new Chain(LabSpec.of(3).withKernel(mode.getValue()).withFaults(loss(0.05)));
            pass(c, WrOpcode.SEND_WITH_IMM, 0, 12);
            long hash = c.lab.sim().traceHash();
            expected = expected == null ? (Long) hash : expected;
            assertThat(hash).as(mode.getKey()).isEqualTo(expected);
        }
    }

    @Test
    void aWaitCountsAllCompletionsOfItsQueue() {
        Chain c = new Chain(LabSpec.of(1));
        for (int i = 0; i < 3; i++) {
            c.in.receive(i);
            c.last.receive(i);
        }
        c.out.qp.postWait(7, c.in.cq, 2);
        c.out.send(WrOpcode.SEND_WITH_IMM, 0, 8, c.last);
        c.first.send(WrOpcode.SEND_WITH_IMM, 0, 8, c.in);
        c.run(LONG_PS);
        assertThat(c.last.cq.hasCompletion()).as("after one").isFalse();
        c.first.send(WrOpcode.SEND_WITH_IMM, 1, 8, c.in);
        assertThat(c.next(c.last).status).as("after two").isEqualTo(WcStatus.SUCCESS);
        assertThat(c.next(c.out).wrId).as("a WAIT has no completion").isZero();
        for (long had : new long[] {1, 2}) { // two have come, polled or not
            c.out.qp.postWait(8, c.in.cq, had);
            c.out.send(WrOpcode.SEND_WITH_IMM, (int) had, 8, c.last);
            assertThat(c.next(c.last).wrId).isEqualTo(had);
            assertThat(c.next(c.in).status).isEqualTo(WcStatus.SUCCESS);
        }
    }

    @Test
    void severalQueuesStandAtOneAndLaterWorkOfOthersGoesOn() {
        Chain c = new Chain(LabSpec.of(1));
        Chain.Side second = c.in.another(c.lab);
        Chain.Side there = c.last.another(c.lab);
        c.join(second, there);
        for (int i = 0; i < 3; i++) {
            c.in.receive(i);
            c.last.receive(i);
            there.receive(i);
        }
        c.out.qp.postWait(0, c.in.cq, 1);
        c.out.send(WrOpcode.SEND_WITH_IMM, 0, 8, c.last);
        second.send(WrOpcode.SEND_WITH_IMM, 0, 8, there);
        assertThat(c.next(there).wrId).isZero();
        second.qp.postWait(0, c.in.cq, 1);
        second.send(WrOpcode.SEND_WITH_IMM, 1, 8, there);
        c.run(LONG_PS);
        assertThat(c.last.cq.hasCompletion() || there.cq.hasCompletion()).isFalse();
        c.first.send(WrOpcode.SEND_WITH_IMM, 0, 8, c.in);
        assertThat(c.next(c.last).wrId).isZero();
        assertThat(c.next(there).wrId).isEqualTo(1);
    }

    @Test
    void aFailedQueueFlushesTheWaitAndForgetsIt() {
        Chain c = new Chain(LabSpec.of(1));
        c.out.qp.postWait(5, c.in.cq, 1);
        c.out.send(WrOpcode.SEND_WITH_IMM, 6, 8, c.last);
        c.run(LONG_PS);
        c.lab.await(c.out.qp.modify(new QpAttributes().state(QpState.ERR)));
        for (long id = 5; id <= 6; id++) {
            WorkCompletion wc = c.next(c.out);
            assertThat(wc.status).isEqualTo(WcStatus.WR_FLUSH_ERR);
            assertThat(wc.wrId).isEqualTo(id);
        }
        c.lab.await(c.out.qp.modify(new QpAttributes().state(QpState.RESET)));
        c.lab.await(c.last.qp.modify(new QpAttributes().state(QpState.RESET)));
        c.join(c.out, c.last);
        for (int i = 0; i < 3; i++) {
            c.in.receive(i);
            c.last.receive(i);
        }
        c.out.qp.postWait(7, c.in.cq, 2);
        c.out.send(WrOpcode.SEND_WITH_IMM, 1, 8, c.last);
        c.first.send(WrOpcode.SEND_WITH_IMM, 0, 8, c.in);
        c.run(LONG_PS);
        assertThat(c.last.cq.hasCompletion())
                .as("what the older one waited for")
                .isFalse();
        c.first.send(WrOpcode.SEND_WITH_IMM, 1, 8, c.in);
        assertThat(c.next(c.last).status).isEqualTo(WcStatus.SUCCESS);
    }

    @Test
    void aResetEmptiesAQueueThatStands() {
        Chain c = new Chain(LabSpec.of(1));
        c.out.qp.postWait(5, c.in.cq, 1);
        c.out.send(WrOpcode.SEND_WITH_IMM, 6, 8, c.last);
        c.run(LONG_PS);
        c.lab.await(c.out.qp.modify(new QpAttributes().state(QpState.RESET)));
        assertThat(c.out.qp.state()).isEqualTo(QpState.RESET);
        assertThat(c.out.cq.hasCompletion()).isFalse();
    }

    @Test
    void aQueueThatStandsCanBeDrained() {
        Chain c = new Chain(LabSpec.of(1));
        c.in.receive(0);
        c.last.receive(0);
        c.out.qp.postWait(5, c.in.cq, 1);
        c.out.send(WrOpcode.SEND_WITH_IMM, 6, 8, c.last);
        c.run(LONG_PS);
        c.lab.await(c.out.qp.modify(new QpAttributes().state(QpState.SQD)));
        c.first.send(WrOpcode.SEND_WITH_IMM, 0, 8, c.in);
        c.run(LONG_PS);
        assertThat(c.out.qp.query().sqDraining()).isFalse();
        assertThat(c.last.cq.hasCompletion()).isFalse();
        c.lab.await(c.out.qp.modify(new QpAttributes().state(QpState.RTS)));
        assertThat(c.next(c.last).status).isEqualTo(WcStatus.SUCCESS);
    }

    @Test
    void aQueueWhoseCompletionQueueOverflowsFails() {
        Chain c = new Chain(Chain.profile(), LabSpec.of(1), 4);
        c.out.qp.postWait(5, c.in.cq, 9);
        c.out.send(WrOpcode.SEND_WITH_IMM, 6, 8, c.last);
        for (int i = 0; i < 9; i++) {
            c.in.receive(i);
            c.first.send(WrOpcode.SEND_WITH_IMM, i, 8, c.in);
        }
        WorkCompletion wc = c.next(c.out);
        assertThat(wc.status).isEqualTo(WcStatus.LOC_QP_OP_ERR);
        assertThat(wc.wrId).isEqualTo(5);
        assertThat(c.next(c.out).status).isEqualTo(WcStatus.WR_FLUSH_ERR);
        c.run(LONG_PS);
        assertThat(c.out.qp.state()).isEqualTo(QpState.ERR);
        assertThat(c.last.cq.hasCompletion()).isFalse();
    }
}
