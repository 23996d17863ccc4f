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

    /** Longs of a side's numbers: so many that two sides never lie in one cache line, nor in two that are fetched together. */
    private static final int SIDE = 32;

    private static final int COUNT = 0;
    /** Sender only: the earliest event that is due at or after {@link #FROM}. */
    private static final int EARLIEST = 1;

    private static final int FROM = 2;

    private final long[] sender = new long[SIDE];
    private final long[] receiver = new long[SIDE];
    private Page written;
    private Page read;
    /** How many events may be read. */
    private final AtomicLong published = new AtomicLong();
    /** A page that is free. */
    private final AtomicReference<@Nullable Page> spare = new AtomicReference<>();

    /** Creates an empty mailbox. */
    public Mailbox() {
        written = new Page();
        read = written;
        sender[EARLIEST] = Long.MAX_VALUE;
    }

    /** Sends an event to a port of another part; see {@link EventPort#send}. */
    public void put(EventPort port, long at, int kind, long a, long b, @Nullable Token token) {
        long count = sender[COUNT];
        int i = (int) (count % PAGE);
        if (i == 0 && count > 0) {
            turn();
        }
        Page page = written;
        page.to[i] = port;
        page.tokens[i] = token;
        int w = i * 4;
        page.words[w] = at;
        page.words[w + 1] = kind;
        page.words[w + 2] = a;
        page.words[w + 3] = b;
        sender[COUNT] = count + 1;
        if (at >= sender[FROM] && at < sender[EARLIEST]) {
            sender[EARLIEST] = at;
        }
    }

    private void turn() {
        Page free = spare.getAndSet(null);
        Page next = free == null ? new Page() : free;
        written.next = next;
        written = next;
    }

    /** Sender: what was put may be read from now on. */
    void publish() {
        published.setRelease(sender[COUNT]);
    }

    /** Sender: watches from now on for events that are due at or after a time. */
    void watchFrom(long ps) {
        sender[FROM] = ps;
        sender[EARLIEST] = Long.MAX_VALUE;
    }

    /** Sender: returns when the earliest event is due that it has watched for; {@link Long#MAX_VALUE} without one. */
    long earliest() {
        return sender[EARLIEST];
    }

    /** Receiver: hands over everything that was published. */
    void empty() {
        long count = receiver[COUNT];
        long until = published.getAcquire();
        if (count == until) {
            return;
        }
        for (; count < until; count++) {
            int i = (int) (count % PAGE);
            if (i == 0 && count > 0) {
                Page done = read;
                read = Objects.requireNonNull(done.next);
                done.next = null;
                spare.setRelease(done);
            }
            Page page = read;
            long[] words = page.words;
            int w = i * 4;
            page.to[i].send(words[w], (int) words[w + 1], words[w + 2], words[w + 3], page.tokens[i]);
            page.tokens[i] = null;
        }
        receiver[COUNT] = count;
    }
}
