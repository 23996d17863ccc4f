package dev.clockwire.roce.verbs;

import org.jspecify.annotations.Nullable;

/** A queue of work completions. */
public final class CompletionQueue implements AutoCloseable {
    private static final int MAX_MODERATION = 0xFFFF;

    private final CompletionQueueProvider provider;
    private final Context context;
    private final Life parent;
    private final CompletionChannel channel;
    private final Life life;
    private int unacknowledged;
    private @Nullable Runnable whenAcknowledged;

    CompletionQueue(CompletionQueueProvider provider, Context context, Life parent, CompletionChannel channel) {
        this.provider = provider;
        this.context = context;
        this.parent = parent;
        this.channel = channel;
        life = new Life("CQ " + provider.number());
    }

    /** Returns who tells the sanitizer what is polled here, null without one. */
    @Nullable
    PostedMemory posted() {
        return context.posted();
    }

    boolean isClosed() {
        return life.isClosed();
    }

    /** Returns the number. */
    public int number() {
        return provider.number();
    }

    /** Returns the entries: at least as many as were asked for. */
    public int capacity() {
        return provider.capacity();
    }

    /** Returns what stands behind the queue: for the provider of the queue pairs that use it. */
    public CompletionQueueProvider provider() {
        return provider;
    }

    /** Returns where its events come out. */
    public CompletionChannel channel() {
        return channel;
    }

    /**
     * Takes completions off the queue, oldest first ({@code poll_cq}).
     *
     * @param out is filled from index 0; the objects are reused
     * @return how many, 0 to {@code out.length}
     * @throws VerbsException EIO if the queue has overflowed, or the device could not read how far it has been polled
     */
    public int poll(WorkCompletion[] out) {
        life.requireOpen("poll_cq");
        int found = provider.poll(out, out.length);
        if (found == CompletionQueueProvider.BROKEN) {
            throw new VerbsException(
                    Errno.EIO,
                    "poll_cq",
                    "CQ " + number() + " is broken: it overflowed, or the device could not read its record");
        }
        PostedMemory posted = context.posted();
        if (posted != null) {
            posted.polled(out, found);
        }
        VerbsTap tap = context.tap();
        for (int i = 0; tap != null && i < found; i++) {
            tap.completed(number(), out[i]);
        }
        return found;
    }

    /** Tells whether a poll at this instant would find something; costs nothing. */
    public boolean hasCompletion() {
        return !life.isClosed() && provider.hasCompletion();
    }

    /**
     * Asks for one event at the next completion ({@code req_notify_cq}). Completions that are there already make none: poll
     * again after asking.
     *
     * @param solicitedOnly only at the next solicited or failed one
     */
    public void reqNotify(boolean solicitedOnly) {
        life.requireOpen("req_notify_cq");
        provider.reqNotify(solicitedOnly);
    }

    /**
     * Lets an event wait for more completions ({@code modify_cq} with MODERATE): it comes after {@code count} of them, or {@code
     * periodUs} after the first, whichever is earlier. 0 and 0: at once.
     *
     * @param count 0 to 65535
     * @param periodUs 0 to 65535 microseconds
     */
    public Completion<CompletionQueue> modify(int count, int periodUs) {
        life.requireOpen("modify_cq");
        Check.range("modify_cq", "cq_count", count, 0, MAX_MODERATION);
        Check.range("modify_cq", "cq_period", periodUs, 0, MAX_MODERATION);
        Completion<Integer> done = new Completion<>();
        provider.modify(count, periodUs, done);
        return done.map(number -> this);
    }

    /**
     * Lets alike completions share entries in memory, which saves bytes of PCIe and may delay them; a poll gives the same as ever.
     * The completion fails with EOPNOTSUPP if the device cannot do it.
     */
    public Completion<CompletionQueue> compress(boolean on) {
        life.requireOpen("modify_cq");
        Completion<Integer> done = new Completion<>();
        provider.compress(on, done);
        return done.map(number -> this);
    }

    /**
     * Changes the number of entries ({@code resize_cq}); completions that are there stay.
     *
     * @param cqe entries at least
     * @throws VerbsException EINVAL if the device has no such large queue; the change fails with EINVAL if what is there does not fit
     */
    public Completion<CompletionQueue> resize(int cqe) {
        life.requireOpen("resize_cq");
        Check.range("resize_cq", "cqe", cqe, 1, context.device().attributes().maxCqe());
        Completion<Integer> done = new Completion<>();
        provider.resize(cqe, done);
        return done.map(entries -> this);
    }

    /** The channel gave an event of this queue to the program. */
    void eventTaken() {
        unacknowledged++;
    }

    /**
     * Acknowledges events that the channel gave ({@code ack_cq_events}).
     *
     * @throws VerbsException EINVAL for more than are open
     */
    public void ackEvents(int count) {
        Check.range("ack_cq_events", "nevents", count, 0, unacknowledged);
        unacknowledged -= count;
        Runnable then = whenAcknowledged;
        if (unacknowledged == 0 && then != null) {
            whenAcknowledged = null;
            then.run();
        }
    }

    Life life() {
        return life;
    }

    /**
     * Destroys the queue. That ends when all events of the queue that the program was given are acknowledged.
     *
     * @throws VerbsException EBUSY if a queue pair uses it
     */
    public Completion<CompletionQueue> destroy() {
        life.close("destroy_cq");
        parent.release();
        channel.forget(this);
        Completion<Integer> done = new Completion<>();
        Runnable then = () ->
                context.acks().whenAcknowledged(AsyncEventType.Subject.CQ, number(), () -> provider.destroy(done));
        if (unacknowledged == 0) {
            then.run();
        } else {
            whenAcknowledged = then;
        }
        return done.map(number -> this);
    }

    /** Destroys the queue without waiting for the end. */
    @Override
    public void close() {
        Completion<CompletionQueue> unused = destroy();
    }
}
