package dev.clockwire.storage.perf;

import dev.clockwire.nvme.ctrl.NvmeController;
import dev.clockwire.nvme.driver.NvmeDone;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.nvmf.initiator.ControllerInit;
import dev.clockwire.storage.nvmf.initiator.PollGroup;
import dev.clockwire.storage.nvmf.initiator.RemoteController;
import dev.clockwire.storage.nvmf.initiator.RemoteQueue;
import dev.clockwire.storage.nvmf.initiator.SubsystemAddress;
import dev.clockwire.storage.nvmf.lab.NvmfLab;
import dev.clockwire.storage.nvmf.lab.NvmfLabSpec;
import dev.clockwire.storage.nvmf.offload.NicOffload;
import dev.clockwire.storage.reactor.Reactor;
import dev.clockwire.storage.reactor.Reactors;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * SSDs behind an NVMe-oF target, loaded by an initiator on the other host: SPDK on both sides. Namespaces and cores are joined as
 * {@link LocalStack} joins them.
 */
public final class FabricStack implements PerfStack {
    private final NvmfLab lab;
    private final RemoteController controller;
    private final List<FabricQueue> queues = new ArrayList<>();
    private final LocalSpec.Use use;
    private final SubsystemAddress where;

    /**
     * Builds the system.
     *
     * @param spec its number of I/O queues is set here
     * @param where the subsystem to connect to; null = the one there is
     */
    public FabricStack(NvmfLabSpec spec, LocalSpec.Use use, @Nullable SubsystemAddress where) {
        this(spec, use, where, 0);
    }

    /**
     * Builds a system of which one namespace may be loaded alone.
     *
     * @param nsid that namespace, 0 = all of them; otherwise as above
     */
    public FabricStack(NvmfLabSpec spec, LocalSpec.Use use, @Nullable SubsystemAddress where, int nsid) {
        this.use = use;
        int namespaces = nsid > 0 ? 1 : namespaces(spec);
        int first = Math.max(1, nsid);
        int cores = count(spec);
        int ways = use.everyCore() ? namespaces * cores : Math.max(namespaces, cores);
        int pairs = ways * use.queuePairs() + use.unused();
        int entries = Math.min(use.entries(), spec.transport().maxQueueDepth());
        lab = new NvmfLab(spec.withInitiator(spec.initiator().withQueues(pairs, entries)));
        this.where = where == null ? lab.address() : where;
        controller = new RemoteController(lab.host(), this.where);
        List<PollGroup> groups = lab.groups();
        if (use.everyCore()) {
            for (PollGroup g : groups) {
                for (int n = 0; n < namespaces; n++) {
                    associate(g, first + n);
                }
            }
        } else {
            for (int i = 0; i < ways; i++) {
                associate(groups.get(i % groups.size()), first + i % namespaces);
            }
        }
        for (int i = 0; i < use.unused(); i++) {
            controller.addQueue(groups.get(i % groups.size()), (tag, status, result) -> {});
        }
        if (use.mostPerPoll() > 0) { // of each queue of the group, as SPDK's poll groups count
            for (PollGroup g : groups) {
                long pairsOfIt =
                        controller.queues().stream().filter(q -> q.group() == g).count();
                g.takeAtMost(Math.max(1, pairsOfIt) * use.mostPerPoll());
            }
        }
        queues.sort((a, b) -> Integer.compare(a.lcore(), b.lcore())); // the tool lists them core by core
    }

    private static int namespaces(NvmfLabSpec spec) {
        int n = 0;
        for (var ssd : spec.ssds()) {
            n += ssd.namespaces().size();
        }
        return n;
    }

    private static int count(NvmfLabSpec spec) {
        int n = 0;
        for (int c = spec.hostCores().next(0); c >= 0; c = spec.hostCores().next(c + 1)) {
            n++;
        }
        return n;
    }

    private void associate(PollGroup g, int nsid) {
        FabricQueue q =
                new FabricQueue(lab.host(), g, where.address() + " subnqn:" + where.subsystem(), nsid, use.depth());
        for (int i = 0; i < use.queuePairs(); i++) {
            int pair = i;
            NvmeDone done = (tag, status, result) -> q.done(pair, tag, status);
            q.add(controller.addQueue(g, done));
        }
        queues.add(q);
    }

    @Override
    public void connect() {
        boolean[] over = new boolean[1];
        lab.host().run(lab.host().main(), () -> controller.start(() -> over[0] = true));
        lab.await(() -> over[0], "a connection");
        if (controller.stage() != RemoteController.Stage.READY) {
            throw new ConfigurationException(
                    "nvmf", sim().now(), "no connection to " + where + ": " + controller.failure());
        }
        ControllerInit identity = controller.identity();
        int wanted = controller.queues().size();
        if (identity.grantedQueues() < wanted) {
            throw new ConfigurationException(
                    "nvmf",
                    sim().now(),
                    wanted + " I/O queues are wanted, the controller has " + identity.grantedQueues());
        }
        FabricStages stages = use.stages() ? follow() : null;
        for (FabricQueue q : queues) {
            q.connected(identity, stages, q == queues.get(0));
        }
    }

    private FabricStages follow() {
        int entries = lab.spec().initiator().ioEntries();
        FabricStages s = new FabricStages(controller.queues().size(), entries);
        for (RemoteQueue q : controller.queues()) {
            q.observe(s);
        }
        lab.target().watchStates(s);
        return s;
    }

    @Override
    public Sim sim() {
        return lab.sim();
    }

    /** Returns the system. */
    public NvmfLab lab() {
        return lab;
    }

    /** Returns the controller as the initiator has it. */
    public RemoteController controller() {
        return controller;
    }

    @Override
    public List<String> controllers() {
        return List.of("NVMe over Fabrics controller at " + where.address() + ":" + where.service() + ": "
                + where.subsystem());
    }

    @Override
    public List<PerfQueue> queues() {
        return List.copyOf(queues);
    }

    @Override
    public List<NvmeController> ssds() {
        return lab.controllers();
    }

    @Override
    public List<CoreUse> cores() {
        List<CoreUse> all = new ArrayList<>();
        for (Reactor r : lab.hostReactors().reactors()) {
            all.add(use(lab.lab().a().name(), r));
        }
        for (Reactor r : lab.targetReactors().reactors()) {
            all.add(use(lab.lab().b().name(), r));
        }
        return all;
    }

    /**
     * Returns bytes that cores have copied, bytes that passed the root ports of the target on their way to and from its memory, and what its NIC has
     * executed itself or left to the target.
     */
    @Override
    public List<Tally> tallies() {
        List<Tally> all = new ArrayList<>();
        all.add(new Tally("host_copied_bytes", copied(lab.hostReactors())));
        all.add(new Tally("target_copied_bytes", copied(lab.targetReactors())));
        if (lab.lab().b().isHardware()) {
            all.add(new Tally(
                    "target_memory_bytes", RootPortBytes.of(lab.lab().b().host())));
        }
        NicOffload nic = lab.offload();
        if (nic != null) {
            all.add(new Tally("target_nic_executed", nic.block().taken()));
            all.add(new Tally("target_nic_passed_on", nic.block().passed()));
        }
        return all;
    }

    private static long copied(Reactors of) {
        long bytes = 0;
        for (Reactor r : of.reactors()) {
            bytes += r.core().copiedBytes();
        }
        return bytes;
    }

    private static CoreUse use(String host, Reactor r) {
        CpuCore core = r.core();
        return new CoreUse(host + " lcore " + r.lcore(), core.name(), core.busyPs(), core.pollingPs());
    }
}
