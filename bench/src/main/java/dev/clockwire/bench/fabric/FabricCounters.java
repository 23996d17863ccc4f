package dev.clockwire.bench.fabric;

import dev.clockwire.bench.artefact.DeviceCounters;
import dev.clockwire.roce.fabric.Link;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.fabric.bridge.FabricSwitch;
import dev.clockwire.roce.fabric.net.Wiring;
import dev.clockwire.sim.stats.StatRegistry;
import java.util.ArrayList;
import java.util.List;

/** What hosts and the ports of switches have counted, where people look for it. */
final class FabricCounters {
    private FabricCounters() {}

    static List<DeviceCounters> of(Endpoints endpoints) {
        Wiring wiring = endpoints.wiring();
        StatRegistry stats = endpoints.stats();
        List<DeviceCounters> all = new ArrayList<>();
        List<String> hosts = wiring.plan().topology().hosts();
        for (int i = 0; i < hosts.size(); i++) {
            LinkEnd own = wiring.hostEnd(i);
            Link link = wiring.hostLink(i);
            LinkEnd facing = link.a().equals(own) ? link.b() : link.a();
            all.add(DeviceCounters.host(stats, hosts.get(i), own.framesSent(), facing.framesPassed()));
        }
        for (FabricSwitch bridge : wiring.switches()) {
            for (int port = 0; port < bridge.ports(); port++) {
                all.add(DeviceCounters.port(stats, bridge.path() + ".port" + port));
            }
        }
        return all;
    }
}
