package dev.clockwire.nic.driver;

import dev.clockwire.nic.context.CqContext;
import dev.clockwire.nic.doorbell.Uar;
import dev.clockwire.nic.format.Cqe;
import dev.clockwire.nic.format.CqeSyndrome;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.profile.QueueSpec;
import dev.clockwire.nic.stage.Journal;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.verbs.AsyncEvent;
import dev.clockwire.roce.verbs.AsyncEventType;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueueProvider;
import dev.clockwire.roce.verbs.Errno;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.roce.verbs.WcFlag;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.host.Cpu;
import dev.clockwire.sim.host.HostCost;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A completion queue: polled from host memory, never by asking the device. */
public final class HwCompletionQueue implements CompletionQueueProvider {
    private CqContext context;
    private final CompletionRing ring;
    private final HwDevice device;
    private final Cpu cpu;
    private @Nullable Runnable onFired;
    private @Nullable Consumer<AsyncEvent> onAsync;
    private final List<HwQueuePair> pairs = new ArrayList<>();
    /** Events taken, modulo 4: the device tells an old arming from a new one by it. */
    private int sequence;

    private long events;
    /** Start of the last poll that left nothing behind. */
    private long looked;
    /** When the last interrupt of this queue reached the core, and when the program was awake. */
    private long interruptedAt;

    private long awakeAt;

    HwCompletionQueue(CqContext context, CompletionRing ring, HwDevice device, Cpu cpu) {
        this.context = context;
        this.ring = ring;
        this.device = device;
        this.cpu = cpu;
    }

    boolean isOf(HwDevice which) {
        return device == which;
    }

    /** Returns how many completions were polled since the queue was created. */
    long polledInAll() {
        return ring.consumedInAll();
    }

    void attach(HwQueuePair qp) {
        if (!pairs.contains(qp)) {
            pairs.add(qp);
        }
    }

    /** A queue pair that is destroyed has no completions here any more. */
    void detach(HwQueuePair qp) {
        clean(qp);
        pairs.remove(qp);
    }

    @Override
    public long watchAddress() {
        return ring.watchAddress();
    }

    @Override
    public int number() {
        return context.cqn();
    }

    @Override
    public int capacity() {
        return context.entries();
    }

    @Override
    public int poll(WorkCompletion[] out, int max) {
        long start = cpu.now();
        cpu.charge(HostCost.POLL, 1);
        int n = 0;
        boolean took = false;
        while (n < max && ring.ready(cpu.memory())) {
            byte[] cqe = ring.take(cpu.memory());
            took = true;
            cpu.charge(HostCost.COMPLETION, 1);
            fill(pair(Cqe.qpn(cqe)), cqe, out[n++]);
        }
        if (took) {
            announce();
        }
        if (n < max) {
            looked = start;
        }
        return n == 0 && device.nic().parts().table().isBroken(number()) ? BROKEN : n;
    }

    /** Takes the next entry, if one is there and is wanted; the array is reused. Without one, tells the device how many were taken. */
    byte @Nullable [] takeEntry(boolean wanted) {
        if (wanted && ring.ready(cpu.memory())) {
            cpu.charge(HostCost.COMPLETION, 1);
            return ring.take(cpu.memory());
        }
        announce();
        return null;
    }

    /** Tells the device, when it looks, how many entries were taken. */
    private void announce() {
        cpu.memory().putIntBe(context.recordAddress(), ring.consumed() & 0xFFFFFF);
    }

    private void fill(HwQueuePair qp, byte[] cqe, WorkCompletion wc) {
        wc.reset();
        int counter = Cqe.wqeCounter(cqe);
        wc.qpNum = Cqe.qpn(cqe);
        wc.status = Cqe.syndrome(cqe) == 0 ? WcStatus.SUCCESS : CqeSyndrome.status(Cqe.syndrome(cqe));
        wc.vendorError = Cqe.syndrome(cqe);
        wc.byteLength = Wqe.bytes(Cqe.byteCount(cqe));
        wc.immOrKey = Cqe.imm(cqe);
        wc.srcQp = Cqe.srcQp(cqe);
        int opcode = Cqe.opcode(cqe);
        if (opcode == Cqe.REQ || opcode == Cqe.REQ_ERR) {
            long journey = qp.context().journey(counter);
            wc.opcode = Translate.sendOpcode(Cqe.sendOpcode(cqe));
            wc.wrId = qp.sendRing().complete(counter);
            Journal journal = device.nic().parts().journal();
            journal.stamp(journey, journal.poll, 0, cpu.now(), cpu.now());
            journal.coreDelays(cpu, journey, journal.poll, looked);
            journal.delayedIn(journal.poll, journey, journal.causes.interrupt, interruptedAt, awakeAt);
        } else {
            wc.opcode = Translate.receiveOpcode(opcode);
            wc.flags = Translate.receiveFlags(opcode) | (qp.context().type == QpType.UD ? WcFlag.GRH.code() : 0);
            wc.wrId = qp.receiveRing().complete(counter);
        }
    }

