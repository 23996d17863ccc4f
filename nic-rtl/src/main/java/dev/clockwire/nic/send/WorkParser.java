package dev.clockwire.nic.send;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.format.WqeOpcode;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.MemoryKey;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.SendWork;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import org.jspecify.annotations.Nullable;

/** From the WQE's fields to the transport's work request, and the checks of local memory. */
final class WorkParser {
    private final ContextTable table;

    final SendWork work = new SendWork();
    private final long[] physical = new long[Wqe.MAX_SGE];

    WorkParser(ContextTable table) {
        this.table = table;
    }

    /** Returns the transport's name of a WQE opcode, null if the device does not know it. */
    static @Nullable WrOpcode operation(int wqeOpcode) {
        return switch (wqeOpcode) {
            case WqeOpcode.SEND_INVAL -> WrOpcode.SEND_WITH_INV;
            case WqeOpcode.RDMA_WRITE -> WrOpcode.RDMA_WRITE;
            case WqeOpcode.RDMA_WRITE_IMM -> WrOpcode.RDMA_WRITE_WITH_IMM;
            case WqeOpcode.SEND -> WrOpcode.SEND;
            case WqeOpcode.SEND_IMM -> WrOpcode.SEND_WITH_IMM;
            case WqeOpcode.RDMA_READ -> WrOpcode.RDMA_READ;
            case WqeOpcode.ATOMIC_CS -> WrOpcode.ATOMIC_CMP_AND_SWP;
            case WqeOpcode.ATOMIC_FA -> WrOpcode.ATOMIC_FETCH_AND_ADD;
            case WqeOpcode.LOCAL_INVAL -> WrOpcode.LOCAL_INV;
            case WqeOpcode.UMR -> WrOpcode.BIND_MW;
            default -> null;
        };
    }

    /** Fills {@link #work}; returns SUCCESS or why the WQE fails before it starts. */
    WcStatus parse(QpContext qp, Wqe wqe) {
        WrOpcode operation = operation(wqe.opcode);
        if (!wqe.valid || operation == null || operation.isLocal() || !operation.allowedOn(qp.type)) {
            return WcStatus.LOC_QP_OP_ERR;
        }
        if (wqe.length > 1L << 31 || (qp.type == QpType.UD && wqe.length > qp.mtu)) {
            return WcStatus.LOC_LEN_ERR;
        }
        int needed = operation.needsResponse() ? AccessFlag.LOCAL_WRITE.code() : 0;
        for (int i = 0; i < wqe.sgeCount; i++) {
            MemoryKey key =
                    table.keys().local(qp.pd, wqe.sgeLkey[i], wqe.sgeVa[i], Wqe.bytes(wqe.sgeLength[i]), needed);
            if (key == null && wqe.sgeLength[i] != 0) {
                return WcStatus.LOC_PROT_ERR;
            }
            physical[i] = key == null ? 0 : key.translate(wqe.sgeVa[i]);
        }
        fill(operation, wqe);
        return WcStatus.SUCCESS;
    }

    /** Replaces the addresses of a WQE that was parsed just now and is admitted by those in memory. */
    void translate(Wqe wqe) {
        System.arraycopy(physical, 0, wqe.sgeVa, 0, wqe.sgeCount);
    }

    private void fill(WrOpcode operation, Wqe wqe) {
        work.id = wqe.index;
        work.opcode = operation;
        work.length = wqe.length;
        work.signaled = wqe.signaled;
        work.solicited = wqe.solicited;
        work.fence = wqe.fence;
        work.remoteVa = wqe.remoteVa;
        work.rkey = wqe.rkey;
        work.immOrKey = wqe.imm;
        work.swapAdd = wqe.swapAdd;
        work.compare = wqe.compare;
        work.destQpn = wqe.destQp;
        work.qkey = wqe.qkey;
    }
}
