package dev.clockwire.bench.replay;

import dev.clockwire.roce.transport.SendWork;
import dev.clockwire.roce.verbs.ScatterGather;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.SendWorkRequest;

/** From what a capture shows of a work request to the verbs' form of it. */
final class WorkRequests {
    private WorkRequests() {}

    static SendWorkRequest of(SendWork w, ScatterGather local) {
        SendWorkRequest request = switch (w.opcode) {
            case RDMA_WRITE -> SendWorkRequest.write(w.id, w.remoteVa, w.rkey, local);
            case RDMA_WRITE_WITH_IMM -> SendWorkRequest.writeWithImm(w.id, w.remoteVa, w.rkey, w.immOrKey, local);
            case RDMA_READ -> SendWorkRequest.read(w.id, w.remoteVa, w.rkey, local);
            case ATOMIC_CMP_AND_SWP ->
                SendWorkRequest.compareAndSwap(w.id, w.remoteVa, w.rkey, w.compare, w.swapAdd, local);
            case ATOMIC_FETCH_AND_ADD -> SendWorkRequest.fetchAndAdd(w.id, w.remoteVa, w.rkey, w.swapAdd, local);
            case SEND_WITH_IMM -> SendWorkRequest.sendWithImm(w.id, w.immOrKey, local);
            case SEND_WITH_INV -> SendWorkRequest.sendWithInv(w.id, w.immOrKey, local);
            default -> SendWorkRequest.send(w.id, local);
        };
        return w.solicited && w.opcode.maySolicit()
                ? request.withFlags(SendFlag.SIGNALED, SendFlag.SOLICITED)
                : request.withFlags(SendFlag.SIGNALED);
    }
}
