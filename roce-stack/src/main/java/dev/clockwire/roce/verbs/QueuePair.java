package dev.clockwire.roce.verbs;

import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;

/** A send queue and a receive queue, and their connection. */
public final class QueuePair implements AutoCloseable {
    private final QueuePairProvider provider;
    private final ProtectionDomain pd;
    private final QpInit init;
    private final Life parent;
    private final Life life;
    private final QpAttributes attributes = new QpAttributes();
    private final SendBatch oneSend = new SendBatch(1, 1);
    private final ReceiveBatch oneReceive = new ReceiveBatch(1, 1);
    private boolean modifying;

    QueuePair(QueuePairProvider provider, ProtectionDomain pd, QpInit init, Life parent) {
        this.provider = provider;
        this.pd = pd;
        this.init = init;
        this.parent = parent;
        life = new Life("QP 0x" + Integer.toHexString(provider.qpn()));
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
        return copy.state(state());
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
        QpAttributes all = query();
        all.merge(change);
        modifying = true;
        Completion<QpState> done = new Completion<>();
        done.whenFailed(error -> modifying = false);
        done.whenDone(reached -> {
            modifying = false;
            attributes.merge(change);
        });
        provider.modify(to, change, all, done);
        return done.map(reached -> this);
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
        int posted = 0;
        VerbsException error = null;
        while (posted < batch.size() && error == null) {
            SendEntry wr = batch.get(posted);
            error = PostChecks.send(provider, init, attributes.maxRdAtomic(), wr, posted);
            if (error == null) {
                if (init.signalAll()) {
                    wr.flags |= SendFlag.SIGNALED.code();
                }
                provider.postSend(wr);
                posted++;
            }
        }
        if (posted > 0) {
            provider.ringSend();
        }
        if (error != null) {
            throw error;
        }
    }

    /**
     * Posts one receive.
     *
     * @throws VerbsException EINVAL in RESET or if there are too many scatter/gather entries, ENOMEM if the queue is full
     */
    public void postReceive(ReceiveWorkRequest wr) {
        oneReceive.clear();
        oneReceive.add(wr);
        postReceive(oneReceive);
    }

    /** Posts receives in order; errors as in {@link #postSend(SendBatch)}. */
    public void postReceive(ReceiveBatch batch) {
        life.requireOpen(PostChecks.RECEIVE);
        int posted = 0;
        VerbsException error = null;
        while (posted < batch.size() && error == null) {
            ReceiveEntry wr = batch.get(posted);
            error = PostChecks.receive(provider, init, wr, posted);
            if (error == null) {
                provider.postReceive(wr);
                posted++;
            }
        }
        if (posted > 0) {
            provider.ringReceive();
        }
        if (error != null) {
            throw error;
        }
    }

    /** Destroys the queue pair; its completions are taken off the queues. */
    public Completion<QueuePair> destroy() {
        life.close("destroy_qp");
        init.sendCq().life().release();
        init.recvCq().life().release();
        parent.release();
        Completion<Integer> done = new Completion<>();
        provider.destroy(done);
        return done.map(number -> this);
    }

    /** Destroys the queue pair without waiting for the end. */
    @Override
    public void close() {
        Completion<QueuePair> unused = destroy();
    }
}
