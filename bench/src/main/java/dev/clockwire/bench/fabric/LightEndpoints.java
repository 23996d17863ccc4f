package dev.clockwire.bench.fabric;

import dev.clockwire.roce.fabric.host.Flow;
import dev.clockwire.roce.fabric.host.LightHost;
import dev.clockwire.roce.fabric.net.Network;
import dev.clockwire.roce.fabric.net.NetworkSpec;
import dev.clockwire.roce.fabric.net.Wiring;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import java.util.ArrayList;
import java.util.List;

/** Hosts that are traffic only. */
final class LightEndpoints implements Endpoints {
    private final List<Sim> parts = new ArrayList<>();
    private final Network network;

    LightEndpoints(NetworkSpec spec, SimSpec kernel, int threads) {
        List<Scope> roots = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Sim sim = new Sim(kernel);
            parts.add(sim);
            roots.add(sim.root());
        }
        network = new Network(roots, spec);
        network.register(parts.get(0).stats());
        parts.forEach(Sim::elaborate);
        network.start();
    }

    @Override
    public List<Sim> parts() {
        return parts;
    }

    @Override
    public Wiring wiring() {
        return network.wiring();
    }

    @Override
    public List<? extends Flow> flows() {
        return network.flows();
    }

    @Override
    public long beginPs() {
        return 0;
    }

    @Override
    public long notifications() {
        return network.hosts().stream().mapToLong(LightHost::notificationsTaken).sum();
    }

    @Override
    public long dataPackets() {
        return network.hosts().stream().mapToLong(LightHost::dataSent).sum();
    }

    @Override
    public String failure(Flow flow) {
        return "retry-exceeded";
    }
}
