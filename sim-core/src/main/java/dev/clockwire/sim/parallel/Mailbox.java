package dev.clockwire.sim.parallel;

import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.state.Token;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Events on their way from one part to another: the sending part writes while the receiving part reads. What was written is seen once it
 * is published. A port may be sent to from one mailbox only, so that the order at the port is that of sending.
 */
public final class Mailbox {
    private static final int PAGE = 256;

    /** Room for some events; a page that was read goes back to the sender. */
    private static final class Page {
        final EventPort[] to = new EventPort[PAGE];

        @Nullable
        final Token[] tokens = new Token[PAGE];
        /** Time, kind and both values of each. */
        final long[] words = new long[PAGE * 4];

        @Nullable
        Page next;
    }

    /** Where one side stands; an object of its own, so that the two sides do not share a cache line by being fields of one. */
    private static final class Side {
        Page page;
        long count;
        /** Sender only: the earliest event that is due at or after {@link #from}. */
        long earliest = Long.MAX_VALUE;

        long from;

        Side(Page page) {
            this.page = page;
        }
    }

    private final Side sender;
    private final Side receiver;
    /** How many events may be read. */
    private final AtomicLong published = new AtomicLong();
    /** A page that is free. */
    private final AtomicReference<@Nullable Page> spare = new AtomicReference<>();

    /** Creates an empty mailbox. */
    public Mailbox() {
        Page first = new Page();
        sender = new Side(first);
        receiver = new Side(first);
    }

    /** Sends an event to a port of another part; see {@link EventPort#send}. */
    public void put(EventPort port, long at, int kind, long a, long b, @Nullable Token token) {
        Side mine = sender;
        int i = (int) (mine.count % PAGE);
        if (i == 0 && mine.count > 0) {
            turn();
        }
        Page page = mine.page;
        page.to[i] = port;
        page.tokens[i] = token;
        int w = i * 4;
        page.words[w] = at;
        page.words[w + 1] = kind;
        page.words[w + 2] = a;
        page.words[w + 3] = b;
        mine.count++;
        if (at >= mine.from && at < mine.earliest) {
            mine.earliest = at;
        }
    }

    private void turn() {
        Page free = spare.getAndSet(null);
        Page next = free == null ? new Page() : free;
        sender.page.next = next;
        sender.page = next;
    }

    /** Sender: what was put may be read from now on. */
    void publish() {
        published.setRelease(sender.count);
    }

    /** Sender: watches from now on for events that are due at or after a time. */
    void watchFrom(long ps) {
        sender.from = ps;
        sender.earliest = Long.MAX_VALUE;
    }

    /** Sender: returns when the earliest event is due that it has watched for; {@link Long#MAX_VALUE} without one. */
    long earliest() {
        return sender.earliest;
    }

    /** Receiver: hands over everything that was published. */
    void empty() {
        Side mine = receiver;
        long until = published.getAcquire();
        while (mine.count < until) {
            int i = (int) (mine.count % PAGE);
            if (i == 0 && mine.count > 0) {
                Page read = mine.page;
                mine.page = Objects.requireNonNull(read.next);
                read.next = null;
                spare.setRelease(read);
            }
            Page page = mine.page;
            long[] words = page.words;
            int w = i * 4;
            page.to[i].send(words[w], (int) words[w + 1], words[w + 2], words[w + 3], page.tokens[i]);
            page.tokens[i] = null;
            mine.count++;
        }
    }
}
