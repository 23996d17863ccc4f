package dev.clockwire.pcie.link;

import dev.clockwire.pcie.tlp.ByteEnables;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.pcie.tlp.TlpCodec;
import dev.clockwire.pcie.tlp.TlpHeader;
import dev.clockwire.pcie.tlp.TlpSplit;
import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.pcie.tlp.TlpWords;
import dev.clockwire.pcie.tlp.TranslationEntry;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.state.Token;
import java.util.Arrays;

/**
 * Packets of one kind that are handed to a link at one instant: the MWr of one write, the MRd of one read, the CplD of one
 * request. Packet i carries the bytes from {@code offset[i]} to {@code offset[i + 1]} of the range at {@link #address}; the
 * link fills in when each arrives. A train of one is an ordinary packet.
 */
public final class TlpTrain extends Token {
    private static final int FIRST_ROOM = 16;
    /** The attribute's bit in the first two DW, as {@link #join} weighs them. */
    private static final long IDO_DIGEST = join(4L << 48, 0);
    /** The same of the address type, for a type of 1. */
    private static final long AT_DIGEST = join(1L << 42, 0);

    private static final int ID_SHIFT = 48;

    /** Kind of all packets: MRD, MWR, CPLD, CPL, CFGRD0, CFGWR0 or MSG. */
    public TlpType type = TlpType.MWR;
    /** First byte of the range. */
    public long address;
    /** Number of packets. */
    public int count;
    /** Where each packet starts in the range, and the end. */
    public int[] offset = new int[FIRST_ROOM + 1];
    /** When the last byte of each packet is there, in ps; valid for packets that have left. */
    public long[] arrival = new long[FIRST_ROOM];
    /** Tag of each packet. */
    public int[] tag = new int[FIRST_ROOM];
    /** Byte count of each completion: the bytes of its request still to come, its own included. */
    public int[] left = new int[FIRST_ROOM];
    /** Requester of a request or of the request that is completed. */
    public int requesterId;
    /** Completer of a completion, target of a configuration request. */
    public int completerId;
    /**
     * Whether {@link #arrival} holds, when the train is handed over, the earliest start of each packet, in the past or now; see
     * {@link LinkDirection#mayLookBack}.
     */
    public boolean timed;
    /** Whether a write or completion may pass posted writes. */
    public boolean relaxed;
    /** Whether the packets may pass those of other requesters (ID-based ordering attribute). */
    public boolean idBased;
    /** Whether the data are marked as wrong (EP). */
    public boolean poisoned;
    /** Address type of a request: 0, {@link TlpHeader#AT_REQUEST} or {@link TlpHeader#AT_TRANSLATED}. */
    public int addressType;
    /** Code of a message. */
    public int messageCode;
    /** Status of a completion. */
    public CompletionStatus status = CompletionStatus.SC;
    /** Whether the sender wants to know when the last bit has left. */
    public boolean announced;
    /** The data of a write or completion, empty for others. */
    public final Payload data = new Payload();
    /** What the requester wants back with a completion, opaque to the link. */
    public long cookie;
    /** Stage of the followed operation that ends when the write is in memory; 0 for none. */
    public int stage;
    /** Stage of the followed operation that waits for these packets: what holds them up counts there; 0 if nobody waits. */
    public int within;
    /** Which part of the followed operation they belong to (a PSN). */
    public int part;

    /** For whom the device accesses memory, as {@link dev.clockwire.sim.mem.MemoryUser} says. */
    public long user;

    /** Packets that the receiver has not done with, where it takes them in any order; the receiver's own. */
    public int unserved;

    /** Packets that have left; the link's own. */
    int departed;
    /** Behind the last packet that was handed over; the link's own. */
    int limit;
    /** When it was handed over; the link's own. */
    long submittedPs;
    /** Place in the order of submission; the link's own. */
    long sequence;

    /** Creates an empty train. */
    public TlpTrain() {}

