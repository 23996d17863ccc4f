package dev.clockwire.roce.verbs;

import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WrOpcode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A send queue and a receive queue, and their connection. */
public final class QueuePair implements AutoCloseable {
    private final QueuePairProvider provider;
    private final ProtectionDomain pd;
    private final QpInit init;
    private final Life parent;
    private final Life life;
    private QpAttributes attributes = new QpAttributes();
    private final SendBatch oneSend = new SendBatch(1, 1);
    private final ReceiveBatch oneReceive = new ReceiveBatch(1, 1);
    private boolean modifying;
    private final List<Completion<QueuePair>> waiting = new ArrayList<>();
    private final @Nullable PostedWork posted;

    QueuePair(QueuePairProvider provider, ProtectionDomain pd, QpInit init, Life parent) {
        this.provider = provider;
        this.pd = pd;
        this.init = init;
        this.parent = parent;
        life = new Life("QP 0x" + Integer.toHexString(provider.qpn()));
        PostedMemory memory = pd.context().posted();
        posted = memory == null ? null : memory.pair(provider, init);
        VerbsTap tap = tap();
        if (tap != null) {
            SharedReceiveQueue srq = init.srq();
            int receives = srq == null ? VerbsTap.OWN : srq.number();
            tap.pairMade(qpn(), init.sendCq().number(), init.recvCq().number(), receives);
        }
    }

    private @Nullable VerbsTap tap() {
        return pd.context().tap();
    }

    /** Returns the number, 24 bits. */
    public int qpn() {
        return provider.qpn();
    }

    /** Returns the transport service. */
    public QpType type() {
        return init.type();
    }

    /** Returns the state as the driver knows it now. */
    public QpState state() {
        return provider.state();
    }

    /** Returns what the queue pair was created with. */
    public QpInit init() {
        return init;
    }

    /** Returns the protection domain. */
    public ProtectionDomain pd() {
        return pd;
    }

    /** Returns a copy of all attributes set so far ({@code query_qp}). */
    public QpAttributes query() {
        QpAttributes copy = new QpAttributes();
        copy.merge(attributes);
        return copy.state(state()).sqDraining(provider.sqDraining());
    }

    /**
     * Changes the state or other attributes. A refused change changes nothing.
     *
     * @throws VerbsException EINVAL if the transition, the set of attributes or a value is not allowed, EBUSY while another
     *     change goes on
     */
    public Completion<QueuePair> modify(QpAttributes change) {
        life.requireOpen("modify_qp");
        if (modifying) {
            throw new VerbsException(Errno.EBUSY, "modify_qp", "the change before this one has not ended");
        }
        QpState to = ModifyChecks.check(pd.context().device(), init.type(), state(), change);
        if (provider.sqDraining() && to != QpState.ERR) {
            throw new VerbsException(Errno.EINVAL, "modify_qp", "the send queue is being drained: only ERR is allowed");
        }
        QpAttributes all = query();
        all.merge(change);
        modifying = true;
        Completion<QpState> done = new Completion<>();
        done.whenFailed(error -> {
            modifying = false;
            settle();
        });
        done.whenDone(reached -> {
            modifying = false;
            attributes = reached == QpState.RESET ? new QpAttributes() : attributes;
            attributes.merge(change);
            if (posted != null && reached == QpState.RESET) {
                posted.reset();
            } else if (posted != null && reached == QpState.RTR) {
                posted.connected(attributes);
            }
            VerbsTap tap = tap();
            if (tap != null) {
                tap.modified(qpn(), reached, attributes.maxRdAtomic());
            }
            settle();
        });
        provider.modify(to, change, all, done);
        return done.map(reached -> this);
    }

    private void settle() {
        List<Completion<QueuePair>> all = new ArrayList<>(waiting);
        waiting.clear();
        all.forEach(c -> c.complete(this));
    }

    /** Returns when no change goes on, now or when the one under way has ended: two parts of a program may want to change it, as connection manager and application do. */
    public Completion<QueuePair> settled() {
        if (!modifying) {
            return Completion.of(this);
        }
        Completion<QueuePair> wait = new Completion<>();
        waiting.add(wait);
        return wait;
    }

