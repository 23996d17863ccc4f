package dev.clockwire.nvme.ctrl;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SglDescriptor;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.pcie.endpoint.DmaError;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.sim.mem.Payload;

/** Finds out where a command's data lie in the host, by PRP or SGL, and moves them. */
final class DataEngine {
    private static final int SLOT = 8;
    /** Descriptors that are read at a time. */
    private static final int MOST_LIST = 4096;

    private final HostAccess host;

    DataEngine(HostAccess host) {
        this.host = host;
    }

    /**
     * Begins to find the segments of {@code bytes}. A list in the host's memory is one more thing the command waits for.
     *
     * @return 0, or the status that refuses the pointer
     */
    int locate(Command c, int bytes, int page) {
        c.bytes = bytes;
        c.segments.clear();
        return switch (c.entry.dataKind()) {
            case SqEntry.PRP -> prp(c, page);
            case SqEntry.SGL, SqEntry.SGL_METADATA -> sgl(c);
            default -> NvmeStatus.INVALID_FIELD.code();
        };
    }

    private int prp(Command c, int page) {
        long first = c.entry.prp1();
        if ((first & 3) != 0) {
            return NvmeStatus.PRP_BAD_OFFSET.code();
        }
        int n = (int) Math.min(c.bytes, page - (first & page - 1));
        c.segments.add(first, n);
        int left = c.bytes - n;
        long second = c.entry.prp2();
        if (left == 0) {
            return 0;
        }
        if (left <= page) {
            c.segments.add(second, left);
            return (second & page - 1) == 0 ? 0 : NvmeStatus.PRP_BAD_OFFSET.code();
        }
        if ((second & SLOT - 1) != 0) {
            return NvmeStatus.PRP_BAD_OFFSET.code();
        }
        c.waits++;
        readList(c, second, left, page);
        return 0;
    }

    private void readList(Command c, long at, int left, int page) {
        c.listAt = at;
        c.listLeft = left;
        int slots = (int) (page - (at & page - 1)) / SLOT;
        host.read(HostAccess.LIST, c.slot, 0, at, Math.min(slots, pages(left, page)) * SLOT);
    }

    private static int pages(int bytes, int page) {
        return (int) (((long) bytes + page - 1) / page);
    }

    /** A part of a list has come. Returns 0, or a status that ends the command. */
    int listed(Command c, DmaRead read, int page) {
        if (read.error != DmaError.NONE) {
            return NvmeStatus.DATA_TRANSFER_ERROR.code();
        }
        return c.entry.dataKind() == SqEntry.PRP ? prpListed(c, read, page) : segmentListed(c, read);
    }

    private int prpListed(Command c, DmaRead read, int page) {
        byte[] list = read.into.array();
        int slots = (int) (page - (c.listAt & page - 1)) / SLOT;
        for (int i = 0; i < read.length / SLOT; i++) {
            long entry = LittleEndian.get64(list, i * SLOT);
            if ((entry & page - 1) != 0) {
                return NvmeStatus.PRP_BAD_OFFSET.code();
            }
            if (i == slots - 1 && c.listLeft > page) { // the last slot of a list leads to the next one
                readList(c, entry, c.listLeft, page);
                return 0;
            }
            int n = Math.min(c.listLeft, page);
            c.segments.add(entry, n);
            c.listLeft -= n;
        }
        c.waits--;
        return 0;
    }

    private int sgl(Command c) {
        byte[] b = c.entry.bytes();
        int type = SglDescriptor.type(b, SqEntry.DATA);
        if (type == SglDescriptor.SEGMENT || type == SglDescriptor.LAST_SEGMENT) {
            int bad = segment(c, b, SqEntry.DATA);
            c.waits += bad == 0 ? 1 : 0;
            return bad;
        }
        int bad = block(c, b, SqEntry.DATA);
        return bad != 0 ? bad : fits(c);
    }

