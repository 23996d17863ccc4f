package dev.clockwire.sim.parallel;

import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs the parts of a design, each on a thread of its own. In every round all parts know the earliest thing that is due anywhere, take
 * their mail in and run up to that time and the look-ahead. Results do not depend on the number of threads or on their speed.
 */
public final class Parts implements AutoCloseable {
    private final List<Sim> sims;
    private final List<List<Mailbox>> inboxes;
    private final long lookaheadPs;
    private final Meeting meeting;
    private final List<Thread> threads = new ArrayList<>();
    /** When the next thing is due in each part; written by its thread, read by all behind a meeting. In turns, as the sides of mailboxes. */
    private final long[][] next;

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
        next = new long[2][sims.size()];
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
        }
    }

    /** The parts meet once in a round: they say what is due, also of what they have sent; mail of the round before is handed over behind the meeting. */
    private void rounds(int part) {
        Sim sim = sims.get(part);
        int side = 0;
        fill(part, side);
        next[side][part] = sim.nextAt(until);
        while (meeting.await()) {
            long first = Long.MAX_VALUE;
            for (long n : next[side]) {
                first = Math.min(first, n);
            }
            for (Mailbox box : inboxes.get(part)) {
                box.empty(side);
            }
            if (first >= until) {
                sim.run(until);
                meeting.await(); // what all have done is read behind this
                return;
            }
            side ^= 1;
            fill(part, side);
            sim.run(Math.min(until, first + lookaheadPs - 1));
            next[side][part] = Math.min(sim.nextAt(until), earliestSent(part));
        }
    }

    private void fill(int part, int side) {
        for (List<Mailbox> boxes : inboxes) {
            boxes.get(part).fill(side);
        }
    }

    private long earliestSent(int part) {
        long earliest = Long.MAX_VALUE;
        for (List<Mailbox> boxes : inboxes) {
            earliest = Math.min(earliest, boxes.get(part).earliest());
        }
        return earliest;
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
    }
}
