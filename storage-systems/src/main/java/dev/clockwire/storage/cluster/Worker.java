package dev.clockwire.storage.cluster;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.pcie.host.CoreProgram;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayList;
import java.util.List;

/**
 * An event loop on one core, of one incarnation of a node. A step looks at its sources (all if it polls, those that were announced if it sleeps), then
 * runs timers that are due and tasks that came, and ends. Without anything to do a loop that polls rests until somebody writes to what it looks at; one
 * that sleeps halts, and pays an interrupt, a context switch and a system call when it is woken.
 */
public final class Worker implements CoreProgram {
    private static final int LINE = 64;

    private final CpuCore core;
    private final WorkerSpec spec;
    private final List<Source> sources = new ArrayList<>();
    /** Those of them that have deadlines. */
    private final List<Source> timed = new ArrayList<>();

    private final List<Source> announced = new ArrayList<>();
    private final List<Source> polled = new ArrayList<>();
    private final TaskRing tasks = new TaskRing();
    private final Timers timers = new Timers();
    /** Written by who hands something over from outside of a step: a loop that polls looks at it. */
    private final long bell;

    private final List<WorkCompletion[]> found = new ArrayList<>();
    private final byte[] ring = new byte[Long.BYTES];
    private long rings;
    private boolean asleep;
    private boolean inStep;
    private boolean over;
    private long longest;
    private long wakeUps;

    /** Creates a loop; {@link #start} begins it. */
    public Worker(CpuCore core, WorkerSpec spec) {
        this.core = core;
        this.spec = spec;
        bell = core.memory()
                .allocate(core.name() + ".bell", Long.BYTES, Allocation.Kind.REAL, LINE)
                .address();
    }

    /** Has the core run it. */
    public void start() {
        core.run(this);
    }

    /** The program has ended: nothing of it runs any more, not even what is due in the running step. */
    void end() {
        over = true;
    }

    /** Returns the core, to be charged for work. */
    public CpuCore core() {
        return core;
    }

    /** Returns how it waits. */
    public WorkerSpec spec() {
        return spec;
    }

    /** Returns the time of the running step with its cost so far, in ps. */
    public long now() {
        return core.now();
    }

    /** Returns how long the longest step was: nothing else of this loop went on meanwhile ("reactor stalled"). */
    public long longestStepPs() {
        return longest;
    }

    /** Returns how often it was woken from sleep. */
    public long wakeUps() {
        return wakeUps;
    }

    /** Has a source looked at from now on. */
    public void add(Source source) {
        sources.add(source);
        source.held = true;
        if (source.hasDeadlines()) {
            timed.add(source);
        }
        if (!spec.polls()) {
            source.arm();
            if (source.isReady()) {
                announce(source);
            }
        }
        nudge();
    }

    /** Has a source looked at no more. */
    public void remove(Source source) {
        source.held = false;
        source.announced = false;
        sources.remove(source);
        timed.remove(source);
        announced.remove(source);
    }

    private void announce(Source source) {
        source.announced = true;
        announced.add(source);
    }

    /** A source that was armed has something. */
    public void ready(Source source) {
        if (source.held && !source.announced) {
            announce(source);
            nudge();
        }
    }

    /** Runs a task in a later step of this core; called on it, or when a control verb has ended. */
    public void post(Task task, long a, long b) {
        // whether a poll of this very instant runs before or behind the caller must not matter
        tasks.add(task, a, b, inStep ? core.now() : core.now() + 1);
        nudge();
    }

    /** Runs a task on this core, which another one hands over at a time. */
    public void handOver(Task task, long a, long b, long fromPs) {
        tasks.add(task, a, b, fromPs + spec.crossPs());
        nudge(fromPs + spec.crossPs());
    }

    /**
     * Runs a task some time from now; called on this core.
     *
     * @return what cancels it, never 0
     */
    public long after(long ps, Task task, long a, long b) {
        if (ps < 0) {
            throw new ConfigurationException(core.name(), core.now(), "a timer of " + ps + " ps: must be 0 or more");
        }
        long timer = timers.add(core.now() + ps, task, a, b);
        nudge();
        return timer;
    }

