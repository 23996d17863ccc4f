package dev.clockwire.storage.threefs.mgmtd;

import dev.clockwire.storage.cluster.Node;
import dev.clockwire.storage.threefs.rpc.Message;
import dev.clockwire.storage.threefs.rpc.Method;
import dev.clockwire.storage.threefs.rpc.RpcNet;
import dev.clockwire.storage.threefs.rpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What an incarnation of a node knows of the chains; asks the manager when that seems to be old. */
public final class RoutingCache {
    private final Node manager;
    private final RpcNet net;
    private final ThreeFsTimes times;
    private final Runnable changed;
    private final List<Consumer<Boolean>> waiting = new ArrayList<>();
    private Routing routing = Routing.NONE;
    private boolean asking;

    /**
     * Knows nothing yet.
     *
     * @param changed runs whenever something newer was learned
     */
    public RoutingCache(Node manager, RpcNet net, ThreeFsTimes times, Runnable changed) {
        this.changed = changed;
        this.manager = manager;
        this.net = net;
        this.times = times;
    }

    /** Returns what is known. */
    public Routing routing() {
        return routing;
    }

    /** Takes what an answer of the manager carries; returns whether that is newer. */
    public boolean learn(Message answer) {
        if (answer.status != Status.OK || answer.dataLength == 0 || answer.sequence <= routing.version()) {
            return false;
        }
        routing = Routing.from(answer);
        changed.run();
        return true;
    }

    /** Asks the manager; {@code then} runs when it has answered, or does not. */
    public void refresh(Runnable then) {
        ask(known -> then.run());
    }

    /** Asks the manager; {@code then} is told whether it has answered. */
    public void ask(Consumer<Boolean> then) {
        waiting.add(then);
        if (asking) {
            return;
        }
        asking = true;
        Message m = new Message();
        m.method = Method.ROUTING;
        m.sequence = routing.version();
        net.to(manager).call(m, times.rpc(), answer -> {
            asking = false;
            learn(answer);
            List<Consumer<Boolean>> now = new ArrayList<>(waiting);
            waiting.clear();
            now.forEach(one -> one.accept(answer.status == Status.OK));
        });
    }
}
