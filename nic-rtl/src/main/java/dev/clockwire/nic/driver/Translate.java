package dev.clockwire.nic.driver;

import dev.clockwire.nic.format.Cqe;
import dev.clockwire.nic.format.WqeOpcode;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.WcFlag;
import dev.clockwire.roce.verbs.WcOpcode;

/** Between the verbs' names and the device's numbers. */
final class Translate {
    private Translate() {}

    static int wqeOpcode(WrOpcode opcode) {
        return switch (opcode) {
            case RDMA_WRITE -> WqeOpcode.RDMA_WRITE;
            case RDMA_WRITE_WITH_IMM -> WqeOpcode.RDMA_WRITE_IMM;
            case SEND -> WqeOpcode.SEND;
            case SEND_WITH_IMM -> WqeOpcode.SEND_IMM;
            case SEND_WITH_INV -> WqeOpcode.SEND_INVAL;
            case RDMA_READ -> WqeOpcode.RDMA_READ;
            case ATOMIC_CMP_AND_SWP -> WqeOpcode.ATOMIC_CS;
            case ATOMIC_FETCH_AND_ADD -> WqeOpcode.ATOMIC_FA;
            case LOCAL_INV -> WqeOpcode.LOCAL_INVAL;
            case BIND_MW -> WqeOpcode.UMR;
        };
    }

    static WcOpcode sendOpcode(int wqeOpcode) {
        return switch (wqeOpcode) {
            case WqeOpcode.RDMA_WRITE, WqeOpcode.RDMA_WRITE_IMM -> WcOpcode.RDMA_WRITE;
            case WqeOpcode.RDMA_READ -> WcOpcode.RDMA_READ;
            case WqeOpcode.ATOMIC_CS -> WcOpcode.COMP_SWAP;
            case WqeOpcode.ATOMIC_FA -> WcOpcode.FETCH_ADD;
            case WqeOpcode.LOCAL_INVAL -> WcOpcode.LOCAL_INV;
            case WqeOpcode.UMR -> WcOpcode.BIND_MW;
            default -> WcOpcode.SEND;
        };
    }

    static WcOpcode receiveOpcode(int cqeOpcode) {
        return cqeOpcode == Cqe.RESP_WR_IMM ? WcOpcode.RECV_RDMA_WITH_IMM : WcOpcode.RECV;
    }

    static int receiveFlags(int cqeOpcode) {
        return switch (cqeOpcode) {
            case Cqe.RESP_WR_IMM, Cqe.RESP_SEND_IMM -> WcFlag.WITH_IMM.code();
            case Cqe.RESP_SEND_INV -> WcFlag.WITH_INV.code();
            default -> 0;
        };
    }
}