    /**
     * Paces what this queue pair sends ({@code modify_qp_rate_limit}); RESET takes the limit away.
     *
     * @throws VerbsException EINVAL if the queue pair is not in RTS
     */
    public Completion<RateLimit> limitRate(RateLimit limit) {
        life.requireOpen("modify_qp_rate_limit");
        if (state() != QpState.RTS) {
            throw new VerbsException(Errno.EINVAL, "modify_qp_rate_limit", "the state is " + state() + ", not RTS");
        }
        Completion<RateLimit> done = new Completion<>();
        provider.limitRate(limit, done);
        return done;
    }

    /**
     * Sets the share of the device that this queue pair's sends get, in any state; RESET gives the usual one back.
     *
     * @throws VerbsException EOPNOTSUPP from the completion, if the device lets all queue pairs take turns
     */
    public Completion<QpSchedule> schedule(QpSchedule share) {
        life.requireOpen("modify_qp_schedule");
        Completion<QpSchedule> done = new Completion<>();
        provider.schedule(share, done);
        return done;
    }

    /**
     * Posts one send and rings the doorbell.
     *
     * @throws VerbsException EINVAL if state, operation, flags or operands do not fit; ENOMEM if the queue is full, or there
     *     are too many scatter/gather entries or inline bytes
     */
    public void postSend(SendWorkRequest wr) {
        oneSend.clear();
        oneSend.add(wr);
        postSend(oneSend);
    }

    /**
     * Posts sends in order and rings the doorbell once; see {@link #postSend(SendWorkRequest)}. If one is refused, the
     * earlier ones stay posted, and {@link VerbsException#badIndex} names it.
     */
    public void postSend(SendBatch batch) {
        life.requireOpen(PostChecks.SEND);
        post(batch, MwType.TYPE_2);
    }

    private void post(SendBatch batch, MwType window) {
        int count = 0;
        VerbsException error = null;
        while (count < batch.size() && error == null) {
            SendEntry wr = batch.get(count);
            error = PostChecks.send(provider, init, attributes.maxRdAtomic(), wr, count);
            MwBind bind = wr.bind;
            if (error == null && bind != null) {
                error = PostChecks.bind(bind, window, wr, count);
            }
            if (error == null) {
                if (init.signalAll()) {
                    wr.flags |= SendFlag.SIGNALED.code();
                }
                provider.postSend(wr);
                if (posted != null) {
                    posted.sent(wr);
                }
                told(wr.wrId, wr.has(SendFlag.SIGNALED));
                if (bind != null) {
                    bind.window().bound(wr.rkey);
                }
                count++;
            }
        }
        if (count > 0) {
            provider.ringSend();
        }
        if (error != null) {
            throw error;
        }
    }

    /**
     * Binds a window of type 1 with the next variant of its key ({@code bind_mw}); the window has that key when this returns.
     *
     * @param flags may contain SIGNALED and FENCE
     * @throws VerbsException as {@link #postSend(SendWorkRequest)}
     */
    public void bindMw(long wrId, Set<SendFlag> flags, MwBind bind) {
        life.requireOpen("bind_mw");
        oneSend.clear();
        SendEntry wr = oneSend.add();
        wr.wrId = wrId;
        wr.opcode = WrOpcode.BIND_MW;
        wr.flags = SendFlag.mask(flags);
        wr.rkey = MemoryWindow.incRkey(bind.window().rkey());
        wr.bind = bind;
        post(oneSend, MwType.TYPE_1);
    }

