package dev.clockwire.storage.threefs.rpc;

import dev.clockwire.nic.lab.MessageName;
import dev.clockwire.nvme.format.LittleEndian;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A request or an answer: fields that all methods share, in the sizes that 3FS's serialised requests have (320 and 128 bytes), and data behind
 * them. Little endian.
 */
public final class Message {
    /** Bytes of a request without data. */
    public static final int REQUEST = 320;
    /** Bytes of an answer without data. */
    public static final int RESPONSE = 128;
    /** Flag of a write and its answer: it brings a target up to date, no client has asked for it. */
    public static final int RESYNC = 16;

    /** What one-sided operations are for the wire that move bytes of clients' operations. */
    public static final MessageName CHUNK = MessageName.of("chunk");

    private static final MessageName RESYNC_WRITE = new MessageName("WRITE", "resync");
    private static final MessageName RESYNC_ANSWER = new MessageName("WRITE answer", "resync");
    private static final MessageName RESYNC_CHUNK = new MessageName("chunk", "resync");
    /** Bytes that tell how long the message is. */
    static final int HEAD = 8;

    private static final int MOST = 1 << 26;

    /** What is asked for. */
    public Method method = Method.WRITE;
    /** Whether it answers. */
    public boolean answer;
    /** How it ended, of an answer. */
    public Status status = Status.OK;
    /** Number of the call, chosen by who asks. */
    public long id;
    /** Chain. */
    public int chain;
    /** Version of the chain as the sender knows it. */
    public int chainVer;
    /** Chunk. */
    public long key;
    /** First byte of the chunk that is meant. */
    public int offset;
    /** Bytes that are meant. */
    public int length;
    /** Bytes of the whole chunk, behind the write. */
    public int chunkLength;
    /** Version to write, 0 from a client; of an answer the version that is pending. */
    public int updateVer;
    /** Version that is committed. */
    public int commitVer;
    /** Version of the chain that committed it. */
    public int commitChainVer;
    /** Checksum of the data, or of the whole chunk. */
    public int checksum;
    /** Client. */
    public long client;
    /** Channel of the client. */
    public int channel;
    /** Place in the channel. */
    public long sequence;
    /** Request of the client, the same in all tries. */
    public long request;
    /** Where the data are, or are to go. */
    public long address;
    /** Key of that memory. */
    public int rkey;
    /** Switches, see the constants of those who use them. */
    public int flags;
    /** Bytes behind the fields; not part of the message if {@code dataLength} is 0. */
    public byte[] data = {};
    /** How many. */
    public int dataLength;

    /** Creates an empty message. */
    public Message() {}

    /** Makes this the answer to a request, without data. */
    public Message answers(Message to, Status how) {
        method = to.method;
        answer = true;
        status = how;
        id = to.id;
        chain = to.chain;
        key = to.key;
        flags = to.isResync() ? RESYNC : 0;
        return this;
    }

    private boolean isResync() {
        return method == Method.WRITE && (flags & RESYNC) != 0;
    }

    /** Returns what it is for the wire. */
    MessageName name() {
        if (isResync()) {
            return answer ? RESYNC_ANSWER : RESYNC_WRITE;
        }
        return answer ? method.response() : method.request();
    }

    /** Returns what the one-sided operation that moves its bytes is for the wire. */
    public MessageName bytesName() {
        return isResync() ? RESYNC_CHUNK : CHUNK;
    }

    /** Puts bytes behind the fields. */
    public Message with(byte[] bytes, int n) {
        data = bytes;
        dataLength = n;
        return this;
    }

    /** Returns how long it is on the wire. */
    public int bytes() {
        return (answer ? RESPONSE : REQUEST) + dataLength;
    }

    byte[] encode() {
        byte[] b = new byte[bytes()];
        LittleEndian.put32(b, 0, b.length);
        LittleEndian.put32(b, 4, method.code() | (answer ? 0x100 : 0) | status.code() << 16);
        LittleEndian.put64(b, 8, id);
        LittleEndian.put32(b, 16, chain);
        LittleEndian.put32(b, 20, chainVer);
        LittleEndian.put64(b, 24, key);
        LittleEndian.put32(b, 32, offset);
        LittleEndian.put32(b, 36, length);
        LittleEndian.put32(b, 40, chunkLength);
        LittleEndian.put32(b, 44, updateVer);
        LittleEndian.put32(b, 48, commitVer);
        LittleEndian.put32(b, 52, commitChainVer);
        LittleEndian.put32(b, 56, checksum);
        LittleEndian.put32(b, 60, flags);
        LittleEndian.put64(b, 64, client);
        LittleEndian.put64(b, 72, sequence);
        LittleEndian.put64(b, 80, request);
        LittleEndian.put64(b, 88, address);
        LittleEndian.put32(b, 96, rkey);
        LittleEndian.put32(b, 100, channel);
        System.arraycopy(data, 0, b, answer ? RESPONSE : REQUEST, dataLength);
        return b;
    }

    /** Returns how long the message is that begins here, -1 if it cannot be one. */
    static int lengthOf(byte[] b, int off) {
        int n = LittleEndian.get32(b, off);
        return n < RESPONSE || n > MOST ? -1 : n;
    }

    /** Returns the message that some bytes are, null if they are none. */
    public static @Nullable Message decode(byte[] b) {
        return b.length < HEAD || lengthOf(b, 0) != b.length ? null : decode(b, 0, b.length);
    }

    /** Returns the message in some bytes, null if they are none. */
    static @Nullable Message decode(byte[] b, int at, int length) {
        int kind = LittleEndian.get32(b, at + 4);
        Method method = Method.of(kind & 0xFF);
        Status status = Status.of(kind >>> 16);
        boolean answers = (kind & 0x100) != 0;
        int fields = answers ? RESPONSE : REQUEST;
        if (method == null || status == null || length < fields) {
            return null;
        }
        Message m = new Message();
        m.method = method;
        m.answer = answers;
        m.status = status;
        m.id = LittleEndian.get64(b, at + 8);
        m.chain = LittleEndian.get32(b, at + 16);
        m.chainVer = LittleEndian.get32(b, at + 20);
        m.key = LittleEndian.get64(b, at + 24);
        m.offset = LittleEndian.get32(b, at + 32);
        m.length = LittleEndian.get32(b, at + 36);
        m.chunkLength = LittleEndian.get32(b, at + 40);
        m.updateVer = LittleEndian.get32(b, at + 44);
        m.commitVer = LittleEndian.get32(b, at + 48);
        m.commitChainVer = LittleEndian.get32(b, at + 52);
        m.checksum = LittleEndian.get32(b, at + 56);
        m.flags = LittleEndian.get32(b, at + 60);
        m.client = LittleEndian.get64(b, at + 64);
        m.sequence = LittleEndian.get64(b, at + 72);
        m.request = LittleEndian.get64(b, at + 80);
        m.address = LittleEndian.get64(b, at + 88);
        m.rkey = LittleEndian.get32(b, at + 96);
        m.channel = LittleEndian.get32(b, at + 100);
        m.dataLength = length - fields;
        m.data = m.dataLength == 0 ? m.data : Arrays.copyOfRange(b, at + fields, at + length);
        return m;
    }
}
