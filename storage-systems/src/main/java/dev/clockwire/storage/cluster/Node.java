package dev.clockwire.storage.cluster;

import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.roce.cm.ConnectionManager;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.AsyncEventType;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.Context;
import dev.clockwire.roce.verbs.Errno;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A machine of a cluster: host, NIC, perhaps disks, and a program that is begun anew whenever the machine comes back. Everything that belongs to
 * an incarnation is made when it begins; the disks and what a program keeps with it are all that the next one finds.
 */
public final class Node {
    private static final int PAGE = 4096;
    private static final long LOOK_PS = 10_000_000L;

    private final LabHost host;
    private final int number;
    private final NodeSpec spec;
    private final List<Disk> disks;
    private final List<CpuCore> cores = new ArrayList<>();
    private final List<Worker> workers = new ArrayList<>();
    private final List<Context> contexts = new ArrayList<>();
    private @Nullable NodeProgram program;
    private @Nullable ProtectionDomain pd;
    private @Nullable Connector connector;
    private int incarnation;
    private boolean running;
    private boolean away;
    private boolean ended;

    /** Adds a node's cores to a host that is being built. */
    Node(LabHost host, int number, NodeSpec spec, List<Disk> disks) {
        this.host = host;
        this.number = number;
        this.spec = spec;
        this.disks = disks;
        cores.add(host.core());
        for (int i = 1; i < spec.workers(); i++) {
            cores.add(host.host().addCore());
        }
        host.host().onBoot(this::boot);
        if (!disks.isEmpty()) {
            host.host().onPowerLoss(() -> disks.forEach(Disk::powerLost));
        }
    }

    /** Gives it a program, to be begun at {@link #boot}. */
    public void run(NodeProgram what) {
        program = what;
    }

    /** Begins an incarnation, in an event of the host or between runs. */
    public void boot() {
        ended = false;
        renew();
        int mine = incarnation;
        workers.get(0).post((a, b) -> open(mine), 0, 0);
    }

    /** Nothing of the last incarnation runs any more; cores have nothing to do yet. */
    private void renew() {
        incarnation++;
        running = false;
        workers.forEach(Worker::end);
        workers.clear();
        contexts.forEach(Context::abandon);
        contexts.clear();
        pd = null;
        connector = null;
        for (CpuCore core : cores) {
            Worker w = new Worker(core, spec.worker());
            workers.add(w);
            w.start();
        }
    }

    /**
     * Ends its program if a disk has failed for good: who begins it anew gives up, since it fails each time. Called in a step of it, of which nothing more may come.
     *
     * @return whether it has ended
     */
    public boolean endIfBroken() {
        ended = disks.stream().anyMatch(Disk::isBroken);
        if (ended) {
            renew();
        }
        return ended;
    }

    private void open(int mine) {
        if (!host.device().isPresent()) {
            workers.get(0).after(LOOK_PS, (a, b) -> open(mine), 0, 0); // its driver still starts it
            return;
        }
        cores.forEach(core -> contexts.add(host.device().open(core)));
        Context context = contexts.get(0);
        unless(mine, context.allocPd(), domain -> {
            pd = domain;
            long bytes = ConnectionManager.BUFFER_BYTES;
            long va = allocate("cm", bytes, Allocation.Kind.REAL);
            unless(mine, domain.regMr(va, bytes, EnumSet.of(AccessFlag.LOCAL_WRITE)), mr -> connect(mine, domain, mr));
        });
    }

    /** The device has failed while the incarnation began: it begins again when the device is back. */
    private void reopen(int mine) {
        if (mine == incarnation) {
            contexts.forEach(Context::abandon);
            contexts.clear();
            open(mine);
        }
    }

    private void connect(int mine, ProtectionDomain domain, MemoryRegion mr) {
        var random = host.host().sim().random(name() + ".cm." + mine);
        unless(mine, Connector.open(worker(0), domain, mr, spec.times(), random), made -> {
            connector = made;
            attach(mine, 0);
        });
    }

