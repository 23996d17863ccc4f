package dev.clockwire.pcie.host;

import dev.clockwire.pcie.link.TlpTrain;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.host.Cpu;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.trace.JourneyLog;
import org.jspecify.annotations.Nullable;

/**
 * A core that runs a {@link CoreProgram} in steps and pays for what it does. Used outside of a step (a test that posts by
 * hand) it works as if a step had begun now, or when the last one ends.
 *
 * <p>A program that polls calls {@link #idle}: the polls that would find nothing are not run, but counted and paid for, and
 * the next step starts at the instant of the first poll that can see a write.
 */
public final class CpuCore implements Cpu, State {
    private static final long NEVER = Long.MAX_VALUE;
    private static final int LINE = 64;

    private final Host host;
    private final int index;
    private final CpuSpec spec;
    /** Who else uses the core; null if nobody does. */
    private final @Nullable CoreSchedule schedule;

    private final boolean exhaustive;
    private final byte[] word = new byte[Long.BYTES];
    private @Nullable CoreProgram program;
    private final IdleRanges ranges;

    private long start;
    private long cost;
    private boolean inStep;
    private boolean halted;
    private final DeviceLoad load = new DeviceLoad();
    /** Whose stores leave, and what waits for them; not kept between steps. */
    private long storeJourney;

    private int storeStage;
    private long due = NEVER;
    private long wakeAt = NEVER;
    private long restUntil = NEVER;
    private final IdleRound idle = new IdleRound();
    /** What this step said of the polls to come. */
    private long[] roundCosts = new long[0];

    private int roundPolls;
    private int looks;
    private boolean sleeps;
    private boolean vain;
    /**
     * Behind a step that found nothing. What runs outside of steps then does not move the next one, which may be skipped: it has a time of
     * its own.
     */
    private boolean resting;
    /** Whether what is skipped are looks behind which the core goes on at once; from the first one on it rests. */
    private boolean looking;

    private long handlerEnd;
    /** Bytes that programs have copied, so far. */
    private long copied;
    /** Bytes that programs have looked through. */
    private long scanned;
    /** Threads that were switched to. */
    private long switches;

    private long steps;
    private long idleSteps;
    private long busyPs;
    private long pollingPs;
    private long handlerPs;
    /** What others took out of this step, and out of those before it. */
    private long lost;

    private long lostPs;

    CpuCore(Host host, int index, CpuSpec spec, @Nullable CoreSchedule schedule) {
        this.host = host;
        this.index = index;
        this.spec = spec;
        this.schedule = schedule;
        exhaustive = host.sim().spec().mode() == KernelMode.EXHAUSTIVE;
        ranges = new IdleRanges(host.hostMemory(), this::stored);
    }

    /** Gives the core a program, whose first step starts 1 ps from now or when the core is free. */
    public void run(CoreProgram p) {
        program = p;
        wakeFrom(host.now() + 1);
    }

    /** Takes the program away, in an event of the host: its machine is lost. Whatever wakes the core finds nothing to run. */
    void halt() {
        program = null;
        halted = true;
    }

    /** Power is back: the core can be given a program again. */
    void revive() {
        halted = false;
    }

    /** Returns whether the core has lost its program, see {@link Host#haltAt}. */
    public boolean isHalted() {
        return halted;
    }

    /** Makes a core that does nothing run a step at a time or, if it is busy, after that; from a handler of the host or between runs. */
    public void wakeFrom(long at) {
        long t = Math.max(at, start + cost);
        if (inStep) {
            wakeAt = Math.min(wakeAt, t);
        } else if (idle.active()) {
            resume(Math.max(t, host.now() + 1)); // a handler may call when the steps of this instant are over
        } else {
            long next = free(Math.max(t, host.now() + 1)); // a step of this instant may have been already
            if (next < due) {
                due = next;
                host.due(due);
            }
        }
    }

    private long free(long t) {
        return schedule == null ? t : schedule.free(t);
    }

    @Override
    public String name() {
        return host.path() + ".core" + index;
    }

    @Override
    public long now() {
        return rests() ? Math.max(handlerEnd, host.now()) : begun() + cost;
    }

    private boolean rests() {
        return !inStep && (resting || (looking && host.now() >= idle.from()));
    }

