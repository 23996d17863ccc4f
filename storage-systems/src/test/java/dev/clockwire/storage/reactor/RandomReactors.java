package dev.clockwire.storage.reactor;

import dev.clockwire.pcie.host.SchedSpec;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Snapshot;
import java.util.ArrayList;
import java.util.List;

/** Reactors with threads, pollers, messages, writes and times drawn at random: the same seed is the same program. */
final class RandomReactors {
    static final long SPAN = 6_000_000;
    private static final int FLAGS = 6;

    final Bench bench;
    private final RandomStream random;
    private final List<StorageThread> threads = new ArrayList<>();
    private final List<Poller> pollers = new ArrayList<>();
    private final MsgFn hello;
    private final MsgFn toggle;

    RandomReactors(KernelMode mode, long seed, boolean adaptive) {
        random = RandomStream.named(seed, "reactors");
        int cores = 1 + random.below(3);
        SchedSpec sched = random.below(3) == 0 ? new SchedSpec(1_000_000, 30_000, 0.4, 200_000) : null;
        bench = new Bench(mode, cores, Bench.SPEC.withAdaptive(adaptive), sched);
        hello = bench.reactors.function("hello", (a, b) -> bench.note("hello" + a));
        toggle = bench.reactors.function("toggle", (a, b) -> toggle(pollers.get((int) a)));
        for (int i = 1 + random.below(4); i > 0; i--) {
            threads.add(bench.reactors.thread("t" + i));
        }
        for (int i = 1 + random.below(7); i > 0; i--) {
            addPoller("p" + i);
        }
        for (int i = random.below(25); i > 0; i--) {
            bench.write(1 + random.nextLong(SPAN), flag(random.below(FLAGS)), 1 + random.below(100));
        }
    }

    private long flag(int i) {
        return bench.memory.address() + 64L * i;
    }

    private void toggle(Poller p) {
        if (p.state() == PollerState.WAITING) {
            p.pause();
        } else {
            p.resume();
        }
    }

    private void addPoller(String name) {
        StorageThread t = threads.get(random.below(threads.size()));
        long cost = random.below(4) * 3_700L;
        PollFunction f = switch (random.below(5)) {
            case 0 ->
                self -> {
                    self.cpu().charge(cost);
                    self.quiet();
                    return 0;
                };
            case 1 -> delayed(cost);
            default -> watcher(name, cost);
        };
        Poller p = t.poller(name, f);
        pollers.add(p);
        p.register(random.below(4) == 0 ? 1 + random.nextLong(800_000) : 0);
    }

    /** Finds work when a flag has changed; then it may write another flag, and tell others. */
    private PollFunction watcher(String name, long cost) {
        int mine = random.below(FLAGS);
        int other = random.below(2) == 0 ? random.below(FLAGS) : -1;
        StorageThread to = random.below(2) == 0 ? threads.get(random.below(threads.size())) : null;
        long number = pollers.size();
        boolean toggles = random.below(4) == 0;
        long own = bench.memory.address() + 4096 + 64 * number; // what it saw last, in memory: snapshots hold it
        return self -> {
            byte now = self.cpu().memory().getByte(flag(mine));
            self.cpu().charge(cost);
            if (now == self.cpu().memory().getByte(own)) {
                self.watch(flag(mine), 1);
                return 0;
            }
            self.cpu().memory().putByte(own, now);
            bench.note(name + "=" + now);
            self.cpu().charge(5_000);
            if (other >= 0 && other != mine && now % 3 != 0) {
                self.cpu().memory().putByte(flag(other), (byte) (now / 2));
            }
            if (to != null) {
                to.sendMsg(hello, now, 0);
            }
            if (toggles) {
                self.thread().sendMsg(toggle, number, 0);
                self.pause();
            }
            return now % 5 == 0 ? 0 : 1; // work that is booked idle, as receives are
        };
    }

    /** Finds work at each multiple of a time. */
    private PollFunction delayed(long cost) {
        long every = 100_000 + random.nextLong(900_000);
        return self -> {
            self.cpu().charge(cost);
            long start = self.cpu().now() - self.cpu().stepPs();
            long mark = bench.memory.address() + 8192 + 8L * pollers.indexOf(self);
            long due = self.cpu().memory().getLong(mark);
            if (start < due) {
                self.quietUntil(due);
                return 0;
            }
            self.cpu().memory().putLong(mark, start / every * every + every);
            bench.note("due");
            return 1;
        };
    }

    /** Runs to a time, sending messages from outside on the way, and returns what there is to see. */
    List<String> run(long until, long seed) {
        RandomStream outside = RandomStream.named(seed, "outside");
        for (long t = bench.sim.now(); t < until; ) {
            t = Math.min(until, t + 300_000 + outside.nextLong(900_000));
            bench.sim.run(t);
            threads.get(outside.below(threads.size())).sendMsg(hello, -1, 0);
            if (outside.below(3) == 0) {
                see();
            }
        }
        see();
        return bench.log;
    }

    private void see() {
        for (Reactor r : bench.reactors.reactors()) {
            bench.log.add(
                    "busy " + r.busyPs() + " idle " + r.idlePs() + " rounds " + r.rounds() + " slept " + r.sleepPs()
                            + " in " + r.sleeps() + " steps " + r.core().steps() + " of them idle "
                            + r.core().idleSteps() + " time " + r.core().busyPs() + " polling "
                            + r.core().pollingPs());
        }
        for (StorageThread t : threads) {
            bench.log.add(t + " busy " + t.busyPs() + " idle " + t.idlePs());
        }
        for (Poller p : pollers) {
            bench.log.add(p + " " + p.state() + " " + p.runCount() + " " + p.busyCount() + " " + p.busyPs() + " "
                    + p.idlePs());
        }
    }

    Snapshot save() {
        return bench.sim.save();
    }
}
