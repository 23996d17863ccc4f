package dev.clockwire.storage.nvmf.target;

import dev.clockwire.nvme.fabrics.ConnectData;
import dev.clockwire.nvme.fabrics.FabricsCommand;
import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.storage.nvmf.subsystem.Subsystem;
import dev.clockwire.storage.nvmf.subsystem.TransportSpec;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Commands of opcode 7Fh. A Connect is looked into on the thread of the queue, then the controller is made or found on that of the target,
 * then, of an I/O queue, asked on its own; the answer leaves from the thread of the queue.
 */
final class Fabrics {
    /** How long a queue identifier that is still in use may take to become free. */
    static final long DUPLICATE_PS = 1_000_000_000L;

    private static final int IN_DATA = 1 << 16;
    private static final int QUEUE_AT = 42;
    private static final int SIZE_AT = 44;
    private static final int NAME_BYTES = 256;

    private final NvmfTarget target;

    Fabrics(NvmfTarget target) {
        this.target = target;
    }

    void execute(NvmfRequest r) {
        NvmfQpair q = r.qpair();
        int type = FabricsCommand.type(r.cmd);
        Controller c = q.controller;
        if (c == null) {
            if (type == FabricsCommand.CONNECT && q.connecting == null) {
                connect(r);
            } else {
                r.refuse(NvmeStatus.SEQUENCE_ERROR);
            }
        } else if (q.isAdmin() && type == FabricsCommand.PROPERTY_GET) {
            get(r, c);
        } else if (q.isAdmin() && type == FabricsCommand.PROPERTY_SET) {
            set(r, c);
        } else {
            r.refuse(type == FabricsCommand.CONNECT ? NvmeStatus.SEQUENCE_ERROR : NvmeStatus.INVALID_OPCODE);
        }
    }

    private void get(NvmfRequest r, Controller c) {
        int offset = FabricsCommand.propertyOffset(r.cmd);
        int bytes = FabricsCommand.propertyBytes(r.cmd);
        if (!c.properties().has(offset, bytes)) {
            r.refuse(target.isLinux() ? NvmeStatus.INVALID_FIELD : NvmeStatus.CONNECT_INVALID);
            return;
        }
        r.result = c.properties().get(offset, bytes);
        r.end(0);
    }

    private void set(NvmfRequest r, Controller c) {
        int offset = FabricsCommand.propertyOffset(r.cmd);
        int bytes = FabricsCommand.propertyBytes(r.cmd);
        Properties p = c.properties();
        if (!p.has(offset, bytes) || !p.isWritable(offset)) {
            r.refuse(target.isLinux() ? NvmeStatus.INVALID_FIELD : NvmeStatus.CONNECT_INVALID);
            return;
        }
        if (offset != Properties.CC) {
            p.set(offset, bytes, FabricsCommand.propertyValue(r.cmd));
            r.end(0);
            return;
        }
        switch (p.setCc((int) FabricsCommand.propertyValue(r.cmd))) {
            case REFUSED -> r.refuse(NvmeStatus.CONNECT_INVALID);
            case STOP -> {
                c.stop();
                r.end(0);
            }
            case ENABLED -> {
                c.keepAlive().enabled();
                r.end(0);
            }
            default -> r.end(0);
        }
    }

    /** Refuses a Connect and says which byte is wrong, of the command or of its data. */
    private static void invalid(NvmfRequest r, boolean inData, int at) {
        r.result = at | (inData ? IN_DATA : 0);
        r.refuse(NvmeStatus.CONNECT_INVALID);
    }

    private void connect(NvmfRequest r) {
        NvmfQpair q = r.qpair();
        if (r.length < ConnectData.BYTES) {
            r.refuse(NvmeStatus.INVALID_FIELD);
            return;
        }
        byte[] data = new byte[ConnectData.BYTES];
        r.fetch(r.va, data, data.length);
        Subsystem s = target.find(name(data, ConnectData.SUBSYSTEM_AT));
        if (s == null) {
            invalid(r, true, ConnectData.SUBSYSTEM_AT);
            return;
        }
        ConnectData told = ConnectData.load(data, 0, data.length).orElse(null);
        if (told == null) {
            invalid(r, true, ConnectData.HOST_AT);
            return;
        }
        boolean isHere =
                s.kind() == Subsystem.Kind.DISCOVERY || s.listeners().stream().anyMatch(q::arrivedAt);
        if (!s.allows(told.host()) || !isHere) {
            r.refuse(NvmeStatus.CONNECT_INVALID_HOST);
            return;
        }
        if (isWrong(r, told)) {
            return;
        }
        q.qid = FabricsCommand.queue(r.cmd);
        q.entries = FabricsCommand.entries(r.cmd);
        q.connecting = r;
        target.sessions().connects(q, s, told);
    }

