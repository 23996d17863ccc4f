package dev.clockwire.storage.hoststack.nvmetcp;

import dev.clockwire.nvme.fabrics.FabricsCommand;
import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SglDescriptor;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.storage.hoststack.kernel.IoStage;
import dev.clockwire.storage.hoststack.kernel.KernelCore;
import dev.clockwire.storage.hoststack.kernel.KernelTask;
import dev.clockwire.storage.hoststack.net.TcpStack;
import dev.clockwire.storage.hoststack.nvmet.NvmetController;
import dev.clockwire.storage.hoststack.tcp.TcpConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A queue of nvmet-tcp: one work (io_work) receives, begins commands and sends what has ended. */
final class TcpTargetQueue extends KernelTask implements TcpStack.Accepted, PduReader.Handler {
    private final KernelCore kernel;
    private final TcpStack stack;
    private final TcpTarget target;
    private final int index;
    private final PduReader reader = new PduReader(this);
    private final byte[] pdu = new byte[Pdu.IC_BYTES];
    private final SqEntry entry = new SqEntry();
    private final CqEntry response = new CqEntry();
    private final SendQueue sends;
    private final List<Command> commands = new ArrayList<>();
    private final List<Command> over = new ArrayList<>();
    private @Nullable TcpConnection connection;
    private @Nullable Command filling;
    private boolean up;
    private int qid = -1;
    private int entries = 32;
    private int head;

    /** A command and the buffer of its data, which stays its own. */
    static final class Command {
        final int slot;
        final long va;
        final SqEntry entry = new SqEntry();
        boolean used;
        int length;
        int got;
        int status;
        long result;

        Command(int slot, long va) {
            this.slot = slot;
            this.va = va;
        }
    }

    TcpTargetQueue(KernelCore kernel, TcpStack stack, TcpTarget target, int index) {
        super("nvmet_tcp_io_work." + index);
        this.kernel = kernel;
        this.stack = stack;
        this.target = target;
        this.index = index;
        sends = new SendQueue(kernel, target.spec().zeroCopy(), this::answered);
    }

    @Override
    public void accepted(TcpConnection c) {
        connection = c;
        sends.use(c);
    }

    @Override
    public void connected() {}

    @Override
    public void readable() {
        kernel.queueWork(this);
    }

    @Override
    public void writable() {
        if (sends.isWaiting()) {
            kernel.queueWork(this);
        }
    }

    @Override
    public void failed(String why) {
        target.lost(this);
    }

    @Override
    protected boolean run() {
        TcpConnection c = Objects.requireNonNull(connection);
        if (c.readable() > 0) {
            kernel.charge(kernel.costs().socketCall());
            reader.read(c);
        }
        while (!over.isEmpty()) {
            answer(over.remove(0));
        }
        if (sends.isWaiting()) {
            kernel.charge(kernel.costs().socketCall());
            sends.send();
        }
        if (c.isAtEnd()) {
            c.close(kernel.now());
        }
        return false;
    }

    @Override
    public int header(byte[] b, int data) {
        int type = Pdu.type(b);
        if (!up) {
            if (type != Pdu.IC_REQ) {
                return Pdu.BAD_SEQUENCE;
            }
            up = true;
            sends.add(pdu, Pdu.icResp(pdu, target.spec().mostData()));
            return 0;
        }
        return switch (type) {
            case Pdu.CAPSULE_CMD -> command(b, data);
            case Pdu.H2C_DATA -> comes(b, data);
            default -> Pdu.BAD_SEQUENCE;
        };
    }

    private Command free() {
        for (int i = 0; i < commands.size(); i++) {
            if (!commands.get(i).used) {
                return commands.get(i);
            }
        }
        Command c = new Command(commands.size(), target.buffer());
        commands.add(c);
        return c;
    }

