package dev.clockwire.storage.hoststack.block;

import dev.clockwire.nvme.fabrics.ConnectData;
import dev.clockwire.nvme.fabrics.FabricsCommand;
import dev.clockwire.nvme.format.Identify;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.storage.hoststack.kernel.KernelCore;
import java.util.List;

/** What a host does before it uses a controller, one command behind the other: Connect, enable, Identify, then Connect of each I/O queue. */
public final class HostSetup implements HostQueue.Ended {
    private static final int CAP = 0x00;
    private static final int CC = 0x14;
    private static final int CSTS = 0x1C;
    private static final int ENABLE = 0x0046_0001;
    private static final int NUMBER_OF_QUEUES = 0x07;
    private static final int ADMIN_ENTRIES = 32;

    private final KernelCore kernel;
    private final HostQueue admin;
    private final List<? extends HostQueue> io;
    private final String nqn;
    private final int entries;
    private final SqEntry entry = new SqEntry();
    private final long page;
    private Next next = result -> {};
    private String failure = "";
    private boolean done;
    private int blockBytes;
    private long blocks;
    private int opened;

    private interface Next {
        void go(long result);
    }

    /**
     * Creates it.
     *
     * @param admin whose commands end in {@link #ended}, as the first ones of the others do
     * @param entries of an I/O queue
     * @param page memory of 4 KiB for what is said and told
     */
    public HostSetup(
            KernelCore kernel, HostQueue admin, List<? extends HostQueue> io, String nqn, int entries, long page) {
        this.kernel = kernel;
        this.admin = admin;
        this.io = io;
        this.nqn = nqn;
        this.entries = entries;
        this.page = page;
    }

    /** Begins, in a step. */
    public void begin() {
        admin.open(why -> up(admin, 0, ADMIN_ENTRIES, why, this::enable));
    }

    private void up(HostQueue q, int qid, int depth, String why, Next then) {
        if (!why.isEmpty()) {
            failure = "queue " + qid + ": " + why;
            return;
        }
        byte[] data = new byte[ConnectData.BYTES];
        String host = "nqn.2014-08.org.nvmexpress:uuid:00000000-0000-0000-0000-000000000001";
        new ConnectData(1, 1, qid == 0 ? ConnectData.ANY : 1, nqn, host).store(data, 0);
        kernel.cpu().memory().putBytes(page, data, 0, data.length);
        FabricsCommand.connect(entry.clear(), 0, qid, depth, true, qid == 0 ? 5000 : 0);
        send(q, data.length, then);
    }

    private void send(HostQueue q, int bytes, Next then) {
        next = then;
        q.submit(entry, page, bytes, 0);
    }

    private void enable(long cntlid) {
        FabricsCommand.propertyGet(entry.clear(), 0, CAP, Long.BYTES);
        send(admin, 0, cap -> {
            FabricsCommand.propertySet(entry.clear(), 0, CC, Integer.BYTES, ENABLE);
            send(admin, 0, x -> ready());
        });
    }

    private void ready() {
        FabricsCommand.propertyGet(entry.clear(), 0, CSTS, Integer.BYTES);
        send(admin, 0, csts -> {
            if ((csts & 1) == 0) {
                ready();
            } else {
                identify(Identify.CONTROLLER, 0, this::queues);
            }
        });
    }

    private void identify(int what, int nsid, Next then) {
        entry.clear().command(Opcodes.IDENTIFY, 0, nsid).dword(10, what);
        send(admin, Identify.BYTES, then);
    }

    private void queues(long none) {
        int asked = io.size() - 1;
        entry.clear()
                .command(Opcodes.SET_FEATURES, 0, 0)
                .dword(10, NUMBER_OF_QUEUES)
                .dword(11, asked << Short.SIZE | asked);
        send(admin, 0, x -> identify(Identify.NAMESPACE, 1, this::describe));
    }

    private void describe(long none) {
        byte[] b = new byte[Identify.BYTES];
        kernel.cpu().memory().getBytes(page, b, 0, b.length);
        blocks = LittleEndian.get64(b, 0);
        blockBytes = 1 << b[128 + 4 * (b[26] & 0xF) + 2];
        open();
    }

    private void open() {
        if (opened == io.size()) {
            done = true;
            return;
        }
        HostQueue q = io.get(opened);
        q.open(why -> up(q, opened + 1, entries, why, x -> {
            opened++;
            open();
        }));
    }

    @Override
    public void ended(int tag, int status, long result) {
        if (status != 0) {
            failure = NvmeStatus.describe(status);
            return;
        }
        next.go(result);
    }

    /** Returns whether all queues take I/Os. */
    public boolean isDone() {
        return done;
    }

    /** Returns why it came to nothing; empty if it did not. */
    public String failure() {
        return failure;
    }

    /** Returns the bytes of a block of the namespace. */
    public int blockBytes() {
        return blockBytes;
    }

    /** Returns the blocks of the namespace. */
    public long blocks() {
        return blocks;
    }
}
