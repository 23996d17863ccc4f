package dev.clockwire.bench.fabric;

import dev.clockwire.nic.lab.FabricLab;
import dev.clockwire.nic.lab.LabFlow;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.roce.fabric.host.Flow;
import dev.clockwire.roce.fabric.net.NetworkSpec;
import dev.clockwire.roce.fabric.net.Wiring;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Hosts with whole NICs, or with the software device. */
final class DeviceEndpoints implements Endpoints {
    private final FabricLab lab;

    /** Builds hosts that keep so many stamps of what their operations pass. */
    DeviceEndpoints(
            Function<String, Profile> profiles, @Nullable SoftSpec soft, FabricJob job, SimSpec kernel, int stamps) {
        NetworkSpec spec = job.network();
        DeviceTerms own = job.devices();
        LabSpec how =
                new LabSpec(kernel, PayloadMode.SIZES, stamps).withSoft(soft).withFaults(own.faults());
        lab = FabricLab.of(
                host -> own.of(profiles.apply(host), host),
                how,
                spec.plan(),
                spec.flows(),
                host -> HostParameters.terms(job, host));
    }

    @Override
    public List<Sim> parts() {
        return List.of(lab.sim());
    }

    @Override
    public Wiring wiring() {
        return lab.wiring();
    }

    @Override
    public List<? extends Flow> flows() {
        return lab.flows();
    }

    @Override
    public long beginPs() {
        return lab.beginPs();
    }

    @Override
    public long notifications() {
        return lab.notifications();
    }

    @Override
    public long dataPackets() {
        return lab.dataPackets();
    }

    @Override
    public String failure(Flow flow) {
        WcStatus status = flow instanceof LabFlow device ? device.failure() : null;
        return status == null || status == WcStatus.RETRY_EXC_ERR
                ? "retry-exceeded"
                : status.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
