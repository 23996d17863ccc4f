package dev.clockwire.nic.respond;

import dev.clockwire.nic.dma.QpRing;
import dev.clockwire.nic.stage.TokenQueue;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The answers each queue pair owes, the ring of those with work, and the one atomic being executed. */
final class ResponseState implements State {
    private final List<TokenQueue<ResponseJob>> queues = new ArrayList<>();
    final QpRing work = new QpRing();
    final byte[] eight = new byte[Long.BYTES];
    DmaRead operand = new DmaRead();

    @Nullable
    ResponseJob atomic;

    int atomicSlot;
    long atomicDue;

    TokenQueue<ResponseJob> queue(int q) {
        while (q >= queues.size()) {
            queues.add(new TokenQueue<>());
        }
        return queues.get(q);
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(queues.size());
        for (TokenQueue<ResponseJob> queue : queues) {
            queue.save(out);
        }
        out.putInt(work.size());
        for (int i = 0; i < work.size(); i++) {
            out.putInt(work.get(i));
        }
        out.putToken(operand);
        out.putToken(atomic);
        out.putInt(atomicSlot);
        out.putLong(atomicDue);
    }

    @Override
    public void load(Snapshot in) {
        queues.clear();
        for (int n = in.getInt(), q = 0; q < n; q++) {
            queue(q).load(in);
        }
        work.clear();
        for (int n = in.getInt(); n > 0; n--) {
            work.add(in.getInt());
        }
        operand = (DmaRead) Objects.requireNonNull(in.getToken());
        atomic = (ResponseJob) in.getToken();
        atomicSlot = in.getInt();
        atomicDue = in.getLong();
    }
}
