package dev.clockwire.sim.capture;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Pcapng: sections in either byte order, interfaces, enhanced, simple and the obsolete packet blocks. Every other block is
 * passed over.
 */
final class PcapngReader extends CaptureReader {
    static final int SECTION_HEADER = 0x0A0D0D0A;

    private static final int INTERFACE = 1;
    private static final int OBSOLETE_PACKET = 2;
    private static final int SIMPLE_PACKET = 3;
    private static final int ENHANCED_PACKET = 6;

    private static final int BYTE_ORDER_MAGIC = 0x1A2B3C4D;
    private static final int BLOCK_HEADER_BYTES = 8;
    private static final int BLOCK_FRAME_BYTES = 12;
    private static final int OPTION_TIME_RESOLUTION = 9;
    private static final int OPTION_TIME_OFFSET = 14;
    private static final int MICROSECONDS = 6;

    private record Interface(int linkType, long snapLength, TimeResolution resolution) {}

    private final List<Interface> interfaces = new ArrayList<>();

    /** Reads the first section header, whose block type was read already. */
    PcapngReader(CaptureSource source) {
        super(source);
        source.readBehind(4, 4, "a section header");
        section(0);
    }

    @Override
    boolean advance() {
        while (true) {
            recordOffset = source.offset();
            int got = source.readUpTo(BLOCK_HEADER_BYTES);
            if (got == 0) {
                return false;
            }
            if (got < BLOCK_HEADER_BYTES) {
                throw source.error(recordOffset, "a block header of 8 bytes is cut: the file ends after " + got);
            }
            int type = source.view().getInt(0);
            if (type == SECTION_HEADER) {
                section(recordOffset);
                continue;
            }
            long body = Integer.toUnsignedLong(source.view().getInt(4)) - BLOCK_FRAME_BYTES;
            if (body < 0 || (body & 3) != 0) {
                throw source.error(
                        recordOffset + 4,
                        "a block of " + (body + BLOCK_FRAME_BYTES) + " bytes, expected a multiple of 4, at least 12");
            }
            if (block(type, body)) {
                return true;
            }
        }
    }

    /** Reads the rest of a block; true if it holds a record. */
    private boolean block(int type, long body) {
        switch (type) {
            case INTERFACE, SIMPLE_PACKET, ENHANCED_PACKET, OBSOLETE_PACKET -> load(body);
            default -> {
                source.skip(body, "a block");
                source.read(4, "the end of a block");
                checkTrailer(0, body);
                return false;
            }
        }
        switch (type) {
            case INTERFACE -> describeInterface((int) body);
            case SIMPLE_PACKET -> simplePacket((int) body);
            default -> packet((int) body, type == ENHANCED_PACKET);
        }
        return type != INTERFACE;
    }

    private void load(long body) {
        if (body > CaptureSource.LONGEST) {
            throw source.error(
                    recordOffset + 4, "a block of " + body + " bytes, the longest is " + CaptureSource.LONGEST);
        }
        source.read((int) body + 4, "a block");
        checkTrailer((int) body, body);
    }

    private void checkTrailer(int at, long body) {
        long again = Integer.toUnsignedLong(source.view().getInt(at));
        if (again != body + BLOCK_FRAME_BYTES) {
            throw source.error(
                    source.offset() - 4,
                    "a block of " + (body + BLOCK_FRAME_BYTES) + " bytes ends with the length " + again);
        }
    }

