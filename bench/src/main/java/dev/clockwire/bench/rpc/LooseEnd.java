package dev.clockwire.bench.rpc;

import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/** The far end of a line that leads nowhere: what arrives is lost. */
final class LooseEnd extends SimNode {
    private final EventPort line;

    LooseEnd(Scope parent) {
        super(parent, "looseEnd");
        line = new EventPort(this, "line") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {}
        };
    }

    EventPort line() {
        return line;
    }
}
