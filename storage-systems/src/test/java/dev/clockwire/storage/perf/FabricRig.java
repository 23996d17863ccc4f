package dev.clockwire.storage.perf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nvme.ctrl.NamespaceSpec;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.storage.nvmf.initiator.InitiatorSpec;
import dev.clockwire.storage.nvmf.lab.NvmfLabSpec;
import dev.clockwire.storage.nvmf.subsystem.TransportSpec;
import java.util.ArrayList;
import java.util.List;

/** A small SSD behind a target that is quick to connect to, and loads for it. */
final class FabricRig {
    static final long US = 1_000_000;
    static final TransportSpec QUICK = TransportSpec.rdma()
            .withBuffers(8192, 256, 135_168, 32)
            .withSrq(true, 512)
            .withAcceptor(50 * US, 100);

    private FabricRig() {}

    static NvmfLabSpec spec(Profile profile, LabSpec lab, TransportSpec transport, String media) {
        NvmeSpec ssd = NvmeSpec.of(media).withNamespaces(List.of(new NamespaceSpec(512, 1 << 20)));
        return NvmfLabSpec.spdk(profile, lab, List.of(ssd))
                .withTransport(transport)
                .withInitiator(InitiatorSpec.spdk(NvmfLabSpec.HOST).withAdminPoll(100 * US));
    }

    static FabricStack stack(NvmfLabSpec spec, int depth, int pairs) {
        return new FabricStack(spec, new LocalSpec.Use(depth, pairs, 0, 128, 0, false, true, true), null);
    }

    /** Connects, and runs a load on each queue. */
    static List<PerfResult> run(FabricStack stack, PerfSpec load) {
        stack.connect();
        List<PerfLoop> loops = new ArrayList<>();
        for (PerfQueue q : stack.queues()) {
            long base = q.allocate("data", (long) load.queueDepth() * load.ioBytes());
            loops.add(new PerfLoop(load, q, base, RandomStream.named(7, "perf" + loops.size())));
        }
        loops.forEach(PerfLoop::start);
        assertThat(stack.sim()
                        .runUntil(
                                () -> loops.stream().allMatch(PerfLoop::isDone),
                                stack.sim().now() + 100_000 * US))
                .isTrue();
        return loops.stream().map(PerfLoop::result).toList();
    }

    static PerfSpec load(int depth, int bytes, int reads, long us) {
        return new PerfSpec(depth, bytes, true, reads, 0, us * US, 0, 0);
    }
}
