package dev.clockwire.bench.live;

import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.lab.SoloLab;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.Context;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.wire.PortAddress;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.mem.AddressSpace;
import java.util.function.Consumer;

/** A host of a {@link SoloLab}, with the NIC in cycles or the software device. */
final class LabStation implements Station {
    private final SoloLab lab;
    private final PortAddress address;

    LabStation(Profile profile, LabSpec spec, PortAddress address, SoloLab.Peer gateway, Consumer<LabHost> parts) {
        this.address = address;
        lab = SoloLab.of(profile, spec, address, gateway, parts);
    }

    @Override
    public Sim sim() {
        return lab.sim();
    }

    @Override
    public Context context() {
        return lab.host().context();
    }

    @Override
    public Host host() {
        return lab.host().host();
    }

    @Override
    public AddressSpace memory() {
        return lab.host().host().memory();
    }

    @Override
    public PortAddress address() {
        return address;
    }

    @Override
    public void learn(Gid gid, long mac) {
        lab.neighbours().add(gid, mac);
    }

    @Override
    public <T> T await(Completion<T> verb) {
        return lab.await(verb);
    }
}
