package dev.clockwire.storage.nvmf.target;

import dev.clockwire.nvme.format.Identify;
import dev.clockwire.nvme.format.NvmeStatus;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.storage.nvmf.subsystem.Namespace;

/** What the commands of an admin queue do. */
final class AdminCommands {
    private static final int LOWER = 0xFFFF;
    /** CNS of an I/O command set: namespace, controller, active namespaces. */
    private static final int NAMESPACE_OF_SET = 0x05;

    private static final int CONTROLLER_OF_SET = 0x06;
    private static final int ACTIVE_OF_SET = 0x07;
    private static final int RETAIN = 1 << 15;

    private final NvmfTarget target;

    AdminCommands(NvmfTarget target) {
        this.target = target;
    }

    void execute(NvmfRequest r, Controller c) {
        if (r.cmd.fuse() != 0) {
            r.refuse(NvmeStatus.INVALID_FIELD);
            return;
        }
        int opcode = r.cmd.opcode();
        boolean needsEnabled = opcode != Opcodes.KEEP_ALIVE;
        if (needsEnabled && !c.properties().isEnabled()) {
            r.refuse(NvmeStatus.SEQUENCE_ERROR);
            return;
        }
        switch (opcode) {
            case Opcodes.IDENTIFY -> identify(r, c);
            case Opcodes.GET_LOG_PAGE -> log(r, c);
            case Opcodes.SET_FEATURES -> c.features().set(r, c);
            case Opcodes.GET_FEATURES -> c.features().get(r, c.hostId());
            case Opcodes.ASYNC_EVENT -> c.events().request(r);
            case Opcodes.KEEP_ALIVE -> keepAlive(r, c);
            case Opcodes.ABORT -> abort(r, c);
            default -> r.refuse(NvmeStatus.INVALID_OPCODE);
        }
    }

    private void keepAlive(NvmfRequest r, Controller c) {
        if (target.isLinux() && c.features().keepAlive() == 0) {
            r.refuse(NvmeStatus.KEEP_ALIVE_INVALID);
            return;
        }
        c.keepAlive().heard();
        r.end(0);
    }

    private void identify(NvmfRequest r, Controller c) {
        int cns = r.cmd.dword(10) & 0xFF;
        int set = r.cmd.dword(11) >>> 24;
        int nsid = r.cmd.nsid();
        Namespace n = c.subsystem().namespace(nsid);
        boolean known = c.isDiscovery() ? cns == Identify.CONTROLLER : cns <= Identify.DESCRIPTORS;
        boolean ofSet = !c.isDiscovery() && set == 0 && cns >= NAMESPACE_OF_SET && cns <= ACTIVE_OF_SET;
        if (!known && !ofSet) {
            r.refuse(NvmeStatus.INVALID_FIELD);
            return;
        }
        switch (cns) {
            case Identify.CONTROLLER -> r.answer(IdentifyPages.controller(c), 0);
            case CONTROLLER_OF_SET -> r.answer(new byte[Identify.BYTES], 0);
            case Identify.ACTIVE_LIST, ACTIVE_OF_SET -> {
                if (Integer.compareUnsigned(nsid, -3) > 0) {
                    r.refuse(NvmeStatus.INVALID_NAMESPACE);
                } else {
                    r.answer(IdentifyPages.active(c.subsystem(), nsid), 0);
                }
            }
            default -> {
                if (n == null) {
                    missing(r, c, cns);
                } else {
                    r.answer(page(cns, n), 0);
                }
            }
        }
    }

    private byte[] page(int cns, Namespace n) {
        return switch (cns) {
            case Identify.DESCRIPTORS -> IdentifyPages.descriptors(n);
            case Identify.NAMESPACE -> IdentifyPages.namespace(n, target.isLinux());
            default -> new byte[Identify.BYTES];
        };
    }

    /** A namespace that could be there but is not is zeros; a number that cannot be is an error. */
    private static void missing(NvmfRequest r, Controller c, int cns) {
        int nsid = r.cmd.nsid();
        if (cns == Identify.NAMESPACE && nsid >= 1 && nsid <= c.subsystem().lastNsid()) {
            r.answer(new byte[Identify.BYTES], 0);
        } else {
            r.refuse(NvmeStatus.INVALID_NAMESPACE);
        }
    }

    private void log(NvmfRequest r, Controller c) {
        int page = r.cmd.dword(10) & 0xFF;
        long count = ((r.cmd.dword(11) & (long) LOWER) << 16) | (r.cmd.dword(10) >>> 16);
        long bytes = (count + 1) << 2;
        long from = (r.cmd.dword(12) & 0xFFFF_FFFFL) | ((long) r.cmd.dword(13) << 32);
        byte[] content = target.logs().page(page, c);
        if (content.length == 0) {
            r.refuse(target.isLinux() ? NvmeStatus.INVALID_FIELD : NvmeStatus.LOG_PAGE_INVALID);
        } else if ((from & 3) != 0 || from < 0 || from > content.length) {
            r.refuse(NvmeStatus.INVALID_FIELD);
        } else if (bytes > r.length) {
            r.refuse(NvmeStatus.SGL_BAD_LENGTH);
        } else {
            if ((r.cmd.dword(10) & RETAIN) == 0) {
                c.events().read(page);
            }
            r.answer(content, (int) from);
        }
    }

    private static void abort(NvmfRequest r, Controller c) {
        int qid = r.cmd.dword(10) & LOWER;
        int cid = r.cmd.dword(10) >>> 16;
        r.result = 1;
        NvmfQpair q = c.queue(qid);
        if (q == null) {
            r.end(0);
        } else if (q.isAdmin() && c.events().abort(cid)) {
            r.result = 0;
            r.end(0);
        } else {
            c.target().sessions().abort(q, cid, r);
        }
    }
}
