package dev.clockwire.roce.verbs;

import org.jspecify.annotations.Nullable;

/** Receives that several queue pairs take from ({@code ibv_srq}). */
public final class SharedReceiveQueue implements AutoCloseable {
    private static final String POST = "post_srq_recv";

    private final SharedReceiveQueueProvider provider;
    private final Context context;
    private final Life parent;
    private final SrqAttributes size;
    private final Life life;
    private final ReceiveBatch one = new ReceiveBatch(1, 1);
    private final @Nullable PostedReceives owned;

    SharedReceiveQueue(SharedReceiveQueueProvider provider, Context context, Life parent, SrqAttributes size) {
        this.provider = provider;
        this.context = context;
        this.parent = parent;
        this.size = size;
        life = new Life("SRQ " + provider.number());
        PostedMemory memory = context.posted();
        owned = memory == null ? null : memory.shared(provider.number());
        VerbsTap tap = context.tap();
        if (tap != null) {
            tap.sharedMade(provider.number());
        }
    }

    /** Returns the number ({@code get_srq_num}). */
    public int number() {
        return provider.number();
    }

    /** Returns what stands behind the queue: for the provider of the queue pairs that use it. */
    public SharedReceiveQueueProvider provider() {
        return provider;
    }

    /**
     * Posts one receive ({@code post_srq_recv}).
     *
     * @throws VerbsException EINVAL if there are too many scatter/gather entries, ENOMEM if the queue is full
     */
    public void postReceive(ReceiveWorkRequest wr) {
        one.clear();
        one.add(wr);
        postReceive(one);
    }

    /** Posts receives in order. If one is refused, the earlier ones stay posted, and {@link VerbsException#badIndex} names it. */
    public void postReceive(ReceiveBatch batch) {
        life.requireOpen(POST);
        VerbsTap tap = context.tap();
        int posted = 0;
        VerbsException error = null;
        while (posted < batch.size() && error == null) {
            ReceiveEntry wr = batch.get(posted);
            error = PostChecks.pieces(wr.sges(), POST, posted);
            if (error != null) {
                break;
            }
            if (wr.sges().count() > size.maxSge()) {
                String text = wr.sges().count() + " SGEs: must be 0.." + size.maxSge();
                error = new VerbsException(Errno.EINVAL, POST, posted, text);
            } else if (provider.space() <= 0) {
                error = new VerbsException(Errno.ENOMEM, POST, posted, "queue of " + size.maxWr() + " is full");
            } else {
                provider.postReceive(wr);
                if (owned != null) {
                    owned.post(wr);
                }
                if (tap != null) {
                    tap.sharedPosted(number(), wr.wrId);
                }
                posted++;
            }
        }
        if (posted > 0) {
            provider.ring();
        }
        if (error != null) {
            throw error;
        }
    }

    /**
     * Arms the limit event ({@code modify_srq} with LIMIT): {@link AsyncEventType#SRQ_LIMIT_REACHED} comes once when fewer
     * receives are left.
     *
     * @param limit 0 to the size of the queue; 0 takes the event away
     */
    public Completion<SharedReceiveQueue> modifyLimit(int limit) {
        life.requireOpen("modify_srq");
        Check.range("modify_srq", "srq_limit", limit, 0, size.maxWr());
        Completion<Integer> done = new Completion<>();
        provider.modifyLimit(limit, done);
        return done.map(armed -> this);
    }

    /** Gives the attributes ({@code query_srq}); the limit is 0 after its event. */
    public Completion<SrqAttributes> query() {
        life.requireOpen("query_srq");
        Completion<SrqAttributes> done = new Completion<>();
        provider.query(done);
        return done;
    }

    /** Returns the receives whose buffers the device owns, null if nobody watches. */
    @Nullable
    PostedReceives posted() {
        return owned;
    }

    Life life() {
        return life;
    }

    /**
     * Destroys the queue. That ends when all events of the queue that the program was given are acknowledged.
     *
     * @throws VerbsException EBUSY if a queue pair uses it
     */
    public Completion<SharedReceiveQueue> destroy() {
        life.close("destroy_srq");
        parent.release();
        Completion<Integer> done = new Completion<>();
        context.acks().whenAcknowledged(AsyncEventType.Subject.SRQ, number(), () -> provider.destroy(done));
        return done.map(number -> {
            if (owned != null) {
                owned.reset();
            }
            return this;
        });
    }

    /** Destroys the queue without waiting for the end. */
    @Override
    public void close() {
        Completion<SharedReceiveQueue> unused = destroy();
    }
}