    private HwQueuePair pair(int qpn) {
        for (int i = 0; i < pairs.size(); i++) {
            if (pairs.get(i).qpn() == qpn) {
                return pairs.get(i);
            }
        }
        throw new VerbsException(Errno.EIO, "poll_cq", "completion of unknown QP 0x" + Integer.toHexString(qpn));
    }

    @Override
    public boolean hasCompletion() {
        return ring.ready(device.host().memory());
    }

    @Override
    public void reqNotify(boolean solicitedOnly) {
        device.events().open();
        long word = (ring.seen(cpu.memory()) & 0xFFFFFF)
                | (long) sequence << Uar.SEQUENCE_SHIFT
                | (solicitedOnly ? Uar.SOLICITED_ONLY : 0);
        cpu.mmioWrite(device.nic().armRegister(number()), (word << 32) | number(), Long.BYTES);
    }

    @Override
    public void modify(int count, int periodUs, Completion<Integer> done) {
        device.commands().submit(() -> {
            device.nic().parts().table().moderate(number(), count, periodUs);
            done.complete(number());
        });
    }

    @Override
    public void resize(int cqe, Completion<Integer> done) {
        device.commands().submit(() -> {
            if (device.nic().parts().table().isCompressed(number())) {
                done.fail(
                        new VerbsException(Errno.EINVAL, "resize_cq", "entries are compressed: they may be under way"));
                return;
            }
            int log = HwContext.log2(cqe);
            long inside = device.nic().produced(number()) - ring.consumedInAll();
            if (inside > 1L << log) {
                String text = inside + " completions are in it, " + (1 << log) + " are to fit";
                done.fail(new VerbsException(Errno.EINVAL, "resize_cq", text));
                return;
            }
            long base = device.allocate("cq", (long) Cqe.BYTES << log).address();
            ring.prepare(cpu.memory(), base, log);
            context = new CqContext(number(), base, log, context.recordAddress());
            ring.change(base, log, device.nic().resize(context));
            cpu.wake();
            done.complete(capacity());
        });
    }

    @Override
    public void compress(boolean on, Completion<Integer> done) {
        if (device.nic().spec().queues().compression() == QueueSpec.Compression.OFF) {
            CompletionQueueProvider.super.compress(on, done);
            return;
        }
        device.commands().submit(() -> {
            device.nic().parts().table().compress(number(), on);
            done.complete(number());
        });
    }

    /** Takes the completions of a queue pair off the queue. */
    void clean(HwQueuePair qp) {
        ring.clean(cpu.memory(), qp.qpn());
        announce();
    }

    /** Returns the events taken. */
    long events() {
        return events;
    }

    /** Says who hears of events. */
    void tell(Runnable fired, Consumer<AsyncEvent> async) {
        onFired = fired;
        onAsync = async;
    }

    /** The event of an armed queue came: tells the program in a step of its core. */
    void fired() {
        sequence = sequence + 1 & 3;
        events++;
        interruptedAt = cpu.now();
        cpu.charge(HostCost.INTERRUPT, 1);
        awakeAt = cpu.now();
        Runnable listener = onFired;
        if (listener != null) {
            listener.run();
        }
        cpu.wake();
    }

    void happened(AsyncEventType type) {
        cpu.charge(HostCost.INTERRUPT, 1);
        Consumer<AsyncEvent> listener = onAsync;
        if (listener != null) {
            listener.accept(new AsyncEvent(type, number()));
        }
        cpu.wake();
    }

    @Override
    public void destroy(Completion<Integer> done) {
        device.commands().submit(() -> done.complete(number()));
    }
}