    private long begun() {
        if (!inStep && start + cost < host.now()) {
            start = free(host.now());
            cost = 0;
        }
        return start;
    }

    @Override
    public void charge(long ps) {
        if (rests()) {
            handlerPs += ps;
            handlerEnd = schedule == null ? now() + ps : schedule.end(now(), ps);
            return;
        }
        begun();
        if (!inStep) {
            handlerPs += ps;
        }
        if (schedule == null) {
            cost += ps;
            return;
        }
        long took = schedule.end(start + cost, ps) - start - cost;
        lost += took - ps;
        cost += took;
    }

    @Override
    public void delays(JourneyLog log, long journey, int stage, long fromPs) {
        if (schedule != null) {
            schedule.record(log, host.sim().causes(), journey, stage, fromPs, now());
        }
    }

    @Override
    public void storesFor(long journey, int stage) {
        storeJourney = journey;
        storeStage = stage;
    }

    @Override
    public void storeDelays(JourneyLog log, long journey, int stage, long address) {
        host.portFor(address).storeDelays(log, journey, stage, now());
    }

    @Override
    public void charge(HostCost what, long count) {
        if (what == HostCost.COPY_BYTE) {
            copied += count;
        } else if (what == HostCost.CONTEXT_SWITCH) {
            switches += count;
        }
        charge(spec.price(what) * count);
    }

    @Override
    public AddressSpace memory() {
        return inStep ? host.hostMemory().space() : host.memory();
    }

    /** Pays for one store and sends it. */
    @Override
    public void mmioWrite(long address, long value, int size) {
        charge(spec.mmioStorePs());
        for (int i = 0; i < size; i++) {
            word[i] = (byte) (value >>> (8 * i));
        }
        host.portFor(address).store(now(), address, word, 0, size, storeJourney, storeStage);
    }

    /** Pays for a store of each 64-byte line of the block and sends each as one packet. */
    @Override
    public void mmioWrite(long address, byte[] data, int off, int len) {
        RootPort port = host.portFor(address);
        int done = 0;
        while (done < len) {
            int n = (int) Math.min(len - done, LINE - (address + done & LINE - 1));
            charge(n == LINE ? spec.combinedStorePs() : spec.mmioStorePs());
            port.store(now(), address + done, data, off + done, n, storeJourney, storeStage);
            done += n;
        }
    }

    /**
     * Loads from device memory. The core waits: the next step starts when the data are there, and {@link #loaded()} returns
     * them; all ones if no device answers. Across 4 KB it is two loads, one after the other.
     *
     * @param size 1 to 8
     * @throws ConfigurationException for another size, or if no device has a window at the address
     */
    public void mmioRead(long address, int size) {
        if (size < 1 || size > Long.BYTES) {
            throw new ConfigurationException(
                    name(), host.now(), "load of " + size + " bytes from a device: must be 1..8");
        }
        load.begin(address, size);
        request(now());
    }

    /** Sends what is next of a load; what lies behind all windows goes the way of the first byte, where the device refuses it. */
    private void request(long leftPs) {
        RootPort port = host.owner(load.address());
        (port == null ? host.portFor(load.start()) : port).load(leftPs, load.address(), load.bytes(), index);
    }

    /** Returns what the last {@link #mmioRead} brought. */
    public long loaded() {
        return load.value();
    }

    void loaded(long x) {
        if (load.take(x)) {
            wakeFrom(host.now() + 1);
        } else {
            request(host.now());
        }
    }

    @Override
    public void wake() {
        wakeFrom(now());
    }

    /** Asks for another step some time after this step's cost has passed. */
    public void wakeAfter(long ps) {
        wakeFrom(now() + ps);
    }

    /**
     * Says that this step found nothing, and promises that further steps will not either until somebody writes into the range,
     * each at the cost that this one has at its end. Several calls in a step name several ranges.
     *
     * @param length at least 1
     */
    public void idle(long va, int length) {
        if (!inStep) {
            throw new ConfigurationException(name(), host.now(), "idle() outside of a step");
        }
        ranges.add(va, length);
    }

