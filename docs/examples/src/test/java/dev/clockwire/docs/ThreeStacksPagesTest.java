package dev.clockwire.docs;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nvme.ctrl.NamespaceSpec;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.storage.hoststack.HostStackSpec;
import dev.clockwire.storage.hoststack.KernelRdmaStack;
import dev.clockwire.storage.hoststack.KernelTcpStack;
import dev.clockwire.storage.nvmf.lab.NvmfLabSpec;
import dev.clockwire.storage.perf.FabricStack;
import dev.clockwire.storage.perf.LocalSpec;
import dev.clockwire.storage.perf.PerfLoop;
import dev.clockwire.storage.perf.PerfQueue;
import dev.clockwire.storage.perf.PerfResult;
import dev.clockwire.storage.perf.PerfSpec;
import dev.clockwire.storage.perf.PerfStack;
import dev.clockwire.storage.reactor.CoreMask;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The table of three stacks in docs/nvmeof.md, measured anew. */
class ThreeStacksPagesTest {
    private static final long MS = 1_000_000_000L;
    private static final int BYTES = 4096;
    private static final int BLOCK = 512;

    private final Profile profile = Profiles.named(Profiles.DEFAULT);
    private final CoreMask core = CoreMask.parse("0x1");
    private final NvmeSpec ssd =
            NvmeSpec.of("null").withNamespaces(List.of(new NamespaceSpec(BLOCK, (1L << 36) / BLOCK)));
    private final Table table = new Table(
            "stack",
            "copies by cores",
            "interrupts",
            "context switches",
            "host core busy",
            "target core busy",
            "mean",
            "P99");

    @Test
    void thePageSaysWhatIsMeasured() {
        NvmfLabSpec spdk =
                NvmfLabSpec.spdk(profile, LabSpec.of(1), List.of(ssd)).withCores(core, core);
        row("spdk", new FabricStack(spdk, LocalSpec.Use.of(1), null));
        row("kernel-rdma", new KernelRdmaStack(kernel(profile)));
        Profile awake = profile.with("host.kernel.idle_exit_ns", "0");
        row("kernel-rdma, cores that do not halt", new KernelRdmaStack(kernel(awake)));
        row("kernel-tcp", new KernelTcpStack(kernel(profile)));
        Profile copying = profile.with("host.kernel.zero_copy_send", "false").with("host.kernel.direct_io", "false");
        row("kernel-tcp, copying", new KernelTcpStack(kernel(copying)));
        Page page = new Page("nvmeof.md");
        page.section("three-stacks", table.orNone());
        page.assertAgrees();
    }

    private HostStackSpec kernel(Profile p) {
        return new HostStackSpec(SimSpec.of(1), p, core, ssd, 1, 1);
    }

    private void row(String name, PerfStack stack) {
        stack.connect();
        Sim sim = stack.sim();
        PerfQueue q = stack.queues().get(0);
        PerfSpec load = new PerfSpec(1, BYTES, true, 100, 5 * MS, 10 * MS);
        PerfLoop loop = new PerfLoop(load, q, q.allocate("perf.data0", BYTES), RandomStream.named(1, "perf.0"));
        long start = sim.now();
        loop.start();
        sim.run(start + 5 * MS);
        List<PerfStack.CoreUse> before = stack.cores();
        List<PerfStack.Tally> counted = stack.tallies();
        sim.run(start + 15 * MS);
        List<PerfStack.CoreUse> after = stack.cores();
        List<PerfStack.Tally> tallies = stack.tallies();
        sim.runUntil(loop::isDone, start + 100 * MS);
        PerfResult r = loop.result();
        table.row(
                name,
                each(counted, tallies, "_copies", r),
                each(counted, tallies, "_interrupts", r),
                each(counted, tallies, "_context_switches", r),
                busy(before.get(0), after.get(0)),
                busy(before.get(1), after.get(1)),
                us(r.latency().mean()),
                us((double) r.latency().percentile(99)));
    }

    private static String each(List<PerfStack.Tally> from, List<PerfStack.Tally> to, String end, PerfResult r) {
        double n = 0;
        for (int i = 0; i < to.size(); i++) {
            if (to.get(i).name().endsWith(end)) {
                n += to.get(i).value() - from.get(i).value();
            }
        }
        return String.format(Locale.ROOT, "%.1f", n / r.latency().count());
    }

    private static String busy(PerfStack.CoreUse from, PerfStack.CoreUse to) {
        double all = 100.0 * (to.busyPs() - from.busyPs()) / (10 * MS);
        double vain = 100.0 * (to.pollingPs() - from.pollingPs()) / (10 * MS);
        return vain < 0.5
                ? String.format(Locale.ROOT, "%.0f %%", all)
                : String.format(Locale.ROOT, "%.0f %%, %.0f %% of it in vain", Math.min(100, all), vain);
    }

    private static String us(double ps) {
        return String.format(Locale.ROOT, "%.1f us", ps / 1e6);
    }
}
