package dev.clockwire.storage.nvmf.lab;

import static dev.clockwire.storage.nvmf.lab.OffloadedTargetTest.MS;
import static dev.clockwire.storage.nvmf.lab.OffloadedTargetTest.nic;
import static dev.clockwire.storage.nvmf.lab.OffloadedTargetTest.run;
import static dev.clockwire.storage.nvmf.lab.OffloadedTargetTest.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.FaultCount;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.nvme.media.MediaParameter;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultDirection;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.nvmf.initiator.RemoteController;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Write, read, verify on a target whose NIC serves its queues, while things go wrong. */
class OffloadedFaultsTest {
    /** When the load begins, without faults; it takes some 200 us. */
    private static final long BEGIN_PS = OffloadedTargetTest.BEGIN_PS;

    /** Single frames, a dozen in each direction, with data in capsules and without. */
    @ParameterizedTest
    @CsvSource({"drop,true", "drop,false", "corrupt,true", "duplicate,false", "reorder,true", "delay,false"})
    void framesGoWrong(String what, boolean inside) {
        FaultAction action = switch (what) {
            case "drop" -> new FaultAction.Drop();
            case "corrupt" -> new FaultAction.Corrupt(FaultAction.Corrupt.ANY_BIT);
            case "duplicate" -> new FaultAction.Duplicate();
            case "reorder" -> new FaultAction.Reorder();
            default -> new FaultAction.Delay();
        };
        List<Long> numbers = new ArrayList<>();
        for (long n = 60; numbers.size() < 12; n += 17) {
            numbers.add(n);
        }
        FaultRule rule = FaultRule.of(action, new FaultTrigger.Frames(numbers));
        NvmfLabSpec spec = spec(FaultPlan.of(rule.in(FaultDirection.BOTH)), 64);
        spec = spec.withInitiator(spec.initiator().withCapsules(inside, true));
        VerifyLoad load = run(spec, 12, b -> b);
        assertThat(load.isOver()).isTrue();
        assertThat(load.acknowledged).isEqualTo(8 * 12);
        assertThat(load.verified).isEqualTo(8 * 12);
        assertThat(load.failures).isZero();
        assertThat(load.lab.lab().faults().stream().mapToLong(FaultCount::hits).sum())
                .isEqualTo(24);
        assertThat(load.controller.losses()).as(load.controller.failure()).isZero();
        assertThat(nic(load).block().failures()).isZero();
    }

    /** Fewer commands than there are at a time: what the NIC has no place for the target executes. */
    @ParameterizedTest
    @CsvSource({"1,true", "3,false"})
    void theNicIsFull(int contexts, boolean inside) {
        NvmfLabSpec spec = spec(FaultPlan.NONE, contexts);
        spec = spec.withInitiator(spec.initiator().withCapsules(inside, true));
        VerifyLoad load = run(spec, 12, b -> b);
        assertThat(load.verified).isEqualTo(8 * 12);
        assertThat(load.acknowledged).isEqualTo(8 * 12);
        long passed = nic(load).block().passed();
        assertThat(passed).isGreaterThan(20);
        assertThat(passed + nic(load).block().taken()).isEqualTo(2 + 2 * 8 * 12);
        assertThat(nic(load).block().failures()).isZero();
    }

    /** The connection is lost for good and made anew: the NIC serves the new one, too. */
    @ParameterizedTest
    @CsvSource({"20,1,true", "40,30000,false", "100,45000,false"})
    void theLinkIsDown(int atUs, int forMs, boolean survives) {
        FaultRule rule = FaultRule.of(
                        new FaultAction.LinkDown("link"), new FaultTrigger.At(BEGIN_PS + atUs * 1_000_000L))
                .lasting(forMs * MS);
        VerifyLoad load = run(spec(FaultPlan.of(rule), 64), 12, b -> b);
        assertThat(load.isOver()).isTrue();
        assertThat(load.verified).isEqualTo(8 * 12);
        assertThat(load.failures).isZero();
        assertThat(load.controller.losses() == 0).as(load.controller.failure()).isEqualTo(survives);
        assertThat(load.controller.stage()).isEqualTo(RemoteController.Stage.READY);
        assertThat(nic(load).queues()).isEqualTo(2);
        long before = nic(load).block().taken();
        load.more(14);
        load.lab.await(load::isOver, "the end of the load");
        assertThat(load.verified).isEqualTo(8 * 14);
        assertThat(nic(load).block().taken() - before).isEqualTo(2 * 8 * 2);
    }

    /** A target that is gone does not come back: the host tries until the loss timeout, and then everything fails. */
    @ParameterizedTest
    @CsvSource({"CRASH,host1", "RESET,host0"})
    void theSessionEnds(FaultAction.NodeFault what, String node) {
        FaultRule rule =
                FaultRule.of(new FaultAction.OnNode(what, node), new FaultTrigger.At(BEGIN_PS + 100 * 1_000_000L));
        NvmfLabSpec spec = spec(FaultPlan.of(rule), 64);
        spec = spec.withInitiator(spec.initiator().withReconnect(50 * MS, 20_000 * MS, 100 * MS));
        VerifyLoad load = run(spec, 12, b -> b);
        load.lab.await(() -> load.isOver(), "an end");
        assertThat(load.acknowledged).isPositive();
    }

