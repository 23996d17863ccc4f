package dev.clockwire.storage.bdev;

import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.storage.reactor.Poller;
import dev.clockwire.storage.reactor.StorageThread;

/** I/Os that a poller of the channel ends, each not before its time; of one queue in the order they came. */
final class DoneQueue implements ModuleChannel {
    private final IoQueue[] queues;
    private final Poller poller;

    DoneQueue(StorageThread thread, String name, int queues) {
        this.queues = new IoQueue[queues];
        for (int i = 0; i < queues; i++) {
            this.queues[i] = new IoQueue();
        }
        poller = thread.poller(name, this::poll);
        poller.register(0);
    }

    void add(int queue, BdevIo io, long atPs, BdevStatus how) {
        io.at = atPs;
        io.status = how;
        queues[queue].addLast(io);
    }

    private int poll(Poller self) {
        CpuCore core = self.cpu();
        long start = core.now() - core.stepPs();
        int n = 0;
        for (IoQueue q : queues) {
            for (int left = q.count(); left > 0 && q.first().at <= start; left--) {
                BdevIo io = q.removeFirst();
                io.complete(io.status);
                n++;
            }
        }
        if (n == 0) {
            self.quiet();
            for (IoQueue q : queues) {
                if (!q.isEmpty()) {
                    self.quietUntil(q.first().at);
                }
            }
        }
        return n;
    }

    @Override
    public void close() {
        poller.unregister();
    }
}
