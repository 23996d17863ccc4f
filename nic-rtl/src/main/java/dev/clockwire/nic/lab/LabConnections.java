package dev.clockwire.nic.lab;

import dev.clockwire.pcie.host.CoreProgram;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.roce.cm.CmTimes;
import dev.clockwire.roce.cm.ConnectionManager;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.verbs.Context;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.mem.Allocation;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/**
 * The connection manager of a lab's host, and the program that polls it. An application on the same core is a step behind each poll; it
 * returns whether it found something to do.
 */
public final class LabConnections implements CoreProgram {
    private static final int PAGE = 4096;

    private final LabHost host;
    private final ProtectionDomain pd;
    private final ConnectionManager manager;
    private @Nullable Application application;

    /** What runs on the core besides. */
    @FunctionalInterface
    public interface Application {
        /** Does what there is to do; if there is nothing, names the queues it waits for and returns false. */
        boolean step(CpuCore core);
    }

    private LabConnections(LabHost host, ProtectionDomain pd, ConnectionManager manager) {
        this.host = host;
        this.pd = pd;
        this.manager = manager;
    }

    /** Opens queue pair 1 of a host and starts to poll it. */
    public static LabConnections open(Sim sim, LabHost host, CmTimes times) {
        ProtectionDomain pd = HostBuilder.await(sim, host.context().allocPd());
        MemoryRegion region = buffers(sim, host, pd);
        ConnectionManager manager = HostBuilder.await(
                sim,
                ConnectionManager.open(pd, region, times, sim.random(host.core().name() + ".cm")));
        return start(host, pd, manager);
    }

    /** Opens queue pair 1 anew, of a device that has failed and was opened again, and polls it instead of the old one. */
    public LabConnections reopen(Sim sim, Context context) {
        ProtectionDomain fresh = HostBuilder.await(sim, context.allocPd());
        MemoryRegion region = buffers(sim, host, fresh);
        return start(host, fresh, HostBuilder.await(sim, manager.successor(fresh, region)));
    }

    private static MemoryRegion buffers(Sim sim, LabHost host, ProtectionDomain pd) {
        Allocation memory =
                host.host().memory().allocate("cm", ConnectionManager.BUFFER_BYTES, Allocation.Kind.REAL, PAGE);
        return HostBuilder.await(sim, pd.regMr(memory.address(), memory.length(), EnumSet.of(AccessFlag.LOCAL_WRITE)));
    }

    private static LabConnections start(LabHost host, ProtectionDomain pd, ConnectionManager manager) {
        LabConnections connections = new LabConnections(host, pd, manager);
        host.core().run(connections);
        return connections;
    }

    /** Returns the manager. */
    public ConnectionManager manager() {
        return manager;
    }

    /** Returns a protection domain for the queue pairs of connections. */
    public ProtectionDomain pd() {
        return pd;
    }

    /** Runs an application on the same core. */
    public void run(Application other) {
        application = other;
        wake();
    }

    /** Lets the core look again: what was asked for between steps may have set a deadline. */
    public void wake() {
        host.core().wakeFrom(host.core().now() + 1);
    }

    @Override
    public void step(CpuCore core) {
        boolean did = manager.poll();
        if (application != null) {
            did |= application.step(core);
        }
        if (did) {
            core.wake();
            return;
        }
        host.idleUntil(manager.cq());
        if (manager.nextDeadline() != Long.MAX_VALUE) {
            core.idleAtMost(Math.max(1, manager.nextDeadline() - core.now()));
        }
    }
}
