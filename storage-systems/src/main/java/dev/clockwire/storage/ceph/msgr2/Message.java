package dev.clockwire.storage.ceph.msgr2;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.sim.mem.Payload;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A message between daemons and clients: fields in the front, a list of numbers behind them, data in a segment of their own. Little endian. */
public final class Message {
    private static final int FIELDS = 84;

    /** What it is. */
    public MessageType type = MessageType.PING;
    /** Placement group, or the number of an OSD. */
    public int pg;
    /** Epoch of the map that the sender goes by. */
    public int epoch;
    /** Switches of the type, or a result. */
    public int flags;
    /** Bytes of the object. */
    public int length;
    /** Object. */
    public long oid;
    /** Client of the operation. */
    public long client;
    /** Its number of the operation: with the client this is the reqid. */
    public long tid;
    /** Version of object or group. */
    public long version;
    /** A second one. */
    public long other;
    /** A time, in ps. */
    public long time;
    /** Checksum of the object. */
    public long digest;
    /** Numbers of a list. */
    public long[] list = {};
    /** Data, empty if there are none. Never changed once the message is sent. */
    public Payload data = new Payload(0);

    /** Creates an empty message. */
    public Message() {}

    /** Creates a message of a type. */
    public Message(MessageType type) {
        this.type = type;
    }

    int frontBytes() {
        return type.front() + list.length * Long.BYTES;
    }

    void encodeFront(byte[] b, int off) {
        Arrays.fill(b, off, off + frontBytes(), (byte) 0);
        LittleEndian.put32(b, off, pg);
        LittleEndian.put32(b, off + 4, epoch);
        LittleEndian.put32(b, off + 8, flags);
        LittleEndian.put32(b, off + 12, length);
        LittleEndian.put64(b, off + 16, oid);
        LittleEndian.put64(b, off + 24, client);
        LittleEndian.put64(b, off + 32, tid);
        LittleEndian.put64(b, off + 40, version);
        LittleEndian.put64(b, off + 48, other);
        LittleEndian.put64(b, off + 56, time);
        LittleEndian.put64(b, off + 64, digest);
        LittleEndian.put32(b, off + 72, list.length);
        int at = off + type.front();
        for (int i = 0; i < list.length; i++) {
            LittleEndian.put64(b, at + i * Long.BYTES, list[i]);
        }
    }

    static @Nullable Message decodeFront(int code, byte[] b, int off, int bytes) {
        MessageType type = MessageType.of(code);
        if (type == null || bytes < Math.max(type.front(), FIELDS)) {
            return null;
        }
        Message m = new Message(type);
        m.pg = LittleEndian.get32(b, off);
        m.epoch = LittleEndian.get32(b, off + 4);
        m.flags = LittleEndian.get32(b, off + 8);
        m.length = LittleEndian.get32(b, off + 12);
        m.oid = LittleEndian.get64(b, off + 16);
        m.client = LittleEndian.get64(b, off + 24);
        m.tid = LittleEndian.get64(b, off + 32);
        m.version = LittleEndian.get64(b, off + 40);
        m.other = LittleEndian.get64(b, off + 48);
        m.time = LittleEndian.get64(b, off + 56);
        m.digest = LittleEndian.get64(b, off + 64);
        int n = LittleEndian.get32(b, off + 72);
        if (n < 0 || type.front() + (long) n * Long.BYTES != bytes) {
            return null;
        }
        m.list = new long[n];
        for (int i = 0; i < n; i++) {
            m.list[i] = LittleEndian.get64(b, off + type.front() + i * Long.BYTES);
        }
        return m;
    }
}
