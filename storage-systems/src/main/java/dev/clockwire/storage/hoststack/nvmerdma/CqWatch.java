package dev.clockwire.storage.hoststack.nvmerdma;

import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.storage.hoststack.kernel.KernelCore;
import dev.clockwire.storage.hoststack.kernel.KernelTask;
import dev.clockwire.storage.hoststack.kernel.Softirq;

/**
 * A completion queue of kernel code: armed, and when it fires looked through until it is empty. Where that happens is the policy of who created
 * it: in a softirq (IB_POLL_SOFTIRQ) or in a kworker (IB_POLL_WORKQUEUE).
 */
final class CqWatch extends Softirq {
    private static final int BUDGET = 64;

    private final KernelCore kernel;
    private final CompletionQueue cq;
    private final boolean worker;
    private final Taker taker;
    private final WorkCompletion[] found = WorkCompletion.array(BUDGET);
    private final KernelTask work = new KernelTask("ib-comp-wq") {
        @Override
        protected boolean run() {
            return poll();
        }
    };
    private boolean fresh;
    private long foundAt;

    /** Takes completions. */
    @FunctionalInterface
    interface Taker {
        /** One was found. */
        void completed(WorkCompletion wc);
    }

    CqWatch(KernelCore kernel, CompletionQueue cq, boolean worker, Taker taker) {
        this.kernel = kernel;
        this.cq = cq;
        this.worker = worker;
        this.taker = taker;
        await();
        cq.reqNotify(false);
    }

    private void await() {
        cq.channel().cqEvent().whenDone(which -> {
            which.ackEvents(1);
            fresh = true;
            if (worker) {
                kernel.interrupted(work);
            } else {
                kernel.interrupted(this);
            }
            await();
        });
    }

    /** Returns when what is being handled was found: when the interrupt came, or the poll behind it began. */
    long foundAt() {
        return foundAt;
    }

    @Override
    protected boolean run() {
        return poll();
    }

    private boolean poll() {
        long since = kernel.now();
        foundAt = fresh ? kernel.interruptedAt() : since;
        fresh = false;
        int n = cq.poll(found);
        if (n == 0) {
            kernel.foundNothing(since);
        }
        for (int i = 0; i < n; i++) {
            taker.completed(found[i]);
        }
        if (n == BUDGET) {
            return true;
        }
        cq.reqNotify(false);
        if (cq.hasCompletion()) {
            return true; // it came before the queue was armed
        }
        return false;
    }
}
