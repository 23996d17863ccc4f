package dev.clockwire.storage.daos.rpc;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.storage.daos.ofi.Conn;
import dev.clockwire.storage.daos.ofi.RxmHeader;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One RPC, request or response: a header of fixed size, into which Mercury's and CaRT's go, and what rides inline. Values, never arrays of others, so a request
 * can be forwarded by {@link #copy}.
 */
public final class Rpc {
    /** Set in a request that a leader forwards. */
    public static final int FORWARDED = 1;
    /** Set in a request that was sent before (ORF_RESEND). */
    public static final int RESEND = 2;
    /** Set if data lie behind a bulk handle. */
    public static final int BULK = 4;
    /** Set in a request to the leader that another replica could not serve. */
    public static final int TO_LEADER = 8;

    private static final int MAGIC = 0xD7;
    private static final int VERSION = 5;
    private static final int FIELDS = RxmHeader.BYTES + 8;
    private static final int HEAD = FIELDS + 108;

    /** What is asked for. */
    public RpcOp op = RpcOp.PING;
    /** Whether this is the response. */
    public boolean response;
    /** How it went. */
    public RpcStatus status = RpcStatus.OK;
    /** Bits. */
    public int flags;
    /** Tag of the response. */
    public long id;
    /** Who sends it, by the number of its node. */
    public int sender;
    /** Version of the sender's pool map. */
    public int mapVersion;
    /** The sender's hybrid clock. */
    public long clock;
    /** Time after which it is dropped, in ps. */
    public long deadline;
    /** Transaction: client. */
    public long dtxClient;
    /** Transaction: which of the client. */
    public long dtxSequence;
    /** Object. */
    public long key;
    /** Version of the value. */
    public long epoch;
    /** Bytes of the value. */
    public int length;
    /** Of the value. */
    public int checksum;
    /** Bulk handle: address. */
    public long bulkAddress;
    /** Bulk handle: key. */
    public int bulkRkey;
    /** Bulk handle: the node whose memory it is (bound), whoever sent the RPC. */
    public int bulkPeer;
    /** Whatever else. */
    public long argument;
    /** Inline data. */
    public byte[] data = new byte[0];
    /** Bytes of it. */
    public int dataLength;
    /** What rides along: committable transactions of the same object, behind the inline data. */
    public byte[] riders = new byte[0];
    /** The connection that a request came over. */
    @Nullable
    Conn from;

    /** Creates an empty request. */
    public Rpc() {}

    /** Creates a request. */
    public Rpc(RpcOp op) {
        this.op = op;
    }

    /** Puts inline data in. */
    public Rpc with(byte[] bytes, int n) {
        data = bytes;
        dataLength = n;
        return this;
    }

    /** Makes this the response to a request. */
    public Rpc answers(Rpc request, RpcStatus how) {
        op = request.op;
        response = true;
        id = request.id;
        status = how;
        key = request.key;
        dtxClient = request.dtxClient;
        dtxSequence = request.dtxSequence;
        return this;
    }

    /** Returns the connection that this request came over: for one-sided operations and the response. */
    public Conn from() {
        return Objects.requireNonNull(from);
    }

    /** Returns a copy with the same inline data. */
    public Rpc copy() {
        Rpc c = new Rpc(op);
        c.flags = flags;
        c.mapVersion = mapVersion;
        c.deadline = deadline;
        c.dtxClient = dtxClient;
        c.dtxSequence = dtxSequence;
        c.key = key;
        c.epoch = epoch;
        c.length = length;
        c.checksum = checksum;
        c.bulkAddress = bulkAddress;
        c.bulkRkey = bulkRkey;
        c.bulkPeer = bulkPeer;
        c.argument = argument;
        return c.with(data, dataLength);
    }

    /** Returns whether data lie behind a bulk handle. */
    public boolean isBulk() {
        return (flags & BULK) != 0;
    }

    /** Returns the bytes on the wire, {@code head} of them before inline data. */
    public byte[] encode(int head) {
        byte[] b = new byte[head + dataLength + riders.length];
        int at = RxmHeader.BYTES;
        b[at] = (byte) MAGIC;
        b[at + 1] = (byte) VERSION;
        b[at + 2] = (byte) op.code();
        b[at + 3] = (byte) (response ? 1 : 0);
        LittleEndian.put32(b, at + 4, status.code());
        at = FIELDS;
        LittleEndian.put64(b, at, id);
        LittleEndian.put64(b, at + 8, clock);
        LittleEndian.put64(b, at + 16, deadline);
        LittleEndian.put64(b, at + 24, dtxClient);
        LittleEndian.put64(b, at + 32, dtxSequence);
        LittleEndian.put64(b, at + 40, key);
        LittleEndian.put64(b, at + 48, epoch);
        LittleEndian.put64(b, at + 56, bulkAddress);
        LittleEndian.put64(b, at + 64, argument);
        LittleEndian.put32(b, at + 72, flags);
        LittleEndian.put32(b, at + 76, sender);
        LittleEndian.put32(b, at + 80, mapVersion);
        LittleEndian.put32(b, at + 84, length);
        LittleEndian.put32(b, at + 88, checksum);
        LittleEndian.put32(b, at + 92, bulkRkey);
        LittleEndian.put32(b, at + 96, bulkPeer);
        LittleEndian.put32(b, at + 100, head);
        LittleEndian.put32(b, at + 104, riders.length);
        System.arraycopy(data, 0, b, head, dataLength);
        System.arraycopy(riders, 0, b, head + dataLength, riders.length);
        return b;
    }

    /** Reads one; null if it is none. */
    static @Nullable Rpc decode(byte[] b, int n) {
        int at = RxmHeader.BYTES;
        if (n < HEAD || (b[at] & 0xFF) != MAGIC || b[at + 1] != VERSION) {
            return null;
        }
        RpcOp op = RpcOp.of(b[at + 2] & 0xFF);
        int head = LittleEndian.get32(b, FIELDS + 100);
        int riding = LittleEndian.get32(b, FIELDS + 104);
        if (op == null || head < HEAD || riding < 0 || head > n - riding) {
            return null;
        }
        Rpc m = new Rpc(op);
        m.response = b[at + 3] == 1;
        m.status = RpcStatus.of(LittleEndian.get32(b, at + 4));
        at = FIELDS;
        m.id = LittleEndian.get64(b, at);
        m.clock = LittleEndian.get64(b, at + 8);
        m.deadline = LittleEndian.get64(b, at + 16);
        m.dtxClient = LittleEndian.get64(b, at + 24);
        m.dtxSequence = LittleEndian.get64(b, at + 32);
        m.key = LittleEndian.get64(b, at + 40);
        m.epoch = LittleEndian.get64(b, at + 48);
        m.bulkAddress = LittleEndian.get64(b, at + 56);
        m.argument = LittleEndian.get64(b, at + 64);
        m.flags = LittleEndian.get32(b, at + 72);
        m.sender = LittleEndian.get32(b, at + 76);
        m.mapVersion = LittleEndian.get32(b, at + 80);
        m.length = LittleEndian.get32(b, at + 84);
        m.checksum = LittleEndian.get32(b, at + 88);
        m.bulkRkey = LittleEndian.get32(b, at + 92);
        m.bulkPeer = LittleEndian.get32(b, at + 96);
        m.dataLength = n - riding - head;
        m.data = Arrays.copyOfRange(b, head, n - riding);
        m.riders = Arrays.copyOfRange(b, n - riding, n);
        return m;
    }
}