    /** Takes a descriptor of data; returns 0 or what is wrong with it. */
    private static int block(Command c, byte[] b, int at) {
        int type = SglDescriptor.type(b, at);
        boolean dropped = type == SglDescriptor.BIT_BUCKET && Opcodes.toHost(c.entry.opcode());
        if (type != SglDescriptor.DATA_BLOCK && !dropped) {
            return NvmeStatus.SGL_BAD_TYPE.code();
        }
        if (SglDescriptor.subtype(b, at) != SglDescriptor.ADDRESS) {
            return NvmeStatus.SGL_BAD_TYPE.code();
        }
        long address = SglDescriptor.address(b, at);
        long length = SglDescriptor.length(b, at);
        boolean wraps = Long.compareUnsigned(address + length, address) < 0;
        if (wraps || c.segments.total() + length > c.bytes) {
            return NvmeStatus.SGL_BAD_LENGTH.code();
        }
        if (length > 0) {
            c.segments.add(dropped ? SegmentList.NOWHERE : address, (int) length);
        }
        return 0;
    }

    private static int fits(Command c) {
        return c.segments.total() == c.bytes ? 0 : NvmeStatus.SGL_BAD_LENGTH.code();
    }

    /** Begins to read a segment of descriptors. */
    private int segment(Command c, byte[] b, int at) {
        long length = SglDescriptor.length(b, at);
        if (length == 0 || length % SglDescriptor.BYTES != 0 || length > Integer.MAX_VALUE) {
            return NvmeStatus.SGL_BAD_SEGMENT.code();
        }
        c.lastSegment = SglDescriptor.type(b, at) == SglDescriptor.LAST_SEGMENT;
        c.listAt = SglDescriptor.address(b, at);
        c.listLeft = (int) length;
        readDescriptors(c);
        return 0;
    }

    private void readDescriptors(Command c) {
        host.read(HostAccess.LIST, c.slot, 0, c.listAt, Math.min(c.listLeft, MOST_LIST));
    }

    private int segmentListed(Command c, DmaRead read) {
        byte[] b = read.into.array();
        c.listAt += read.length;
        c.listLeft -= read.length;
        for (int at = 0; at < read.length; at += SglDescriptor.BYTES) {
            boolean last = c.listLeft == 0 && at + SglDescriptor.BYTES == read.length;
            int type = SglDescriptor.type(b, at);
            if (type == SglDescriptor.SEGMENT || type == SglDescriptor.LAST_SEGMENT) {
                if (!last || c.lastSegment) {
                    return last ? NvmeStatus.SGL_BAD_SEGMENT.code() : NvmeStatus.SGL_BAD_COUNT.code();
                }
                return segment(c, b, at);
            }
            int bad = block(c, b, at);
            if (bad != 0) {
                return bad;
            }
        }
        if (c.listLeft > 0) {
            readDescriptors(c);
            return 0;
        }
        int bad = fits(c); // the caller ends the wait of a list that is wrong
        c.waits -= bad == 0 ? 1 : 0;
        return bad;
    }

    /** Writes the command's data to the host, as many as it has; the writes leave in front of everything that is sent later. */
    void toHost(Command c) {
        int off = 0;
        int left = c.data.length();
        for (int i = 0; i < c.segments.count() && left > 0; i++) {
            int n = Math.min(left, c.segments.bytes(i));
            if (c.segments.address(i) != SegmentList.NOWHERE) {
                long cookie = c.watched && n == left ? HostAccess.last(c.queue, c.entry.cid()) : 0;
                host.write(c.segments.address(i), c.data, off, n, cookie);
            }
            off += n;
            left -= n;
        }
    }

    /** Begins to read the command's data from the host. */
    void fromHost(Command c) {
        int n = c.segments.count();
        c.expect(n);
        c.waits += n;
        for (int i = 0; i < n; i++) {
            host.read(HostAccess.DATA, c.slot, i, c.segments.address(i), c.segments.bytes(i));
        }
    }

    /** A part of the data has come. Returns 0, or a status that ends the command. */
    int arrived(Command c, DmaRead read) {
        c.waits--;
        if (read.error != DmaError.NONE) {
            return NvmeStatus.DATA_TRANSFER_ERROR.code();
        }
        Payload part = read.into;
        c.part(HostAccess.index(read.cookie), part);
        return 0;
    }
}
