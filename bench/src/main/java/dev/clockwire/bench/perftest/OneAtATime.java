package dev.clockwire.bench.perftest;

import dev.clockwire.pcie.host.CpuCore;

/** Posts one operation, waits for its completion, posts the next: the client of READ and atomic latency, and of a single look. */
final class OneAtATime extends Program {
    private final Recorder recorder;
    private long posted;
    private long postedPs;
    private boolean waiting;

    OneAtATime(PerftestSpec spec, Side side, Side peer, Recorder recorder) {
        super(spec, side, peer);
        this.recorder = recorder;
    }

    @Override
    void turn(CpuCore core) {
        if (waiting) {
            if (poll(side.sendCq) == 0) {
                return;
            }
            recorder.done(postedPs, core.now(), posted);
            waiting = false;
        }
        if (!recorder.wantsMore(posted, core.now())) {
            end(core);
            return;
        }
        postedPs = core.now();
        begin();
        add(0, posted, true);
        post(0);
        posted++;
        waiting = true;
        core.wake();
    }
}
