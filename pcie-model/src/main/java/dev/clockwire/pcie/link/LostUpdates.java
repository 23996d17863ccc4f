package dev.clockwire.pcie.link;

import dev.clockwire.pcie.tlp.FlowClass;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.Timer;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/**
 * Credit updates that arrived damaged. An update says how many credits there were in all, so the next one of its class repairs it; one
 * comes at the latest after 30 us.
 */
final class LostUpdates extends Timer implements State {
    private static final long UPDATE_PS = 30_000_000;

    private final LinkDirection direction;
    private final int[] headers = new int[FlowClass.COUNT];
    private final int[] data = new int[FlowClass.COUNT];

    LostUpdates(SimNode owner, String name, LinkDirection direction) {
        super(owner, name);
        this.direction = direction;
    }

    void add(int c, int headerUnits, int dataUnits) {
        headers[c] += headerUnits;
        data[c] += dataUnits;
        if (!armed()) {
            arm(now() + UPDATE_PS);
        }
    }

    /** Gives what an update of a class says besides its own news. */
    void repair(int c) {
        direction.give(c, headers[c], data[c]);
        headers[c] = 0;
        data[c] = 0;
    }

    @Override
    protected void expired(long at) {
        for (int c = 0; c < FlowClass.COUNT; c++) {
            repair(c);
        }
        direction.goOn();
    }

    @Override
    public void save(Snapshot out) {
        for (int c = 0; c < FlowClass.COUNT; c++) {
            out.putInt(headers[c]);
            out.putInt(data[c]);
        }
    }

    @Override
    public void load(Snapshot in) {
        for (int c = 0; c < FlowClass.COUNT; c++) {
            headers[c] = in.getInt();
            data[c] = in.getInt();
        }
    }
}
