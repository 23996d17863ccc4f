package dev.clockwire.bench.nvmf;

import dev.clockwire.nic.lab.HostModel;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.perf.LocalSpec;
import dev.clockwire.storage.perf.LocalStack;
import dev.clockwire.storage.perf.PerfStack;
import java.util.List;

/** Builds what a load runs on. A further stack is a {@link PerfStack} and a line here. */
public final class Stacks {
    private Stacks() {}

    /**
     * Builds the stack of a run.
     *
     * @throws ConfigurationException if there is none of its kind
     */
    public static BuiltStack build(NvmfSpec spec) {
        return switch (spec.stack()) {
            case LOCAL -> new BuiltStack(local(spec), List.of());
            case SPDK, KERNEL_RDMA, KERNEL_TCP ->
                throw new ConfigurationException(
                        "--stack " + spec.stack() + ": there is no fabric yet, only SSDs of the same host: --local");
        };
    }

    private static PerfStack local(NvmfSpec s) {
        return new LocalStack(new LocalSpec(
                s.kernel(),
                s.payload(),
                HostModel.host(s.profile()),
                HostModel.cpu(s.profile()),
                s.cores(),
                s.ssds(),
                s.targets(),
                s.use()));
    }
}
