package dev.clockwire.roce.verbs;

import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.sim.error.ConfigurationException;

/** Checks of what is registered and created. */
final class Registration {
    private static final int NEEDS_LOCAL_WRITE = AccessFlag.REMOTE_WRITE.code() | AccessFlag.REMOTE_ATOMIC.code();

    private Registration() {}

    static void check(Context context, long address, long length, int access) {
        Check.range("reg_mr", "length", length, 1, context.device().attributes().maxMrSize());
        rights("reg_mr", access);
        try {
            context.cpu().memory().find(address, length);
        } catch (ConfigurationException absent) {
            VerbsException fault = new VerbsException(Errno.EFAULT, "reg_mr", String.valueOf(absent.getMessage()));
            fault.initCause(absent);
            throw fault;
        }
    }

    private static void rights(String verb, int access) {
        if (AccessFlag.ON_DEMAND.in(access)) {
            throw new VerbsException(Errno.EOPNOTSUPP, verb, "ON_DEMAND is not supported");
        }
        if ((access & NEEDS_LOCAL_WRITE) != 0 && !AccessFlag.LOCAL_WRITE.in(access)) {
            throw new VerbsException(Errno.EINVAL, verb, "REMOTE_WRITE and REMOTE_ATOMIC need LOCAL_WRITE");
        }
    }

    static void check(DeviceMemory memory, long offset, long length, int access) {
        Check.range("reg_dm_mr", "offset", offset, 0, memory.length());
        Check.range("reg_dm_mr", "length", length, 1, memory.length() - offset);
        rights("reg_dm_mr", access);
        if (!AccessFlag.ZERO_BASED.in(access)) {
            throw new VerbsException(Errno.EINVAL, "reg_dm_mr", "device memory has no address: ZERO_BASED is needed");
        }
    }

    static void check(DmaBuf memory, long offset, long length, int access) {
        Check.range("reg_dmabuf_mr", "offset", offset, 0, memory.length());
        Check.range("reg_dmabuf_mr", "length", length, 1, memory.length() - offset);
        rights("reg_dmabuf_mr", access);
    }

    static void check(Context context, SrqAttributes asked) {
        DeviceAttributes limits = context.device().attributes();
        Check.range("create_srq", "max_wr", asked.maxWr(), 1, limits.maxSrqWr());
        Check.range("create_srq", "max_sge", asked.maxSge(), 0, limits.maxSrqSge());
    }

    static void check(Context context, QpInit init) {
        DeviceAttributes limits = context.device().attributes();
        if (init.gsi() && init.type() != QpType.UD) {
            throw new VerbsException(Errno.EINVAL, "create_qp", "queue pair 1 is UD, not " + init.type());
        }
        if (init.managedSends() && init.type() != QpType.RC) {
            throw new VerbsException(Errno.EINVAL, "create_qp", "managed sends are for RC, not " + init.type());
        }
        QpCapabilities asked = init.capabilities();
        Check.range("create_qp", "max_send_wr", asked.maxSendWr(), 0, limits.maxQpWr());
        Check.range("create_qp", "max_recv_wr", asked.maxRecvWr(), 0, limits.maxQpWr());
        Check.range("create_qp", "max_send_sge", asked.maxSendSge(), 0, limits.maxSge());
        Check.range("create_qp", "max_recv_sge", asked.maxRecvSge(), 0, limits.maxSge());
        Check.range("create_qp", "max_inline_data", asked.maxInlineData(), 0, limits.maxInlineData());
    }
}
