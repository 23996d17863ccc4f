package dev.clockwire.pcie.tlp;

import org.jspecify.annotations.Nullable;

/**
 * The fields of one TLP header, without its data. A struct that is filled by {@link TlpCodec#decode} or by hand and
 * can be used again; a field that the type does not have is ignored by the encoder and reset by the decoder.
 */
public final class TlpHeader {
    /** Attribute bit: no snoop. */
    public static final int ATTR_NO_SNOOP = 1;
    /** Attribute bit: relaxed ordering. */
    public static final int ATTR_RELAXED = 2;
    /** Attribute bit: ID-based ordering. */
    public static final int ATTR_IDO = 4;
    /** Address type: the packet asks for a translation. */
    public static final int AT_REQUEST = 1;
    /** Address type: the address has been translated. */
    public static final int AT_TRANSLATED = 2;
    /** Message routing: by bus, device and function. */
    public static final int BY_ID = 2;
    /** Code of the message with data that takes translations back. */
    public static final int INVALIDATE = 0x01;
    /** Code of the message that says they have been forgotten. */
    public static final int INVALIDATED = 0x02;

    /** Packet type. */
    public TlpType type = TlpType.MRD;
    /** Whether a memory request or atomic uses the four DW form; other types have one form only. */
    public boolean fourDw;
    /** Traffic class, 0 to 7. */
    public int trafficClass;
    /** Attribute bits. */
    public int attributes;
    /** Lightweight notification bit. */
    public boolean ln;
    /** Processing hint present. */
    public boolean th;
    /** TLP digest (ECRC) present. */
    public boolean digest;
    /** Poisoned data. */
    public boolean poisoned;
    /** Address type: 0 untranslated, 1 translation request, 2 translated. */
    public int addressType;
    /** Length in DW, 1 to 1024. */
    public int lengthDw;
    /** Bus, device and function of the requester. */
    public int requesterId;
    /** Tag, 10 bits. */
    public int tag;
    /** Byte enables of the first DW. */
    public int firstBe;
    /** Byte enables of the last DW, 0 if there is only one. */
    public int lastBe;
    /** Byte address of the first DW (memory, I/O), register offset (configuration) or DW 2 and 3 (message). */
    public long address;
    /** Processing hint of a memory request with {@link #th}. */
    public int processingHint;
    /** Completer of a completion, target of a configuration request. */
    public int completerId;
    /** Status of a completion. */
    public CompletionStatus status = CompletionStatus.SC;
    /** Byte count modified, only set by PCI-X completers. */
    public boolean byteCountModified;
    /** Bytes of the request that are still to come, this TLP included: 1 to 4096. */
    public int byteCount;
    /** Low seven bits of the address of the first byte of a completion. */
    public int lowerAddress;
    /** Message code. */
    public int messageCode;
    /** Routing of a message, the low three type bits. */
    public int routing;

    /** Creates a header with every field zero. */
    public TlpHeader() {}

    /** Resets every field. */
    public TlpHeader clear() {
        type = TlpType.MRD;
        fourDw = ln = th = digest = poisoned = byteCountModified = false;
        trafficClass = attributes = addressType = lengthDw = requesterId = tag = firstBe = lastBe = 0;
        processingHint = completerId = byteCount = lowerAddress = messageCode = routing = 0;
        address = 0;
        status = CompletionStatus.SC;
        return this;
    }

    /**
     * Makes this a memory request that covers exactly the given bytes, in the form the address asks for.
     *
     * @param requestType {@link TlpType#MRD} or {@link TlpType#MWR}
     * @param byteAddress address of the first byte
     * @param bytes 0 (a read that only flushes) to 4096
     */
    public TlpHeader memory(TlpType requestType, long byteAddress, int bytes, int requester, int requestTag) {
        clear();
        type = requestType;
        address = byteAddress & ~3L;
        fourDw = byteAddress >>> 32 != 0;
        lengthDw = ByteEnables.lengthDw(byteAddress, bytes);
        firstBe = ByteEnables.first(byteAddress, bytes);
        lastBe = ByteEnables.last(byteAddress, bytes);
        requesterId = requester;
        tag = requestTag;
        return this;
    }

    /**
     * Makes this a successful completion with data.
     *
     * @param byteAddress address of the completion's first byte
     * @param bytes bytes it carries
     * @param bytesToCome bytes of the request that are still to come, these included
     */
    public TlpHeader completion(
            long byteAddress, int bytes, int bytesToCome, int completer, int requester, int requestTag) {
        clear();
        type = TlpType.CPLD;
        lengthDw = ByteEnables.lengthDw(byteAddress, bytes);
        byteCount = bytesToCome;
        lowerAddress = (int) byteAddress & 0x7f;
        completerId = completer;
        requesterId = requester;
        tag = requestTag;
        return this;
    }

    /** Returns the length of the header in bytes, 12 or 16. */
    public int headerBytes() {
        return isFourDw() ? 16 : 12;
    }

    /** Returns the length of the data that follows the header, in bytes. */
    public int dataBytes() {
        return type.hasData() ? lengthDw * 4 : 0;
    }

    /** Returns the length of the whole packet: header, data and digest, without framing. */
    public int totalBytes() {
        return headerBytes() + dataBytes() + (digest ? 4 : 0);
    }

    boolean isFourDw() {
        return type.isMessage() || (fourDw && type.isMemory());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof TlpHeader that)) {
            return false;
        }
        return type == that.type
                && isFourDw() == that.isFourDw()
                && digest == that.digest
                && TlpCodec.word01(this) == TlpCodec.word01(that)
                && TlpCodec.word23(this) == TlpCodec.word23(that);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(TlpCodec.word01(this) * 31 + TlpCodec.word23(this));
    }

    /** Returns one line with the fields that the type has, for logs and failed assertions. */
    @Override
    public String toString() {
        String text = type.label() + " len=" + lengthDw + "DW tag=" + tag + " req=" + Integer.toHexString(requesterId);
        if (type.isCompletion()) {
            return text + " " + status + " bc=" + byteCount + " lower=" + Integer.toHexString(lowerAddress);
        }
        return text + " addr=" + Long.toHexString(address) + " be=" + Integer.toHexString(firstBe) + "/"
                + Integer.toHexString(lastBe);
    }
}
