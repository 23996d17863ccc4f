package dev.clockwire.roce.fabric.host;

import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;

/**
 * The notification point of a host: the first mark sends a notification, then one an interval if marks came in it. The interval is a
 * flow's own, or one for the port.
 */
final class Notifier {
    private static final int SEND = 0;
    private static final int WINDOW = 1;

    private final LightHost host;
    private final LightSpec spec;
    private final EventPort events;
    private final HostState port;

    Notifier(LightHost host, LightSpec spec, HostState port) {
        this.host = host;
        this.spec = spec;
        this.port = port;
        events = new EventPort(host, "notifier") {
            @Override
            protected void event(int kind, long place, long unused, @Nullable Token token) {
                if (kind == SEND) {
                    host.sendNotification((int) place);
                } else {
                    windowOver((int) place);
                }
            }
        };
    }

    /** A packet of a flow came marked. */
    void marked(ReceiveFlow flow, int place) {
        long now = host.now();
        long next = spec.cnpPerPort() ? port.cnpAt : flow.cnpAt;
        boolean pending = spec.cnpPerPort() ? port.cnpPending >= 0 : flow.cnpPending;
        if (pending) {
            return;
        }
        if (now >= next) {
            due(flow, place);
            return;
        }
        if (spec.cnpPerPort()) {
            port.cnpPending = place;
        } else {
            flow.cnpPending = true;
        }
        events.send(next, WINDOW, place, 0);
    }

    private void windowOver(int place) {
        ReceiveFlow flow = host.receivingAt(place);
        if (spec.cnpPerPort()) {
            port.cnpPending = -1;
        } else {
            flow.cnpPending = false;
        }
        due(flow, place);
    }

    private void due(ReceiveFlow flow, int place) {
        long now = host.now();
        if (spec.cnpPerPort()) {
            port.cnpAt = now + spec.cnpPs();
        } else {
            flow.cnpAt = now + spec.cnpPs();
        }
        events.send(now + Math.max(1, spec.cnpLatencyPs()), SEND, place, 0);
    }
}
