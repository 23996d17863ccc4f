package dev.clockwire.pcie.endpoint;

import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayDeque;

/** The writes whose last bit has not left and whose sender wants to know. Posted writes leave in order, so a queue does. */
final class EndpointState implements State {
    private final ArrayDeque<DmaWrite> leaving = new ArrayDeque<>();

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
    }

    @Override
    public void load(Snapshot in) {
        leaving.clear();
        for (int n = in.getInt(); n > 0; n--) {
            if (in.getToken() instanceof DmaWrite w) {
                leaving.addLast(w);
            }
        }
    }
}
