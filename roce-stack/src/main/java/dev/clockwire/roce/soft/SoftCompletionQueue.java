package dev.clockwire.roce.soft;

import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.verbs.AsyncEventType;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueueProvider;
import dev.clockwire.roce.verbs.Errno;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.roce.verbs.WcOpcode;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.fault.FaultGate;
import dev.clockwire.sim.fault.FaultGates;
import dev.clockwire.sim.host.Cpu;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A completion queue. The count of its completions stands in memory, so that an idle core can watch it. */
final class SoftCompletionQueue implements CompletionQueueProvider {
    private final int number;
    private final SoftDevice device;
    private final SoftContext context;
    private final Cpu cpu;
    private final Notifier notifier;
    private Cqe[] ring;
    private final long countAddress;
    private long produced;
    private long consumed;
    private boolean broken;
    private long had;
    private long taken;
    /** Send queues that stand at a wait for completions of this one. */
    private final List<SendSide> waiting = new ArrayList<>();
    /** The completion that a fault holds back: it is written behind the next one. */
    private @Nullable Cqe held;

    /** The next call of {@link #added} is about the one that is held back. */
    private boolean holding;

    private int holds;

    /** One completion. */
    private static final class Cqe {
        final WorkCompletion wc = new WorkCompletion();

        @Nullable
        SoftQueuePair qp;
        /** Of a send: which. */
        long index;
        /** Of a receive: where its place is. */
        @Nullable
        ReceiveQueue receives;

        boolean solicited;
    }

    SoftCompletionQueue(int number, int entries, SoftContext context, Runnable events) {
        this.number = number;
        this.context = context;
        device = context.device();
        cpu = context.cpu();
        notifier = new Notifier(device, number, () -> context.interrupt(events));
        ring = new Cqe[Integer.highestOneBit(entries * 2 - 1)];
        countAddress =
                cpu.memory().allocate("cq", Long.BYTES, Allocation.Kind.REAL).address();
    }

    /** Adds the completion of a send, whose further fields the caller fills; null if the queue is broken or breaks now. */
    @Nullable
    WorkCompletion addSend(SoftQueuePair qp, long index, WcOpcode opcode, WcStatus status) {
        Cqe cqe = add(qp);
        if (cqe == null) {
            return null;
        }
        cqe.index = index;
        cqe.receives = null;
        cqe.wc.opcode = opcode;
        cqe.wc.status = status;
        return cqe.wc;
    }

    /** Adds the completion of a receive, whose further fields the caller fills; null if the queue is broken or breaks now. */
    @Nullable
    WorkCompletion addReceive(SoftQueuePair qp, ReceiveQueue receives, WcOpcode opcode, WcStatus status) {
        Cqe cqe = add(qp);
        if (cqe == null) {
            return null;
        }
        cqe.receives = receives;
        cqe.wc.opcode = opcode;
        cqe.wc.status = status;
        return cqe.wc;
    }

    private @Nullable Cqe add(SoftQueuePair qp) {
        if (broken) {
            return null;
        }
        FaultGate fault = order();
        Cqe cqe = fault == null ? next() : new Cqe();
        if (cqe == null) {
            return null;
        }
        cqe.qp = qp;
        cqe.wc.reset();
        cqe.wc.qpNum = qp.qpn();
        cqe.wc.timestampPs = device.now();
        if (fault == null) {
            written();
        } else {
            held = cqe;
            holding = true;
            device.holdCqe(device.now() + fault.rule().delayPs(), number, ++holds);
        }
        return cqe;
    }

    boolean isOf(SoftDevice which) {
        return device == which;
    }

    /** Returns the completions that were polled in all. */
    long polled() {
        return taken;
    }

    /** Returns whether it has had so many; else a send queue is told when it may have. */
    boolean hasHad(long completions, SendSide who) {
        if (had >= completions) {
            return true;
        }
        if (!waiting.contains(who)) {
            waiting.add(who);
        }
        return false;
    }

    boolean isBroken() {
        return broken;
    }

    private void tellWaiting() {
        if (!waiting.isEmpty()) {
            List<SendSide> all = List.copyOf(waiting);
            waiting.clear();
            all.forEach(SendSide::wake);
        }
    }

