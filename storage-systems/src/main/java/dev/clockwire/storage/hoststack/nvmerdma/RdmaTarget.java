package dev.clockwire.storage.hoststack.nvmerdma;

import dev.clockwire.nvme.fabrics.FabricsCommand;
import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SglDescriptor;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.ReceiveEntry;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.WcOpcode;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.storage.hoststack.kernel.IoStage;
import dev.clockwire.storage.hoststack.kernel.KernelCore;
import dev.clockwire.storage.hoststack.nvmet.NvmetController;
import dev.clockwire.storage.hoststack.nvmet.SsdBackend;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A queue of nvmet-rdma. Commands are found by a kworker; reads are answered where the SSD's interrupt ends them, with an RDMA WRITE and a SEND
 * that invalidates the host's key, both with one doorbell; data of larger writes are fetched with an RDMA READ.
 */
public final class RdmaTarget {
    private static final int RESPONSE = 1 << 20;
    private static final int FETCH = 1 << 21;
    private static final int LOW = RESPONSE - 1;

    private final KernelCore kernel;
    private final QueuePair qp;
    private final Resources own;
    private final NvmetController controller;
    private final IoStage.Tap tap;
    private final CqWatch watch;
    private final ReceiveBatch receives;
    private final SendBatch sends = new SendBatch(2, 1);
    private final Command[] commands;
    private final CqEntry answer = new CqEntry();
    private final byte[] bytes = new byte[SqEntry.BYTES];
    private @Nullable SsdBackend ssd;
    private int head;
    private int depth = 32;
    private String failure = "";

    /**
     * What a queue has.
     *
     * @param region its memory: for each command a capsule, a response of 16 B and room for its data
     * @param qid its number
     * @param index of the owner of I/Os of the SSD
     * @param entries commands
     * @param inCapsule bytes of data that go with a command
     * @param mostData bytes of data of a command
     */
    public record Resources(MemoryRegion region, int qid, int index, int entries, int inCapsule, int mostData) {
        /** Returns the bytes of memory that a queue needs. */
        public static long bytes(int entries, int inCapsule, int mostData) {
            return (long) entries * (capsuleBytes(inCapsule) + 64 + mostData);
        }

        private static int capsuleBytes(int inCapsule) {
            return SqEntry.BYTES + inCapsule;
        }
    }

    private static final class Command {
        private final int slot;
        private final SqEntry entry = new SqEntry();
        private long va;
        private int length;
        private long result;
        private boolean keyed;

        Command(int slot) {
            this.slot = slot;
        }
    }

    /** Creates a queue over a pair that is connected; outside of steps. */
    public RdmaTarget(
            KernelCore kernel,
            QueuePair qp,
            CompletionQueue cq,
            Resources own,
            NvmetController controller,
            IoStage.Tap tap) {
        this.kernel = kernel;
        this.qp = qp;
        this.own = own;
        this.controller = controller;
        this.tap = tap;
        commands = new Command[own.entries()];
        receives = new ReceiveBatch(own.entries(), 1);
        watch = new CqWatch(kernel, cq, true, this::completed);
        for (int i = 0; i < own.entries(); i++) {
            commands[i] = new Command(i);
            receive(i);
        }
        qp.postReceive(receives);
    }

    /** Has the SSD behind it. */
    public void use(SsdBackend backend) {
        ssd = backend;
    }

    /** Returns why it is of no use any more, empty if it is. */
    public String failure() {
        return failure;
    }

    private int capsuleBytes() {
        return SqEntry.BYTES + own.inCapsule();
    }

    private long capsule(int slot) {
        return own.region().address() + (long) slot * capsuleBytes();
    }

    private long response(int slot) {
        return capsule(own.entries()) + (long) slot * 64;
    }

    private long data(int slot) {
        return response(own.entries()) + (long) slot * own.mostData();
    }

    private void receive(int slot) {
        ReceiveEntry r = receives.add();
        r.wrId = slot;
        r.sges().add(capsule(slot), capsuleBytes(), own.region().lkey());
    }

    private void completed(WorkCompletion wc) {
        if (wc.status != WcStatus.SUCCESS) {
            failure = wc.status.text();
            return;
        }
        int id = (int) wc.wrId;
        if (wc.opcode == WcOpcode.RECV) {
            arrived(commands[id], (int) wc.byteLength);
        } else if ((id & FETCH) != 0) {
            execute(commands[id & LOW]);
        }
    }

