package dev.clockwire.storage.hoststack.nvmerdma;

import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SglDescriptor;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.MemoryWindow;
import dev.clockwire.roce.verbs.MwBind;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.ReceiveEntry;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.WcOpcode;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.storage.hoststack.block.HostQueue;
import dev.clockwire.storage.hoststack.kernel.IoStage;
import dev.clockwire.storage.hoststack.kernel.KernelCore;
import dev.clockwire.storage.hoststack.kernel.KernelTask;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A queue of nvme-rdma. A command with data binds a window over them and sends the capsule, both with one doorbell; small writes travel in the
 * capsule. It has ended when its send has completed and its response has come, in whichever order.
 */
public final class RdmaHostQueue implements HostQueue {
    private static final Set<AccessFlag> BOTH = EnumSet.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);
    private static final long RECEIVES = 1L << 32;

    private final KernelCore kernel;
    private final QueuePair qp;
    private final Resources own;
    private final Ended ended;
    private final IoStage.Tap tap;
    private final CqWatch watch;
    private final SqEntry entry = new SqEntry();
    private final CqEntry answer = new CqEntry();
    private final byte[] bytes = new byte[SqEntry.BYTES];
    private final SendBatch sends = new SendBatch(2, 2);
    private final ReceiveBatch receives;
    /** What is still to come of a command: its send, its response. */
    private final int[] due;

    private final int[] status;
    private final long[] result;
    private final ArrayDeque<Integer> lost = new ArrayDeque<>();
    private final KernelTask errorWork = new KernelTask("nvme_rdma_error_recovery") {
        @Override
        protected boolean run() {
            for (int n = lost.size(); n > 0; n--) {
                ended.ended(lost.remove(), NvmeStatus.HOST_PATH.code(), 0);
            }
            return false;
        }
    };
    private String failure = "";

    /**
     * What a queue has.
     *
     * @param region memory of the capsules and responses, entries x (64 + 16) B
     * @param data where the region that an address belongs to is found
     * @param windows one for each command
     * @param entries commands
     * @param inCapsule bytes of data that go with a command
     */
    public record Resources(MemoryRegion region, Regions data, List<MemoryWindow> windows, int entries, int inCapsule) {
        /** Copies the list. */
        public Resources {
            windows = List.copyOf(windows);
        }
    }

    /** Finds regions. */
    @FunctionalInterface
    public interface Regions {
        /** Returns the region that memory lies in. */
        MemoryRegion of(long va, int length);
    }

    /** Creates a queue over a pair that is connected; outside of steps. */
    public RdmaHostQueue(
            KernelCore kernel, QueuePair qp, CompletionQueue cq, Resources own, Ended ended, IoStage.Tap tap) {
        this.kernel = kernel;
        this.qp = qp;
        this.own = own;
        this.ended = ended;
        this.tap = tap;
        due = new int[own.entries()];
        status = new int[own.entries()];
        result = new long[own.entries()];
        receives = new ReceiveBatch(own.entries(), 1);
        watch = new CqWatch(kernel, cq, false, this::completed);
        for (int i = 0; i < own.entries(); i++) {
            receive(i);
        }
        qp.postReceive(receives);
    }

    /** Returns why it is of no use any more, empty if it is. */
    public String failure() {
        return failure;
    }

    @Override
    public void open(Opened then) {
        then.opened("");
    }

    private long capsule(int tag) {
        return own.region().address() + (long) tag * SqEntry.BYTES;
    }

    private long response(int i) {
        return capsule(own.entries()) + (long) i * CqEntry.BYTES;
    }

    private void receive(int i) {
        ReceiveEntry r = receives.add();
        r.wrId = RECEIVES | i;
        r.sges().add(response(i), CqEntry.BYTES, own.region().lkey());
    }

    @Override
    public void submit(SqEntry e, long va, int length, int tag) {
        if (!failure.isEmpty()) {
            lost.add(tag);
            kernel.queueWork(errorWork);
            return;
        }
        entry.load(e.bytes(), 0);
        entry.bytes()[2] = (byte) tag;
        entry.bytes()[3] = (byte) (tag >> 8);
        entry.flags(SqEntry.SGL, 0);
        boolean out = Opcodes.toController(e.opcode() == Opcodes.FABRICS ? e.bytes()[4] : e.opcode());
        boolean inline = out && length > 0 && length <= own.inCapsule();
        sends.clear();
        if (inline) {
            SglDescriptor.put(entry.bytes(), SqEntry.DATA, SglDescriptor.DATA_BLOCK, SglDescriptor.OFFSET, 0, length);
        } else if (length > 0) {
            bind(va, length, tag);
        } else {
            SglDescriptor.putKeyed(entry.bytes(), SqEntry.DATA, SglDescriptor.ADDRESS, 0, 0, 0);
        }
        entry.store(bytes, 0);
        kernel.cpu().memory().putBytes(capsule(tag), bytes, 0, SqEntry.BYTES);
        SendEntry s = sends.add();
        s.wrId = tag;
        s.flags = SendFlag.SIGNALED.code();
        s.sges().add(capsule(tag), SqEntry.BYTES, own.region().lkey());
        if (inline) {
            s.sges().add(va, length, own.data().of(va, length).lkey());
        }
        due[tag] = 2;
        qp.postSend(sends);
        tap.ended(IoStage.POST, tag, kernel.now());
    }

    private void bind(long va, int length, int tag) {
        kernel.charge(kernel.costs().fastReg());
        MemoryWindow window = own.windows().get(tag);
        int key = MemoryWindow.incRkey(window.rkey());
        SendEntry b = sends.add();
        b.opcode = WrOpcode.BIND_MW;
        b.rkey = key;
        b.bind = new MwBind(window, own.data().of(va, length), va, length, BOTH);
        SglDescriptor.putKeyed(entry.bytes(), SqEntry.DATA, SglDescriptor.INVALIDATE_KEY, va, length, key);
    }

    private void completed(WorkCompletion wc) {
        if (wc.status != WcStatus.SUCCESS) {
            fail(wc.status.text());
            return;
        }
        if (!failure.isEmpty()) {
            return;
        }
        if (wc.opcode != WcOpcode.RECV) {
            ends((int) wc.wrId);
            return;
        }
        int i = (int) wc.wrId;
        kernel.cpu().memory().getBytes(response(i), bytes, 0, CqEntry.BYTES);
        answer.load(bytes, 0);
        receives.clear();
        receive(i);
        qp.postReceive(receives);
        int tag = answer.cid();
        if (tag >= due.length || due[tag] == 0) {
            fail("a response to no command");
            return;
        }
        status[tag] = answer.status();
        result[tag] = answer.result();
        tap.ended(IoStage.RESPONSE_WIRE, tag, watch.foundAt());
        tap.ended(IoStage.HOST_WAKE, tag, kernel.now());
        ends(tag);
    }

    /** Commands of a pair that is in error end with an error of the path; nobody connects again. */
    private void fail(String why) {
        if (!failure.isEmpty()) {
            return;
        }
        failure = why;
        for (int tag = 0; tag < due.length; tag++) {
            if (due[tag] > 0) {
                due[tag] = 0;
                lost.add(tag);
            }
        }
        kernel.queueWork(errorWork);
    }

    private void ends(int tag) {
        if (--due[tag] == 0) {
            ended.ended(tag, status[tag], result[tag]);
        }
    }
}
