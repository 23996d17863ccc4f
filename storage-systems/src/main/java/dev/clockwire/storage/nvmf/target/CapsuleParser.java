package dev.clockwire.storage.nvmf.target;

import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.SglDescriptor;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.storage.nvmf.subsystem.TransportSpec;

/** Reads where the data of a command are: in its capsule, or at one or more places of the host's memory. */
final class CapsuleParser {
    private static final int KEYED = SglDescriptor.KEYED_DATA_BLOCK;
    private static final int LIST = TransportSpec.MAX_DESCRIPTORS * SglDescriptor.BYTES;

    private final TransportSpec limits;
    private final boolean linux;
    private final byte[] list = new byte[LIST];

    CapsuleParser(TransportSpec limits, boolean linux) {
        this.limits = limits;
        this.linux = linux;
    }

    /** Returns the status that ends a command which moves data, 0 if its descriptors can be used. */
    int parse(RdmaRequest r) {
        byte[] sqe = r.cmd.bytes();
        int type = SglDescriptor.type(sqe, SqEntry.DATA);
        int subtype = SglDescriptor.subtype(sqe, SqEntry.DATA);
        if (type == KEYED && (subtype == SglDescriptor.ADDRESS || subtype == SglDescriptor.INVALIDATE_KEY)) {
            return keyed(r, sqe, SqEntry.DATA);
        }
        if (type == SglDescriptor.DATA_BLOCK && subtype == SglDescriptor.OFFSET) {
            return inCapsule(r, sqe);
        }
        if (type == SglDescriptor.LAST_SEGMENT && subtype == SglDescriptor.OFFSET && !linux) {
            return listed(r, sqe);
        }
        boolean known = type == KEYED || type == SglDescriptor.DATA_BLOCK;
        return status(linux && known ? NvmeStatus.INVALID_FIELD : NvmeStatus.SGL_BAD_TYPE);
    }

    private static int status(NvmeStatus s) {
        return s.code() | NvmeStatus.DO_NOT_RETRY;
    }

    private int keyed(RdmaRequest r, byte[] from, int at) {
        int length = SglDescriptor.keyedLength(from, at);
        if ((long) r.length + length > limits.maxIoBytes()) {
            return status(NvmeStatus.SGL_BAD_LENGTH);
        }
        int i = r.descriptors;
        r.remote[i] = SglDescriptor.address(from, at);
        r.bytes[i] = length;
        r.keys[i] = SglDescriptor.key(from, at);
        if (SglDescriptor.subtype(from, at) == SglDescriptor.INVALIDATE_KEY) {
            r.invalidates = true;
            r.invalidKey = r.keys[i];
        }
        r.length += length;
        r.descriptors += length > 0 ? 1 : 0;
        return 0;
    }

    /** What was not received cannot be used, though there would be memory for it. */
    private int inCapsule(RdmaRequest r, byte[] sqe) {
        long offset = SglDescriptor.address(sqe, SqEntry.DATA);
        long length = SglDescriptor.length(sqe, SqEntry.DATA);
        if (linux && r.toHost()) {
            return status(NvmeStatus.INVALID_FIELD);
        }
        if (offset < 0 || offset > limits.inCapsuleBytes()) {
            return status(NvmeStatus.SGL_BAD_OFFSET);
        }
        if (offset + length > Math.min(limits.inCapsuleBytes(), r.behind)) {
            return status(linux ? NvmeStatus.SGL_BAD_OFFSET : NvmeStatus.SGL_BAD_LENGTH);
        }
        r.va = r.resources.data(r.receive) + offset;
        r.length = (int) length;
        return 0;
    }

    private int listed(RdmaRequest r, byte[] sqe) {
        long offset = SglDescriptor.address(sqe, SqEntry.DATA);
        long length = SglDescriptor.length(sqe, SqEntry.DATA);
        if (offset < 0 || offset > limits.inCapsuleBytes()) {
            return status(NvmeStatus.SGL_BAD_OFFSET);
        }
        if (length == 0 || length % SglDescriptor.BYTES != 0) {
            return status(NvmeStatus.SGL_BAD_SEGMENT);
        }
        if (length > LIST || offset + length > Math.min(limits.inCapsuleBytes(), r.behind)) {
            return status(NvmeStatus.SGL_BAD_COUNT);
        }
        r.fetch(r.resources.data(r.receive) + offset, list, (int) length);
        for (int at = 0; at < length; at += SglDescriptor.BYTES) {
            int subtype = SglDescriptor.subtype(list, at);
            boolean fits = SglDescriptor.type(list, at) == KEYED
                    && (subtype == SglDescriptor.ADDRESS || subtype == SglDescriptor.INVALIDATE_KEY);
            int bad = fits ? keyed(r, list, at) : status(NvmeStatus.SGL_BAD_TYPE);
            if (bad != 0) {
                return bad;
            }
        }
        return 0;
    }
}
