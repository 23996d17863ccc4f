package dev.clockwire.storage.nvmf.initiator;

import dev.clockwire.storage.reactor.PollFunction;
import dev.clockwire.storage.reactor.Poller;
import dev.clockwire.storage.reactor.PollerState;
import dev.clockwire.storage.reactor.StorageThread;

/** A function that a thread calls from time to time, and in every poll while somebody waits for what it finds. On its thread only. */
final class PacedPoller {
    private final Poller always;
    private final Poller seldom;
    private final long periodPs;
    private int waiting;

    PacedPoller(StorageThread thread, String name, long periodPs, PollFunction function) {
        this.periodPs = periodPs;
        seldom = thread.poller(name, function);
        always = thread.poller(name + ".now", self -> {
            int rc = function.poll(self);
            if (waiting == 0) {
                self.unregister();
                return 1;
            }
            return rc;
        });
    }

    void start() {
        seldom.register(periodPs);
    }

    /** Somebody waits. */
    void hurry() {
        waiting++;
        if (always.state() == PollerState.UNREGISTERED) {
            always.register(0);
        }
    }

    /** Somebody waits no more. */
    void relax() {
        waiting--;
    }

    void stop() {
        seldom.unregister();
    }
}
