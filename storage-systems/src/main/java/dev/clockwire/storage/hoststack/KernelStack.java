package dev.clockwire.storage.hoststack;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nvme.ctrl.NvmeController;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.stats.StatRegistry;
import dev.clockwire.storage.hoststack.block.BlockUser;
import dev.clockwire.storage.hoststack.block.HostSetup;
import dev.clockwire.storage.hoststack.kernel.KernelCore;
import dev.clockwire.storage.hoststack.kernel.KernelCosts;
import dev.clockwire.storage.hoststack.kernel.KernelCounts;
import dev.clockwire.storage.hoststack.kernel.KernelTask;
import dev.clockwire.storage.perf.PerfQueue;
import dev.clockwire.storage.perf.PerfStack;
import dev.clockwire.storage.perf.RootPortBytes;
import java.util.ArrayList;
import java.util.List;

/**
 * What stacks in the kernel have in common: two hosts back to back, a kernel on the one core of each, a program that loads, an SSD. Interrupts are
 * paid for by {@code host.kernel.hard_interrupt_ns}, not by {@code host.cpu.interrupt_ns}, which has the wake-up in it.
 */
public abstract class KernelStack implements PerfStack {
    /** Subsystem that the target offers. */
    public static final String NQN = "nqn.2026-11.dev.clockwire:kernel";
    /** Port that it listens at. */
    protected static final int PORT = 4420;
    /** Entries of the admin queue. */
    protected static final int ADMIN_ENTRIES = 32;
    /** Most bytes of a command: MDTS 5. */
    protected static final int MOST_BYTES = 1 << 17;

    private static final long PATIENCE_PS = 10_000_000_000_000L;

    private final HostStackSpec spec;
    private final Lab lab;
    private final KernelCore hostKernel;
    private final KernelCore targetKernel;
    private final BlockUser user;
    private TargetSsd[] ssd = new TargetSsd[1];

    /** Builds it with a profile that the stack has made its own. */
    protected KernelStack(HostStackSpec spec, Profile profile) {
        this.spec = spec;
        Profile paid = profile.with("host.cpu.interrupt_ns", "0");
        LabSpec how = LabSpec.of(spec.kernel().seed())
                .withKernel(spec.kernel())
                .withFaults(spec.faults())
                .withJourneys(spec.journeys());
        lab = Lab.twoHosts(paid, how, (sim, a, b) -> ssd[0] = new TargetSsd(sim, b, spec.ssd()));
        KernelCosts costs = KernelCosts.of(paid);
        hostKernel = new KernelCore(lab.a().host(), lab.a().core(), costs);
        targetKernel = new KernelCore(lab.b().host(), lab.b().core(), costs);
        register(lab.sim().stats(), lab.a().name(), hostKernel.counts());
        register(lab.sim().stats(), lab.b().name(), targetKernel.counts());
        user = new BlockUser(
                hostKernel,
                new BlockUser.Shape(
                        transport() + " (addr:10.0.0.2 subnqn:" + NQN + ") NSID 1",
                        spec.cores().next(0),
                        spec.depth(),
                        MOST_BYTES,
                        paid.flag("host.kernel.direct_io")));
    }

    private static void register(StatRegistry stats, String side, KernelCounts c) {
        String p = side + ".kernel.";
        stats.reading(p + "interrupts", "interrupts", "Interrupts taken, timers' too", c::interrupts);
        stats.reading(p + "softirqs", "entries", "Entries into softirqs", c::softirqs);
        stats.reading(p + "context_switches", "switches", "Switches between threads and idleness", c::contextSwitches);
        stats.reading(p + "syscalls", "calls", "System calls", c::syscalls);
        stats.reading(p + "copies", "copies", "Copies of data of I/Os by the core", c::copies);
        stats.reading(p + "copied_bytes", "B", "Bytes of these", c::copiedBytes);
    }

    /** Returns the name of the transport. */
    protected abstract String transport();

    /** Makes both ends ready, and the host's queues; what it returns is begun by the host's kernel. */
    protected abstract HostSetup join();

    /** Returns what it was built from. */
    protected HostStackSpec spec() {
        return spec;
    }

    /** Returns the hosts. */
    public Lab lab() {
        return lab;
    }

    /** Returns the kernel of the host that loads. */
    public KernelCore hostKernel() {
        return hostKernel;
    }

    /** Returns the kernel of the target. */
    public KernelCore targetKernel() {
        return targetKernel;
    }

    /** Returns the program that loads. */
    protected BlockUser user() {
        return user;
    }

    /** Allocates the page that a controller is set up with. */
    protected long setupPage() {
        return user.allocate("nvme.setup", 4096);
    }

    @Override
    public List<NvmeController> ssds() {
        return List.of(ssd[0].controller());
    }

    TargetSsd ssd() {
        return ssd[0];
    }

    @Override
    public Sim sim() {
        return lab.sim();
    }

    @Override
    public void connect() {
        HostSetup setup = join();
        targetKernel.start();
        hostKernel.start();
        hostKernel.launch(new KernelTask("nvme connect") {
            @Override
            protected boolean run() {
                setup.begin();
                return false;
            }
        });
        boolean ended = sim().runUntil(() -> setup.isDone() || !setup.failure().isEmpty(), sim().now() + PATIENCE_PS);
        if (!setup.isDone()) {
            throw new ConfigurationException(
                    "", sim().now(), "the target cannot be reached: " + (ended ? setup.failure() : "no answer"));
        }
        user.describe(setup.blockBytes(), setup.blocks());
    }

    @Override
    public List<String> controllers() {
        return List.of("NVMe over Fabrics controller at 10.0.0.2:" + PORT + ": " + NQN);
    }

    @Override
    public List<PerfQueue> queues() {
        return List.of(user);
    }

    @Override
    public List<CoreUse> cores() {
        return List.of(
                use(lab.a().name(), spec.cores().next(0), hostKernel),
                use(lab.b().name(), 0, targetKernel));
    }

    private static CoreUse use(String host, int lcore, KernelCore kernel) {
        CpuCore core = kernel.cpu();
        return new CoreUse(
                host + " lcore " + lcore,
                core.name(),
                core.busyPs() + core.handlerPs(),
                kernel.counts().vainPs());
    }

    /** Returns what both kernels have counted, of the host and of the target. */
    @Override
    public List<Tally> tallies() {
        List<Tally> list = new ArrayList<>();
        tallies("host", hostKernel.counts(), list);
        tallies("target", targetKernel.counts(), list);
        list.add(new Tally("target_memory_bytes", RootPortBytes.of(lab.b().host())));
        return list;
    }

    private static void tallies(String side, KernelCounts c, List<Tally> to) {
        to.add(new Tally(side + "_copies", c.copies()));
        to.add(new Tally(side + "_copied_bytes", c.copiedBytes()));
        to.add(new Tally(side + "_interrupts", c.interrupts()));
        to.add(new Tally(side + "_softirqs", c.softirqs()));
        to.add(new Tally(side + "_context_switches", c.contextSwitches()));
        to.add(new Tally(side + "_syscalls", c.syscalls()));
    }
}
