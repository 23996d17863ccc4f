package dev.clockwire.storage.nvmf.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.FaultCount;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nvme.ctrl.NamespaceSpec;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.roce.cm.CmTimes;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultDirection;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.bdev.Bdev;
import dev.clockwire.storage.bdev.DelayBdev;
import dev.clockwire.storage.bdev.DelaySpec;
import dev.clockwire.storage.bdev.ErrorBdev;
import dev.clockwire.storage.bdev.IoType;
import dev.clockwire.storage.nvmf.initiator.InitiatorSpec;
import dev.clockwire.storage.nvmf.initiator.RemoteController;
import dev.clockwire.storage.nvmf.subsystem.TransportSpec;
import dev.clockwire.storage.reactor.CoreMask;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Write, read, verify, while things go wrong: what was acknowledged is there, and the session goes on or ends. */
class NvmfFaultsTest {
    static final long MS = 1_000_000_000L;
    private static final TransportSpec SMALL = TransportSpec.rdma()
            .withBuffers(8192, 64, 135_168, 32)
            .withSrq(true, 256)
            .withAcceptor(2_000_000_000L, 100);
    /** 67 ms, 3 times. */
    private static final CmTimes QUICK = new CmTimes(14, 3, 14);

    static NvmfLabSpec spec(boolean soft, FaultPlan faults) {
        LabSpec lab = LabSpec.of(1).withFaults(faults);
        return spec(soft ? lab.withSoft(SoftSpec.usual()) : lab);
    }

    static NvmfLabSpec spec(LabSpec lab) {
        NvmeSpec ssd = NvmeSpec.of("p5800x").withNamespaces(List.of(new NamespaceSpec(512, 8192)));
        return NvmfLabSpec.spdk(Profiles.named("cx7-400g"), lab, List.of(ssd))
                .withCores(CoreMask.first(2), CoreMask.first(2))
                .withTransport(SMALL)
                .withTimes(QUICK)
                .withInitiator(
                        InitiatorSpec.spdk(NvmfLabSpec.HOST).withQueues(2, 32).withReconnect(50 * MS, 60_000 * MS, 0));
    }

    static VerifyLoad run(NvmfLabSpec spec, int rounds, Function<Bdev, Bdev> layer) {
        NvmfLab lab = new NvmfLab(spec, layer);
        VerifyLoad load = new VerifyLoad(lab, spec.initiator().ioQueues(), 8, rounds);
        load.start();
        lab.await(
                () -> load.isOver() || load.controller.stage() == RemoteController.Stage.FAILED, "the end of the load");
        lab.sim().run(lab.sim().now() + 20 * MS);
        load.checkStore();
        assertThat(load.wrong).isEmpty();
        hits = lab.lab().faults().stream().mapToLong(FaultCount::hits).sum();
        return load;
    }

    static final long BEGIN_PS = 6_047_700_000L;
    private static long hits;

    /** Single frames, a dozen in each direction: capsules, data, answers and acknowledgements among them. */
    @ParameterizedTest
    @CsvSource({
        "drop,false",
        "corrupt,false",
        "duplicate,false",
        "reorder,false",
        "delay,false",
        "drop,true",
        "corrupt,true"
    })
    void framesGoWrong(String what, boolean soft) {
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
        VerifyLoad load = run(spec(soft, FaultPlan.of(rule.in(FaultDirection.BOTH))), 12, b -> b);
        assertThat(load.isOver()).isTrue();
        assertThat(load.acknowledged).isEqualTo(8 * 12);
        assertThat(load.verified).isEqualTo(8 * 12);
        assertThat(load.failures).isZero();
        assertThat(hits).isEqualTo(24);
        assertThat(load.controller.losses()).as(load.controller.failure()).isZero();
    }

    /** Times of the load without faults: it begins at {@link #BEGIN_PS} and takes some 230 us. */
    @Test
    void nothingGoesWrong() {
        VerifyLoad load = run(spec(false, FaultPlan.NONE), 12, b -> b);
        assertThat(load.verified).isEqualTo(8 * 12);
        assertThat(load.beganPs).isBetween(BEGIN_PS - 10_000_000, BEGIN_PS + 10_000_000);
        assertThat(load.endedPs - load.beganPs).isBetween(200_000_000L, 300_000_000L);
    }

    /** A session at rest: two cores on each side poll for a second, and what is simulated of it are the polls that time demands. */
    @Test
    void restCostsNothing() {
        NvmfLabSpec spec = spec(false, FaultPlan.NONE).withTransport(TransportSpec.rdma());
        NvmfLab lab = new NvmfLab(spec);
        VerifyLoad load = new VerifyLoad(lab, 2, 8, 1);
        load.start();
        lab.await(load::isOver, "the end of the load");
        long events = lab.sim().events();
        long steps = lab.hostReactors().reactors().get(0).core().steps();
        lab.sim().run(lab.sim().now() + 1_000 * MS);
        assertThat(lab.hostReactors().reactors().get(0).core().steps() - steps).isGreaterThan(10_000_000);
        assertThat(lab.sim().events() - events).isLessThan(10_000);
    }

    /** Errors of the SSD come as they are; what failed may or may not have been done. */
    @ParameterizedTest
    @CsvSource({"WRITE,5,7", "READ,9,11", "WRITE,30,20", "READ,1,40"})
    void theSsdFails(IoType type, int after, int count) {
        VerifyLoad load = run(spec(false, FaultPlan.NONE), 12, b -> {
            ErrorBdev e = new ErrorBdev(b.bdevs(), "Error0", b);
            e.inject(type, ErrorBdev.Fault.FAILURE, after, count);
            return e;
        });
        assertThat(load.isOver()).isTrue();
        assertThat(load.failures).isEqualTo(count);
        assertThat(load.acknowledged + load.verified).isEqualTo(2 * 8 * 12 - count);
        assertThat(load.controller.losses()).isZero();
    }

    /** An SSD that takes longer than the host waits: commands are aborted, or end late; nothing is lost. */
    @ParameterizedTest
    @CsvSource({"1,0", "3,0", "200,100"})
    void theSsdIsSlow(int ms, int timeoutMs) {
        DelaySpec delay = new DelaySpec(ms * MS, ms * MS, ms * MS, ms * MS);
        NvmfLabSpec spec = spec(false, FaultPlan.NONE);
        spec = spec.withInitiator(spec.initiator().withCommandTimeout(timeoutMs * MS));
        VerifyLoad load = run(spec, 3, b -> new DelayBdev(b.bdevs(), "Delay0", b, delay));
        assertThat(load.isOver()).isTrue();
        assertThat(load.acknowledged + load.verified + load.failures).isEqualTo(2 * 8 * 3);
    }
}
