package dev.clockwire.testkit.nic;

import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.AddressHandle;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.SharedReceiveQueue;
import dev.clockwire.roce.verbs.WcFlag;
import dev.clockwire.roce.verbs.WcOpcode;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.random.RandomStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One queue pair of a program: what it posts, what it must see completed, and how far it has come. */
final class Endpoint {
    static final int MAX_SGE = 4;

    private static final int GRH = 40;
    private static final int MAX_BATCH = 8;

    final QueuePair qp;
    final List<Work> sends = new ArrayList<>();
    final List<Work> receives = new ArrayList<>();
    /** What arrives here, in order: the peer's work requests that take a receive. */
    final List<Work> arrivals = new ArrayList<>();

    private final SendBatch sendBatch = new SendBatch(MAX_BATCH, MAX_SGE);
    private final ReceiveBatch receiveBatch = new ReceiveBatch(MAX_BATCH, MAX_SGE);
    private final int depth;
    private final int receiveDepth;
    private final RandomStream random;
    private int sent;
    private int retired;
    private int posted;
    private int received;

    /** Where datagrams go. */
    @Nullable
    AddressHandle ah;

    /** Where receives are posted; null for the queue pair's own queue. */
    @Nullable
    SharedReceiveQueue srq;

    int peerQpn;
    int qkey;

    Endpoint(QueuePair qp, int depth, int receiveDepth, RandomStream random) {
        this.qp = qp;
        this.depth = depth;
        this.receiveDepth = receiveDepth;
        this.random = random;
    }

    boolean done() {
        return sent == sends.size() && retired == sent && received == arrivals.size();
    }

    /** Posts a few sends if there are any and there is room; returns whether it did. */
    boolean send() {
        int most = Math.min(sends.size() - sent, depth - (sent - retired));
        if (most <= 0) {
            return false;
        }
        int n = Math.min(most, 1 + random.below(MAX_BATCH));
        sendBatch.clear();
        for (int i = 0; i < n; i++) {
            SendEntry e = sendBatch.add();
            e.wrId = sent;
            sends.get(sent++).fill(e);
            e.ah = ah;
            e.remoteQpn = peerQpn;
            e.remoteQkey = qkey;
        }
        qp.postSend(sendBatch);
        return true;
    }

    /** Posts receives if there is room; returns whether it did. */
    boolean receive() {
        int most = Math.min(receives.size() - posted, receiveDepth - (posted - received));
        if (most <= 0) {
            return false;
        }
        int n = Math.min(most, 1 + random.below(MAX_BATCH));
        receiveBatch.clear();
        for (int i = 0; i < n; i++) {
            var r = receiveBatch.add();
            r.wrId = 1000L + posted;
            receives.get(posted++).fill(r.sges());
        }
        SharedReceiveQueue shared = srq;
        if (shared == null) {
            qp.postReceive(receiveBatch);
        } else {
            shared.postReceive(receiveBatch);
        }
        return true;
    }

    /** Returns the oldest send that was posted and whose end the program does not know; null if there is none. */
    @Nullable
    Work openSend() {
        return retired < sent ? sends.get(retired) : null;
    }

    /** Returns the oldest receive that was posted and whose end the program does not know; null if there is none. */
    @Nullable
    Work openReceive() {
        return received < posted ? receives.get(received) : null;
    }

    /** Judges a completion of this queue pair. */
    void completed(WorkCompletion wc) {
        if (wc.status != WcStatus.SUCCESS) {
            throw new AssertionError(wc + ": " + wc.status);
        }
        if (wc.opcode == WcOpcode.RECV || wc.opcode == WcOpcode.RECV_RDMA_WITH_IMM) {
            arrived(wc);
        } else {
            retired(wc);
        }
    }

    private void retired(WorkCompletion wc) {
        int next = retired;
        while (!SendFlag.SIGNALED.in(sends.get(next).flags)) {
            next++;
        }
        Work w = sends.get(next);
        same(wc, "send wr_id", next, wc.wrId);
        if (w.opcode.needsResponse()) {
            same(wc, "byte_len", w.length, wc.byteLength);
        }
        if (next >= sent) {
            throw new AssertionError(wc + " completed before it was posted");
        }
        retired = next + 1;
    }

    private void arrived(WorkCompletion wc) {
        Work w = arrivals.get(received);
        boolean datagram = qp.type() == QpType.UD;
        boolean imm = w.opcode == WrOpcode.SEND_WITH_IMM || w.opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
        boolean invalidate = w.opcode == WrOpcode.SEND_WITH_INV;
        same(wc, "receive wr_id", 1000L + received, wc.wrId);
        same(wc, "byte_len", (long) w.length + (datagram ? GRH : 0), wc.byteLength);
        same(wc, "imm flag", imm ? 1 : 0, WcFlag.WITH_IMM.in(wc.flags) ? 1 : 0);
        same(wc, "inv flag", invalidate ? 1 : 0, WcFlag.WITH_INV.in(wc.flags) ? 1 : 0);
        if (imm || invalidate) {
            same(wc, "imm", w.immOrKey, wc.immOrKey);
        }
        if (datagram) {
            same(wc, "src_qp", peerQpn, wc.srcQp);
        }
        received++;
    }

    private static void same(WorkCompletion wc, String what, long expected, long found) {
        if (expected != found) {
            throw new AssertionError(wc + ": " + what + " is " + found + ", expected " + expected);
        }
    }

    @Override
    public String toString() {
        return String.format(
                "QP 0x%x: %d of %d sends posted, %d retired; %d of %d receives posted, %d of %d messages arrived",
                qp.qpn(), sent, sends.size(), retired, posted, receives.size(), received, arrivals.size());
    }
}
