package dev.clockwire.roce.fabric.host;

import dev.clockwire.roce.congestion.NotificationPacing;
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
        long at = pacing(flow).marked(now, spec.cnpPs());
        if (at == now) {
            due(place);
        } else if (at != NotificationPacing.TOLD) {
            events.send(at, WINDOW, place, 0);
        }
    }

    private NotificationPacing pacing(ReceiveFlow flow) {
        return spec.cnpPerPort() ? port.pacing : flow.pacing;
    }

    private void windowOver(int place) {
        pacing(host.receivingAt(place)).told(host.now(), spec.cnpPs());
        due(place);
    }

    private void due(int place) {
        events.send(host.now() + Math.max(1, spec.cnpLatencyPs()), SEND, place, 0);
    }
}
