package dev.clockwire.nic.respond;

import dev.clockwire.nic.sched.QpArbiter;
import dev.clockwire.nic.stage.TokenQueue;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.roce.transport.ResponderSpec;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The answers each queue pair owes, whose turn it is among those with work, and the one atomic being executed. */
final class ResponseState implements State {
    private static final long[] NONE = {};
    private final List<TokenQueue<ResponseJob>> queues = new ArrayList<>();
    final QpArbiter work;
    final byte[] eight = new byte[Long.BYTES];
    DmaRead operand = new DmaRead();

    @Nullable
    ResponseJob atomic;

    int atomicSlot;
    long atomicDue;
    /** Newest results of atomics, by queue pair and place in the responder's ring. */
    private final List<long[]> results = new ArrayList<>();

    ResponseState(QpArbiter work) {
        this.work = work;
    }

    TokenQueue<ResponseJob> queue(int q) {
        while (q >= queues.size()) {
            queues.add(new TokenQueue<>());
        }
        return queues.get(q);
    }

    /** Keeps the result of an atomic. */
    void keep(int q, int resource, long original) {
        while (q >= results.size()) {
            results.add(NONE);
        }
        if (resource >= results.get(q).length) {
            results.set(q, Arrays.copyOf(results.get(q), ResponderSpec.MAX_RESOURCES));
        }
        results.get(q)[resource] = original;
    }

    /** Returns a result that was kept. */
    long result(int q, int resource) {
        return results.get(q)[resource];
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(results.size());
        for (long[] kept : results) {
            out.putInt(kept.length);
            out.putLongs(kept);
        }
        out.putInt(queues.size());
        for (TokenQueue<ResponseJob> queue : queues) {
            queue.save(out);
        }
        work.save(out);
        out.putToken(operand);
        out.putToken(atomic);
        out.putInt(atomicSlot);
        out.putLong(atomicDue);
    }

    @Override
    public void load(Snapshot in) {
        results.clear();
        for (int n = in.getInt(); n > 0; n--) {
            long[] kept = new long[in.getInt()];
            in.getLongs(kept);
            results.add(kept);
        }
        queues.clear();
        for (int n = in.getInt(), q = 0; q < n; q++) {
            queue(q).load(in);
        }
        work.load(in);
        operand = (DmaRead) Objects.requireNonNull(in.getToken());
        atomic = (ResponseJob) in.getToken();
        atomicSlot = in.getInt();
        atomicDue = in.getLong();
    }
}
