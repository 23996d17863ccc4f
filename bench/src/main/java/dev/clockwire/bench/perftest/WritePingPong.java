package dev.clockwire.bench.perftest;

import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.AddressSpace;
import org.jspecify.annotations.Nullable;

/**
 * One side of the WRITE latency test. Both write to each other in turn; a side sees the other's message by the last byte of
 * its buffer, which counts the messages, and takes the completion of its own before it looks.
 */
final class WritePingPong extends Program {
    private final @Nullable Recorder recorder;
    /** When the message of each round was seen here. */
    final LongList seen = new LongList(1024);

    private Wait wait;
    private long sent;
    private long received;
    private long postedPs;
    private long looked;

    private enum Wait {
        NOTHING,
        COMPLETION,
        MESSAGE
    }

    /** Creates the client if it has a recorder, else the server. */
    WritePingPong(PerftestSpec spec, Side side, Side peer, @Nullable Recorder recorder) {
        super(spec, side, peer);
        this.recorder = recorder;
        wait = recorder == null ? Wait.MESSAGE : Wait.NOTHING;
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
            case MESSAGE -> look(core);
            case NOTHING -> next(core);
        }
    }

    private void look(CpuCore core) {
        long flag = side.recvAddress(0) + spec.size() - 1;
        long start = core.now();
        core.charge(HostCost.POLL, 1);
        if (core.memory().getByte(flag) != (byte) (received + 1)) {
            looked = start;
            core.idle(flag, 1);
            return;
        }
        core.charge(HostCost.CACHE_MISS, 1);
        received++;
        seen.add(core.now());
        seen(core, recorder == null ? 1 : 2, received, looked, start);
        if (recorder != null) {
            recorder.done(postedPs, core.now(), sent);
        }
        next(core);
    }

    private void next(CpuCore core) {
        if (recorder != null && !recorder.wantsMore(sent, core.now())) {
            end(core);
            return;
        }
        postedPs = core.now();
        AddressSpace memory = core.memory();
        memory.putByte(side.sendAddress(0) + spec.size() - 1, (byte) (sent + 1));
        begin();
        add(0, sent, true);
        post(0);
        sent++;
        wait = Wait.COMPLETION;
        core.wake();
    }
}
