package dev.clockwire.storage.reactor;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import org.jspecify.annotations.Nullable;

/**
 * Visits the channels of a device, one thread after the other in the order the threads were made, by messages; then tells the thread
 * that began. A channel that ends before its turn is left out.
 *
 * @param <C> what a channel holds
 */
public final class ChannelWalk<C> implements State {
    private final Reactors reactors;
    private final IoDevice<C> device;
    private final Visit<C> visit;
    private final Done done;
    private final MsgFn call;
    private final MsgFn end;
    private int origin;
    private int at;
    private int status;

    ChannelWalk(Reactors reactors, IoDevice<C> device, String name, Visit<C> visit, Done done) {
        this.reactors = reactors;
        this.device = device;
        this.visit = visit;
        this.done = done;
        call = reactors.function(name + ".visit", (a, b) -> visited());
        end = reactors.function(name + ".done", (a, b) -> ended());
    }

    /** Begins, on a thread; one walk at a time. */
    public void start() {
        StorageThread from = reactors.current();
        if (from == null || origin != 0) {
            throw new ConfigurationException("walk over the channels of " + device.name()
                    + (from == null ? " begins outside of a thread" : " is under way already"));
        }
        origin = from.id();
        at = 0;
        status = 0;
        next();
    }

    /** Sends a message to the next thread that has a channel; ends at the first visit that fails. */
    private void next() {
        while (status == 0 && at < reactors.threads().size()) {
            StorageThread t = reactors.threads().get(at);
            at++;
            if (!t.hasExited() && t.channels().find(device) != null) {
                status = t.sendMsg(call, 0, 0);
                if (status == 0) {
                    return;
                }
            }
        }
        int sent = reactors.thread(origin).sendMsg(end, 0, 0);
        if (sent != 0) {
            throw new ConfigurationException(
                    "walk over the channels of " + device.name() + " cannot end: the message pool is empty, "
                            + reactors.messagePool().size() + " in all");
        }
    }

    private void visited() {
        StorageThread here = reactors.current();
        @Nullable IoChannel<C> channel = here == null ? null : here.channels().find(device);
        if (channel != null) {
            status = visit.visit(channel);
        }
        next();
    }

    private void ended() {
        origin = 0;
        done.done(status);
    }

    @Override
    public void save(Snapshot out) {
        out.putInt(origin);
        out.putInt(at);
        out.putInt(status);
    }

    @Override
    public void load(Snapshot in) {
        origin = in.getInt();
        at = in.getInt();
        status = in.getInt();
    }

    /** What is done at each channel, on its thread. */
    @FunctionalInterface
    public interface Visit<C> {
        /** Returns 0, or a negated {@link Errno} that ends the walk. */
        int visit(IoChannel<C> channel);
    }

    /** What is done at the end, on the thread that began. */
    @FunctionalInterface
    public interface Done {
        /** Takes the status of the last visit. */
        void done(int status);
    }
}
