package dev.clockwire.nvme.ctrl;

import dev.clockwire.nvme.format.Identify;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.nvme.regs.NvmeRegisters;

/** What the commands of the admin queue do. A step returns the status that ends the command, or that there is more to come. */
final class AdminCommands {
    private static final int MORE = IoCommands.MORE;
    private static final int AGAIN = NvmeStatus.DO_NOT_RETRY;
    private static final int VENDOR = 0x1AF4;
    private static final int LOWER = 0xFFFF;
    private static final int MOST_LOG = 4096;
    /** Abort commands that may be under way. */
    private static final int MOST_ABORTS = 4;

    /** Place of the fused pairs that there are in Identify. */
    private static final int FUSES = 522;
    /** Place of what VS says too. */
    private static final int VERSION = 80;

    private final Executor parts;

    AdminCommands(Executor parts) {
        this.parts = parts;
    }

    /** Begins a command. */
    int begin(Command c) {
        SqEntry e = c.entry;
        if (e.fuse() != 0 || e.dataKind() != SqEntry.PRP) {
            return NvmeStatus.INVALID_FIELD.code() | AGAIN;
        }
        return switch (e.opcode()) {
            case Opcodes.CREATE_CQ -> createCq(e);
            case Opcodes.CREATE_SQ -> createSq(e);
            case Opcodes.DELETE_SQ -> deleteSq(c);
            case Opcodes.DELETE_CQ -> deleteCq(e);
            case Opcodes.IDENTIFY -> identify(c);
            case Opcodes.GET_LOG_PAGE -> log(c);
            case Opcodes.SET_FEATURES -> parts.features.set(c);
            case Opcodes.GET_FEATURES -> parts.features.get(c);
            case Opcodes.ABORT -> abort(c);
            case Opcodes.ASYNC_EVENT -> {
                int bad = parts.events.request(c);
                yield bad == 0 ? MORE : bad;
            }
            case Opcodes.KEEP_ALIVE -> 0;
            default -> NvmeStatus.INVALID_OPCODE.code() | AGAIN;
        };
    }

    private int createCq(SqEntry e) {
        NvmeRegisters regs = parts.registers;
        int id = e.dword(10) & LOWER;
        int entries = (e.dword(10) >>> 16) + 1;
        if (!regs.entriesFit()) {
            return NvmeStatus.QUEUE_SIZE_INVALID.code() | AGAIN;
        }
        if (id == 0 || id >= parts.queues.count() || parts.queues.hasCq(id)) {
            return NvmeStatus.QUEUE_ID_INVALID.code() | AGAIN;
        }
        if (entries < 2 || entries > parts.spec.entries()) {
            return NvmeStatus.QUEUE_SIZE_INVALID.code() | AGAIN;
        }
        if ((e.prp1() & regs.pageBytes() - 1) != 0) {
            return NvmeStatus.PRP_BAD_OFFSET.code() | AGAIN;
        }
        if (parts.isOwn(e.prp1())) { // CMBSZ.CQS is 0
            return NvmeStatus.MEMORY_BUFFER_INVALID.code() | AGAIN;
        }
        int vector = e.dword(11) >>> 16;
        if (vector >= parts.interrupts.vectors()) {
            return NvmeStatus.VECTOR_INVALID.code() | AGAIN;
        }
        if ((e.dword(11) & 1) == 0) {
            return NvmeStatus.INVALID_FIELD.code() | AGAIN;
        }
        parts.queues.cq(id).open(e.prp1(), entries, vector, (e.dword(11) & 2) != 0);
        return 0;
    }

    private int createSq(SqEntry e) {
        int id = e.dword(10) & LOWER;
        int entries = (e.dword(10) >>> 16) + 1;
        int cq = e.dword(11) >>> 16;
        if (cq == 0 || !parts.queues.hasCq(cq)) {
            return NvmeStatus.CQ_INVALID.code() | AGAIN;
        }
        if (id == 0 || id >= parts.queues.count() || parts.queues.hasSq(id)) {
            return NvmeStatus.QUEUE_ID_INVALID.code() | AGAIN;
        }
        if (entries < 2 || entries > parts.spec.entries()) {
            return NvmeStatus.QUEUE_SIZE_INVALID.code() | AGAIN;
        }
        if ((e.prp1() & parts.registers.pageBytes() - 1) != 0) {
            return NvmeStatus.PRP_BAD_OFFSET.code() | AGAIN;
        }
        if ((e.dword(11) & 1) == 0) {
            return NvmeStatus.INVALID_FIELD.code() | AGAIN;
        }
        parts.queues.sq(id).open(e.prp1(), entries, cq, e.dword(11) >>> 1 & 3);
        parts.queues.cq(cq).users++;
        return 0;
    }

    /** Commands that are inside the queue end first, aborted. */
    private int deleteSq(Command c) {
        int id = c.entry.dword(10) & LOWER;
        if (id == 0 || !parts.queues.hasSq(id) || parts.queues.sq(id).deleting) {
            return NvmeStatus.QUEUE_ID_INVALID.code() | AGAIN;
        }
        SubmissionQueue q = parts.queues.sq(id);
        q.deleting = true;
        q.tail = q.fetch;
        parts.abortAll(id);
        c.phase = id;
        return q.isEmpty() ? deleted(c) : MORE;
    }

