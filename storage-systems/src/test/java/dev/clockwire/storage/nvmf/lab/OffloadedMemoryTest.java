package dev.clockwire.storage.nvmf.lab;

import static dev.clockwire.storage.nvmf.lab.OffloadedTargetTest.BEGIN_PS;
import static dev.clockwire.storage.nvmf.lab.OffloadedTargetTest.MS;
import static dev.clockwire.storage.nvmf.lab.OffloadedTargetTest.nic;
import static dev.clockwire.storage.nvmf.lab.OffloadedTargetTest.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.offload.OffloadMemory.Place;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultDirection;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.storage.nvmf.offload.NicOffload;
import dev.clockwire.storage.nvmf.subsystem.TransportSpec;
import dev.clockwire.storage.perf.RootPortBytes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Write, read, verify on a target whose NIC moves data from and to memory of the SSD, with and without faults. */
class OffloadedMemoryTest {
    private static final int CONTEXTS = 64;
    private static final int ALL = 8 * 12;

    private static NvmfLabSpec with(NvmfLabSpec from, Profile profile, LabSpec lab, long cmb) {
        NvmeSpec ssd = from.ssds().get(0).withControllerMemory(cmb);
        return NvmfLabSpec.spdk(profile, lab, List.of(ssd))
                .withCores(from.hostCores(), from.targetCores())
                .withTransport(from.transport().withOffloadMemory(Place.CONTROLLER))
                .withTimes(from.times())
                .withInitiator(from.initiator());
    }

    private static NvmfLabSpec spec(FaultPlan faults) {
        NvmfLabSpec from = OffloadedTargetTest.spec(faults, CONTEXTS);
        return with(from, from.profile(), from.lab(), NicOffload.controllerMemory(CONTEXTS));
    }

    private static FaultPlan at(int us, FaultAction action, long lastingPs) {
        return FaultPlan.of(FaultRule.of(action, new FaultTrigger.At(BEGIN_PS + us * 1_000_000L))
                .lasting(lastingPs));
    }

    private static void complete(VerifyLoad load) {
        assertThat(load.isOver()).isTrue();
        assertThat(load.wrong).isEmpty();
        assertThat(load.failures).isZero();
        assertThat(load.acknowledged).isEqualTo(ALL);
        assertThat(load.verified).isEqualTo(ALL);
    }

