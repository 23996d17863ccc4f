package dev.clockwire.storage.reactor;

/** A function that a thread calls from time to time, and in every poll while somebody waits for what it finds. On its thread only. */
public final class PacedPoller {
    private final Poller always;
    private final Poller seldom;
    private final long periodPs;
    private int waiting;

    /**
     * Makes its pollers, while a design is built.
     *
     * @param periodPs time between calls while nobody waits
     */
    public PacedPoller(StorageThread thread, String name, long periodPs, PollFunction function) {
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

    /** Begins to call. */
    public void start() {
        seldom.register(periodPs);
    }

    /** Calls no more, but for those who wait. */
    public void stop() {
        seldom.unregister();
    }

    /** Somebody waits. */
    public void hurry() {
        waiting++;
        if (always.state() == PollerState.UNREGISTERED) {
            always.register(0);
        }
    }

    /** Somebody waits no more. */
    public void relax() {
        waiting--;
    }
}
