package dev.clockwire.pcie.host;

import dev.clockwire.pcie.iommu.Iommu;
import dev.clockwire.pcie.iommu.IommuSpec;
import dev.clockwire.pcie.link.LinkEnd;
import dev.clockwire.pcie.link.PcieDevice;
import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.Timer;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.MemorySanitizer;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.sim.state.Token;
import dev.clockwire.sim.stats.StatRegistry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A host: root complex, memory and cores, in one node. Devices are attached while the design is built; what they write is in
 * memory some time after it has arrived, and cores see it at the first step after that.
 */
public final class Host extends SimNode {
    private static final long FIRST_WINDOW = 0x2000_0000_0000L;
    /** Where windows of 32 bits begin. */
    private static final long FIRST_NARROW = 0x8000_0000L;

    /** What the windows of bridges are multiples of. */
    private static final long BRIDGE_BYTES = 1L << 20;

    private static final int HALT = 0;
    private static final int BOOT = 1;

    private final HostSpec spec;
    private final CpuSpec cpuSpec;
    private final HostMemory memory;
    private final List<RootPort> ports = new ArrayList<>();
    private final List<CpuCore> cores = new ArrayList<>();
    private final List<InterruptVector> vectors = new ArrayList<>();
    private final Timer steps;
    private final Timer commit;
    private final EventPort power;
    private final @Nullable Iommu iommu;
    private final @Nullable AccessPath accesses;
    private @Nullable Runnable bootProgram;
    private @Nullable Runnable powerLoss;
    private long nextWindow = FIRST_WINDOW;
    private long nextNarrow = FIRST_NARROW;
    /** Core whose step runs, -1 outside of steps. */
    private int running = -1;