    /** The NIC of one side or the other is reset and comes back: the new queues are the NIC's too, and nothing is lost. */
    @ParameterizedTest
    @CsvSource({"host0,60", "host1,60", "host1,140"})
    void aNicIsReset(String node, int atUs) {
        FaultRule rule = FaultRule.of(
                        new FaultAction.OnNode(FaultAction.NodeFault.RESET, node),
                        new FaultTrigger.At(BEGIN_PS + atUs * 1_000_000L))
                .restartingAfter(20 * MS);
        VerifyLoad load = new VerifyLoad(new NvmfLab(spec(FaultPlan.of(rule), 64)), 2, 8, 12);
        load.start();
        load.lab.await(load::isOver, "the end of the load");
        load.checkStore();
        assertThat(load.wrong).isEmpty();
        assertThat(load.failures).isZero();
        assertThat(load.verified).isEqualTo(8 * 12);
        assertThat(load.controller.losses()).isEqualTo(1);
        long before = nic(load).block().taken();
        load.more(14);
        load.lab.await(load::isOver, "the end of the load");
        assertThat(load.verified).isEqualTo(8 * 14);
        assertThat(nic(load).block().taken() - before).isEqualTo(2 * 8 * 2);
    }

    /** What the SSD cannot do the host is told as the SSD says it, and goes on. */
    @Test
    void theSsdFails() {
        NvmfLab lab = new NvmfLab(spec(FaultPlan.NONE, 64));
        lab.controllers().get(0).spoil(1, 8, 8, true, 3);
        lab.controllers().get(0).spoil(1, 24, 8, false, 5);
        VerifyLoad load = new VerifyLoad(lab, 2, 8, 12);
        load.start();
        lab.await(load::isOver, "the end of the load");
        load.checkStore();
        assertThat(load.wrong).isEmpty();
        assertThat(load.failures).isEqualTo(8);
        assertThat(load.acknowledged + load.verified).isEqualTo(2 * 8 * 12 - 8);
        assertThat(load.controller.losses()).isZero();
        assertThat(nic(load).block().failures()).isZero();
    }

    /**
     * An SSD that takes longer than the host waits. An abort of what the NIC has does not abort it, as with a block device; what survives it twice
     * as long costs the connection, and the SSD's answers find no queue.
     */
    @ParameterizedTest
    @CsvSource({"30,20,0", "100,30,1"})
    void theSsdIsSlow(int ms, int timeoutMs, int losses) {
        NvmfLabSpec spec = spec(FaultPlan.NONE, 64);
        NvmeSpec slow = spec.ssds().get(0);
        slow = slow.withMedia(MediaParameter.replace(slow.media(), "ssd.fixed_ns", Long.toString(ms * 1_000_000L)));
        spec = NvmfLabSpec.spdk(spec.profile(), spec.lab(), List.of(slow))
                .withTransport(spec.transport())
                .withTimes(spec.times())
                .withInitiator(spec.initiator().withQueues(1, 32).withCommandTimeout(timeoutMs * MS));
        NvmfLab lab = new NvmfLab(spec);
        VerifyLoad load = new VerifyLoad(lab, 1, 4, 1);
        load.start();
        if (losses == 0) {
            lab.await(load::isOver, "the end of the load");
            assertThat(load.verified).isEqualTo(4);
            assertThat(load.controller.losses()).isZero();
        } else {
            lab.await(() -> load.controller.losses() == 3, "three connections");
            assertThat(load.verified).isZero();
        }
        assertThat(load.wrong).isEmpty();
        assertThat(nic(load).block().failures()).isLessThanOrEqualTo(load.controller.losses());
    }

    /** The host shows no sign of life: the target ends the session though its NIC could go on; the next one works. */
    @Test
    void keepAliveExpires() {
        NvmfLabSpec spec = spec(FaultPlan.NONE, 64);
        spec = spec.withInitiator(spec.initiator().withKeepAlive(10_000).withAdminPoll(25_000 * MS));
        NvmfLab lab = new NvmfLab(spec);
        VerifyLoad load = new VerifyLoad(lab, 2, 8, 4);
        load.start();
        lab.await(load::isOver, "the end of the load");
        lab.sim().run(lab.sim().now() + 45_000 * MS);
        assertThat(load.controller.losses()).isEqualTo(1);
        assertThat(nic(load).queues()).isZero();
        lab.await(() -> load.controller.stage() == RemoteController.Stage.READY, "a new session");
        load.more(8);
        lab.await(load::isOver, "the end of the load");
        assertThat(load.verified).isEqualTo(8 * 8);
        assertThat(nic(load).queues()).isEqualTo(2);
    }

    /** Keep-alive goes on beside queues that only the NIC sees. */
    @Test
    void keepAliveKeepsAnOffloadedSession() {
        NvmfLabSpec spec = spec(FaultPlan.NONE, 64);
        NvmfLab lab = new NvmfLab(spec);
        VerifyLoad load = new VerifyLoad(lab, 2, 8, 4);
        load.start();
        lab.await(load::isOver, "the end of the load");
        long passed = nic(load).block().passed();
        lab.sim().run(lab.sim().now() + 31_000 * MS);
        load.more(8);
        lab.await(load::isOver, "the end of the load");
        assertThat(load.controller.keepAlives()).isGreaterThan(4);
        assertThat(load.controller.losses()).isZero();
        assertThat(nic(load).block().passed()).isEqualTo(passed);
    }
}
