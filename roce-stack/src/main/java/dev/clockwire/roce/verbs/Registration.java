package dev.clockwire.roce.verbs;

import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.sim.error.ConfigurationException;

/** Checks of what is registered and created. */
final class Registration {
    private static final int NEEDS_LOCAL_WRITE = AccessFlag.REMOTE_WRITE.code() | AccessFlag.REMOTE_ATOMIC.code();

    private Registration() {}

    static void check(Context context, long address, long length, int access) {
        Check.range("reg_mr", "length", length, 1, context.device().attributes().maxMrSize());
        if (AccessFlag.MW_BIND.in(access) || AccessFlag.ON_DEMAND.in(access)) {
            throw new VerbsException(Errno.EOPNOTSUPP, "reg_mr", "MW_BIND and ON_DEMAND are not supported");
        }
        if ((access & NEEDS_LOCAL_WRITE) != 0 && !AccessFlag.LOCAL_WRITE.in(access)) {
            throw new VerbsException(Errno.EINVAL, "reg_mr", "REMOTE_WRITE and REMOTE_ATOMIC need LOCAL_WRITE");
        }
        try {
            context.cpu().memory().find(address, length);
        } catch (ConfigurationException absent) {
            VerbsException fault = new VerbsException(Errno.EFAULT, "reg_mr", String.valueOf(absent.getMessage()));
            fault.initCause(absent);
            throw fault;
        }
    }

    static void check(Context context, QpInit init) {
        DeviceAttributes limits = context.device().attributes();
        QpCapabilities asked = init.capabilities();
        Check.range("create_qp", "max_send_wr", asked.maxSendWr(), 0, limits.maxQpWr());
        Check.range("create_qp", "max_recv_wr", asked.maxRecvWr(), 0, limits.maxQpWr());
        Check.range("create_qp", "max_send_sge", asked.maxSendSge(), 0, limits.maxSge());
        Check.range("create_qp", "max_recv_sge", asked.maxRecvSge(), 0, limits.maxSge());
        Check.range("create_qp", "max_inline_data", asked.maxInlineData(), 0, limits.maxInlineData());
    }
}