    /** Takes back what is to run some time from now: it neither costs nor wakes anything any more. Nothing happens if it has run, or for 0; called on this core. */
    public void cancel(long timer) {
        timers.cancel(timer);
    }

    private void nudge() {
        nudge(core.now());
    }

    /** A step looks for everything that is due before it ends; outside of steps the core must hear of it. */
    private void nudge(long fromPs) {
        if (inStep) {
            return;
        }
        if (spec.polls()) {
            LittleEndian.put64(ring, 0, ++rings);
            core.memory().putBytes(bell, ring, 0, Long.BYTES);
        } else {
            core.wakeFrom(fromPs);
        }
    }

    @Override
    public void step(CpuCore c) {
        inStep = true;
        if (asleep) {
            asleep = false;
            wakeUps++;
            if (announced.isEmpty()) {
                c.charge(HostCost.INTERRUPT, 1); // of a timer or another core; for a queue's the driver has paid
            }
            c.charge(HostCost.CONTEXT_SWITCH, 1);
            c.charge(HostCost.SYSCALL, 1);
        }
        int found = spec.polls() ? pollAll() : pollAnnounced();
        for (int i = 0; i < spec.batch() && timers.first() <= c.now() && !over; i++) {
            c.charge(spec.taskPs());
            timers.runFirst();
            found++;
        }
        int most = Math.min(
                spec.batch(), tasks.size()); // what they post runs in a later step, which sees what came meanwhile
        for (int i = 0; i < most && tasks.first() <= c.now() && !over; i++) {
            c.charge(spec.taskPs());
            tasks.runFirst();
            found++;
        }
        inStep = false;
        longest = Math.max(longest, c.stepPs());
        if (found == 0) {
            c.foundNothing();
        }
        if (found > 0 || over || !announced.isEmpty() || next() <= c.now()) {
            c.wake();
        } else {
            rest(c);
        }
    }

    /** Returns room for what a poll finds, the same for all queues: it is used before the next poll. */
    WorkCompletion[] completions(int most) {
        for (int i = 0; i < found.size(); i++) {
            if (found.get(i).length == most) {
                return found.get(i);
            }
        }
        WorkCompletion[] made = WorkCompletion.array(most);
        found.add(made);
        return made;
    }

    private int pollAll() {
        int found = 0;
        for (int i = 0; i < sources.size() && !over; i++) {
            found += sources.get(i).poll();
        }
        return found;
    }

    private int pollAnnounced() {
        int found = 0;
        for (int i = 0; i < timed.size(); i++) {
            Source s = timed.get(i);
            if (!s.announced && s.deadline() <= core.now()) {
                announce(s);
            }
        }
        polled.clear();
        for (int i = 0; i < announced.size(); i++) {
            announced.get(i).announced = false;
            polled.add(announced.get(i));
        }
        announced.clear();
        for (int i = 0; i < polled.size() && !over; i++) {
            Source s = polled.get(i);
            int n = s.poll();
            found += n;
            if (n > 0) {
                announce(s); // there may be more
            } else {
                s.arm();
                if (s.isReady()) {
                    announce(s); // it came before it was armed
                }
            }
        }
        return found;
    }

    private long next() {
        long first = Math.min(timers.first(), tasks.first());
        for (int i = 0; i < timed.size(); i++) {
            first = Math.min(first, timed.get(i).deadline());
        }
        return first;
    }

    private void rest(CpuCore c) {
        long until = next();
        if (!spec.polls()) {
            asleep = true;
            if (until != Timers.NEVER) {
                c.wakeAfter(until - c.now());
            }
            return;
        }
        c.idle(bell, 1);
        for (int i = 0; i < sources.size(); i++) {
            c.idle(sources.get(i).watchAddress(), 1);
        }
        if (until != Timers.NEVER) {
            // a poll looks at the clock when it has cost something: the one before the time may see that it has come
            c.idleAtMost(Math.max(1, until - c.now() - c.stepPs()));
        }
    }
}
