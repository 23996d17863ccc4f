package dev.clockwire.nic.sched;

import dev.clockwire.nic.stage.QpRing;
import dev.clockwire.sim.state.Snapshot;

/** Each ready queue in turn; one that could not go has had its turn. */
final class RoundRobin extends QpArbiter {
    private final QpRing ring = new QpRing();

    @Override
    public int size() {
        return ring.size();
    }

    @Override
    public boolean add(int q) {
        return ring.add(q);
    }

    @Override
    public int next() {
        return ring.next();
    }

    @Override
    public void pass(int q) {
        ring.add(q);
    }

    @Override
    void clear() {
        ring.clear();
    }

    @Override
    public void save(Snapshot out) {
        ring.save(out);
    }

    @Override
    public void load(Snapshot in) {
        ring.load(in);
    }
}
