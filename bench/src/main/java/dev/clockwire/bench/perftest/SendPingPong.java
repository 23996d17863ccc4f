package dev.clockwire.bench.perftest;

import dev.clockwire.pcie.host.CpuCore;
import org.jspecify.annotations.Nullable;

/** One side of the SEND latency test: takes the completion of its own message, then waits for the other's. */
final class SendPingPong extends Program {
    private final @Nullable Recorder recorder;
    /** When the message of each round was seen here. */
    final LongList seen = new LongList(1024);

    private Wait wait;
    private long sent;
    private long postedPs;
    private long looked;

    private enum Wait {
        NOTHING,
        COMPLETION,
        MESSAGE
    }

    /** Creates the client if it has a recorder, else the server; posts the receives. */
    SendPingPong(PerftestSpec spec, Side side, Side peer, @Nullable Recorder recorder) {
        super(spec, side, peer);
        this.recorder = recorder;
        wait = recorder == null ? Wait.MESSAGE : Wait.NOTHING;
        for (int i = 0; i < spec.rxDepth(); i++) {
            postReceive(0);
        }
    }

    @Override
    void turn(CpuCore core) {
        switch (wait) {
            case COMPLETION -> {
                if (poll(side.sendCq) > 0) {
                    wait = Wait.MESSAGE;
                    core.wake();
                }
            }
            case MESSAGE -> {
                long start = core.now();
                if (poll(side.recvCq) == 0) {
                    looked = start;
                } else {
                    seen.add(core.now());
                    seen(core, recorder == null ? 1 : 2, seen.size(), looked, start);
                    if (recorder != null) {
                        recorder.done(postedPs, core.now(), sent);
                    }
                    postReceive(0);
                    next(core);
                }
            }
            case NOTHING -> next(core);
        }
    }

    private void next(CpuCore core) {
        if (recorder != null && !recorder.wantsMore(sent, core.now())) {
            end(core);
            return;
        }
        postedPs = core.now();
        begin();
        add(0, sent, true);
        post(0);
        sent++;
        wait = Wait.COMPLETION;
        core.wake();
    }
}
