package dev.clockwire.storage.nvmf.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nvme.fabrics.DiscoveryLog;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.storage.nvmf.initiator.Discovery;
import dev.clockwire.storage.nvmf.initiator.InitiatorSpec;
import dev.clockwire.storage.nvmf.initiator.RemoteController;
import dev.clockwire.storage.nvmf.initiator.SubsystemAddress;
import dev.clockwire.storage.nvmf.subsystem.Subsystem;
import dev.clockwire.storage.nvmf.subsystem.SubsystemSpec;
import dev.clockwire.storage.nvmf.subsystem.TransportId;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DiscoveryTest {
    private static @Nullable DiscoveryLog ask(NvmfLab lab, Discovery d) {
        @Nullable DiscoveryLog[] found = new @Nullable DiscoveryLog[1];
        boolean[] over = new boolean[1];
        lab.host()
                .run(
                        lab.host().main(),
                        () -> d.start(log -> {
                            found[0] = log;
                            over[0] = true;
                        }));
        lab.await(() -> over[0], "an answer");
        return found[0];
    }

    private static List<String> names(DiscoveryLog log) {
        return log.entries().stream()
                .filter(e -> e.kind() == DiscoveryLog.NVM)
                .map(DiscoveryLog.Entry::subsystem)
                .toList();
    }

    @Test
    void theTargetTellsWhatItHas() {
        NvmfLab lab = new NvmfLab(NvmfFaultsTest.spec(false, FaultPlan.NONE));
        Discovery d = new Discovery(lab.host(), lab.address());
        DiscoveryLog log = Objects.requireNonNull(ask(lab, d));
        assertThat(names(log)).containsExactly(NvmfLabSpec.SUBSYSTEM);
        assertThat(log.entries().get(log.entries().size() - 1).address()).isEqualTo("10.0.0.2");
        assertThat(d.readings()).isEqualTo(1);
        assertThat(d.controller().identity().isDiscovery()).isTrue();
        assertThat(d.controller().stage()).isEqualTo(RemoteController.Stage.STOPPED);
    }

    /** More records than fit into one piece, and one more while they are being read: the log is read again. */
    @Test
    void whatChangesMeanwhileIsReadAgain() {
        NvmfLab lab = new NvmfLab(NvmfFaultsTest.spec(true, FaultPlan.NONE));
        for (int i = 0; i < 9; i++) {
            add(lab, i);
        }
        Discovery d = new Discovery(lab.host(), lab.address());
        boolean[] over = new boolean[1];
        @Nullable DiscoveryLog[] found = new @Nullable DiscoveryLog[1];
        lab.host()
                .run(
                        lab.host().main(),
                        () -> d.start(log -> {
                            found[0] = log;
                            over[0] = true;
                        }));
        lab.await(() -> d.readings() == 1, "the first header");
        lab.sim().run(lab.sim().now() + 2_000_000);
        add(lab, 9);
        lab.await(() -> over[0], "an answer");
        assertThat(d.readings()).isEqualTo(2);
        assertThat(names(Objects.requireNonNull(found[0]))).hasSize(11).contains("nqn.2016-06.io.spdk:more9");
    }

    private static void add(NvmfLab lab, int i) {
        Subsystem s = lab.target()
                .createSubsystem(
                        SubsystemSpec.of("nqn.2016-06.io.spdk:more" + i).withAnyHost(true));
        lab.target().addListener(s, TransportId.rdma("10.0.0.2", 4420));
    }

    @Test
    void nobodyAnswers() {
        NvmfLab lab = new NvmfLab(
                NvmfFaultsTest.spec(false, FaultPlan.NONE).withInitiator(InitiatorSpec.spdk(NvmfLabSpec.HOST)));
        Discovery d = new Discovery(lab.host(), new SubsystemAddress("10.0.0.2", 4421, "x"));
        assertThat(ask(lab, d)).isNull();
        assertThat(d.controller().failure()).contains("invalid service id");
    }

    /** A name that nobody has: the target says which byte of the Connect data it does not like. */
    @Test
    void anUnknownSubsystemIsNamed() {
        NvmfLab lab = new NvmfLab(
                NvmfFaultsTest.spec(false, FaultPlan.NONE).withInitiator(InitiatorSpec.spdk(NvmfLabSpec.HOST)));
        RemoteController c =
                new RemoteController(lab.host(), lab.address().withSubsystem("nqn.2016-06.io.spdk:cnode9"));
        boolean[] over = new boolean[1];
        lab.host().run(lab.host().main(), () -> c.start(() -> over[0] = true));
        lab.await(() -> over[0], "an answer");
        assertThat(c.failure()).isEqualTo("queue 0: Connect: 1/82 connect: invalid parameters, byte 256 of the data");
    }
}