    /** Creates a host without devices and cores. */
    public Host(Scope parent, String name, HostSpec spec, CpuSpec cpu, PayloadMode mode) {
        super(parent, name);
        this.spec = spec;
        cpuSpec = cpu;
        memory = new HostMemory(path() + ".memory", mode, spec.depth().numa().memory());
        state(memory.space());
        memory.space().beforeChanges(this::changing);
        IommuSpec translation = spec.depth().iommu();
        iommu = translation == null
                ? null
                : state(new Iommu(translation, spec.depth().pages(), memory.space(), sim().stats(), path() + ".iommu"));
        accesses = accessPath(spec.depth());
        commit = new CommitTimer();
        steps = new StepTimer();
        power = new EventPort(this, "halt") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                if (kind == HALT) {
                    cores.forEach(CpuCore::halt);
                    powerLost(a != 0);
                } else {
                    boot();
                }
            }
        };
    }

    /** Returns the latencies. */
    public HostSpec spec() {
        return spec;
    }

    /** Returns the memory with what devices have committed before now. */
    public AddressSpace memory() {
        memory.seenAt(now());
        return memory.space();
    }

    /** Lets a sanitizer watch who accesses memory from now on; there are no snapshots then. */
    public MemorySanitizer sanitize() {
        MemorySanitizer made = new MemorySanitizer(
                memory.space().name(),
                this::now,
                this::settle,
                () -> running < 0 ? path() : cores.get(running).name());
        memory.space().sanitize(made);
        return made;
    }

    /** A program changes memory: devices have read by now what they would have. */
    private void changing() {
        if (!memory.applying()) {
            memory.seenAt(now());
            memory.lookForFreed();
        }
    }

    /** A step sees memory as of its start; others see what is in it now. */
    private void settle() {
        if (running < 0) {
            memory.seenAt(now());
        }
    }

    /** Nothing is built of what is switched off, and of everything switched off nothing. */
    private @Nullable AccessPath accessPath(HostDepth depth) {
        DdioSpec ddio = depth.ddio();
        StallSpec stalls = depth.stalls();
        if (iommu == null && ddio == null && !stalls.isActive()) {
            return null;
        }
        AccessPath path = state(new AccessPath(
                iommu,
                ddio == null ? null : new DeviceLines(ddio),
                stalls.isActive() ? new Stalls(stalls, random("stalls"), random("jitter")) : null));
        path.register(sim().stats(), path());
        return path;
    }

    /** Returns what packets of devices pass one by one, null if their times follow from fixed latencies. */
    @Nullable
    AccessPath accesses() {
        return accesses;
    }

    /** Returns whether memory stalls in the period of a time, for programs that what holds up memory holds up too. */
    public boolean stallsIn(long ps) {
        AccessPath path = accesses;
        return path != null && path.isStruck(ps);
    }

    /** Returns the address translation between devices and memory, null if the host has none. */
    public @Nullable Iommu iommu() {
        return iommu;
    }

    /**
     * Takes a range away from devices: what asks from now on is refused. Devices that keep translations are told, and may use them until
     * they have answered; see {@link RootPort#invalidationsPending}. From a handler of the host or between runs.
     */
    public void unmap(long va, long length) {
        Iommu mmu = iommu;
        if (mmu == null) {
            throw new ConfigurationException(path(), now(), "nothing is mapped: there is no IOMMU");
        }
        mmu.unmap(va, length);
        for (RootPort port : ports) {
            port.invalidate(va, length);
        }
    }

    /** Returns whether a write is an interrupt's message, which no page table translates. */
    boolean isMessage(long address, int bytes) {
        for (int i = 0; i < vectors.size(); i++) {
            if (vectors.get(i).takes(address, bytes)) {
                return true;
            }
        }
        return false;
    }

    /** Returns where allocations lie. */
    public HostMemory hostMemory() {
        return memory;
    }

    /**
     * Joins a device to a new root port and gives its windows bus addresses.
     *
     * @param node NUMA node that the device is close to
     */
    public RootPort attach(PcieDevice device, int node) {
        if (node < 0 || node >= spec.nodes()) {
            throw new ConfigurationException("NUMA node of the device " + node + " is not in 0.." + (spec.nodes() - 1));
        }
        RootPort port = new RootPort(this, device, ports.size(), node);
        LinkEnd.join(port, device);
        device.connected(port.transmitter());
        ports.add(port);
        memory.add(port);
        state(port.transmitter());
        state(port.commits());
        state(port);
        for (int i = 0; i < device.bars(); i++) {
            long bytes = device.barBytes(i);
            if (device.beginsBridge(i)) {
                nextNarrow = nextNarrow + BRIDGE_BYTES - 1 & -BRIDGE_BYTES;
                nextWindow = nextWindow + BRIDGE_BYTES - 1 & -BRIDGE_BYTES;
            }
            if (device.isNarrow(i)) {
                nextNarrow = nextNarrow + bytes - 1 & -bytes;
                port.place(i, nextNarrow);
                nextNarrow += bytes;
                continue;
            }
            nextWindow = nextWindow + bytes - 1 & -bytes;
            port.place(i, nextWindow);
            nextWindow += bytes;
        }
        device.enumerated();
        if (iommu != null) {
            device.enableTranslation();
        }
        return port;
    }

    /**
     * Gives a window of a device another bus address, as firmware may.
     *
     * @param index of the window among the device's
     * @throws ConfigurationException if the address is no multiple of the size, or belongs to another window or to memory
     */
    public void assign(RootPort port, int index, long address) {
        long bytes = port.device().barBytes(index);
        String what = port.device().id() + " window " + index + " at 0x" + Long.toHexString(address);
        if ((address & bytes - 1) != 0 || address < 0) {
            throw new ConfigurationException(
                    path(), now(), "device " + what + ": must be a multiple of its size, 0x" + Long.toHexString(bytes));
        }
        for (RootPort other : ports) {
            int i = other.overlap(address, bytes, other == port ? index : -1);
            if (i >= 0) {
                throw new ConfigurationException(
                        path(),
                        now(),
                        "device " + what + " overlaps window " + i + " of device "
                                + other.device().id());
            }
        }
        for (Allocation a : memory.space().allocations()) {
            if (address < a.end() && a.address() < address + bytes) {
                throw new ConfigurationException(path(), now(), "device " + what + " overlaps memory");
            }
        }
        port.place(index, address);
    }

    /** Adds an interrupt; its handler runs in an event of the host. */
    public InterruptVector addVector(String name, Runnable handler) {
        InterruptVector vector = new InterruptVector(this, name + ".msi" + vectors.size(), handler);
        vectors.add(vector);
        return vector;
    }

    /** Adds a core. */
    public CpuCore addCore() {
        NumaSpec numa = spec.depth().numa();
        long hop = numa.core() == numa.memory() ? 0 : spec.nodeHopPs();
        SchedSpec sched = spec.depth().sched();
        CoreSchedule schedule = sched == null ? null : new CoreSchedule(sched, random("sched" + cores.size()));
        CpuCore core = new CpuCore(this, cores.size(), cpuSpec.withRemoteMemory(hop), schedule);
        cores.add(core);
        state(core);
        StatRegistry stats = sim().stats();
        stats.reading(core.name() + ".steps", "steps", "steps run or skipped", core::steps);
        stats.reading(core.name() + ".idle_steps", "steps", "steps that found nothing to do", core::idleSteps);
        stats.reading(core.name() + ".busy_ps", "ps", "time spent in steps", core::busyPs);
        if (schedule != null) {
            stats.reading(core.name() + ".lost_ps", "ps", "time that others took out of steps", core::lostPs);
        }
        return core;
    }

    /** Stops the programs of all cores for good, from another node: 1 ps after a time. */
    public void haltAt(long now) {
        power.send(now + 1, HALT, 0, 0);
    }

    /** Has the host lose its power, from another node: {@link #haltAt}, and devices lose what they hold in memory that does not last. */
    public void powerOffAt(long now) {
        power.send(now + 1, HALT, 1, 0);
    }

    /** Says what runs in an event of the host when it has lost its power. */
    public void onPowerLoss(Runnable what) {
        powerLoss = what;
    }

    private void powerLost(boolean lost) {
        if (lost && powerLoss != null) {
            powerLoss.run();
        }
    }

    /** Says what runs when the host comes back from {@link #haltAt}: it gives the cores programs anew. */
    public void onBoot(Runnable program) {
        bootProgram = program;
    }

    /** Has the host come back from {@link #haltAt}, from another node: 1 ps after a time. Without {@link #onBoot} nothing runs then. */
    public void bootAt(long ps) {
        power.send(ps + 1, BOOT, 0, 0);
    }

    private void boot() {
        if (bootProgram != null) {
            cores.forEach(CpuCore::revive);
            bootProgram.run();
        }
    }

    /** Returns a core by its number, from 0. */
    public CpuCore core(int index) {
        return cores.get(index);
    }

    /** Returns how many root ports there are. */
    public int ports() {
        return ports.size();
    }

    /** Returns a root port by its number, from 0. */
    public RootPort port(int index) {
        return ports.get(index);
    }

    /**
     * Whether requests of a function reach a range in a window of another device: behind a switch, or through the root complex if its ports pass
     * packets on to each other.
     */
    public boolean reaches(int requester, long address, long bytes) {
        RootPort from = portOf(requester);
        if (from == null || from.device().reaches(requester, address, bytes)) {
            return from != null;
        }
        RootPort to = spec.depth().peerPs() == 0 ? null : windowAt(address, bytes);
        return to != null && to != from;
    }

    /** Returns the port to a function, null if there is none. */
    @Nullable
    RootPort portOf(int busDeviceFunction) {
        for (int i = 0; i < ports.size(); i++) {
            if (ports.get(i).device().answersTo(busDeviceFunction)) {
                return ports.get(i);
            }
        }
        return null;
    }

    /** Returns the port to the device with a range in one window, null if there is none. */
    @Nullable
    RootPort windowAt(long address, long bytes) {
        for (int i = 0; i < ports.size(); i++) {
            if (ports.get(i).ownsWhole(address, bytes)) {
                return ports.get(i);
            }
        }
        return null;
    }

    RootPort portFor(long address) {
        RootPort port = owner(address);
        if (port == null) {
            throw RootPort.nobodyAt(this, address);
        }
        return port;
    }

    /** Returns the port to the device with a window at an address, null if none has one. */
    @Nullable
    RootPort owner(long address) {
        for (int i = 0; i < ports.size(); i++) {
            if (ports.get(i).owns(address)) {
                return ports.get(i);
            }
        }
        return null;
    }

    /** Takes note of writes that will be in memory later. */
    void arrived(TlpTrain train, int from, int to, long lastCommit) {
        memory.seenAt(now());
        for (int i = 0; i < cores.size(); i++) {
            cores.get(i).written(train, from, to);
        }
        for (int i = 0; i < vectors.size(); i++) {
            vectors.get(i).arrived(train, from, to);
        }
        if (!commit.armed() || commit.deadline() < lastCommit + 1) {
            commit.arm(lastCommit + 1);
        }
    }

    /** Records when a followed operation's write is in memory, and since when its last packet has been here. */
    void stampCommit(TlpTrain train, long arrivedPs, long committedPs) {
        stamp(train.journey, train.stage, 0, arrivedPs, committedPs, 0);
    }

    /**
     * Records that a packet of a followed operation waited for something in the root complex. Its wait counts in the stage that waits for it.
     */
    void waited(TlpTrain train, int cause, long fromPs, long toPs) {
        if (train.within != 0) {
            delayed(train.journey, train.within, train.part, cause, fromPs, toPs);
        }
    }

    /** Returns the first time at which a core sees what the running step, or code outside of steps, stores. */
    long seenFrom(int core) {
        return running >= 0 && running < core ? now() : now() + 1;
    }

    /** Sees to it that a core runs at a time, which is not before {@link #seenFrom}. */
    void due(long at) {
        if (at > now() && (!steps.armed() || at < steps.deadline())) {
            steps.arm(at);
        }
    }

    @Override
    protected @Nullable String waitsFor() {
        for (RootPort p : ports) {
            String why = p.transmitter().waitsFor();
            if (why != null) {
                return why;
            }
        }
        return null;
    }

    @Override
    protected @Nullable String snapshotBlocker() {
        for (CpuCore c : cores) {
            if (!c.recordable()) {
                return "the program of " + c.name() + " is no State";
            }
        }
        if (memory.space().sanitizer() != null) {
            return "the memory sanitizer of " + path() + " is no State";
        }
        return null;
    }

    /** Makes writes visible to whoever looks at memory without asking the host. */
    private final class CommitTimer extends Timer {
        CommitTimer() {
            super(Host.this, "commit");
        }

        @Override
        protected void expired(long at) {
            memory.seenAt(at);
            long last = memory.last();
            if (last >= at) {
                arm(last + 1);
            }
        }
    }

    /** Runs the cores whose time has come, in the order of their numbers: one may wake another with a higher number at once. */
    private final class StepTimer extends Timer {
        StepTimer() {
            super(Host.this, "cores");
        }

        @Override
        protected void expired(long at) {
            memory.seenAt(at);
            long next = Long.MAX_VALUE;
            for (int i = 0; i < cores.size(); i++) {
                CpuCore core = cores.get(i);
                if (core.due() == at) {
                    running = i;
                    core.run(at);
                    running = -1;
                }
            }
            for (int i = 0; i < cores.size(); i++) {
                next = Math.min(next, cores.get(i).due());
            }
            if (next != Long.MAX_VALUE) {
                arm(next);
            }
        }
    }
}