    /** Forgets the packets and the references. */
    public TlpTrain clear() {
        count = 0;
        departed = 0;
        offset[0] = 0;
        timed = false;
        relaxed = false;
        poisoned = false;
        idBased = false;
        announced = false;
        status = CompletionStatus.SC;
        data.clear();
        cookie = 0;
        journey = 0;
        stage = 0;
        within = 0;
        part = 0;
        user = 0;
        unserved = 0;
        addressType = 0;
        return this;
    }

    /** Starts a train of requests without packets; see {@link #addRead}. */
    public TlpTrain reads(long start, int requester) {
        clear();
        type = TlpType.MRD;
        address = start;
        requesterId = requester;
        return this;
    }

    /** Adds the read of the next bytes of the range. */
    public void addRead(int bytes, int requestTag) {
        addRead(bytes, requestTag, 0);
    }

    /** Adds the read of the next bytes of the range; {@code readyPs} is its earliest start if the train is {@link #timed}. */
    public void addRead(int bytes, int requestTag, long readyPs) {
        int i = count;
        reserve(i + 1);
        arrival[i] = readyPs;
        tag[i] = requestTag;
        offset[i + 1] = offset[i] + bytes;
        count = i + 1;
    }

    /** Makes this the writes of a range; the data are to be appended to {@link #data}. */
    public TlpTrain writes(long start, int bytes, int maxPayload, int requester) {
        clear();
        type = TlpType.MWR;
        address = start;
        requesterId = requester;
        int at = 0;
        int n = 0;
        while (at < bytes) {
            at += TlpSplit.write(start + at, bytes - at, maxPayload);
            reserve(++n);
            offset[n] = at;
        }
        count = n;
        return this;
    }

    /**
     * Makes this a configuration request; the data of a write are to be appended to {@link #data}.
     *
     * @param register byte offset in the configuration space
     * @param bytes 1 to 4, all in one word of 4 bytes
     */
    public TlpTrain configuration(boolean write, int register, int bytes, int requester, int target, int requestTag) {
        clear();
        type = write ? TlpType.CFGWR0 : TlpType.CFGRD0;
        address = register;
        requesterId = requester;
        completerId = target;
        tag[0] = requestTag;
        offset[1] = bytes;
        count = 1;
        return this;
    }

    /** Makes this a message to the root complex. */
    public TlpTrain message(int code, int requester) {
        clear();
        type = TlpType.MSG;
        address = 0;
        messageCode = code;
        requesterId = requester;
        offset[1] = 0;
        count = 1;
        return this;
    }

    /**
     * Makes this the message that takes translations back from a device.
     *
     * @param entry which page; see {@link TranslationEntry}
     * @param invalidateTag 0 to 31, comes back with the answer
     */
    public TlpTrain invalidate(long entry, int invalidateTag, int requester, int target) {
        message(TlpHeader.INVALIDATE, requester);
        type = TlpType.MSGD;
        address = (long) target << ID_SHIFT;
        completerId = target;
        tag[0] = invalidateTag;
        byte[] word = new byte[TranslationEntry.BYTES];
        TranslationEntry.put(entry, word, 0);
        data.appendBytes(word, 0, word.length);
        offset[1] = word.length;
        return this;
    }

    /** Makes this the one message that answers some of {@link #invalidate}; bit n of the tags is tag n. */
    public TlpTrain invalidated(int tags, int requester, int target) {
        message(TlpHeader.INVALIDATED, requester);
        address = (long) target << ID_SHIFT | 1L << 32 | (tags & 0xFFFF_FFFFL);
        return this;
    }

    /** Starts a train of completions without packets; see {@link #addCompletions}. */
    public TlpTrain completions(long start, int completer, int requester) {
        clear();
        type = TlpType.CPLD;
        address = start;
        completerId = completer;
        requesterId = requester;
        return this;
    }