    /**
     * Limits the idleness of this step: it ends at the first poll not before a time some way behind the step's cost, even if nobody
     * writes. For a program that also waits for the time.
     */
    public void idleAtMost(long ps) {
        restUntil = Math.min(restUntil, now() + ps);
    }

    /**
     * Says what the idle steps to come cost, for a program that polls several queues in turn: the next step the first of these, and
     * again from the front when they are through. Without this each costs as much as the step that said {@link #idle}; with it there need
     * not be a range. The core keeps no copy: the costs stay as they are until this step ends.
     *
     * @param costsPs 1 or more each, without what others take of the core
     */
    public void idleRound(long[] costsPs, int polls) {
        roundCosts = costsPs;
        roundPolls = polls;
    }

    /**
     * Says, at the end of a step, that the next ones only look for what is not there, unless somebody wakes the core, and that it goes on behind them.
     *
     * @param costsPs what they cost, 1 or more each
     * @return whether they are skipped; if not, nothing has been said
     */
    public boolean looks(long[] costsPs, int count) {
        if (exhaustive || schedule != null || load.waits()) {
            return false;
        }
        wakeAt = NEVER; // whoever asked for a step gets the first one
        roundCosts = costsPs;
        looks = count;
        return true;
    }

    /**
     * Says that the core halts behind this step, instead of polling, until somebody writes into a range of {@link #idle}, the time of
     * {@link #idleAtMost} comes, or somebody wakes it.
     */
    public void sleep() {
        sleeps = true;
    }

    /** Says that this step found nothing, though the next one may: it counts as idle. */
    public void foundNothing() {
        vain = true;
    }

    /** Returns the cost of this step so far, without what others took of the core, in ps. */
    public long stepPs() {
        return cost - lost;
    }

    /** Returns the polls that were skipped before now and have not been counted yet. */
    private long skipped() {
        return idle.before(Math.min(host.now(), due));
    }

    /** Returns the bytes that programs have copied and paid for. */
    public long copiedBytes() {
        return copied;
    }

    /** Pays for looking through bytes, as a checksum does. */
    public void scan(long bytes, long bytePs) {
        scanned += bytes;
        charge(bytes * bytePs);
    }

    /** Returns the bytes that programs have looked through and paid for. */
    public long scannedBytes() {
        return scanned;
    }

    /** Returns how often a thread was switched to: once for each wake-up of one that sleeps. */
    public long contextSwitches() {
        return switches;
    }

    /** Returns the steps that started before now, skipped ones included. */
    public long steps() {
        return steps + skipped();
    }

    /** Returns how many of the steps found nothing. */
    public long idleSteps() {
        return idleSteps + skipped();
    }

    /** Returns the time spent in steps, in ps; a step counts when it starts. */
    public long busyPs() {
        return busyPs + idle.length(skipped());
    }

    /** Returns how much of {@link #busyPs} went into steps that found nothing. */
    public long pollingPs() {
        return pollingPs + idle.length(skipped());
    }

    /** Returns the time spent outside of steps: handlers of interrupts, programs that tests run by hand. */
    public long handlerPs() {
        return handlerPs;
    }

    /** Returns by how much steps took longer because the core is not isolated, in ps. */
    public long lostPs() {
        return lostPs;
    }

    /** Returns how often others have taken the core away: {@code nonvoluntary_ctxt_switches} of a program that polls. */
    public long preemptions() {
        return schedule == null ? 0 : schedule.slices(host.now());
    }

    long due() {
        return due;
    }

    /** Runs a step; memory is as seen at its start. */
    void run(long at) {
        due = NEVER;
        if (idle.active()) {
            countSkipped(idle.before(at));
        }
        CoreProgram p = program;
        if (p == null) {
            return;
        }
        start = at;
        cost = 0;
        lost = 0;
        wakeAt = NEVER;
        restUntil = NEVER;
        ranges.clear();
        roundPolls = 0;
        looks = 0;
        looking = false;
        sleeps = false;
        vain = false;
        resting = false;
        inStep = true;
        p.step(this);
        inStep = false;
        steps++;
        busyPs += cost - lost;
        lostPs += lost;
        if (load.waits()) {
            return;
        }
        if (wakeAt != NEVER) {
            due = free(Math.max(Math.max(wakeAt, at + cost), at + 1));
        } else if (looks > 0) {
            idle.begin(Math.max(at + cost, at + 1), roundCosts, looks);
            due = idle.start(looks);
            looking = true;
        } else if (ranges.count() > 0 || roundPolls > 0 || sleeps) {
            rest(at);
        }
        resting = vain && !(idle.active() && idle.asleep());
        if (vain) {
            idleSteps++;
            pollingPs += cost - lost;
        }
    }

