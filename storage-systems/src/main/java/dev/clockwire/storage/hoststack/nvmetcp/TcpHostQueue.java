package dev.clockwire.storage.hoststack.nvmetcp;

import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SglDescriptor;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.storage.hoststack.block.HostQueue;
import dev.clockwire.storage.hoststack.kernel.IoStage;
import dev.clockwire.storage.hoststack.kernel.KernelCore;
import dev.clockwire.storage.hoststack.kernel.KernelTask;
import dev.clockwire.storage.hoststack.net.TcpStack;
import dev.clockwire.storage.hoststack.tcp.TcpConnection;
import dev.clockwire.storage.hoststack.tcp.TcpUser;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A queue of nvme-tcp. A command is sent by whoever submits it, if the socket has room, else by the queue's work (io_work); what is received is
 * always read by the work, which a received segment asks for.
 */
public final class TcpHostQueue extends KernelTask implements HostQueue, TcpUser {
    private static final int PIECE = 1 << 16;

    private final KernelCore kernel;
    private final TcpStack stack;
    private final Place place;
    private final Ended ended;
    private final IoStage.Tap tap;
    private final PduReader reader = new PduReader(new PduReader.Handler() {
        @Override
        public int header(byte[] b, int data) {
            return begin(b, data);
        }

        @Override
        public void data(byte[] b, int n, int left) {
            place(b, n);
        }

        @Override
        public void broken(int why, int where) {
            end(why, where);
        }
    });
    private final byte[] pdu = new byte[Pdu.IC_BYTES];
    private final byte[] piece = new byte[PIECE];
    private final SqEntry entry = new SqEntry();
    private final CqEntry response = new CqEntry();
    private final SendQueue sends;
    private final long[] va;
    private final int[] bytes;
    private final boolean[] used;
    /** Whether data of the command have come. */
    private final boolean[] fed;

    private @Nullable TcpConnection connection;
    private Opened opened = why -> {};
    private boolean up;
    private int mostData = 1 << 17;
    private int dataTag;
    private int dataAt;
    private final ArrayDeque<Integer> lost = new ArrayDeque<>();
    private String failure = "";

    /**
     * Where a queue is connected to.
     *
     * @param qid its number
     * @param entries most commands less one
     * @param inCapsule bytes of data that go with a command
     * @param zeroCopy whether data are sent from where they are
     */
    public record Place(int qid, int entries, long peerMac, int peerIp, int port, int inCapsule, boolean zeroCopy) {}

    /** Creates a queue that is not connected. */
    public TcpHostQueue(KernelCore kernel, TcpStack stack, Place place, Ended ended, IoStage.Tap tap) {
        super("nvme_tcp_io_work." + place.qid());
        this.kernel = kernel;
        this.stack = stack;
        this.place = place;
        this.ended = ended;
        this.tap = tap;
        va = new long[place.entries()];
        bytes = new int[place.entries()];
        used = new boolean[place.entries()];
        fed = new boolean[place.entries()];
        sends = new SendQueue(kernel, place.zeroCopy(), whose -> {});
    }

    /** Returns the connection; null before {@link #open}. */
    public @Nullable TcpConnection connection() {
        return connection;
    }

    /** Returns why it is of no use any more, empty if it is. */
    public String failure() {
        return failure;
    }

    @Override
    public void open(Opened then) {
        opened = then;
        connection = stack.connect(place.peerMac(), place.peerIp(), place.port(), this);
        sends.use(connection);
    }

    @Override
    public void connected() {
        sends.add(pdu, Pdu.icReq(pdu, 1));
        kernel.queueWork(this);
    }

    @Override
    public void submit(SqEntry e, long address, int length, int tag) {
        if (!failure.isEmpty()) {
            lost.add(tag);
            kernel.queueWork(this);
            return;
        }
        va[tag] = address;
        bytes[tag] = length;
        used[tag] = true;
        fed[tag] = false;
        entry.load(e.bytes(), 0);
        entry.bytes()[2] = (byte) tag;
        entry.bytes()[3] = (byte) (tag >> 8);
        entry.flags(SqEntry.SGL, 0);
        boolean out = Opcodes.toController(kind(entry));
        boolean inline = out && length > 0 && length <= place.inCapsule();
        int type = inline ? SglDescriptor.DATA_BLOCK : SglDescriptor.TRANSPORT_DATA_BLOCK;
        int subtype = inline ? SglDescriptor.OFFSET : 0xA;
        SglDescriptor.put(entry.bytes(), SqEntry.DATA, type, subtype, 0, length);
        sends.add(pdu, Pdu.command(pdu, entry, inline ? length : 0));
        if (inline) {
            sends.addData(address, length);
        }
        send();
        tap.ended(IoStage.POST, tag, kernel.now());
    }

