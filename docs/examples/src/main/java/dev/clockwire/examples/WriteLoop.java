package dev.clockwire.examples;

import dev.clockwire.pcie.host.CoreProgram;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.stats.Histogram;

/** Writes to the peer again and again, one WRITE at a time, and measures each from post to poll. */
final class WriteLoop implements CoreProgram {
    private final Peer self;
    private final Peer peer;
    private final int bytes;
    private final Histogram latency;
    private final SendBatch batch = new SendBatch(1, 1);
    private final WorkCompletion[] done = WorkCompletion.array(1);
    private int left;
    private long postedPs = -1;

    WriteLoop(Peer self, Peer peer, int bytes, int count, Histogram latency) {
        this.self = self;
        this.peer = peer;
        this.bytes = bytes;
        this.latency = latency;
        left = count;
    }

    boolean finished() {
        return left == 0;
    }

    @Override
    public void step(CpuCore core) {
        if (postedPs >= 0) {
            if (self.cq().poll(done) == 0) {
                self.host().idleUntil(self.cq());
                return;
            }
            latency.record(core.now() - postedPs);
            left--;
        }
        if (left > 0) {
            postedPs = core.now();
            post();
            core.wake();
        }
    }

    private void post() {
        batch.clear();
        self.prepare(batch.add(), WrOpcode.RDMA_WRITE, bytes, peer);
        self.qp().postSend(batch);
    }
}
