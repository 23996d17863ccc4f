package dev.clockwire.bench.perftest;

import dev.clockwire.bench.fault.FaultReport;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Notices that a run will not end well: a side failed, or its host crashed. Says what both sides saw. */
final class Ending {
    /** A connection gives up within this time, see {@link Progress}; so long a side may still find out that the other one is gone. */
    private static final long PATIENCE_PS = 3_000_000_000_000L;

    private static final long STRETCH_PS = 10_000_000_000L;

    private final Lab lab;
    private final Program client;
    private final @Nullable Program server;

    Ending(Lab lab, Program client, @Nullable Program server) {
        this.lab = lab;
        this.client = client;
        this.server = server;
    }

    /**
     * Looks whether the run can go on.
     *
     * @throws ConfigurationException if it cannot, with what both sides saw
     */
    void check() {
        boolean crashed = lab.a().core().isHalted();
        if (client.failure() == null && (server == null || server.failure() == null) && !crashed) {
            return;
        }
        long until = lab.sim().now() + PATIENCE_PS;
        while (server != null
                && lab.sim().now() < until
                && (isOpen(client, crashed) || isOpen(server, lab.b().core().isHalted()))) {
            lab.sim().run(lab.sim().now() + STRETCH_PS);
        }
        String faults =
                FaultReport.of(lab.faults()).stream().map(FaultReport::line).collect(Collectors.joining("; "));
        throw new ConfigurationException(
                "",
                lab.sim().now(),
                "client: " + text(client, crashed) + "; server: "
                        + (server == null
                                ? "has no program"
                                : text(server, lab.b().core().isHalted()))
                        + (faults.isEmpty() ? "" : ". " + faults));
    }

    private static boolean isOpen(Program program, boolean crashed) {
        return program.failure() == null && program.endPs() < 0 && !crashed;
    }

    private static String text(Program program, boolean crashed) {
        String failure = program.failure();
        if (crashed) {
            return "crashed";
        }
        return failure != null ? failure : program.endPs() < 0 ? "waits, nothing under way" : "has ended";
    }
}