    private static int kind(SqEntry e) {
        return e.opcode() == Opcodes.FABRICS ? e.bytes()[4] : e.opcode();
    }

    private void send() {
        kernel.charge(kernel.costs().socketCall());
        sends.send();
    }

    @Override
    protected boolean run() {
        if (!failure.isEmpty()) {
            endLost();
            return false;
        }
        TcpConnection c = Objects.requireNonNull(connection);
        if (c.readable() > 0) {
            kernel.charge(kernel.costs().socketCall());
            reader.read(c);
        }
        if (sends.isWaiting()) {
            send();
        }
        if (c.isAtEnd()) {
            failed("the target has closed the connection");
        }
        return false;
    }

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
        if (!failure.isEmpty()) {
            return;
        }
        failure = why;
        for (int tag = 0; tag < used.length; tag++) {
            if (used[tag]) {
                used[tag] = false;
                lost.add(tag);
            }
        }
        kernel.queueWork(this);
        if (!up) {
            opened.opened(why);
        }
    }

    /** Commands of a connection that is no more end with an error of the path; nobody connects again. */
    private void endLost() {
        for (int n = lost.size(); n > 0; n--) {
            ended.ended(lost.remove(), NvmeStatus.HOST_PATH.code(), 0);
        }
    }

    private int begin(byte[] b, int data) {
        int type = Pdu.type(b);
        if (!up) {
            if (type != Pdu.IC_RESP) {
                return Pdu.BAD_SEQUENCE;
            }
            up = true;
            mostData = Pdu.most(b);
            opened.opened("");
            return 0;
        }
        return switch (type) {
            case Pdu.CAPSULE_RESP -> {
                response.load(b, Pdu.COMMON_BYTES);
                yield ends(response.cid(), response.status(), response.result());
            }
            case Pdu.C2H_DATA -> begins(b, data);
            case Pdu.R2T -> answers(b);
            default -> Pdu.BAD_SEQUENCE;
        };
    }

    private boolean isUnknown(int tag) {
        return tag >= used.length || !used[tag];
    }

    private int ends(int tag, int status, long result) {
        if (isUnknown(tag)) {
            return Pdu.BAD_FIELD;
        }
        used[tag] = false;
        if (!fed[tag]) {
            tap.ended(IoStage.RESPONSE_WIRE, tag, stack.foundAt());
            tap.ended(IoStage.HOST_WAKE, tag, kernel.now());
        }
        ended.ended(tag, status, result);
        return 0;
    }

    private int begins(byte[] b, int data) {
        dataTag = Pdu.cid(b);
        dataAt = Pdu.offset(b);
        boolean odd = isUnknown(dataTag) || data != Pdu.bytes(b);
        if (odd) {
            return Pdu.BAD_FIELD;
        }
        fed[dataTag] = true;
        tap.ended(IoStage.RESPONSE_WIRE, dataTag, stack.foundAt());
        tap.ended(IoStage.HOST_WAKE, dataTag, kernel.now());
        return dataAt < 0 || dataAt + data > bytes[dataTag] ? Pdu.OUT_OF_RANGE : 0;
    }

    private void place(byte[] b, int n) {
        kernel.cpu().memory().putBytes(va[dataTag] + dataAt, b, 0, n);
        kernel.copy(n);
        dataAt += n;
    }

    private int answers(byte[] b) {
        int tag = Pdu.cid(b);
        int from = Pdu.offset(b);
        int want = Pdu.bytes(b);
        if (isUnknown(tag)) {
            return Pdu.BAD_FIELD;
        }
        if (from < 0 || want <= 0 || from + want > bytes[tag]) {
            return Pdu.OUT_OF_RANGE;
        }
        int done = 0;
        while (done < want) {
            int n = Math.min(mostData, want - done);
            int flags = done + n == want ? Pdu.LAST : 0;
            sends.add(pdu, Pdu.data(pdu, Pdu.H2C_DATA, flags, tag, Pdu.tag(b), from + done, n));
            sends.addData(va[tag] + from + done, n);
            done += n;
        }
        return 0;
    }

    private void end(int why, int where) {
        sends.add(piece, Pdu.term(piece, Pdu.H2C_TERM, why, where));
        sends.send();
        failed("fatal error " + why + " of the stream");
    }
}