    /** Commands that follow a connection that was made anew are the NIC's. */
    private static void goesOn(VerifyLoad load) {
        long before = nic(load).block().taken();
        load.more(14);
        load.lab.await(load::isOver, "the end of the load");
        load.checkStore();
        assertThat(load.wrong).isEmpty();
        assertThat(load.verified).isEqualTo(8 * 14);
        assertThat(nic(load).block().taken() - before).isEqualTo(2 * 8 * 2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void readsAndWritesPassThroughTheSsd(boolean inside) {
        NvmfLabSpec spec = spec(FaultPlan.NONE);
        VerifyLoad load = run(spec.withInitiator(spec.initiator().withCapsules(inside, true)), 12, b -> b);
        complete(load);
        long taken = nic(load).block().taken();
        assertThat(taken).isGreaterThan(2 * ALL - 20);
        assertThat(nic(load).block().passed()).isEqualTo(2 + 2 * ALL - taken);
        assertThat(nic(load).block().failures()).isZero();
        // of 4 KiB and more each, once in and once out, memory of the host sees WQEs, counters and what passed on
        long before = RootPortBytes.of(load.lab.lab().b().host());
        load.more(14);
        load.lab.await(load::isOver, "the end of the load");
        assertThat(RootPortBytes.of(load.lab.lab().b().host()) - before).isLessThan(2 * 2 * 8 * 1024);
    }

    @ParameterizedTest
    @CsvSource({"drop,true", "drop,false", "corrupt,true", "duplicate,false", "reorder,false"})
    void framesGoWrong(String what, boolean inside) {
        FaultAction action = switch (what) {
            case "drop" -> new FaultAction.Drop();
            case "corrupt" -> new FaultAction.Corrupt(FaultAction.Corrupt.ANY_BIT);
            case "duplicate" -> new FaultAction.Duplicate();
            default -> new FaultAction.Reorder();
        };
        List<Long> numbers = new ArrayList<>();
        for (long n = 60; numbers.size() < 12; n += 17) {
            numbers.add(n);
        }
        FaultRule rule = FaultRule.of(action, new FaultTrigger.Frames(numbers)).in(FaultDirection.BOTH);
        NvmfLabSpec spec = spec(FaultPlan.of(rule));
        VerifyLoad load = run(spec.withInitiator(spec.initiator().withCapsules(inside, true)), 12, b -> b);
        complete(load);
        assertThat(load.controller.losses()).as(load.controller.failure()).isZero();
        assertThat(nic(load).block().failures()).isZero();
    }

    /** An outage that retries survive, and one that costs the connection. */
    @ParameterizedTest
    @CsvSource({"20,1,true", "40,30000,false"})
    void theLinkIsDown(int atUs, int forMs, boolean survives) {
        VerifyLoad load = run(spec(at(atUs, new FaultAction.LinkDown("link"), forMs * MS)), 12, b -> b);
        complete(load);
        assertThat(load.controller.losses() == 0).isEqualTo(survives);
        goesOn(load);
    }

    /** The NIC is reset and comes back: the SSD's memory is registered anew, and nothing is lost. */
    @ParameterizedTest
    @CsvSource({"host0,60", "host1,60", "host1,140"})
    void aNicIsReset(String node, int atUs) {
        FaultRule rule = FaultRule.of(
                        new FaultAction.OnNode(FaultAction.NodeFault.RESET, node),
                        new FaultTrigger.At(BEGIN_PS + atUs * 1_000_000L))
                .restartingAfter(20 * MS);
        VerifyLoad load = run(spec(FaultPlan.of(rule)), 12, b -> b);
        complete(load);
        assertThat(load.controller.losses()).isEqualTo(1);
        goesOn(load);
    }

    /** The target's host is gone: everything ends, and what was acknowledged is on the SSD. */
    @Test
    void theTargetCrashes() {
        FaultRule rule = FaultRule.of(
                new FaultAction.OnNode(FaultAction.NodeFault.CRASH, "host1"),
                new FaultTrigger.At(BEGIN_PS + 100 * 1_000_000L));
        NvmfLabSpec spec = spec(FaultPlan.of(rule));
        spec = spec.withInitiator(spec.initiator().withReconnect(50 * MS, 20_000 * MS, 100 * MS));
        VerifyLoad load = run(spec, 12, b -> b);
        load.lab.await(load::isOver, "an end");
        assertThat(load.acknowledged).isPositive();
        assertThat(load.failures).isPositive();
    }

    /** What the SSD cannot do the host is told as the SSD says it. */
    @Test
    void theSsdFails() {
        NvmfLab lab = new NvmfLab(spec(FaultPlan.NONE));
        lab.controllers().get(0).spoil(1, 8, 8, true, 3);
        lab.controllers().get(0).spoil(1, 24, 8, false, 5);
        VerifyLoad load = new VerifyLoad(lab, 2, 8, 12);
        load.start();
        lab.await(load::isOver, "the end of the load");
        load.checkStore();
        assertThat(load.wrong).isEmpty();
        assertThat(load.failures).isEqualTo(8);
        assertThat(load.acknowledged + load.verified).isEqualTo(2 * ALL - 8);
        assertThat(load.controller.losses()).isZero();
        assertThat(nic(load).block().failures()).isZero();
    }

    private static void refused(NvmfLabSpec spec, String... texts) {
        assertThatThrownBy(() -> new NvmfLab(spec)).hasMessageContainingAll(texts);
    }

    @Test
    void whatCannotBeIsRefused() {
        NvmfLabSpec from = OffloadedTargetTest.spec(FaultPlan.NONE, CONTEXTS);
        refused(
                with(from, from.profile(), from.lab(), 0),
                "ssd0 has a controller memory buffer of 0 B",
                "must be 8421376 B or more");
        refused(with(from, from.profile(), from.lab(), 8 << 20), "buffer of 8388608 B", "nic.nvmf.contexts 64");
        Profile direct = from.profile().with("pcie.switch", "none");
        refused(with(from, direct, from.lab(), 16 << 20), "pcie.switch is none");
        refused(with(from, from.profile(), from.lab().withSoft(SoftSpec.usual()), 16 << 20), "is a software device");
        assertThatThrownBy(() -> TransportSpec.rdma().withOffloadMemory(Place.CONTROLLER))
                .hasMessageContaining("is for a transport with offload");
        assertThat(from.transport()
                        .withOffloadMemory(Place.CONTROLLER)
                        .withOffload(false)
                        .offloadMemory())
                .isEqualTo(Place.HOST);
    }
}
