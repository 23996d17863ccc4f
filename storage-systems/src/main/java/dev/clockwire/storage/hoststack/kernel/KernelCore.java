package dev.clockwire.storage.hoststack.kernel;

import dev.clockwire.pcie.host.CoreProgram;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.pcie.host.Host;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shares a core out as a kernel does. Each step is one context: timers first, then softirqs, then a thread; with nothing to do the core halts.
 * An interrupt finds the core in a step, or halted; its price is paid at the beginning of the step behind.
 */
public final class KernelCore implements CoreProgram {
    private static final long NEVER = Long.MAX_VALUE;

    private final Host host;
    private final CpuCore core;
    private final KernelCosts costs;
    private final KernelCounts counts = new KernelCounts();
    private final List<Softirq> softirqs = new ArrayList<>();
    private final List<Softirq> raised = new ArrayList<>();
    private final List<KernelTask> ready = new ArrayList<>();
    /** Whose registers the core has; null: the idle task's. */
    private @Nullable KernelTask current;
    /** Price of interrupts since the last step began. */
    private long owed;

    private boolean halted = true;
    private long timer = NEVER;
    private long interruptedAt;

    /** Creates the kernel of a core that runs nothing else. */
    public KernelCore(Host host, CpuCore core, KernelCosts costs) {
        this.host = host;
        this.core = core;
        this.costs = costs;
    }

    /** Starts it. */
    public void start() {
        core.run(this);
    }

    /** Returns the core. */
    public CpuCore cpu() {
        return core;
    }

    /** Returns what things cost. */
    public KernelCosts costs() {
        return costs;
    }

    /** Returns what was counted. */
    public KernelCounts counts() {
        return counts;
    }

    /** Returns the start of the step plus what it has cost so far, in ps. */
    public long now() {
        return core.now();
    }

    /** Makes a source of softirqs and timers known. */
    public void add(Softirq what) {
        softirqs.add(what);
    }

    /** Pays for work. */
    public void charge(long ps) {
        core.charge(ps);
    }

    /** Pays for a system call. */
    public void syscall() {
        counts.syscalls++;
        core.charge(costs.syscall());
    }

    /** Pays for a copy of data. */
    public void copy(int bytes) {
        counts.copies++;
        counts.copiedBytes += bytes;
        core.charge(bytes * costs.copyByte());
    }

    /** A poll that began at a time has found nothing. */
    public void foundNothing(long since) {
        counts.vainPs += core.now() - since;
    }

    /**
     * A device has interrupted the core, in an event of the host; what it leaves to do is run as soon as the core gets to it. While a handler
     * is at work, further messages of its device are one interrupt behind it, as the pending bit of the interrupt controller has it.
     */
    public void interrupted(Softirq what) {
        if (!isPending(what.raised, what.interruptedAt)) {
            what.interruptedAt = host.now();
            interrupt();
        }
        interruptedAt = host.now();
        raise(what);
        core.wakeFrom(host.now());
    }

    /** A device has interrupted the core; its handler gives a kworker its work. See {@link #interrupted(Softirq)}. */
    public void interrupted(KernelTask work) {
        if (!isPending(work.ready, work.interruptedAt)) {
            work.interruptedAt = host.now();
            interrupt();
        }
        interruptedAt = host.now();
        if (!work.ready) {
            owed += costs.queueWork();
            makeReady(work);
        }
        core.wakeFrom(host.now());
    }

    private boolean isPending(boolean waits, long since) {
        return waits && host.now() - since < costs.hardInterrupt();
    }

    private void interrupt() {
        counts.interrupts++;
        owed += costs.hardInterrupt() + (halted ? costs.idleExit() : 0);
        halted = false;
    }

    /** Returns when the last interrupt of a device reached the core. */
    public long interruptedAt() {
        return interruptedAt;
    }

    /** Asks for a softirq. */
    public void raise(Softirq what) {
        if (!what.raised) {
            what.raised = true;
            raised.add(what);
        }
    }

    /** Gives a kworker its work, in a step. */
    public void queueWork(KernelTask work) {
        if (!work.ready) {
            core.charge(costs.queueWork());
            makeReady(work);
        }
    }

    /** Wakes a thread that sleeps, in a step. */
    public void wakeUp(KernelTask thread) {
        if (!thread.ready) {
            core.charge(costs.wakeUp());
            makeReady(thread);
        }
    }

    private void makeReady(KernelTask task) {
        task.ready = true;
        ready.add(task);
    }

    /** Lets a thread begin, from outside of all steps. */
    public void launch(KernelTask thread) {
        if (!thread.ready) {
            makeReady(thread);
        }
        core.wakeFrom(host.now() + 1);
    }

    @Override
    public void step(CpuCore c) {
        if (timer <= c.now()) {
            interrupt();
        }
        timer = NEVER;
        halted = false;
        c.charge(owed);
        owed = 0;
        if (!timers() && !softirqs()) {
            thread();
        }
        rest();
    }

    private boolean timers() {
        boolean any = false;
        for (int i = 0; i < softirqs.size(); i++) {
            Softirq s = softirqs.get(i);
            if (s.deadline() <= core.now()) {
                enter(any);
                any = true;
                s.expired();
            }
        }
        return any;
    }

    private boolean softirqs() {
        boolean any = !raised.isEmpty();
        boolean entered = false;
        int n = raised.size();
        for (int i = 0; i < n; i++) {
            Softirq s = raised.remove(0);
            s.raised = false;
            if (!s.isHandler()) {
                enter(entered);
                entered = true;
            }
            if (s.run()) {
                raise(s);
            }
        }
        return any;
    }

    private void enter(boolean entered) {
        if (!entered) {
            counts.softirqs++;
            core.charge(costs.softirq());
        }
    }

    private void thread() {
        if (ready.isEmpty()) {
            return;
        }
        KernelTask next = ready.remove(0);
        switchTo(next);
        next.ready = false;
        if (next.run() && !next.ready) {
            makeReady(next);
        }
    }

    private void switchTo(@Nullable KernelTask next) {
        if (current != next) {
            counts.contextSwitches++;
            core.charge(costs.contextSwitch());
            current = next;
        }
    }

    private void rest() {
        if (!raised.isEmpty() || !ready.isEmpty()) {
            core.wake();
            return;
        }
        switchTo(null);
        long due = NEVER;
        for (int i = 0; i < softirqs.size(); i++) {
            due = Math.min(due, softirqs.get(i).deadline());
        }
        halted = true;
        core.sleep();
        if (due != NEVER) {
            timer = Math.max(due, core.now());
            core.idleAtMost(Math.max(1, due - core.now()));
        }
    }
}
