package dev.clockwire.storage.reactor;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;

/** Functions to be called once, behind the running poller. */
final class PostHandlers implements State {
    private static final int MOST = 4;

    private final Reactors reactors;
    private final MsgFn[] functions = new MsgFn[MOST];
    private final long[] as = new long[MOST];
    private final long[] bs = new long[MOST];
    private int count;

    PostHandlers(Reactors reactors) {
        this.reactors = reactors;
    }

    boolean add(MsgFn fn, long a, long b) {
        if (count == MOST) {
            return false;
        }
        functions[count] = fn;
        as[count] = a;
        bs[count] = b;
        count++;
        return true;
    }

    void run() {
        for (int i = 0; i < count; i++) {
            functions[i].run(as[i], bs[i]);
        }
        count = 0;
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(count);
        for (int i = 0; i < count; i++) {
            out.putInt(functions[i].ordinal());
            out.putLong(as[i]);
            out.putLong(bs[i]);
        }
    }

    @Override
    public void load(Snapshot in) {
        count = 0;
        for (int n = in.getInt(); n > 0; n--) {
            boolean unused = add(reactors.function(in.getInt()), in.getLong(), in.getLong());
        }
    }
}