    /**
     * Adds the completions of the request for the next bytes of the range; a request of no bytes gets one that carries a byte nobody
     * wants.
     *
     * @param readyPs earliest start of these packets if the train is {@link #timed}
     */
    public void addCompletions(int bytes, int chunk, int requestTag, long readyPs) {
        int n = count;
        int at = offset[n];
        int end = at + bytes;
        do {
            reserve(n + 1);
            tag[n] = requestTag;
            left[n] = Math.max(1, end - at);
            arrival[n] = readyPs;
            at += TlpSplit.completion(address + at, end - at, chunk);
            offset[++n] = at;
        } while (at < end);
        count = n;
    }

    /** Makes this the completions with the data of one request. */
    public TlpTrain completions(long start, int bytes, int chunk, int completer, int requester, int requestTag) {
        completions(start, completer, requester).addCompletions(bytes, chunk, requestTag, 0);
        return this;
    }

    /** Makes this the completion without data that refuses a request or, with status SC, ends one that asks for none. */
    public TlpTrain refusal(CompletionStatus why, int bytes, int completer, int requester, int requestTag) {
        clear();
        type = TlpType.CPL;
        address = 0;
        status = why;
        completerId = completer;
        requesterId = requester;
        tag[0] = requestTag;
        left[0] = Math.max(1, bytes);
        offset[1] = bytes;
        count = 1;
        return this;
    }

    /** Makes this a copy of the packets from one, included, to another of a train, handed over to nobody. */
    public TlpTrain packets(TlpTrain of, int from, int to) {
        int start = of.offset[from];
        describe(of, of.address + start);
        count = to - from;
        reserve(count);
        for (int i = 0; i < count; i++) {
            offset[i + 1] = of.offset[from + i + 1] - start;
            tag[i] = of.tag[from + i];
            left[i] = of.left[from + i];
        }
        stage = to == of.count ? of.stage : 0;
        if (type.hasData()) {
            data.appendFrom(of.data, start, offset[count]);
        }
        return this;
    }

    private void describe(TlpTrain from, long first) {
        clear();
        type = from.type;
        address = first;
        requesterId = from.requesterId;
        completerId = from.completerId;
        relaxed = from.relaxed;
        idBased = from.idBased;
        addressType = from.addressType;
        poisoned = from.poisoned;
        messageCode = from.messageCode;
        status = from.status;
        user = from.user;
        followed(from);
    }

    /** Lets what holds these packets up count for the operation of others, which they answer or carry on. */
    public void followed(TlpTrain as) {
        followed(as.journey, as.within, as.part);
    }

    /** Lets what holds these packets up count in a stage of a followed operation. */
    public void followed(long operation, int waiting, int packet) {
        journey = operation;
        within = waiting;
        part = packet;
    }

    /** Returns whether packet i is the last one of a request's completions. */
    public boolean endsRequest(int i) {
        return left[i] <= bytes(i) || bytes(i) == 0;
    }

    /** Returns the first packet from i on, and before {@code to}, that ends a request; {@code to} if there is none. */
    public int requestEnd(int i, int to) {
        int j = i;
        while (j < to && !endsRequest(j)) {
            j++;
        }
        return j;
    }

    /** Returns the bytes of the range. */
    public int length() {
        return offset[count];
    }

    /** Returns the bytes of packet i. */
    public int bytes(int i) {
        return offset[i + 1] - offset[i];
    }

    /** Returns the DW of data that packet i carries. */
    public int dataDw(int i) {
        return type.hasData() ? ByteEnables.lengthDw(address + offset[i], bytes(i)) : 0;
    }

    /** Returns whether packet i has a four DW header. */
    public boolean fourDw(int i) {
        return type.isMessage() || (!type.isCompletion() && (address + offset[i]) >>> 32 != 0);
    }

    /** Returns the flow-control class. */
    public FlowClass flowClass() {
        return type.flowClass();
    }

