package dev.clockwire.bench.nvmf;

import dev.clockwire.bench.artefact.RunFiles;
import dev.clockwire.bench.perftest.Provider;
import dev.clockwire.nic.lab.HostModel;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.storage.hoststack.HostStackSpec;
import dev.clockwire.storage.hoststack.KernelRdmaStack;
import dev.clockwire.storage.hoststack.KernelStack;
import dev.clockwire.storage.hoststack.KernelTcpStack;
import dev.clockwire.storage.nvmf.initiator.InitiatorSpec;
import dev.clockwire.storage.nvmf.initiator.SubsystemAddress;
import dev.clockwire.storage.nvmf.lab.NvmfLabSpec;
import dev.clockwire.storage.nvmf.subsystem.TransportSpec;
import dev.clockwire.storage.perf.FabricStack;
import dev.clockwire.storage.perf.LocalSpec;
import dev.clockwire.storage.perf.LocalStack;
import dev.clockwire.storage.perf.PerfStack;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Builds what a load runs on. A further stack is a {@link PerfStack} and a line here. */
public final class Stacks {
    private static final Map<String, String> NEEDED =
            new TreeMap<>(Map.of("nic.nvmf.contexts", "128", "nic.dm.bytes", "4194304", "pcie.switch", "gen5"));

    /** Where targets are. */
    private static final String ADDRESS = "10.0.0.2";

    private Stacks() {}

    /**
     * Builds the stack of a run.
     *
     * @throws ConfigurationException if there is none of its kind
     */
    public static BuiltStack build(NvmfSpec spec) {
        return switch (spec.stack()) {
            case LOCAL -> local(spec, null);
            case SPDK -> spdk(spec, TransportSpec.rdma());
            case OFFLOAD -> spdk(spec, TransportSpec.rdma().withOffload(true).withOffloadMemory(spec.offloadMemory()));
            case KERNEL_TCP -> kernel(new KernelTcpStack(kernel(spec)));
            case KERNEL_RDMA -> kernel(new KernelRdmaStack(kernel(spec)));
        };
    }

    /** What the offload needs of the hardware, unless something else is said: places for its commands and capsules, and a switch between NIC and SSDs. */
    public static Profile offloading(Profile p, List<String> typed) {
        Profile to = p;
        for (Map.Entry<String, String> e : NEEDED.entrySet()) {
            to = typed.contains(e.getKey()) ? to : to.with(e.getKey(), e.getValue());
        }
        return to;
    }

    private static BuiltStack spdk(NvmfSpec s, TransportSpec transport) {
        LabSpec lab = new LabSpec(s.kernel(), s.payload(), s.stamps())
                .withSoft(s.provider().soft());
        NvmfLabSpec usual = NvmfLabSpec.spdk(s.profile(), lab, s.ssds());
        NvmfLabSpec spec = usual.withCores(s.cores(), s.cores())
                .withTransport(transport)
                .withLayer(usual.layer().withHandOver(s.handOver()))
                .withReactors(usual.reactors().withAdaptive(s.adaptive()));
        InitiatorSpec host = spec.initiator()
                .withCapsules(spec.initiator().inCapsule(), s.use().delayed());
        spec = spec.withInitiator(s.keepAliveMs() < 0 ? host : host.withKeepAlive(s.keepAliveMs()));
        FabricStack stack = new FabricStack(
                spec,
                s.use(),
                s.transports().isEmpty() ? null : where(s.transports().get(0), s.stack()),
                s.transports().isEmpty() ? 0 : namespace(s.transports().get(0)));
        return built(stack, stack.lab().lab());
    }

    /**
     * Returns where a transport id says that the subsystem is.
     *
     * @throws ConfigurationException if that is no address
     */
    public static SubsystemAddress where(TransportId t, StackKind stack) {
        String address = t.value("traddr");
        String service = t.value("trsvcid");
        String nqn = t.value("subnqn");
        return new SubsystemAddress(
                address.isEmpty() ? ADDRESS : address,
                service.isEmpty() ? SubsystemAddress.PORT : number(service),
                nqn.isEmpty() ? subsystem(stack) : nqn);
    }

    /** Returns the name of the one subsystem that the target of a stack has. */
    public static String subsystem(StackKind stack) {
        return stack.hasReactors() ? NvmfLabSpec.SUBSYSTEM : KernelStack.NQN;
    }

    /** Returns the namespace that a transport id names, 0 for all. */
    private static int namespace(TransportId t) {
        return t.value("ns").isEmpty() ? 0 : number(t.value("ns"));
    }

    private static int number(String service) {
        try {
            return Integer.parseInt(service);
        } catch (NumberFormatException e) {
            throw new ConfigurationException("trsvcid '" + service + "' is not in 1..65535");
        }
    }

    private static BuiltStack kernel(KernelStack stack) {
        return built(stack, stack.lab());
    }

    private static BuiltStack built(PerfStack stack, Lab lab) {
        return new BuiltStack(
                stack,
                List.of(lab.a(), lab.b()),
                List.of(
                        new RunFiles.Port(lab.a().name(), lab.endOfA()),
                        new RunFiles.Port(lab.b().name(), lab.endOfB())));
    }

    private static HostStackSpec kernel(NvmfSpec s) {
        if (s.ssds().size() != 1) {
            throw new ConfigurationException("--ssds " + s.ssds().size() + ": a target in the kernel has one SSD here");
        }
        if (s.payload() != PayloadMode.BYTES || s.provider() != Provider.HW) {
            throw new ConfigurationException("--stack " + s.stack() + ": stacks in the kernel carry bytes, through"
                    + " simulated hardware: neither --payload sizes nor --provider soft");
        }
        s.transports().forEach(t -> reachable(s.stack(), t));
        return new HostStackSpec(
                        s.kernel(),
                        s.profile(),
                        s.cores(),
                        s.ssds().get(0),
                        s.use().depth(),
                        s.use().queuePairs())
                .withEntries(Math.min(HostStackSpec.MOST_ENTRIES, s.use().entries()))
                .withJourneys(s.stamps());
    }

    private static void reachable(StackKind stack, TransportId t) {
        if (!where(t, stack).address().equals(ADDRESS) || where(t, stack).service() != SubsystemAddress.PORT) {
            throw new ConfigurationException("-r: --stack " + stack + " has its target at traddr:" + ADDRESS
                    + " trsvcid:" + SubsystemAddress.PORT);
        }
    }

    /** Builds local SSDs; {@code stores} makes what they hold, null for zeros in memory. */
    public static BuiltStack local(NvmfSpec s, LocalStack.@Nullable Stores stores) {
        LocalSpec spec = new LocalSpec(
                s.kernel(),
                s.payload(),
                HostModel.host(s.profile()),
                HostModel.cpu(s.profile()),
                s.cores(),
                s.ssds(),
                s.targets(),
                s.use());
        return new BuiltStack(
                stores == null ? new LocalStack(spec) : new LocalStack(spec, stores), List.of(), List.of());
    }
}
