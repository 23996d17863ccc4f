package dev.clockwire.roce.soft;

import dev.clockwire.roce.verbs.AsyncEventType;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.ReceiveEntry;
import dev.clockwire.roce.verbs.SharedReceiveQueueProvider;
import dev.clockwire.roce.verbs.SrqAttributes;
import dev.clockwire.sim.host.HostCost;

/** A shared receive queue: a receive queue that several queue pairs take from, with an event when it runs low. */
final class SoftSharedQueue implements SharedReceiveQueueProvider {
    private final int number;
    private final SoftContext context;
    private final SrqAttributes size;
    private final ReceiveQueue queue;
    private int limit;

    SoftSharedQueue(int number, int pd, SrqAttributes size, SoftContext context) {
        this.number = number;
        this.context = context;
        this.size = size;
        queue = new ReceiveQueue(size.maxWr(), pd, this);
    }

    ReceiveQueue queue() {
        return queue;
    }

    /** Raises the event if fewer are left than asked for; once. */
    void check() {
        if (queue.available() < limit) {
            limit = 0;
            context.raise(AsyncEventType.SRQ_LIMIT_REACHED, number);
        }
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public int space() {
        return queue.space();
    }

    @Override
    public void postReceive(ReceiveEntry wr) {
        context.cpu().charge(HostCost.POST, 1);
        queue.post(wr);
    }

    @Override
    public void ring() {
        queue.ring();
    }

    @Override
    public void modifyLimit(int newLimit, Completion<Integer> done) {
        context.device().command(() -> {
            limit = newLimit;
            check();
            done.complete(number);
        });
    }

    @Override
    public void query(Completion<SrqAttributes> done) {
        context.device().command(() -> done.complete(new SrqAttributes(size.maxWr(), size.maxSge(), limit)));
    }

    @Override
    public void destroy(Completion<Integer> done) {
        context.device().command(() -> done.complete(number));
    }
}
