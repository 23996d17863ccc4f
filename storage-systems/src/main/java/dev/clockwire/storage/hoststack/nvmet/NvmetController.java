package dev.clockwire.storage.hoststack.nvmet;

import dev.clockwire.nvme.fabrics.ConnectData;
import dev.clockwire.nvme.fabrics.FabricsCommand;
import dev.clockwire.nvme.format.Identify;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import java.util.Arrays;
import java.util.Optional;

/**
 * The one controller of a target with one namespace, as nvmet shows it to one host: Connect, properties, Identify, the features that a host sets
 * first. Orders and values: reference of Linux 6.1's target, version 1.3.
 */
public final class NvmetController {
    /** Commands that are not answered before the controller goes: event requests. */
    public static final int HELD = -1;

    private static final int CAP = 0x00;
    private static final int VS = 0x08;
    private static final int CC = 0x14;
    private static final int CSTS = 0x1C;
    private static final int VERSION = 0x0001_0300;
    private static final long TIMEOUT_UNITS = 15;
    private static final int NUMBER_OF_QUEUES = 0x07;
    private static final int EVENT_CONFIGURATION = 0x0B;
    private static final int KEEP_ALIVE_TIMER = 0x0F;
    private static final int IO_COMMAND_BYTES = 1792;
    private static final int MOST_QUEUES = 0x7F;

    private final String nqn;
    private final int blockBytes;
    private final long blocks;
    private final int inCapsule;
    private final int entries;
    private int cc;
    private boolean connected;
    private long result;

    /**
     * Creates the controller.
     *
     * @param nqn of the subsystem
     * @param blocks of the namespace
     * @param inCapsule bytes of data that a command may bring along
     * @param entries of the largest queue
     */
    public NvmetController(String nqn, int blockBytes, long blocks, int inCapsule, int entries) {
        this.nqn = nqn;
        this.blockBytes = blockBytes;
        this.blocks = blocks;
        this.inCapsule = inCapsule;
        this.entries = entries;
    }

    /** Returns the bytes of a block. */
    public int blockBytes() {
        return blockBytes;
    }

    /** Returns the result of the last command. */
    public long result() {
        return result;
    }

    /** Returns whether a command is an I/O, for the SSD. */
    public static boolean isIo(int qid, SqEntry e) {
        return qid > 0 && e.opcode() != Opcodes.FABRICS;
    }

    /** Returns the status that an I/O is refused with, 0 if it is for the SSD. */
    public int check(SqEntry e) {
        boolean moves = e.opcode() == Opcodes.READ || e.opcode() == Opcodes.WRITE;
        if ((cc & 1) == 0) {
            return refused(NvmeStatus.SEQUENCE_ERROR);
        }
        if (!moves && e.opcode() != Opcodes.FLUSH) {
            return refused(NvmeStatus.INVALID_OPCODE);
        }
        if (e.nsid() != 1) {
            return refused(NvmeStatus.INVALID_NAMESPACE);
        }
        boolean outside = moves && (e.slba() < 0 || e.slba() > blocks - e.blocks());
        return outside ? refused(NvmeStatus.LBA_OUT_OF_RANGE) : 0;
    }

    private static int refused(NvmeStatus why) {
        return why.code() | NvmeStatus.DO_NOT_RETRY;
    }

    /**
     * Does an admin or fabrics command.
     *
     * @param data that it brought, or where its answer goes
     * @return its status, or {@link #HELD}
     */
    public int execute(int qid, SqEntry e, byte[] data) {
        result = 0;
        if (e.opcode() == Opcodes.FABRICS) {
            return fabrics(qid, e, data);
        }
        if (!connected) {
            return refused(NvmeStatus.SEQUENCE_ERROR);
        }
        return switch (e.opcode()) {
            case Opcodes.IDENTIFY -> identify(e, data);
            case Opcodes.SET_FEATURES -> setFeatures(e);
            case Opcodes.KEEP_ALIVE -> 0;
            case Opcodes.ASYNC_EVENT -> HELD;
            default -> refused(NvmeStatus.INVALID_OPCODE);
        };
    }

    private int fabrics(int qid, SqEntry e, byte[] data) {
        return switch (FabricsCommand.type(e)) {
            case FabricsCommand.CONNECT -> connect(qid, e, data);
            case FabricsCommand.PROPERTY_GET -> get(FabricsCommand.propertyOffset(e));
            case FabricsCommand.PROPERTY_SET ->
                set(FabricsCommand.propertyOffset(e), (int) FabricsCommand.propertyValue(e));
            default -> refused(NvmeStatus.INVALID_OPCODE);
        };
    }

    private int connect(int qid, SqEntry e, byte[] data) {
        Optional<ConnectData> told = ConnectData.load(data, 0, data.length);
        boolean known = told.isPresent() && told.get().subsystem().equals(nqn);
        if (!known || FabricsCommand.format(e) != 0) {
            return refused(NvmeStatus.CONNECT_INVALID);
        }
        boolean order = qid == 0 ? told.get().controller() == ConnectData.ANY : connected && (cc & 1) != 0;
        if (!order || FabricsCommand.entries(e) > entries || FabricsCommand.queue(e) != qid) {
            return refused(NvmeStatus.CONNECT_INVALID);
        }
        connected = true;
        result = 1;
        return 0;
    }

    private int get(int offset) {
        switch (offset) {
            case CAP -> result = entries - 1 | 1 << 16 | TIMEOUT_UNITS << 24 | 1L << 37;
            case VS -> result = VERSION;
            case CC -> result = cc;
            case CSTS -> result = cc & 1;
            default -> {
                return refused(NvmeStatus.INVALID_FIELD);
            }
        }
        return 0;
    }

    private int set(int offset, int value) {
        if (offset != CC) {
            return refused(NvmeStatus.INVALID_FIELD);
        }
        cc = value;
        return 0;
    }

    private int identify(SqEntry e, byte[] data) {
        byte[] page;
        switch (e.dword(10) & 0xFF) {
            case Identify.CONTROLLER -> {
                page = new Identify.Controller(
                                0, "CLOCKWIRE0001", "Linux", "6.1", 5, 1, 4, 4, 1, true, 0x0010_0005, nqn)
                        .page();
                LittleEndian.put32(page, IO_COMMAND_BYTES, (SqEntry.BYTES + inCapsule) / 16);
                LittleEndian.put32(page, IO_COMMAND_BYTES + 4, 1);
                LittleEndian.put16(page, 320, 10); // keep alive in units of 1 s
                page[IO_COMMAND_BYTES + 11] = 1;
            }
            case Identify.NAMESPACE -> page = Identify.namespace(blockBytes, blocks, 1);
            case Identify.ACTIVE_LIST -> {
                page = new byte[Identify.BYTES];
                page[0] = (byte) (e.nsid() == 0 ? 1 : 0);
            }
            default -> {
                return refused(NvmeStatus.INVALID_FIELD);
            }
        }
        System.arraycopy(page, 0, data, 0, Math.min(page.length, data.length));
        if (data.length > page.length) {
            Arrays.fill(data, page.length, data.length, (byte) 0);
        }
        return 0;
    }

    private int setFeatures(SqEntry e) {
        switch (e.dword(10) & 0xFF) {
            case NUMBER_OF_QUEUES -> result = MOST_QUEUES << 16 | MOST_QUEUES;
            case EVENT_CONFIGURATION, KEEP_ALIVE_TIMER -> {}
            default -> {
                return refused(NvmeStatus.INVALID_FIELD);
            }
        }
        return 0;
    }
}