    /** Attaches the disks one after the other, then begins. */
    private void attach(int mine, int next) {
        if (next == disks.size()) {
            begin(mine);
        } else if (mine == incarnation) {
            disks.get(next).attach(worker(0), () -> attach(mine, next + 1));
        }
    }

    /** Goes on in a step of worker 0 when a control verb has ended, unless the incarnation has. */
    private <T> void unless(int mine, Completion<T> verb, java.util.function.Consumer<T> then) {
        Worker w = workers.get(0);
        verb.whenDone(x -> {
            if (mine == incarnation) {
                w.post((a, b) -> then.accept(x), 0, 0);
            }
        });
        verb.whenFailed((VerbsException e) -> {
            if (mine == incarnation && e.errno() == Errno.EIO) {
                w.post((a, b) -> reopen(mine), 0, 0);
            } else if (mine == incarnation) {
                throw new InvariantViolation(name() + " cannot begin: " + e.getMessage());
            }
        });
    }

    /** Has something run, in a step of worker 0, when the device fails in this incarnation: nothing that was made on it works any more. */
    public void onDeviceLoss(Runnable then) {
        watch(contexts.get(0), incarnation, then);
    }

    private void watch(Context context, int mine, Runnable then) {
        Worker w = workers.get(0);
        context.asyncEvent().whenDone(event -> {
            context.ackAsyncEvent(event);
            if (mine != incarnation) {
                return;
            }
            if (event.type() == AsyncEventType.DEVICE_FATAL) {
                w.post((a, b) -> then.run(), 0, 0);
            } else {
                watch(context, mine, then);
            }
        });
    }

    private void begin(int mine) {
        NodeProgram p = program;
        if (mine == incarnation && p != null) {
            running = true;
            p.start(this);
        }
    }

    /** Allocates memory of this incarnation. */
    public long allocate(String what, long bytes, Allocation.Kind kind) {
        return host.host()
                .memory()
                .allocate(name() + "." + incarnation + "." + what, bytes, kind, PAGE)
                .address();
    }

    /** Returns whether this is still the incarnation with a number. */
    public boolean isStill(int mine) {
        return mine == incarnation;
    }

    /** Returns which incarnation this is, from 1; 0 before the first. */
    public int incarnation() {
        return incarnation;
    }

    /** Returns whether its program runs: it has begun, and the host has not lost its power since. */
    public boolean isRunning() {
        return running && !host.core().isHalted();
    }

    /** Says that it does not come back when it has crashed. */
    void staysAway() {
        away = true;
    }

    /** Returns whether it has crashed, or ended with its disk, and does not come back. */
    public boolean isGone() {
        return ended || (away && host.core().isHalted());
    }

    /** Returns the name, {@code node0} or {@code client0}. */
    public String name() {
        return host.name();
    }

    /** Returns its place among all hosts of the cluster. */
    public int number() {
        return number;
    }

    /** Returns host and NIC. */
    public LabHost host() {
        return host;
    }

    /** Returns the address by which others reach it. */
    public Gid gid() {
        return host.gid();
    }

    /** Returns a worker of this incarnation. */
    public Worker worker(int i) {
        return workers.get(i);
    }

    /** Returns the device as a worker of this incarnation has opened it. */
    public Context context(int i) {
        return contexts.get(i);
    }

    /** Returns the protection domain of worker 0. */
    public ProtectionDomain pd() {
        return present(pd, "protection domain");
    }

    /** Returns what its cores have done so far. */
    public CpuWork work() {
        CpuWork sum = CpuWork.NONE;
        for (CpuCore core : cores) {
            sum = sum.plus(core);
        }
        return sum;
    }

    /** Returns who makes connections. */
    public Connector connector() {
        return present(connector, "connector");
    }

    /** Returns the disk, the first if there are several. */
    public Disk disk() {
        return present(disks.isEmpty() ? null : disks.get(0), "disk");
    }

    /** Returns all disks. */
    public List<Disk> disks() {
        return List.copyOf(disks);
    }

    private <T> T present(@Nullable T what, String words) {
        if (what == null) {
            throw new ConfigurationException(name() + " has no " + words);
        }
        return what;
    }
}
