package dev.clockwire.storage.app;

import dev.clockwire.storage.reactor.Poller;
import dev.clockwire.storage.reactor.StorageThread;
import dev.clockwire.storage.rpc.JsonValue;
import dev.clockwire.storage.rpc.RpcDispatcher;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Serves requests on a thread: they wait in order until its poller looks for them, which takes one at a time. */
final class RpcServer {
    private final RpcDispatcher dispatcher;
    private final RpcSpec spec;
    private final Poller poller;
    private final ArrayDeque<Waiting> requests = new ArrayDeque<>();
    private final List<Until> conditions = new ArrayList<>();

    private record Until(BooleanSupplier condition, Runnable then) {}

    private record Waiting(JsonValue request, Consumer<@Nullable JsonValue> done) {}

    RpcServer(StorageThread thread, RpcDispatcher dispatcher, RpcSpec spec) {
        this.dispatcher = dispatcher;
        this.spec = spec;
        poller = thread.poller("rpc_subsystem_poll_servers", this::poll);
        poller.register(spec.pollPs());
    }

    /** Lets a request wait; between two stretches of simulated time. */
    void submit(JsonValue request, Consumer<@Nullable JsonValue> done) {
        requests.add(new Waiting(request, done));
    }

    /** Does something at the first look at which a condition holds: in this one if it holds now. */
    void when(BooleanSupplier condition, Runnable then) {
        if (condition.getAsBoolean()) {
            then.run();
        } else {
            conditions.add(new Until(condition, then));
        }
    }

    private boolean settle() {
        boolean any = false;
        for (int i = 0; i < conditions.size(); i++) {
            Until u = conditions.get(i);
            if (u.condition.getAsBoolean()) {
                conditions.remove(i--);
                u.then.run();
                any = true;
            }
        }
        return any;
    }

    private int poll(Poller p) {
        boolean settled = settle();
        Waiting w = requests.poll();
        if (w == null) {
            p.cpu().charge(spec.emptyPs());
            return settled ? 1 : 0;
        }
        p.cpu().charge(spec.requestPs());
        dispatcher.handle(w.request, w.done);
        return 1;
    }
}
