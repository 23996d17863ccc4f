package dev.clockwire.storage.nvmf.target;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.roce.cm.CmTimes;
import dev.clockwire.roce.cm.ConnectionManager;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.bdev.Bdev;
import dev.clockwire.storage.bdev.BdevSpec;
import dev.clockwire.storage.bdev.Bdevs;
import dev.clockwire.storage.bdev.MallocBdev;
import dev.clockwire.storage.nvmf.subsystem.NamespaceSpec;
import dev.clockwire.storage.nvmf.subsystem.Subsystem;
import dev.clockwire.storage.nvmf.subsystem.SubsystemSpec;
import dev.clockwire.storage.nvmf.subsystem.TransportId;
import dev.clockwire.storage.nvmf.subsystem.TransportSpec;
import dev.clockwire.storage.reactor.CoreMask;
import dev.clockwire.storage.reactor.ReactorSpec;
import dev.clockwire.storage.reactor.Reactors;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** A target on the second of two hosts; the first has what a host needs to speak to it by hand. */
final class TargetRig {
    static final String NQN = "nqn.2024-01.example:rxe";
    static final String HOST = "nqn.2014-08.org.nvmexpress:uuid:11111111-2222-3333-4444-555555555555";
    static final int PORT = 4420;
    static final TransportSpec SMALL = TransportSpec.rdma()
            .withBuffers(8192, 64, 135_168, 32)
            .withSrq(true, 256)
            .withAcceptor(20_000_000, 100);
    private static final long STEP = 1_000_000;
    private static final long LONGEST_STEP = 20_000_000_000L;

    final Lab lab;
    final Reactors reactors;
    final Bdevs bdevs;
    final NvmfTarget target;
    final Subsystem subsystem;
    final ProtectionDomain pd;
    final ConnectionManager cm;
    final Allocation memory;
    final MemoryRegion region;
    final List<String> notes = new ArrayList<>();
    /** The states of each command, in the order they came. */
    final List<String> states = new ArrayList<>();

    private final Map<Integer, Integer> latest = new TreeMap<>();

    TargetRig(boolean soft, TargetSpec spec, TransportSpec limits) {
        this(soft, spec, limits, 1, FaultPlan.NONE, bdevs -> new MallocBdev(bdevs, "malloc0", 512, 16_384));
    }

    TargetRig(
            boolean soft,
            TargetSpec spec,
            TransportSpec limits,
            int cores,
            FaultPlan faults,
            Function<Bdevs, Bdev> disk) {
        this(soft, spec, limits, cores, LabSpec.of(1).withFaults(faults), disk);
    }

    TargetRig(
            boolean soft,
            TargetSpec spec,
            TransportSpec limits,
            int cores,
            LabSpec labSpec,
            Function<Bdevs, Bdev> disk) {
        lab = Lab.twoHosts(Profiles.named(Profiles.DEFAULT), soft ? labSpec.withSoft(SoftSpec.usual()) : labSpec);
        reactors = new Reactors(lab.b().host(), CoreMask.first(cores), ReactorSpec.server());
        bdevs = new Bdevs(reactors, BdevSpec.server());
        target = new NvmfTarget(reactors, bdevs, reactors.thread("app_thread"), spec);
        target.tell(notes::add);
        target.watchStates((qid, slot, cid, from, to, ps) -> {
            if (to == RequestState.NEW) {
                latest.put(slot, states.size());
                states.add("");
            }
            int i = latest.getOrDefault(slot, 0);
            states.set(i, states.get(i) + " " + to);
        });
        target.addDevice(lab.b().device());
        target.createTransport(limits);
        SubsystemSpec named = SubsystemSpec.of(NQN)
                .withNames("RXETEST0001", "RXE test target")
                .withAnyHost(true);
        subsystem = target.createSubsystem(named);
        subsystem.addNamespace(disk.apply(bdevs), NamespaceSpec.any());
        target.addListener(subsystem, TransportId.rdma("10.0.0.2", PORT));
        pd = lab.await(lab.a().context().allocPd());
        Allocation mads =
                lab.a().host().memory().allocate("cm", ConnectionManager.BUFFER_BYTES, Allocation.Kind.REAL, 4096);
        MemoryRegion madRegion = lab.await(pd.regMr(mads.address(), mads.length(), EnumSet.of(AccessFlag.LOCAL_WRITE)));
        cm = lab.await(
                ConnectionManager.open(pd, madRegion, CmTimes.LINUX, lab.sim().random("host.cm")));
        memory = lab.a().host().memory().allocate("data", 1 << 20, Allocation.Kind.BULK, 4096);
        region = lab.await(pd.regMr(
                memory.address(),
                memory.length(),
                EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE)));
        until(target::isReady, 100_000);
    }

    CpuCore core() {
        return lab.a().core();
    }

    Gid server() {
        return lab.b().gid();
    }

    /** Runs for some microseconds. */
    void run(long us) {
        for (long i = 0; i < us; i++) {
            lab.sim().run(lab.sim().now() + STEP);
            cm.poll();
        }
    }

    /** Runs until something is so, looking less and less often; returns whether it came to be within some microseconds. */
    boolean until(BooleanSupplier what, long us) {
        long end = lab.sim().now() + us * STEP;
        long step = STEP;
        for (int i = 0; lab.sim().now() < end && !what.getAsBoolean(); i++) {
            lab.sim().run(lab.sim().now() + step);
            cm.poll();
            step = i < 1000 ? STEP : Math.min(2 * step, LONGEST_STEP);
        }
        return what.getAsBoolean();
    }
}
