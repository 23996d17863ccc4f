package dev.clockwire.storage.nvmf.lab;

import static dev.clockwire.storage.nvmf.lab.NvmfFaultsTest.MS;
import static dev.clockwire.storage.nvmf.lab.NvmfFaultsTest.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nvme.ctrl.NamespaceSpec;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.nvme.driver.NvmeDriver;
import dev.clockwire.nvme.media.GcSpec;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultDirection;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.bdev.ErrorBdev;
import dev.clockwire.storage.bdev.IoType;
import dev.clockwire.storage.nvmf.initiator.RemoteController;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The load of {@link NvmfFaultsTest} on SSDs that do not answer, or make room for writes meanwhile. */
class NvmfSsdFaultsTest {
    private @Nullable ErrorBdev error;

    private ErrorBdev error() {
        return Objects.requireNonNull(error);
    }

    private VerifyLoad load(NvmfLabSpec spec, IoType type, int after, long count) {
        NvmfLab lab = new NvmfLab(spec, b -> {
            ErrorBdev made = new ErrorBdev(b.bdevs(), "Error0", b);
            made.inject(type, ErrorBdev.Fault.PENDING, after, count);
            error = made;
            return made;
        });
        return new VerifyLoad(lab, 2, 8, 12);
    }

    private static int controllers(VerifyLoad load) {
        NvmfLab lab = load.lab;
        return lab.target()
                .controllers(lab.target().subsystem(NvmfLabSpec.SUBSYSTEM))
                .size();
    }

    /**
     * Commands that an SSD never answers: the host aborts each, which a target cannot do to an SSD; then it gives the connection up and sends all
     * again. The old queues stay at the target as long as their commands do, and go with them.
     */
    @ParameterizedTest
    @CsvSource({"WRITE,5,1", "WRITE,20,3", "READ,1,1", "READ,40,8"})
    void commandsThatAreNeverAnswered(IoType type, int after, int count) {
        NvmfLabSpec spec = spec(false, FaultPlan.NONE);
        spec = spec.withInitiator(spec.initiator().withCommandTimeout(100 * MS));
        VerifyLoad load = load(spec, type, after, count);
        load.start();
        load.lab.await(load::isOver, "the end of the load");
        assertThat(load.verified).isEqualTo(8 * 12);
        assertThat(load.failures).isZero();
        assertThat(load.wrong).isEmpty();
        load.checkStore();
        assertThat(load.controller.failure()).matches("queue \\d: command \\d+ has not ended within 200 ms");
        load.lab.await(() -> load.controller.stage() == RemoteController.Stage.READY, "a session");
        assertThat(error().pending()).isEqualTo(count);
        load.lab.sim().run(load.lab.sim().now() + 25_000 * MS);
        assertThat(controllers(load))
                .as("of the host, and of commands that have not ended")
                .isGreaterThan(1);
        error().failPending();
        load.lab.sim().run(load.lab.sim().now() + 100 * MS);
        assertThat(controllers(load)).isEqualTo(1);
        assertThat(load.lab.target().buffersUsed()).isZero();
    }

    /** Without a further try the session ends, and says which command it was. */
    @Test
    void aHostThatMakesNoFurtherTry() {
        NvmfLabSpec spec = spec(false, FaultPlan.NONE);
        spec = spec.withInitiator(spec.initiator().withCommandTimeout(100 * MS).withReconnect(0, 0, 0));
        VerifyLoad load = load(spec, IoType.WRITE, 3, 1_000);
        load.start();
        load.lab.await(() -> load.controller.stage() == RemoteController.Stage.FAILED, "an end");
        load.lab.await(load::isOver, "the end of the load");
        assertThat(load.controller.failure()).matches("queue \\d: command \\d+ has not ended within 200 ms");
        assertThat(load.controller.queues()).allMatch(q -> q.outstanding() == 0);
        assertThat(load.wrong).isEmpty();
        load.checkStore();
    }

    /** The SSD answers nothing for a while, and again and again the connection is given up; when it answers, the load goes on. */
    @Test
    void anSsdThatIsAwayForAWhile() {
        NvmfLabSpec spec = spec(false, FaultPlan.NONE);
        spec = spec.withInitiator(spec.initiator().withCommandTimeout(50 * MS));
        VerifyLoad load = load(spec, IoType.WRITE, 10, 40);
        load.start();
        load.lab.await(load::isOver, "the end of the load");
        assertThat(load.controller.losses()).isGreaterThan(3);
        assertThat(load.verified).isEqualTo(8 * 12);
        assertThat(load.wrong).isEmpty();
        load.checkStore();
    }

