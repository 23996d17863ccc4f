package dev.clockwire.sim.parallel;

import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs the parts of a design, each on a thread of its own. In every round all parts meet, learn the earliest thing that is due anywhere and
 * run up to that time and the look-ahead. Where much is due a round is long, and in it no part waits for the others as long as it is less than a
 * look-ahead before them. Results do not depend on the number of threads or on their speed.
 */
public final class Parts implements AutoCloseable {
    /** Look-aheads in a long round. */
    private static final int LONG = 64;
    /** A part tells how far it is so many times in a look-ahead. */
    private static final int STEPS = 4;
    /** Events in a look-ahead, of all parts together, from which a round is long: with fewer of them it is quicker to meet and jump. */
    private static final int BUSY = 64;

    private final List<Sim> sims;
    private final List<List<Mailbox>> inboxes;
    private final long lookaheadPs;
    private final Meeting meeting;
    private final List<Thread> threads = new ArrayList<>();
    private final Progress progress;
    /** When the next thing is due in each part; written by its thread before a meeting, read by all behind it. In turns: some read late. */
    private final long[][] next;
    /** How many events each part handled in the round, in the same way. */
    private final long[][] done;

    private long until;
    private boolean closed;
    private volatile @Nullable Throwable failure;

    /**
     * Prepares the threads; the caller's own runs the first part.
     *
     * @param sims the parts
     * @param inboxes what each part is sent, in the same order
     * @param lookaheadPs nothing gets from one part to another in less time: 2 or more
     */
    public Parts(List<Sim> sims, List<List<Mailbox>> inboxes, long lookaheadPs) {
        if (lookaheadPs < 2) {
            String text = "look-ahead of " + lookaheadPs + " ps between parts: it must be 2 ps or more";
            throw new ConfigurationException(text);
        }
        this.sims = List.copyOf(sims);
        this.inboxes = inboxes.stream().map(List::copyOf).toList();
        this.lookaheadPs = lookaheadPs;
        meeting = new Meeting(sims.size());
        progress = new Progress(sims.size());
        next = new long[2][sims.size()];
        done = new long[2][sims.size()];
        sims.forEach(Sim::elaborate);
        for (int i = 1; i < sims.size(); i++) {
            int part = i;
            Thread thread = new Thread(() -> serve(part), "clockwire-part-" + part);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    /** Simulates every instant before a time in all parts; afterwards that is now everywhere. */
    public void run(long untilPs) {
        until = untilPs;
        if (meeting.await()) {
            work(0);
        }
        Throwable why = failure;
        if (why instanceof RuntimeException e) {
            throw e;
        }
        if (why instanceof Error e) {
            throw e;
        }
    }

    private void serve(int part) {
        while (meeting.await() && !closed) {
            work(part);
        }
    }

    private void work(int part) {
        try {
            rounds(part);
        } catch (RuntimeException | Error e) {
            failure = e;
            meeting.leave();
            progress.leave();
        }
    }

    private void rounds(int part) {
        Sim sim = sims.get(part);
        int side = 0;
        int width = 1;
        report(part, side, 0);
        while (meeting.await()) {
            take(part);
            long first = Long.MAX_VALUE;
            long events = 0;
            for (int i = 0; i < next[side].length; i++) {
                first = Math.min(first, next[side][i]);
                events += done[side][i];
            }
            if (first >= until) {
                sim.run(until);
                meeting.await(); // what all have done is read behind this
                return;
            }
            width = events >= (long) BUSY * width ? LONG : 1;
            long before = sim.events();
            if (!round(part, first, width)) {
                return;
            }
            side ^= 1;
            report(part, side, sim.events() - before);
        }
    }

    /** Runs one part through a round; returns false if another has failed. */
    private boolean round(int part, long first, int width) {
        Sim sim = sims.get(part);
        long step = width == 1 ? lookaheadPs : Math.max(1, lookaheadPs / STEPS);
        long bound = first + lookaheadPs - 1;
        long end = Math.min(until, bound + (width - 1) * lookaheadPs);
        for (List<Mailbox> boxes : inboxes) {
            boxes.get(part).watchFrom(end);
        }
        long now = first;
        while (true) {
            now = Math.min(Math.min(bound, end), now + step);
            sim.run(now);
            publish(part);
            progress.tell(part, now + lookaheadPs - 1);
            if (now >= end) {
                return true;
            }
            bound = Math.max(bound, progress.bound(part));
            if (bound <= now) {
                bound = progress.awaitAfter(part, now);
            }
            if (bound < 0) {
                return false;
            }
            take(part);
        }
    }

    private void report(int part, int side, long events) {
        publish(part);
        long earliest = sims.get(part).nextAt(until);
        for (List<Mailbox> boxes : inboxes) {
            earliest = Math.min(earliest, boxes.get(part).earliest());
        }
        next[side][part] = earliest;
        done[side][part] = events;
    }

    private void publish(int part) {
        for (List<Mailbox> boxes : inboxes) {
            boxes.get(part).publish();
        }
    }

    /** Takes in what was published; behind the look at how far the others are, so that nothing due before is missed. */
    private void take(int part) {
        for (Mailbox box : inboxes.get(part)) {
            box.empty();
        }
    }

    /** Returns the parts. */
    public List<Sim> sims() {
        return sims;
    }

    /** Ends the threads. */
    @Override
    public void close() {
        closed = true;
        meeting.leave();
        progress.leave();
    }
}
