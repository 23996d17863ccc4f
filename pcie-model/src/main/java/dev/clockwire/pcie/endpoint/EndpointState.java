package dev.clockwire.pcie.endpoint;

import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What the endpoint may do, the writes it may not send yet, and those whose last bit has not left and whose sender wants to know.
 * Posted writes leave in order, so queues do.
 */
final class EndpointState implements State {
    private final ArrayDeque<DmaWrite> leaving = new ArrayDeque<>();
    private final ArrayDeque<DmaWrite> held = new ArrayDeque<>();
    boolean masters = true;
    boolean relaxed = true;
    boolean idBased;
    int maxPayload;

    EndpointState(int maxPayload) {
        this.maxPayload = maxPayload;
    }

    void hold(DmaWrite w) {
        held.addLast(w);
    }

    /** Returns the next write that may be sent now, null if there is none. */
    @Nullable
    DmaWrite next() {
        return masters ? held.pollFirst() : null;
    }

    void add(DmaWrite w) {
        leaving.addLast(w);
    }

    DmaWrite remove() {
        DmaWrite w = leaving.pollFirst();
        if (w == null) {
            throw new InvariantViolation("a write left that nobody sent");
        }
        return w;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(leaving.size());
        for (DmaWrite w : leaving) {
            out.putToken(w);
        }
        out.putInt(held.size());
        for (DmaWrite w : held) {
            out.putToken(w);
        }
        out.putBoolean(masters);
        out.putBoolean(relaxed);
        out.putBoolean(idBased);
        out.putInt(maxPayload);
    }

    @Override
    public void load(Snapshot in) {
        leaving.clear();
        for (int n = in.getInt(); n > 0; n--) {
            if (in.getToken() instanceof DmaWrite w) {
                leaving.addLast(w);
            }
        }
        held.clear();
        for (int n = in.getInt(); n > 0; n--) {
            if (in.getToken() instanceof DmaWrite w) {
                held.addLast(w);
            }
        }
        masters = in.getBoolean();
        relaxed = in.getBoolean();
        idBased = in.getBoolean();
        maxPayload = in.getInt();
    }
}
