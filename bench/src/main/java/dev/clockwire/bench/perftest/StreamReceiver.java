package dev.clockwire.bench.perftest;

import dev.clockwire.pcie.host.CpuCore;

/** The server of the SEND bandwidth test: takes completions and posts their receives again. */
final class StreamReceiver extends Program {
    private final int firstQpn;

    /** Creates the program and posts all receives. */
    StreamReceiver(PerftestSpec spec, Side side, Side peer) {
        super(spec, side, peer);
        firstQpn = side.qps.get(0).qpn();
        int queues = spec.tuning().sharedReceives() ? 1 : spec.qps();
        for (int q = 0; q < queues; q++) {
            for (int i = 0; i < spec.rxDepth(); i++) {
                postReceive(q);
            }
        }
    }

    @Override
    void turn(CpuCore core) {
        int n = poll(side.recvCq);
        for (int i = 0; i < n; i++) {
            postReceive(wc[i].qpNum - firstQpn);
        }
        if (n > 0) {
            core.wake();
        }
    }
}
