package dev.clockwire.bench.perftest;

import dev.clockwire.pcie.host.CpuCore;
import org.jspecify.annotations.Nullable;

/** Posts one operation, waits for its completion, posts the next: the client of READ and atomic latency, and of a single look. */
final class OneAtATime extends Program {
    private static final long NOTHING = -1;

    private final Recorder recorder;
    private final @Nullable OwnRegion own;
    private long posted;
    private long begunPs = NOTHING;
    private boolean waiting;

    OneAtATime(PerftestSpec spec, Side side, Side peer, Recorder recorder) {
        super(spec, side, peer);
        this.recorder = recorder;
        own = spec.buffers() == BufferKind.EACH ? new OwnRegion(side, Math.max(1, spec.size())) : null;
    }

    @Override
    void turn(CpuCore core) {
        if (waiting) {
            if (poll(side.sendCq) == 0) {
                return;
            }
            recorder.done(begunPs, core.now(), posted);
            waiting = false;
            begunPs = NOTHING;
            if (own != null) {
                own.release(core);
            }
        }
        if (own != null && own.isBusy()) {
            return;
        }
        if (!recorder.wantsMore(posted, core.now())) {
            end(core);
            return;
        }
        begunPs = begunPs == NOTHING ? core.now() : begunPs;
        if (own != null && !own.isThere(core)) {
            return;
        }
        begin();
        add(0, posted, true);
        post(0);
        posted++;
        waiting = true;
        core.wake();
    }

    @Override
    int localKey(boolean receives) {
        return own == null ? super.localKey(receives) : own.lkey();
    }
}
