package dev.clockwire.bench.perftest;

import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.error.InvariantViolation;
import java.util.function.BooleanSupplier;

/** Idle hosts on which the caller has one operation run after the other: how fast the simulator is, not what it simulates. */
public final class OperationLoop {
    private static final long LIMIT_PS = 1_000_000_000_000L;

    private final Testbed bed;
    private final Client client;
    private final BooleanSupplier completed;

    /** Builds the hosts for a specification of one queue pair. */
    public OperationLoop(PerftestSpec spec) {
        bed = new Testbed(spec, 0);
        client = new Client(spec, bed.client, bed.server);
        completed = bed.client.sendCq::hasCompletion;
        if (spec.tool().verb() == Verb.SEND) {
            bed.server.lab.core().run(new StreamReceiver(spec, bed.server, bed.client));
        }
    }

    /**
     * Runs one operation from its post to its completion.
     *
     * @return simulated time from post to completion in ps
     */
    public long next() {
        Sim sim = bed.lab.sim();
        long start = sim.now();
        client.postOne();
        if (!sim.runUntil(completed, start + LIMIT_PS) || client.poll(bed.client.sendCq) != 1) {
            throw new InvariantViolation("", sim.now(), "the operation did not complete within 1 s");
        }
        return sim.now() - start;
    }

    private static final class Client extends Program {
        private long posted;

        Client(PerftestSpec spec, Side side, Side peer) {
            super(spec, side, peer);
        }

        void postOne() {
            begin();
            add(0, posted++, true);
            post(0);
        }

        @Override
        void turn(CpuCore core) {
            throw new InvariantViolation("the client of a loop has no core");
        }
    }
}
