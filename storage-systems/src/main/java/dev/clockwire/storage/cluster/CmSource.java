package dev.clockwire.storage.cluster;

import dev.clockwire.roce.cm.ConnectionManager;
import dev.clockwire.roce.verbs.CompletionQueue;

/** The connection manager of a device as a {@link Source}. */
final class CmSource extends Source {
    private final Worker worker;
    private final ConnectionManager manager;
    private boolean waiting;

    CmSource(Worker worker, ConnectionManager manager) {
        this.worker = worker;
        this.manager = manager;
    }

    @Override
    public int poll() {
        return manager.poll() ? 1 : 0;
    }

    @Override
    public long watchAddress() {
        return manager.cq().provider().watchAddress();
    }

    @Override
    public void arm() {
        CompletionQueue cq = manager.cq();
        if (!waiting) {
            waiting = true;
            cq.channel().cqEvent().whenDone(which -> {
                waiting = false;
                which.ackEvents(1);
                worker.ready(this);
            });
        }
        cq.reqNotify(false);
    }

    @Override
    public boolean isReady() {
        return manager.cq().hasCompletion();
    }

    @Override
    public boolean hasDeadlines() {
        return true;
    }

    @Override
    public long deadline() {
        return manager.nextDeadline();
    }
}
