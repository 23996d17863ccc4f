package dev.clockwire.nic.driver;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.state.Token;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The control path: commands are carried out one after another, each some time after it was given. */
final class CommandQueue extends SimNode {
    /** Time of a firmware command: a round figure of the right size, set-up only. */
    private static final long COMMAND_PS = 1_000_000;

    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private final EventPort done;
    private final ContextTable table;
    private long free;

    CommandQueue(Scope parent, String name, ContextTable table) {
        super(parent, name);
        this.table = table;
        done = new EventPort(this, "done") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                waiting.removeFirst().run();
            }
        };
    }

    /** Carries out a command behind those given before. */
    void submit(Runnable command) {
        submit(0, now(), command);
    }

    /** Carries out a command that takes longer than others, and that a core gives at a time. */
    void submit(long extraPs, long atPs, Runnable command) {
        free = Math.max(free, Math.max(now(), atPs)) + COMMAND_PS + extraPs;
        waiting.addLast(command);
        done.send(free, 0, 0, 0);
    }

    @Override
    protected @Nullable String snapshotBlocker() {
        if (!waiting.isEmpty()) {
            return waiting.size() + " control verbs have not ended";
        }
        int qps = table.qpCount();
        return qps == 0 ? null : "the driver's rings of " + qps + " queue pairs are program state that is not recorded";
    }
}
