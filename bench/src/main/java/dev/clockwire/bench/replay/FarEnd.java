package dev.clockwire.bench.replay;

import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The replayer's end of a simulated host's line: keeps what comes, sends what it is given. */
final class FarEnd extends SimNode {
    private final LinkEnd end;
    private List<RocePacket> arrived = new ArrayList<>();

    FarEnd(Scope root, LinkEnd end) {
        super(root, "replayer");
        this.end = end;
        end.attach(new EventPort(this, "line") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                if (token instanceof RocePacket packet) {
                    RocePacket copy = new RocePacket();
                    copy.set(packet);
                    arrived.add(copy);
                }
            }
        });
    }

    void send(RocePacket packet) {
        end.transmit(now(), packet);
    }

    boolean hasArrived() {
        return !arrived.isEmpty();
    }

    List<RocePacket> take() {
        List<RocePacket> all = arrived;
        arrived = new ArrayList<>();
        return all;
    }
}