    private static String name(byte[] data, int at) {
        int n = 0;
        while (n < NAME_BYTES && data[at + n] != 0) {
            n++;
        }
        return new String(data, at, n, StandardCharsets.ISO_8859_1);
    }

    /** Looks into the command; returns whether it was refused. */
    private boolean isWrong(NvmfRequest r, ConnectData told) {
        TransportSpec limits = target.limits();
        boolean admin = FabricsCommand.queue(r.cmd) == 0;
        int size = FabricsCommand.entries(r.cmd) - 1;
        int limit = admin ? limits.maxAdminDepth() : limits.maxQueueDepth();
        if (FabricsCommand.format(r.cmd) != 0) {
            r.refuse(NvmeStatus.CONNECT_BAD_FORMAT);
            return true;
        }
        if (size == 0 || size >= limit) {
            invalid(r, false, SIZE_AT);
            return true;
        }
        if (admin && told.controller() != ConnectData.ANY) {
            invalid(r, true, ConnectData.CONTROLLER_AT);
            return true;
        }
        return false;
    }

    /** A new controller was made, or none could be. On the thread of the queue. */
    void made(NvmfQpair q, @Nullable Controller c) {
        NvmfRequest r = q.connecting;
        q.connecting = null;
        if (r == null) {
            return;
        }
        if (c == null) {
            r.end(NvmeStatus.INTERNAL_ERROR);
            return;
        }
        c.add(q);
        c.setKeepAlive(FabricsCommand.keepAliveMs(r.cmd));
        c.keepAlive().awaitEnabled();
        accept(q, r, c);
    }

    /** Returns why an I/O queue cannot belong to a controller: 0, or a status with what is wrong above it. On the thread of the controller. */
    long join(NvmfQpair q, @Nullable Controller c, boolean again) {
        if (c == null) {
            return NvmeStatus.CONNECT_INVALID.code() | ((long) (IN_DATA | ConnectData.CONTROLLER_AT) << 32);
        }
        long wrongQueue = NvmeStatus.CONNECT_INVALID.code() | ((long) QUEUE_AT << 32);
        Properties p = c.properties();
        if (c.isEnding() || p.isStopping() || c.isDiscovery() || !p.isEnabled() || !p.entriesFit()) {
            return wrongQueue;
        }
        if (q.qid >= c.maxQueues()) {
            return NvmeStatus.QUEUE_ID_INVALID.code();
        }
        if (c.queue(q.qid) != null) {
            return again ? NvmeStatus.QUEUE_ID_INVALID.code() : Sessions.LATER;
        }
        c.add(q);
        return 0;
    }

    /** The controller has answered. On the thread of the queue. */
    void joined(NvmfQpair q, long answer) {
        NvmfRequest r = q.connecting;
        q.connecting = null;
        if (r == null) {
            return;
        }
        Controller c = q.controller;
        if (answer != 0 || c == null) {
            r.result = answer >>> 32;
            r.end((int) (answer & 0xFFFF) | NvmeStatus.DO_NOT_RETRY);
        } else {
            accept(q, r, c);
        }
    }

    private void accept(NvmfQpair q, NvmfRequest r, Controller c) {
        if (q.state == NvmfQpair.State.DEACTIVATING) {
            r.end(NvmeStatus.ABORTED_SQ_DELETED);
            return;
        }
        q.state = NvmfQpair.State.ENABLED;
        q.channels = q.group().channels(c.subsystem());
        q.headless = !FabricsCommand.flowControl(r.cmd);
        q.enabled(c.subsystem());
        r.result = c.cntlid();
        r.end(0);
    }

    /** Returns bytes 0 to 15 of what a Connect told. */
    static byte[] hostId(ConnectData told) {
        byte[] b = new byte[16];
        LittleEndian.put64(b, 0, told.hostIdHigh());
        LittleEndian.put64(b, 8, told.hostIdLow());
        return b;
    }
}
