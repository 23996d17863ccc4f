package dev.clockwire.roce.fabric.net;

import dev.clockwire.roce.fabric.host.FlowSpec;
import dev.clockwire.roce.fabric.host.LightFrame;
import dev.clockwire.roce.fabric.host.LightHost;
import dev.clockwire.roce.fabric.host.SendFlow;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.state.Pool;
import dev.clockwire.sim.stats.StatRegistry;
import java.util.ArrayList;
import java.util.List;

/** A fabric of light endpoints, built. */
public final class Network {
    private final NetworkSpec spec;
    private final Wiring wiring;
    private final List<LightHost> hosts = new ArrayList<>();
    private final List<SendFlow> flows = new ArrayList<>();

    /** Builds a fabric below a scope; to be elaborated by the caller, who then calls {@link #start}. */
    public Network(Scope parent, NetworkSpec spec) {
        this(List.of(parent), spec);
    }

    /**
     * Builds a fabric in several parts, each a simulation of its own; see {@link Wiring#inboxes}.
     *
     * @param parents the root of each part
     */
    public Network(List<Scope> parents, NetworkSpec spec) {
        this.spec = spec;
        wiring = new Wiring(parents, spec.plan());
        List<Pool<LightFrame>> frames = new ArrayList<>();
        parents.forEach(p -> frames.add(new Pool<>(LightFrame::new)));
        for (int i = 0; i < wiring.hostCount(); i++) {
            String name = spec.topology().hosts().get(i);
            int part = wiring.partOf(i);
            hosts.add(new LightHost(
                    parents.get(part),
                    name,
                    i,
                    spec.light(name),
                    wiring.hostEnd(i),
                    wiring.bridgeBeside(i).pause().expires(),
                    frames.get(part),
                    wiring.pauses(part)));
            LldpAgent agent = wiring.hostAgent(i);
            if (agent != null && !wiring.bridgeBeside(i).pause().wholeLink()) { // those are not agreed on
                agent.tells(hosts.get(i).settings(), 0, 0);
            }
        }
        for (FlowSpec flow : spec.flows()) {
            wiring.reachable("flow " + flow.name(), flow.src(), flow.dst());
            flows.add(LightHost.join(flow, hosts.get(flow.src()), hosts.get(flow.dst())));
        }
    }

    /** Shows what switches and hosts have done, in one registry for all parts. */
    public void register(StatRegistry stats) {
        wiring.register(stats);
        hosts.forEach(h -> h.register(stats));
    }

    /** Schedules the flows; to be called once, after elaboration. */
    public void start() {
        wiring.start();
        hosts.forEach(LightHost::schedule);
    }

    /** Returns the parameters. */
    public NetworkSpec spec() {
        return spec;
    }

    /** Returns switches and cables. */
    public Wiring wiring() {
        return wiring;
    }

    /** Returns the hosts in the order of their numbers. */
    public List<LightHost> hosts() {
        return List.copyOf(hosts);
    }

    /** Returns the sending sides of the flows in the order of the parameters. */
    public List<SendFlow> flows() {
        return List.copyOf(flows);
    }

    /** Whether every flow has ended, one way or the other. */
    public boolean finished() {
        for (SendFlow flow : flows) {
            if (!flow.done() && !flow.failed()) {
                return false;
            }
        }
        return true;
    }
}