    /** Reads a section header behind its type and length: byte order and length can be told only now. */
    private void section(long at) {
        source.readBehind(BLOCK_HEADER_BYTES, 4, "a section header");
        ByteBuffer view = source.view().order(ByteOrder.BIG_ENDIAN);
        int magic = view.getInt(8);
        if (magic == BYTE_ORDER_MAGIC) {
            source.order(ByteOrder.BIG_ENDIAN);
        } else if (Integer.reverseBytes(magic) == BYTE_ORDER_MAGIC) {
            source.order(ByteOrder.LITTLE_ENDIAN);
        } else {
            throw source.error(
                    at + 8, "expected the byte-order magic 0x1a2b3c4d, found 0x" + Integer.toHexString(magic));
        }
        long body = Integer.toUnsignedLong(source.view().getInt(4)) - BLOCK_FRAME_BYTES;
        if (body < 16 || (body & 3) != 0 || body > CaptureSource.LONGEST) {
            throw source.error(
                    at + 4, "a section header of " + (body + BLOCK_FRAME_BYTES) + " bytes, expected at least 28");
        }
        source.read((int) body, "a section header"); // the body behind the magic, and the length again
        checkTrailer((int) body - 4, body);
        int version = Short.toUnsignedInt(source.view().getShort(0));
        if (version != 1) {
            throw source.error(at + 12, "expected pcapng version 1, found " + version);
        }
        interfaces.clear();
    }

    private void describeInterface(int body) {
        need(body, 8, "an interface block");
        ByteBuffer view = source.view();
        int code = MICROSECONDS;
        long offsetSeconds = 0;
        int at = 8;
        while (at + 4 <= body) {
            int option = Short.toUnsignedInt(view.getShort(at));
            int size = Short.toUnsignedInt(view.getShort(at + 2));
            at += 4;
            if (option == 0 || size > body - at) {
                break; // the end, or options that are damaged: what was read so far counts
            }
            if (option == OPTION_TIME_RESOLUTION && size >= 1) {
                code = Byte.toUnsignedInt(view.get(at));
            } else if (option == OPTION_TIME_OFFSET && size >= 8) {
                offsetSeconds = view.getLong(at);
            }
            at += (size + 3) & ~3;
        }
        int link = Short.toUnsignedInt(view.getShort(0));
        long snapLength = Integer.toUnsignedLong(view.getInt(4));
        interfaces.add(new Interface(link, snapLength, new TimeResolution(code, offsetSeconds)));
    }

    private void packet(int body, boolean enhanced) {
        need(body, 20, "a packet block");
        ByteBuffer view = source.view();
        // the obsolete block has 16 bits of interface and 16 of drops
        Interface from =
                find(enhanced ? Integer.toUnsignedLong(view.getInt(0)) : Short.toUnsignedInt(view.getShort(0)));
        long units = (Integer.toUnsignedLong(view.getInt(4)) << 32) | Integer.toUnsignedLong(view.getInt(8));
        try {
            ns = from.resolution().ns(units);
        } catch (ArithmeticException e) {
            throw source.error(
                    recordOffset + 12, "the time stamp " + Long.toUnsignedString(units) + " is beyond the year 2262");
        }
        accept(from, 20, Integer.toUnsignedLong(view.getInt(12)), Integer.toUnsignedLong(view.getInt(16)), body);
    }

    private void simplePacket(int body) {
        need(body, 4, "a packet block");
        Interface from = find(0);
        long original = Integer.toUnsignedLong(source.view().getInt(0));
        long kept = from.snapLength() == 0 ? original : Math.min(original, from.snapLength());
        ns = 0;
        accept(from, 4, kept, original, body);
    }

    private void accept(Interface from, int at, long captured, long original, int body) {
        if (captured > body - at) {
            throw source.error(
                    recordOffset,
                    "a packet of " + captured + " captured bytes in a block with room for " + (body - at));
        }
        linkType = from.linkType();
        dataOffset = at;
        length = (int) captured;
        originalLength = original;
    }

    private Interface find(long index) {
        if (index >= interfaces.size()) {
            throw source.error(
                    recordOffset,
                    "a packet of interface " + index + ", described are " + interfaces.size() + " so far");
        }
        return interfaces.get((int) index);
    }

    private void need(int body, int least, String what) {
        if (body < least) {
            throw source.error(recordOffset, what + " has " + body + " bytes, expected at least " + least);
        }
    }
}