    private void countSkipped(long n) {
        long ps = idle.length(n);
        steps += n;
        idleSteps += n;
        busyPs += ps;
        pollingPs += ps;
        idle.end();
    }

    private void rest(long at) {
        if (cost == 0) {
            charge(spec.pollPs() == 0 ? 1 : spec.pollPs());
            busyPs += cost - lost;
            lostPs += lost;
        }
        vain = true;
        if (!beginIdle(at + cost)) {
            return;
        }
        for (int i = 0; i < ranges.count(); i++) {
            long w = ranges.firstTo(i);
            if (w != NEVER) {
                resume(w + 1);
            }
            ranges.watch(i);
        }
        if (restUntil != NEVER) {
            resume(restUntil);
        }
    }

    /** Returns whether polls are skipped from now on; sleep is no shortcut. */
    private boolean beginIdle(long from) {
        if (sleeps) {
            idle.sleep(from);
            return true;
        }
        if (exhaustive) {
            due = from;
            return false;
        }
        if (roundPolls > 0) {
            idle.begin(from, roundCosts, roundPolls);
        } else {
            idle.begin(from, cost - lost);
        }
        if (schedule != null) {
            restUntilTaken(schedule);
        }
        return true;
    }

    /** The last poll that begins before the core is taken away is run: it is the one that takes longer. */
    private void restUntilTaken(CoreSchedule s) {
        long horizon = s.horizon(idle.from());
        long taken = Math.min(horizon, s.taken(idle.from(), horizon));
        resume(idle.start(Math.max(0, idle.before(taken) - 1)));
    }

    private void stored(long va, int length) {
        if (idle.active() && !host.hostMemory().applying()) {
            resume(host.seenFrom(index));
        }
    }

    /** Hears of writes of a device whose commit times are known. */
    void written(TlpTrain train, int from, int to) {
        if (idle.active() && ranges.count() > 0) {
            long w = ranges.firstOf(train, from, to);
            if (w != NEVER) {
                resume(w + 1);
            }
        }
    }

    /** Ends idleness at the first poll not before a time. */
    private void resume(long t) {
        long at = idle.notBefore(t);
        if (idle.asleep()) {
            at = free(at);
        }
        if (at < due) {
            due = at;
            host.due(at);
        }
    }

    /** Returns whether a snapshot can hold what this core does: its program, if it has one, is a {@link State}. */
    boolean recordable() {
        return program == null || program instanceof State;
    }

    @Override
    public void save(Snapshot out) {
        out.putBoolean(halted);
        if (program instanceof State p) {
            p.save(out);
        }
        out.putLong(start);
        out.putLong(cost);
        load.save(out);
        out.putLong(due);
        idle.save(out);
        ranges.save(out);
        out.putLong(copied);
        out.putLong(scanned);
        out.putLong(switches);
        out.putLong(steps);
        out.putLong(idleSteps);
        out.putLong(busyPs);
        out.putLong(pollingPs);
        out.putLong(handlerPs);
        out.putLong(lostPs);
        out.putBoolean(resting);
        out.putBoolean(looking);
        out.putLong(handlerEnd);
    }

    @Override
    public void load(Snapshot in) {
        halted = in.getBoolean();
        program = halted ? null : program;
        if (program instanceof State p) {
            p.load(in);
        }
        start = in.getLong();
        cost = in.getLong();
        load.load(in);
        due = in.getLong();
        idle.load(in);
        ranges.load(in);
        copied = in.getLong();
        scanned = in.getLong();
        switches = in.getLong();
        steps = in.getLong();
        idleSteps = in.getLong();
        busyPs = in.getLong();
        pollingPs = in.getLong();
        handlerPs = in.getLong();
        lostPs = in.getLong();
        resting = in.getBoolean();
        looking = in.getBoolean();
        handlerEnd = in.getLong();
    }
}
