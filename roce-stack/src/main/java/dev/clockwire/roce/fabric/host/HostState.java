package dev.clockwire.roce.fabric.host;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** What a light endpoint has done, and whose turn it is. */
final class HostState implements State {
    int turn;
    /** Flows that have begun and not ended. */
    int open;

    long wakeAt = SendFlow.NEVER;
    long dataSent;
    long marked;
    long cnpsSent;
    long cnpsTaken;
    long pausesTaken;
    /** Notifications of the whole port: when the next may leave, and for which flow one waits (-1: none). */
    long cnpAt;

    long cnpPending = -1;

    @Override
    public void save(Snapshot out) {
        out.putInt(turn);
        out.putInt(open);
        out.putLong(wakeAt);
        out.putLong(dataSent);
        out.putLong(marked);
        out.putLong(cnpsSent);
        out.putLong(cnpsTaken);
        out.putLong(pausesTaken);
        out.putLong(cnpAt);
        out.putLong(cnpPending);
    }

    @Override
    public void load(Snapshot in) {
        turn = in.getInt();
        open = in.getInt();
        wakeAt = in.getLong();
        dataSent = in.getLong();
        marked = in.getLong();
        cnpsSent = in.getLong();
        cnpsTaken = in.getLong();
        pausesTaken = in.getLong();
        cnpAt = in.getLong();
        cnpPending = in.getLong();
    }
}
