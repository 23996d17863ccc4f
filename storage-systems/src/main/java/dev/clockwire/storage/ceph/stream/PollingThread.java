package dev.clockwire.storage.ceph.stream;

import dev.clockwire.pcie.host.CoreProgram;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.storage.cluster.CqSource;

/**
 * The thread {@code rdma-polling} on a core of its own, as {@code RDMADispatcher::polling()}: it polls 32 sends and 32 receives at a time. When it has found nothing for
 * longer than {@code polling_us}, it arms both queues, polls once more, and sleeps in poll(2) on the completion channels in slices of 100 ms. So 0 is
 * event mode, and a large number busy polling.
 */
public final class PollingThread implements CoreProgram {
    private static final int BATCH = 32;
    private static final long SLICE_PS = 100_000_000_000L;

    private final CpuCore core;
    private final long pollingPs;
    private final Queue tx;
    private final Queue rx;
    private long found;
    private boolean armed;
    private boolean asleep;
    private boolean fired;
    private long arms;
    private long wakeUps;

    PollingThread(
            CpuCore core,
            long pollingPs,
            CompletionQueue tx,
            CompletionQueue rx,
            CqSource.Taker sent,
            CqSource.Taker received) {
        this.core = core;
        this.pollingPs = pollingPs;
        this.tx = new Queue(tx, sent);
        this.rx = new Queue(rx, received);
    }

    /** One of the two queues. */
    private final class Queue {
        final CompletionQueue cq;
        final CqSource.Taker taker;
        final WorkCompletion[] batch = WorkCompletion.array(BATCH);
        boolean waiting;

        Queue(CompletionQueue cq, CqSource.Taker taker) {
            this.cq = cq;
            this.taker = taker;
        }

        int poll() {
            int n = cq.poll(batch);
            for (int i = 0; i < n; i++) {
                taker.completed(batch[i]);
            }
            return n;
        }

        void arm() {
            if (!waiting) {
                waiting = true;
                cq.channel().cqEvent().whenDone(which -> {
                    waiting = false;
                    which.ackEvents(1);
                    fire();
                });
            }
            cq.reqNotify(false);
        }
    }

    private void fire() {
        fired = true;
        if (asleep) {
            core.wakeFrom(core.now());
        }
    }

    void start() {
        core.run(this);
    }

    CpuCore core() {
        return core;
    }

    /** Returns how often it armed its queues. */
    public long arms() {
        return arms;
    }

    /** Returns how often an event woke it from sleep. */
    public long wakeUps() {
        return wakeUps;
    }

    @Override
    public void step(CpuCore c) {
        if (asleep && !fired) {
            slice(c); // poll(2) ran out of time and is called again
            return;
        }
        if (asleep) {
            asleep = false;
            wakeUps++;
            c.charge(HostCost.CONTEXT_SWITCH, 1); // the driver has paid for the interrupt
            c.charge(HostCost.SYSCALL, 1);
            awake(c);
        }
        if (tx.poll() + rx.poll() > 0) {
            awake(c);
            c.wake();
            return;
        }
        c.foundNothing();
        long until = found + pollingPs;
        if (!armed && c.now() <= until && pollingPs > 0) {
            c.idle(tx.cq.provider().watchAddress(), 1);
            c.idle(rx.cq.provider().watchAddress(), 1);
            c.idleAtMost(Math.max(
                    1, until + 1 - c.stepPs() - c.now())); // the poll that ends behind it sees that time is over
        } else if (!armed) {
            armed = true;
            arms++;
            tx.arm();
            rx.arm();
            c.wake();
        } else if (fired) {
            awake(c);
            c.wake();
        } else {
            asleep = true;
            slice(c);
        }
    }

    private void awake(CpuCore c) {
        found = c.now();
        armed = false;
        fired = false;
    }

    private static void slice(CpuCore c) {
        c.charge(HostCost.SYSCALL, 1);
        c.wakeAfter(SLICE_PS);
    }
}