    private int command(byte[] b, int data) {
        Command c = free();
        c.entry.load(b, Pdu.COMMON_BYTES);
        c.used = true;
        c.status = 0;
        c.result = 0;
        c.got = 0;
        c.length = (int) SglDescriptor.length(c.entry.bytes(), SqEntry.DATA);
        entry.load(b, Pdu.COMMON_BYTES);
        if (qid < 0 && entry.opcode() == Opcodes.FABRICS && FabricsCommand.type(entry) == FabricsCommand.CONNECT) {
            qid = FabricsCommand.queue(entry);
            entries = FabricsCommand.entries(entry);
        }
        tap(IoStage.REQUEST_WIRE, c, stack.foundAt());
        tap(IoStage.TARGET_WAKE, c, kernel.now());
        kernel.charge(kernel.costs().target());
        boolean tooLong = c.length < 0 || c.length > target.spec().mostData() || data > c.length;
        if (tooLong) {
            return Pdu.OUT_OF_RANGE;
        }
        boolean out = c.length > 0 && Opcodes.toController(kind(c.entry));
        if (out && data == 0) {
            sends.add(pdu, Pdu.r2t(pdu, c.entry.cid(), c.slot, 0, c.length));
        } else if (out) {
            filling = c;
        } else {
            execute(c);
        }
        return 0;
    }

    private static int kind(SqEntry e) {
        return e.opcode() == Opcodes.FABRICS ? e.bytes()[4] : e.opcode();
    }

    private int comes(byte[] b, int data) {
        int slot = Pdu.tag(b);
        if (slot >= commands.size() || !commands.get(slot).used) {
            return Pdu.BAD_FIELD;
        }
        Command c = commands.get(slot);
        if (Pdu.offset(b) != c.got || c.got + data > c.length || data != Pdu.bytes(b)) {
            return Pdu.OUT_OF_RANGE;
        }
        filling = c;
        return 0;
    }

    @Override
    public void data(byte[] b, int n, int left) {
        Command c = Objects.requireNonNull(filling);
        kernel.cpu().memory().putBytes(c.va + c.got, b, 0, n);
        kernel.copy(n);
        c.got += n;
        if (c.got == c.length) {
            filling = null;
            execute(c);
        }
    }

    private void execute(Command c) {
        if (NvmetController.isIo(qid, c.entry)) {
            io(c);
            return;
        }
        byte[] bytes = new byte[c.length];
        kernel.cpu().memory().getBytes(c.va, bytes, 0, c.length);
        int status = target.controller().execute(Math.max(0, qid), c.entry, bytes);
        if (status != NvmetController.HELD) {
            kernel.cpu().memory().putBytes(c.va, bytes, 0, c.length);
            c.status = status;
            c.result = target.controller().result();
            over.add(c);
        }
    }

    private void io(Command c) {
        int refused = target.controller().check(c.entry);
        boolean moves = c.entry.opcode() != Opcodes.FLUSH;
        int blockBytes = target.controller().blockBytes();
        boolean misfit = moves && c.entry.blocks() * blockBytes != c.length;
        if (refused != 0 || misfit) {
            c.status = refused != 0 ? refused : NvmeStatus.SGL_BAD_LENGTH.code() | NvmeStatus.DO_NOT_RETRY;
            over.add(c);
            return;
        }
        target.ssd().submit(c.entry.opcode(), c.entry.slba(), c.entry.blocks(), c.va, (long) index << 32 | c.slot);
        tap(IoStage.TARGET_SUBMIT, c, kernel.now());
    }

    /** The SSD has ended a command; in the context of its interrupt. */
    void ended(int slot, int status) {
        Command c = commands.get(slot);
        c.status = status;
        tap(IoStage.SSD, c, kernel.interruptedAt());
        over.add(c);
        kernel.queueWork(this);
    }

    private void answer(Command c) {
        int cid = c.entry.cid();
        head = head + 1 == entries ? 0 : head + 1;
        if (c.status == 0 && c.length > 0 && Opcodes.toHost(kind(c.entry))) {
            sends.add(pdu, Pdu.data(pdu, Pdu.C2H_DATA, Pdu.LAST, cid, 0, 0, c.length));
            sends.addData(c.va, c.length);
        }
        response.set(c.result, head, Math.max(0, qid), cid, c.status, 0);
        sends.add(pdu, Pdu.response(pdu, response), c.slot);
    }

    private void answered(int slot) {
        Command c = commands.get(slot);
        tap(IoStage.TARGET_RESPOND, c, kernel.now());
        c.used = false;
    }

    private void tap(IoStage stage, Command c, long ps) {
        if (qid > 0) {
            target.tap(qid).ended(stage, c.entry.cid(), ps);
        }
    }

    @Override
    public void broken(int why, int where) {
        sends.add(pdu, Pdu.term(pdu, Pdu.C2H_TERM, why, where));
        sends.send();
    }
}