    /**
     * Posts a work request at which the send queue stands until a completion queue of the same device has had {@code completions} in all, polled
     * or not, since it was created (WAIT of mlx5's cross-channel verbs). Sends behind it are pre-posted: the device starts them by itself
     * when the queue has come so far, and no core takes part. It has no completion unless it fails: {@code LOC_QP_OP_ERR} when the
     * completion queue overflows, {@code WR_FLUSH_ERR} when the queue pair fails first.
     *
     * @param wrId for the completion if it fails
     * @throws VerbsException EOPNOTSUPP if the device cannot wait; EINVAL if the state does not allow sends, the service is UD, the completion
     *     queue is destroyed or of another device, or the number is not in 1 to 2^30 more than was polled; ENOMEM if the queue is full
     */
    public void postWait(long wrId, CompletionQueue cq, long completions) {
        life.requireOpen(PostChecks.WAIT);
        VerbsException error = PostChecks.waits(provider, init, cq);
        if (error != null) {
            throw error;
        }
        provider.postWait(wrId, cq.provider(), completions);
        if (posted != null) {
            posted.sent(wrId, "WAIT");
        }
        told(wrId, false);
        VerbsTap tap = tap();
        if (tap != null) {
            tap.waitPosted(qpn());
        }
        provider.ringSend();
    }

    /**
     * Posts a work request that releases the next {@code sends} work requests of a queue pair with {@link QpInit#managedSends} (SEND_EN of mlx5's
     * cross-channel verbs). It waits for nothing but its turn, and has no completion unless it fails.
     *
     * @param wrId for the completion if it fails
     * @param other has so many sends that were posted and not released
     * @throws VerbsException EOPNOTSUPP if the device cannot; EINVAL if the state does not allow sends, the service is UD, the other queue pair
     *     is destroyed, of another device or not managed, or has not so many sends; ENOMEM if the queue is full
     */
    public void postEnable(long wrId, QueuePair other, int sends) {
        life.requireOpen(PostChecks.ENABLE);
        VerbsException error = PostChecks.enables(provider, init, other);
        if (error != null) {
            throw error;
        }
        provider.postEnable(wrId, other.provider, sends);
        if (posted != null) {
            posted.sent(wrId, "SEND_EN");
        }
        told(wrId, false);
        provider.ringSend();
    }

    private void told(long wrId, boolean signaled) {
        VerbsTap tap = tap();
        if (tap != null) {
            tap.sendPosted(qpn(), wrId, signaled);
        }
    }

    boolean isClosed() {
        return life.isClosed();
    }

    /**
     * Posts one receive.
     *
     * @throws VerbsException EINVAL in RESET, if there are too many scatter/gather entries or if receives come from a shared
     *     queue; ENOMEM if the queue is full
     */
    public void postReceive(ReceiveWorkRequest wr) {
        oneReceive.clear();
        oneReceive.add(wr);
        postReceive(oneReceive);
    }

    /** Posts receives in order; errors as in {@link #postSend(SendBatch)}. */
    public void postReceive(ReceiveBatch batch) {
        life.requireOpen(PostChecks.RECEIVE);
        VerbsTap tap = tap();
        int count = 0;
        VerbsException error = null;
        while (count < batch.size() && error == null) {
            ReceiveEntry wr = batch.get(count);
            error = PostChecks.receive(provider, init, wr, count);
            if (error == null) {
                provider.postReceive(wr);
                if (posted != null) {
                    posted.received(wr);
                }
                if (tap != null) {
                    tap.receivePosted(qpn(), wr.wrId);
                }
                count++;
            }
        }
        if (count > 0) {
            provider.ringReceive();
        }
        if (error != null) {
            throw error;
        }
    }

    /**
     * Destroys the queue pair; its completions are taken off the queues. That ends when all events of the queue pair that the program
     * was given are acknowledged.
     */
    public Completion<QueuePair> destroy() {
        life.close("destroy_qp");
        VerbsTap tap = tap();
        if (tap != null) {
            tap.closing(qpn(), init.sendCq().hasCompletion() || init.recvCq().hasCompletion());
        }
        pd.context().destroyed(provider);
        init.release();
        parent.release();
        Completion<Integer> done = new Completion<>();
        pd.context().acks().whenAcknowledged(AsyncEventType.Subject.QP, qpn(), () -> provider.destroy(done));
        return done.map(number -> {
            if (posted != null) {
                posted.destroyed();
            }
            VerbsTap still = tap();
            if (still != null) {
                still.pairGone(number);
            }
            return this;
        });
    }

    /** Destroys the queue pair without waiting for the end. */
    @Override
    public void close() {
        Completion<QueuePair> unused = destroy();
    }
}
