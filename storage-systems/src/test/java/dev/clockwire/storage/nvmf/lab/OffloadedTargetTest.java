package dev.clockwire.storage.nvmf.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nvme.ctrl.NamespaceSpec;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.roce.cm.CmTimes;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.storage.bdev.Bdev;
import dev.clockwire.storage.nvmf.initiator.InitiatorSpec;
import dev.clockwire.storage.nvmf.initiator.RemoteController;
import dev.clockwire.storage.nvmf.offload.NicOffload;
import dev.clockwire.storage.nvmf.subsystem.TransportSpec;
import dev.clockwire.storage.reactor.CoreMask;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A target whose NIC serves its I/O queues. */
class OffloadedTargetTest {
    static final long MS = 1_000_000_000L;
    /** When the load begins, without faults. */
    static final long BEGIN_PS = 6_053_000_000L;

    static Profile hardware(int contexts) {
        return Profiles.named("cx7-400g")
                .with("pcie.switch", "gen5")
                .with("nic.nvmf.contexts", Integer.toString(contexts))
                .with("nic.dm.bytes", "1048576");
    }

    static NvmfLabSpec spec(FaultPlan faults, int contexts) {
        return spec(LabSpec.of(1).withFaults(faults), contexts);
    }

    static NvmfLabSpec spec(LabSpec lab, int contexts) {
        NvmeSpec ssd = NvmeSpec.of("p5800x").withNamespaces(List.of(new NamespaceSpec(512, 8192)));
        TransportSpec transport = TransportSpec.rdma()
                .withBuffers(8192, 64, 135_168, 32)
                .withSrq(true, 256)
                .withAcceptor(2 * MS, 100)
                .withOffload(true);
        return NvmfLabSpec.spdk(hardware(contexts), lab, List.of(ssd))
                .withCores(CoreMask.first(2), CoreMask.first(2))
                .withTransport(transport)
                .withTimes(new CmTimes(14, 3, 14))
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
        return load;
    }

    static NicOffload nic(VerifyLoad load) {
        return Objects.requireNonNull(load.lab.offload());
    }

    /** Writes with their data in the capsule, and with keys: the first few commands may come before the SSD's queue pair. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theNicServesReadsAndWrites(boolean inside) {
        NvmfLabSpec spec = spec(FaultPlan.NONE, 64);
        spec = spec.withInitiator(spec.initiator().withCapsules(inside, true));
        VerifyLoad load = run(spec, 12, b -> b);
        assertThat(load.verified).isEqualTo(8 * 12);
        assertThat(load.acknowledged).isEqualTo(8 * 12);
        assertThat(load.beganPs).isBetween(BEGIN_PS - 10_000_000, BEGIN_PS + 10_000_000);
        long taken = nic(load).block().taken();
        assertThat(taken).isGreaterThan(2 * 8 * 12 - 16);
        assertThat(nic(load).block().passed()).isEqualTo(2 + 2 * 8 * 12 - taken); // two Connects
        assertThat(nic(load).block().failures()).isZero();
    }
}
