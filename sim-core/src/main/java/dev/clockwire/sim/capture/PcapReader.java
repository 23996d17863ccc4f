package dev.clockwire.sim.capture;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Classic pcap in both byte orders, with microseconds or nanoseconds. */
final class PcapReader extends CaptureReader {
    static final int MICROSECONDS = 0xA1B2C3D4;
    static final int NANOSECONDS = 0xA1B23C4D;

    private static final int HEADER_BYTES = 24;
    private static final int RECORD_HEADER_BYTES = 16;

    private final int nsPerUnit;
    private final int fileLinkType;

    /** Reads the file header, whose magic number was read already. */
    PcapReader(CaptureSource source, int magic) {
        super(source);
        boolean big = magic == MICROSECONDS || magic == NANOSECONDS;
        source.order(big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        source.readBehind(4, HEADER_BYTES - 4, "the file header");
        ByteBuffer header = source.view();
        nsPerUnit = header.getInt(0) == NANOSECONDS ? 1 : 1000;
        int version = Short.toUnsignedInt(header.getShort(4));
        if (version != 2) {
            throw source.error(4, "expected pcap version 2, found " + version);
        }
        fileLinkType = header.getInt(20) & 0xFFFF; // the upper bits tell about an FCS
    }

    /** Tells whether the first four bytes, read big-endian, are a magic number of this format. */
    static boolean knows(int magic) {
        int other = Integer.reverseBytes(magic);
        return magic == MICROSECONDS || magic == NANOSECONDS || other == MICROSECONDS || other == NANOSECONDS;
    }

    @Override
    boolean advance() {
        recordOffset = source.offset();
        int got = source.readUpTo(RECORD_HEADER_BYTES);
        if (got == 0) {
            return false;
        }
        if (got < RECORD_HEADER_BYTES) {
            throw source.error(recordOffset, "a record header of 16 bytes is cut: the file ends after " + got);
        }
        ByteBuffer header = source.view();
        long seconds = Integer.toUnsignedLong(header.getInt(0));
        ns = seconds * 1_000_000_000 + Integer.toUnsignedLong(header.getInt(4)) * nsPerUnit;
        long captured = Integer.toUnsignedLong(header.getInt(8));
        originalLength = Integer.toUnsignedLong(header.getInt(12));
        if (captured > CaptureSource.LONGEST) {
            throw source.error(
                    recordOffset + 8, "a record of " + captured + " bytes, the longest is " + CaptureSource.LONGEST);
        }
        length = (int) captured;
        linkType = fileLinkType;
        source.read(length, "a record");
        return true;
    }
}