    /** Fills in the header of packet i. */
    public void header(int i, TlpHeader h) {
        long start = address + offset[i];
        switch (type) {
            case MRD -> h.memory(TlpType.MRD, start, bytes(i), requesterId, tag[i]);
            case MWR -> h.memory(TlpType.MWR, start, bytes(i), requesterId, 0);
            case CPLD -> h.completion(start, bytes(i), left[i], completerId, requesterId, tag[i]);
            case MSG, MSGD -> {
                h.clear();
                h.type = type;
                h.requesterId = requesterId;
                h.messageCode = messageCode;
                h.address = address;
                h.tag = type.hasData() ? tag[0] : 0;
                h.lengthDw = dataDw(i);
                h.routing = address == 0 && !type.hasData() ? 0 : TlpHeader.BY_ID;
            }
            case CFGRD0, CFGWR0 -> {
                h.memory(type, start, bytes(i), requesterId, tag[i]);
                h.completerId = completerId;
            }
            default -> {
                h.completion(0, bytes(i), left[i], completerId, requesterId, tag[i]);
                h.type = TlpType.CPL;
                h.lengthDw = 0;
                h.status = status;
            }
        }
        if (relaxed) {
            h.attributes |= TlpHeader.ATTR_RELAXED;
        }
        if (idBased) {
            h.attributes |= TlpHeader.ATTR_IDO;
        }
        h.addressType = addressType;
        h.poisoned = poisoned;
    }

    /** Returns a digest of the header of packet i, which has the length in it. */
    public long digest(int i) {
        long digest = plainDigest(i) + (idBased ? IDO_DIGEST : 0) + addressType * AT_DIGEST;
        return poisoned ? ~digest : digest;
    }

    private long plainDigest(int i) {
        long start = address + offset[i];
        int n = bytes(i);
        return switch (type) {
            case MRD -> join(TlpWords.read01(start, n, requesterId, tag[i]), TlpWords.address23(start));
            case MWR -> join(TlpWords.write01(start, n, requesterId, relaxed), TlpWords.address23(start));
            case CPLD ->
                join(
                        TlpWords.completion01(start, n, left[i], completerId, tag[i]),
                        TlpWords.completion23(start, requesterId, tag[i]));
            case CFGRD0, CFGWR0, MSG, MSGD -> codedDigest(i);
            default ->
                join(
                        TlpWords.error01(status, left[i], completerId, tag[i]),
                        TlpWords.completion23(0, requesterId, tag[i]));
        };
    }

    private long codedDigest(int i) {
        TlpHeader h = new TlpHeader(); // rare
        header(i, h);
        return join(TlpCodec.word01(h), TlpCodec.word23(h));
    }

    private static long join(long word01, long word23) {
        return word01 * 0x9E3779B97F4A7C15L + word23;
    }

    private void reserve(int packets) {
        if (packets > arrival.length) {
            arrival = Arrays.copyOf(arrival, 2 * packets);
            tag = Arrays.copyOf(tag, 2 * packets);
            left = Arrays.copyOf(left, 2 * packets);
            offset = Arrays.copyOf(offset, 2 * packets + 1);
        }
    }

    @Override
    protected Token copy() {
        TlpTrain t = new TlpTrain();
        t.type = type;
        t.address = address;
        t.count = count;
        t.offset = offset.clone();
        t.arrival = arrival.clone();
        t.tag = tag.clone();
        t.left = left.clone();
        t.requesterId = requesterId;
        t.completerId = completerId;
        t.timed = timed;
        t.relaxed = relaxed;
        t.poisoned = poisoned;
        t.idBased = idBased;
        t.messageCode = messageCode;
        t.addressType = addressType;
        t.announced = announced;
        t.status = status;
        t.data.appendFrom(data, 0, data.length());
        t.cookie = cookie;
        t.stage = stage;
        t.within = within;
        t.part = part;
        t.user = user;
        t.unserved = unserved;
        t.departed = departed;
        t.limit = limit;
        t.sequence = sequence;
        t.submittedPs = submittedPs;
        return t;
    }

    @Override
    public long digest() {
        return count == 0 ? 0 : digest(0);
    }
}