    /**
     * The SSD's firmware fails (CSTS.CFS): the target resets it, what was under way ends with an error, and all goes on on the same connections. At 1 us
     * queue pairs are being made, which takes an admin command's time to notice.
     */
    @ParameterizedTest
    @CsvSource({"20,1", "90,1", "150,1", "40,3", "1,3"})
    void theFirmwareOfTheSsdFails(int atUs, int times) {
        NvmfLab lab = new NvmfLab(spec(false, FaultPlan.NONE).withSsdTimeout(50 * MS));
        VerifyLoad load = new VerifyLoad(lab, 2, 8, 12);
        load.start();
        for (int i = 0; i < times; i++) {
            NvmeDriver driver = lab.ssds().get(0).driver();
            int resets = i;
            if (i == 0) {
                lab.sim().run(NvmfFaultsTest.BEGIN_PS);
            } else {
                lab.await(() -> driver.restarts() == resets && driver.stage() == NvmeDriver.Stage.READY, "be reset");
            }
            lab.sim().run(lab.sim().now() + atUs * 1_000_000L);
            assertThat(load.isOver()).isFalse();
            lab.controllers().get(0).fail();
        }
        lab.await(load::isOver, "the end of the load");
        assertThat(load.failures).isBetween(atUs == 1 ? 0 : 1, 8 * times);
        assertThat(load.acknowledged + load.verified + load.failures).isEqualTo(2 * 8 * 12);
        assertThat(load.controller.losses()).isZero();
        assertThat(lab.ssds().get(0).driver().restarts()).isEqualTo(times);
        assertThat(lab.controllers().get(0).registers().isFatal()).isFalse();
        assertThat(load.wrong).isEmpty();
        load.checkStore();
        assertThat(load.wrong).isEmpty();
    }

    /** Nobody resets it: the host gives up, and says which command it was. */
    @Test
    void theFirmwareFailsAndNobodyResetsIt() {
        NvmfLabSpec spec = spec(false, FaultPlan.NONE);
        spec = spec.withInitiator(spec.initiator().withCommandTimeout(100 * MS).withReconnect(0, 0, 0));
        NvmfLab lab = new NvmfLab(spec);
        VerifyLoad load = new VerifyLoad(lab, 2, 8, 12);
        load.start();
        lab.sim().run(NvmfFaultsTest.BEGIN_PS + 100_000_000L);
        lab.controllers().get(0).fail();
        lab.await(() -> load.controller.stage() == RemoteController.Stage.FAILED, "an end");
        lab.await(load::isOver, "the end of the load");
        assertThat(load.controller.failure()).matches("queue \\d: command \\d+ has not ended within 200 ms");
        assertThat(load.wrong).isEmpty();
    }

    /** Garbage collection moves pages while frames are lost and come twice, and while the NIC of either side is reset. */
    @ParameterizedTest
    @CsvSource({"drop,", "duplicate,", "reset,host0", "reset,host1"})
    void whileRoomIsMade(String what, @Nullable String node) {
        FaultRule rule;
        if (node != null) {
            rule = FaultRule.of(
                            new FaultAction.OnNode(FaultAction.NodeFault.RESET, node),
                            new FaultTrigger.At(NvmfFaultsTest.BEGIN_PS + 500_000_000L))
                    .restartingAfter(20 * MS);
        } else {
            List<Long> numbers = new ArrayList<>();
            for (long n = 60; n < 900; n += 70) {
                numbers.add(n);
            }
            rule = FaultRule.of(
                            what.equals("drop") ? new FaultAction.Drop() : new FaultAction.Duplicate(),
                            new FaultTrigger.Frames(numbers))
                    .in(FaultDirection.BOTH);
        }
        NvmeSpec ssd = NvmeSpec.of("pm9a3").withNamespaces(List.of(new NamespaceSpec(512, 8192)));
        ssd = ssd.withMedia(ssd.media().withGc(new GcSpec(4 << 20, 145, 16, 1, 3_800_000_000L, true)));
        VerifyLoad load =
                new VerifyLoad(new NvmfLab(spec(false, FaultPlan.of(rule)).withSsds(List.of(ssd))), 2, 8, 60);
        load.start();
        load.lab.await(load::isOver, "the end of the load");
        assertThat(load.verified).isEqualTo(8 * 60);
        assertThat(load.failures).isZero();
        assertThat(load.wrong).isEmpty();
        load.checkStore();
    }
}
