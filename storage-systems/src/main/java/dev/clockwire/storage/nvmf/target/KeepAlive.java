package dev.clockwire.storage.nvmf.target;

import dev.clockwire.storage.reactor.Poller;
import dev.clockwire.storage.reactor.PollerState;
import dev.clockwire.storage.reactor.StorageThread;
import org.jspecify.annotations.Nullable;

/** Looks, once in each keep-alive time, whether a host has been heard of within it. */
final class KeepAlive {
    private static final long PS_PER_MS = 1_000_000_000L;

    /** So long a host may take from its Connect to enabling the controller: SPDK's. */
    private static final long ASSOCIATION_PS = 120_000 * PS_PER_MS;

    private final Poller poller;
    private final Poller association;
    private @Nullable Controller of;
    private long periodPs;
    private long heardPs;

    KeepAlive(StorageThread thread) {
        poller = thread.poller("nvmf_ctrlr_keep_alive", this::poll);
        association = thread.poller("nvmf_ctrlr_association", self -> {
            self.unregister();
            Controller c = of;
            if (c != null) {
                c.neverEnabled();
            }
            return 1;
        });
    }

    boolean isFree() {
        return of == null;
    }

    void start(Controller controller) {
        of = controller;
    }

    /** Sets the time, 0 for none. */
    void set(long ms) {
        if (periodPs != 0) {
            poller.unregister();
        }
        periodPs = ms * PS_PER_MS;
        heard();
        if (periodPs != 0) {
            poller.register(periodPs);
        }
    }

    /** The host is alive. */
    void heard() {
        heardPs = poller.thread().reactor().reactors().now();
    }

    /** The host has connected; it has to enable the controller in time. */
    void awaitEnabled() {
        association.register(ASSOCIATION_PS);
    }

    void enabled() {
        if (association.state() == PollerState.WAITING) {
            association.unregister();
        }
    }

    private int poll(Poller self) {
        Controller c = of;
        if (c != null && self.cpu().now() > heardPs + periodPs) {
            c.expired();
            return 1;
        }
        return 0;
    }

    void stop() {
        if (of != null) {
            set(0);
            enabled();
            of = null;
        }
    }
}