    private void written() {
        produced++;
        had++;
        tellWaiting();
        cpu.memory().putLong(countAddress, produced);
    }

    /** Returns the fault that holds the next completion back, null if none does. */
    private @Nullable FaultGate order() {
        FaultGates rules = device.troubles().cqeOrder();
        FaultGate fault = rules == null ? null : rules.judge(device.now());
        return held == null ? fault : null;
    }

    /** Returns the next place of the ring; null if there is none: the queue breaks then. */
    private @Nullable Cqe next() {
        if (produced - consumed == ring.length) {
            broken = true;
            tellWaiting();
            context.raise(AsyncEventType.CQ_ERR, number);
            device.broken(this);
            return null;
        }
        int slot = (int) produced & ring.length - 1;
        Cqe cqe = ring[slot];
        if (cqe == null) {
            cqe = new Cqe();
            ring[slot] = cqe;
        }
        return cqe;
    }

    /** The time of a completion that is held back is over. */
    void release(int hold) {
        if (hold == holds) {
            release();
        }
    }

    private void release() {
        Cqe late = held;
        held = null;
        if (late == null || broken) {
            return;
        }
        Cqe place = next();
        if (place != null) {
            ring[(int) produced & ring.length - 1] = late;
            written();
            notifier.completed(late.solicited, late.wc.status);
        }
    }

    /** Takes the completions of a queue pair off the queue. */
    void purge(SoftQueuePair qp) {
        long kept = consumed;
        for (long i = consumed; i < produced; i++) {
            Cqe cqe = ring[(int) i & ring.length - 1];
            if (cqe.qp != qp) {
                int to = (int) kept++ & ring.length - 1;
                ring[(int) i & ring.length - 1] = ring[to];
                ring[to] = cqe;
            }
        }
        produced = kept;
        if (held != null && held.qp == qp) {
            held = null;
        }
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public int capacity() {
        return ring.length;
    }

    @Override
    public int poll(WorkCompletion[] out, int max) {
        cpu.charge(HostCost.POLL, 1);
        int n = 0;
        while (n < max && consumed < produced) {
            Cqe cqe = ring[(int) consumed++ & ring.length - 1];
            cpu.charge(HostCost.COMPLETION, 1);
            out[n++].set(cqe.wc);
            SoftQueuePair qp = cqe.qp;
            ReceiveQueue receives = cqe.receives;
            if (receives != null) {
                receives.polled();
            } else if (qp != null) {
                qp.polled(cqe.index);
            }
        }
        taken += n;
        return n == 0 && broken ? BROKEN : n;
    }

    @Override
    public boolean hasCompletion() {
        return consumed < produced;
    }

    @Override
    public long watchAddress() {
        return countAddress;
    }

    @Override
    public void reqNotify(boolean solicitedOnly) {
        cpu.charge(HostCost.MMIO_WRITE, 1);
        notifier.arm(solicitedOnly);
    }

    @Override
    public void modify(int count, int periodUs, Completion<Integer> done) {
        device.command(() -> {
            notifier.moderate(count, periodUs);
            done.complete(number);
        });
    }

    @Override
    public void resize(int cqe, Completion<Integer> done) {
        device.command(() -> {
            Cqe[] other = new Cqe[Integer.highestOneBit(cqe * 2 - 1)];
            if (produced - consumed > other.length) {
                String text = (produced - consumed) + " completions are in it, more than " + other.length;
                done.fail(new VerbsException(Errno.EINVAL, "resize_cq", text));
                return;
            }
            for (long i = consumed; i < produced; i++) {
                other[(int) i & other.length - 1] = ring[(int) i & ring.length - 1];
            }
            ring = other;
            done.complete(other.length);
        });
    }

    Notifier notifier() {
        return notifier;
    }

    /** The caller has filled in a completion: it counts for events from now on. */
    void added(boolean solicited, WcStatus status) {
        if (holding && held != null) {
            holding = false;
            held.solicited = solicited;
            return;
        }
        notifier.completed(solicited, status);
        release();
    }

    @Override
    public void destroy(Completion<Integer> done) {
        device.command(() -> {
            device.removed(this);
            done.complete(number);
        });
    }
}
