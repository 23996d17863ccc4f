package dev.clockwire.storage.reactor;

import dev.clockwire.pcie.host.CoreProgram;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.AddressSpace;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A busy loop on one core. A round takes up to {@value ReactorSpec#EVENT_BATCH} events and then polls each thread, in the order they
 * came. The time since the end of the last poll of a thread is busy if this one did something, else idle; without threads it is idle.
 *
 * <p>Each look at a ring and each call of a poller is a step of the core. Behind a round in which every step found nothing, and said so,
 * the core is told what its rounds cost: it skips them up to the step that can find something, and they are counted later.
 */
public final class Reactor implements CoreProgram, State {
    private static final long NEVER = Long.MAX_VALUE;

    private final Reactors reactors;
    private final CpuCore core;
    private final AddressSpace memory;
    private final ReactorSpec spec;
    private final int lcore;
    private final int index;
    private final MessageRing events;
    private final List<StorageThread> threads = new ArrayList<>();
    private final RoundLog round = new RoundLog();
    /** Number of the thread whose turn is next, -1 for the events. */
    private int turn = -1;

    private boolean quiet;
    /** Whether the steps that the core skips are looks at rings, and not rounds. */
    private boolean looking;

    private long[] lookCosts = new long[4];
    /** Where the first look that was not counted yet begins. */
    private long lookAt;

    private boolean asleep;
    private long seenSteps;
    private long lastPs;
    private long rounds;
    private long busyPs;
    private long idlePs;
    private long sleepPs;
    private long sleeps;

    Reactor(Reactors reactors, CpuCore core, int lcore, int index) {
        this.reactors = reactors;
        this.core = core;
        this.lcore = lcore;
        this.index = index;
        spec = reactors.spec();
        memory = reactors.host().memory();
        events = new MessageRing(reactors);
    }

    /** Returns what its work costs. */
    public ReactorSpec spec() {
        return spec;
    }

    /** Returns the core it runs on. */
    public CpuCore core() {
        return core;
    }

    /** Returns the number of its core in the mask. */
    public int lcore() {
        return lcore;
    }

    /** Returns its group. */
    public Reactors reactors() {
        return reactors;
    }

    /** Returns its threads in the order it polls them. */
    public List<StorageThread> threads() {
        return List.copyOf(threads);
    }

    /** Returns the rounds that were begun, skipped ones included. */
    public long rounds() {
        settle();
        return rounds;
    }

    /** Returns the time of polls in which something was done. */
    public long busyPs() {
        return busyPs;
    }

    /** Returns the time of polls in which nothing was done, and of sleep. */
    public long idlePs() {
        settle();
        return idlePs;
    }

    /** Returns the time it slept, part of {@link #idlePs}. */
    public long sleepPs() {
        return sleepPs;
    }

    /** Returns how often it went to sleep. */
    public long sleeps() {
        return sleeps;
    }

    /** Returns which share of the core's time in steps went into steps that found nothing, 0 to 1. */
    public double pollingShare() {
        return core.busyPs() == 0 ? 0 : (double) core.pollingPs() / core.busyPs();
    }

    /**
     * Sends an event, to be run outside of all threads.
     *
     * @return 0, or -{@link Errno#ENOMEM}
     */
    public int sendEvent(MsgFn fn, long a, long b) {
        return reactors.sendEvent(this, fn, a, b);
    }

    void put(MsgFn fn, long a, long b, long from, int sender) {
        events.put(fn, a, b, from, sender);
    }

    void add(StorageThread t) {
        threads.add(t);
        disturb();
    }

    /** Something has changed: the next round is to be simulated. */
    void disturb() {
        quiet = false;
    }

    AddressSpace memory() {
        return memory;
    }

    int index() {
        return index;
    }

    /** Counts the steps that the core has skipped. */
    void settle() {
        long n = core.steps() - seenSteps;
        if (n > 0) {
            seenSteps += n;
            if (looking) {
                looked(n);
            } else {
                skip(n);
            }
        }
    }

    /** Looks at rings that found nothing: as {@link #runEvents} and {@link #runThread}, without the core. */
    private void looked(long steps) {
        for (long left = steps; left > 0; left--) {
            if (turn < 0) {
                rounds++;
                quiet = true;
                round.clear();
                round.add(-1, -1, spec.eventRingPs());
                lookAt += spec.eventRingPs();
                turn = 0;
            } else {
                round.add(turn, -1, spec.messageRingPs());
                lookAt += spec.messageRingPs();
                StorageThread t = threads.get(turn);
                if (!t.looked(lastPs)) {
                    polled(t, lookAt);
                }
            }
        }
    }

    /**
     * The next steps may be looks at empty rings, up to the next poller or the next message: they need not be simulated, whatever was found
     * before. Returns whether the core skips them.
     */
    private boolean looks(CpuCore c) {
        long at = c.now();
        long last = lastPs;
        int n = 0;
        int t = turn;
        lookAt = at;
        if (t < 0) {
            if (threads.isEmpty() || events.first() <= at) {
                return false;
            }
            n = look(n, spec.eventRingPs());
            at += spec.eventRingPs();
            t = 0;
        }
        for (boolean on = true; on && t < threads.size() && threads.get(t).looks(at); t++) {
            on = threads.get(t).onlyLooks(last);
            if (on && t + 1 == threads.size()) {
                break; // the end of a round is where rest may begin
            }
            n = look(n, spec.messageRingPs());
            at += spec.messageRingPs();
            last = at;
        }
        return n > 0 && c.looks(lookCosts, n);
    }

    private int look(int n, long ps) {
        if (n == lookCosts.length) {
            lookCosts = Arrays.copyOf(lookCosts, 2 * n);
        }
        lookCosts[n] = ps;
        return n + 1;
    }

    private void skip(long steps) {
        long left = steps;
        while (left > 0 && !round.atStart()) {
            skipOne();
            left--;
        }
        long whole = left / round.length();
        if (whole > 0) {
            for (int i = 0; i < threads.size(); i++) {
                threads.get(i).account(0, whole * round.threadPs(i));
            }
            round.skip(whole, threads);
            rounds += whole;
            idlePs += whole * round.totalPs();
            lastPs += whole * round.totalPs();
            left -= whole * round.length();
        }
        for (; left > 0; left--) {
            skipOne();
        }
    }

    private void skipOne() {
        int thread = round.thread();
        if (round.atStart()) {
            rounds++;
        }
        if (round.skipOne(threads)) { // the last of its thread
            long ps = round.threadPs(Math.max(0, thread));
            if (thread >= 0) {
                threads.get(thread).account(0, ps);
            }
            idlePs += ps;
            lastPs += ps;
        }
    }

    @Override
    public void step(CpuCore c) {
        settle();
        looking = false;
        reactors.run(this);
        if (round.resting()) {
            resume();
        }
        if (asleep) {
            awake(c);
        }
        boolean found = turn < 0 ? runEvents(c) : runThread(c, threads.get(turn));
        if (!found) {
            c.foundNothing();
        }
        long until = turn < 0 && quiet ? quietUntil() : 0;
        if (until > c.now()) {
            rest(c, until);
        } else {
            looking = looks(c);
            if (!looking) {
                c.wake();
            }
        }
        reactors.run(null);
        seenSteps = c.steps() + 1;
    }

    /** Takes the place in the round that the core has skipped to. */
    private void resume() {
        turn = round.thread();
        if (turn >= 0) {
            threads.get(turn).resumeAt(round.poller(), lastPs);
        }
        quiet = true;
        round.resume();
    }

    private void awake(CpuCore c) {
        asleep = false;
        sleepPs += c.now() - lastPs;
        idlePs += c.now() - lastPs;
        lastPs = c.now();
        c.charge(HostCost.INTERRUPT, 1);
        c.charge(HostCost.CONTEXT_SWITCH, 1);
    }

    private boolean runEvents(CpuCore c) {
        rounds++;
        quiet = true;
        round.clear();
        int n = events.visible(c.now(), ReactorSpec.EVENT_BATCH);
        c.charge(spec.eventRingPs());
        for (int i = 0; i < n; i++) {
            c.charge(spec.handlePs());
            events.runFirst();
            reactors.eventPool().give();
        }
        quiet &= n == 0;
        round.add(-1, -1, c.stepPs());
        turn = 0;
        if (threads.isEmpty()) {
            idlePs += c.now() - lastPs;
            lastPs = c.now();
            turn = -1;
        }
        return n > 0;
    }

    private boolean runThread(CpuCore c, StorageThread t) {
        int part = t.turn();
        int rc = t.part(c, lastPs);
        quiet &= t.isQuiet(part, rc);
        round.add(turn, part, c.stepPs());
        if (!t.advance()) {
            polled(t, c.now());
        }
        return rc > 0;
    }

    /** A poll of a thread has ended. */
    private void polled(StorageThread t, long now) {
        long ps = now - lastPs;
        lastPs = now;
        t.account(t.result(), ps);
        if (t.result() > 0) {
            busyPs += ps;
        } else {
            idlePs += ps;
        }
        if (t.endIfDone()) {
            threads.remove(turn);
            disturb();
        } else {
            turn++;
        }
        turn = turn == threads.size() ? -1 : turn;
    }

    /** Returns when the next round is to be simulated at the latest; 0 if somebody has written meanwhile to what a poller looks at. */
    private long quietUntil() {
        long until = events.first();
        for (int i = 0; i < threads.size(); i++) {
            until = Math.min(until, threads.get(i).quietUntil());
        }
        return until;
    }

    private void rest(CpuCore c, long until) {
        if (spec.adaptive()) {
            c.charge(HostCost.SYSCALL, 1);
        }
        for (int i = 0; i < threads.size(); i++) {
            threads.get(i).watchOn(c);
        }
        if (until != NEVER) {
            c.idleAtMost(until - c.now());
        }
        if (spec.adaptive()) {
            asleep = true;
            sleeps++;
            c.sleep();
        } else {
            round.begin();
            c.idleRound(round.costs(), round.length());
        }
    }

    @Override
    public void save(Snapshot out) {
        settle();
        if (index == 0) {
            reactors.save(out);
        }
        out.putInt(threads.size());
        for (StorageThread t : threads) {
            out.putInt(t.id());
        }
        events.save(out);
        round.save(out);
        out.putInt(turn);
        out.putBoolean(quiet);
        out.putBoolean(looking);
        out.putLong(lookAt);
        out.putBoolean(asleep);
        out.putLong(seenSteps);
        out.putLong(lastPs);
        out.putLong(rounds);
        out.putLong(busyPs);
        out.putLong(idlePs);
        out.putLong(sleepPs);
        out.putLong(sleeps);
    }

    @Override
    public void load(Snapshot in) {
        if (index == 0) {
            reactors.load(in);
        }
        threads.clear();
        for (int n = in.getInt(); n > 0; n--) {
            threads.add(reactors.thread(in.getInt()));
        }
        events.load(in);
        round.load(in);
        turn = in.getInt();
        quiet = in.getBoolean();
        looking = in.getBoolean();
        lookAt = in.getLong();
        asleep = in.getBoolean();
        seenSteps = in.getLong();
        lastPs = in.getLong();
        rounds = in.getLong();
        busyPs = in.getLong();
        idlePs = in.getLong();
        sleepPs = in.getLong();
        sleeps = in.getLong();
    }
}