    /** The queue that a command wants deleted is empty. */
    int deleted(Command c) {
        SubmissionQueue q = parts.queues.sq(c.phase);
        q.live = false;
        parts.queues.cq(q.completion).users--;
        return 0;
    }

    private int deleteCq(SqEntry e) {
        int id = e.dword(10) & LOWER;
        if (id == 0 || !parts.queues.hasCq(id)) {
            return NvmeStatus.QUEUE_ID_INVALID.code() | AGAIN;
        }
        if (parts.queues.cq(id).users > 0) {
            return NvmeStatus.QUEUE_DELETION_INVALID.code() | AGAIN;
        }
        parts.queues.cq(id).live = false;
        return 0;
    }

    private int identify(Command c) {
        int nsid = c.entry.nsid();
        int last = parts.spec.namespaces().size();
        boolean exists = nsid > 0 && nsid <= last;
        switch (c.entry.dword(10) & 0xFF) {
            case Identify.CONTROLLER -> {
                byte[] page = controller().page();
                LittleEndian.put16(page, FUSES, 1); // compare and write
                LittleEndian.put32(page, VERSION, (int) parts.registers.read(0x08, 4));
                return answer(c, page);
            }
            case Identify.ACTIVE_LIST -> {
                return Integer.compareUnsigned(nsid, -3) > 0
                        ? NvmeStatus.INVALID_NAMESPACE.code() | AGAIN
                        : answer(c, Identify.activeList(Math.max(0, nsid), nsid < 0 ? 0 : last));
            }
            case Identify.NAMESPACE -> {
                NamespaceSpec n = parts.spec.namespaces().get(exists ? nsid - 1 : 0);
                return exists
                        ? answer(c, Identify.namespace(n.blockBytes(), n.blocks(), guid(nsid)))
                        : NvmeStatus.INVALID_NAMESPACE.code() | AGAIN;
            }
            case Identify.DESCRIPTORS -> {
                return exists
                        ? answer(c, Identify.descriptors(guid(nsid)))
                        : NvmeStatus.INVALID_NAMESPACE.code() | AGAIN;
            }
            default -> {
                return NvmeStatus.INVALID_FIELD.code() | AGAIN;
            }
        }
    }

    private static long guid(int nsid) {
        return 0x0011_2233_0000_0000L | nsid;
    }

    private Identify.Controller controller() {
        NvmeSpec spec = parts.spec;
        int mdts = spec.transferPages() == 0 ? 0 : Integer.numberOfTrailingZeros(spec.transferPages());
        return new Identify.Controller(
                VENDOR,
                spec.serial(),
                spec.model(),
                "1.0",
                mdts,
                1,
                MOST_ABORTS,
                Events.LIMIT,
                spec.namespaces().size(),
                spec.media().buffer().bytes() > 0,
                0x0001_0001,
                "nqn.2014.08.org.nvmexpress:" + spec.serial());
    }

    private int log(Command c) {
        int page = c.entry.dword(10) & 0xFF;
        long bytes = ((((long) c.entry.dword(11) & LOWER) << 16 | c.entry.dword(10) >>> 16) + 1) << 2;
        byte[] content = parts.logs.page(page);
        if (content.length == 0) {
            return NvmeStatus.LOG_PAGE_INVALID.code() | AGAIN;
        }
        long from = (c.entry.dword(12) & 0xFFFF_FFFFL) | (long) c.entry.dword(13) << 32;
        if (from < 0 || from > content.length || bytes > MOST_LOG * 16L) {
            return NvmeStatus.INVALID_FIELD.code() | AGAIN;
        }
        byte[] part = new byte[(int) bytes];
        System.arraycopy(content, (int) from, part, 0, (int) Math.min(bytes, content.length - from));
        if ((c.entry.dword(10) & 1 << 15) == 0) {
            parts.events.read(page);
        }
        return answer(c, part);
    }

    /** Gives the host data, as soon as it is known where they go. */
    private int answer(Command c, byte[] page) {
        int bad = parts.data.locate(c, page.length, parts.registers.pageBytes());
        if (bad != 0) {
            return bad;
        }
        c.data.clear();
        c.data.appendBytes(page, 0, page.length);
        return c.waits > 0 ? MORE : located(c);
    }

    /** It is known where the data of an answer go. */
    int located(Command c) {
        parts.data.toHost(c);
        return 0;
    }

    private int abort(Command c) {
        int queue = c.entry.dword(10) & LOWER;
        int cid = c.entry.dword(10) >>> 16;
        if (!parts.queues.hasSq(queue)) {
            return NvmeStatus.INVALID_FIELD.code() | AGAIN;
        }
        if (parts.admins(Opcodes.ABORT) > MOST_ABORTS) {
            return NvmeStatus.ABORT_LIMIT.code();
        }
        c.result = parts.abort(queue, cid) ? 0 : 1;
        return 0;
    }
}