    private void arrived(Command c, int length) {
        kernel.cpu().memory().getBytes(capsule(c.slot), bytes, 0, SqEntry.BYTES);
        c.entry.load(bytes, 0);
        c.result = 0;
        tap(IoStage.REQUEST_WIRE, c, watch.foundAt());
        tap(IoStage.TARGET_WAKE, c, kernel.now());
        kernel.charge(kernel.costs().target());
        boolean out = Opcodes.toController(kind(c.entry));
        c.keyed = SglDescriptor.type(c.entry.bytes(), SqEntry.DATA) == SglDescriptor.KEYED_DATA_BLOCK;
        c.length = c.keyed
                ? SglDescriptor.keyedLength(c.entry.bytes(), SqEntry.DATA)
                : (int) SglDescriptor.length(c.entry.bytes(), SqEntry.DATA);
        c.va = c.keyed ? data(c.slot) : capsule(c.slot) + SqEntry.BYTES;
        c.keyed &= c.length > 0;
        boolean wrong = c.length > own.mostData() || c.length < 0 || (!c.keyed && c.length > length - SqEntry.BYTES);
        if (wrong) {
            ends(c, NvmeStatus.SGL_BAD_LENGTH.code() | NvmeStatus.DO_NOT_RETRY);
        } else if (out && c.keyed) {
            fetch(c);
        } else {
            execute(c);
        }
    }

    private static int kind(SqEntry e) {
        return e.opcode() == Opcodes.FABRICS ? e.bytes()[4] : e.opcode();
    }

    private void remote(SendEntry s, Command c) {
        s.remoteAddress = SglDescriptor.address(c.entry.bytes(), SqEntry.DATA);
        s.rkey = SglDescriptor.key(c.entry.bytes(), SqEntry.DATA);
        s.sges().add(c.va, c.length, own.region().lkey());
    }

    private void fetch(Command c) {
        sends.clear();
        SendEntry s = sends.add();
        s.opcode = WrOpcode.RDMA_READ;
        s.wrId = FETCH | c.slot;
        s.flags = SendFlag.SIGNALED.code();
        remote(s, c);
        qp.postSend(sends);
    }

    private void execute(Command c) {
        if (NvmetController.isIo(own.qid(), c.entry)) {
            io(c);
            return;
        }
        if (c.entry.opcode() == Opcodes.FABRICS && FabricsCommand.type(c.entry) == FabricsCommand.CONNECT) {
            depth = FabricsCommand.entries(c.entry);
        }
        byte[] page = new byte[c.length];
        kernel.cpu().memory().getBytes(c.va, page, 0, c.length);
        int how = controller.execute(own.qid(), c.entry, page);
        if (how != NvmetController.HELD) {
            kernel.cpu().memory().putBytes(c.va, page, 0, c.length);
            c.result = controller.result();
            ends(c, how);
        }
    }

    private void io(Command c) {
        int refused = controller.check(c.entry);
        boolean moves = c.entry.opcode() != Opcodes.FLUSH;
        boolean misfit = moves && c.entry.blocks() * controller.blockBytes() != c.length;
        if (refused != 0 || misfit) {
            ends(c, refused != 0 ? refused : NvmeStatus.SGL_BAD_LENGTH.code() | NvmeStatus.DO_NOT_RETRY);
            return;
        }
        Objects.requireNonNull(ssd)
                .submit(c.entry.opcode(), c.entry.slba(), c.entry.blocks(), c.va, (long) own.index() << 32 | c.slot);
        tap(IoStage.TARGET_SUBMIT, c, kernel.now());
    }

    /** The SSD has ended a command; in the context of its interrupt. */
    public void ended(int slot, int status) {
        tap(IoStage.SSD, commands[slot], kernel.interruptedAt());
        ends(commands[slot], status);
    }

    /** Answers a command, and gives its receive back before that. */
    private void ends(Command c, int how) {
        head = head + 1 == depth ? 0 : head + 1;
        answer.set(c.result, head, own.qid(), c.entry.cid(), how, 0);
        answer.store(bytes, 0);
        kernel.cpu().memory().putBytes(response(c.slot), bytes, 0, CqEntry.BYTES);
        receives.clear();
        receive(c.slot);
        qp.postReceive(receives);
        sends.clear();
        if (how == 0 && c.keyed && Opcodes.toHost(kind(c.entry))) {
            SendEntry w = sends.add();
            w.opcode = WrOpcode.RDMA_WRITE;
            w.wrId = RESPONSE | c.slot;
            remote(w, c);
        }
        SendEntry s = sends.add();
        s.wrId = RESPONSE | c.slot;
        s.flags = SendFlag.SIGNALED.code();
        s.sges().add(response(c.slot), CqEntry.BYTES, own.region().lkey());
        boolean ends = c.keyed && SglDescriptor.subtype(c.entry.bytes(), SqEntry.DATA) == SglDescriptor.INVALIDATE_KEY;
        if (ends) {
            s.opcode = WrOpcode.SEND_WITH_INV;
            s.immOrKey = SglDescriptor.key(c.entry.bytes(), SqEntry.DATA);
        }
        qp.postSend(sends);
        tap(IoStage.TARGET_RESPOND, c, kernel.now());
    }

    private void tap(IoStage stage, Command c, long ps) {
        if (own.qid() > 0) {
            tap.ended(stage, c.entry.cid(), ps);
        }
    }
}
