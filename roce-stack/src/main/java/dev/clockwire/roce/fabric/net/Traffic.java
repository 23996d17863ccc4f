package dev.clockwire.roce.fabric.net;

import dev.clockwire.roce.fabric.host.FlowSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.random.RandomStream;
import java.util.ArrayList;
import java.util.List;

/** Flows of the usual experiments. The same seed gives the same flows. */
public final class Traffic {
    private static final double BITS_PS = 8_000_000_000.0;
    private static final int MOST_FLOWS = 10_000_000;

    private Traffic() {}

    /** Returns flows from some hosts to one. */
    public static List<FlowSpec> incast(String name, List<Integer> from, int to, long bytes, long startPs, int dscp) {
        List<FlowSpec> flows = new ArrayList<>();
        for (int src : from) {
            flows.add(new FlowSpec(name + "." + flows.size(), src, to, bytes, startPs, dscp));
        }
        return flows;
    }

    /** Returns a flow from each host to another, in which each host receives once: a random cycle through all of them. */
    public static List<FlowSpec> permutation(String name, int hosts, long bytes, long startPs, int dscp, long seed) {
        if (hosts < 2) {
            throw new ConfigurationException("a permutation of " + hosts + " hosts: it needs 2 or more");
        }
        RandomStream random = RandomStream.named(seed, name);
        int[] order = new int[hosts];
        for (int i = 0; i < hosts; i++) {
            order[i] = i;
        }
        for (int i = hosts - 1; i > 0; i--) { // Fisher and Yates
            int j = random.below(i + 1);
            int other = order[i];
            order[i] = order[j];
            order[j] = other;
        }
        int[] to = new int[hosts];
        for (int i = 0; i < hosts; i++) {
            to[order[i]] = order[(i + 1) % hosts];
        }
        List<FlowSpec> flows = new ArrayList<>();
        for (int src = 0; src < hosts; src++) {
            flows.add(new FlowSpec(name + "." + src, src, to[src], bytes, startPs, dscp));
        }
        return flows;
    }

    /**
     * Returns flows that begin at random, as a Poisson process, between random hosts.
     *
     * @param load share of a host's rate that it sends on average, above 0 to 10
     * @param kbps rate of a host
     * @param fromPs when the first may begin
     * @param untilPs when the last may
     */
    @SuppressWarnings("checkstyle:ParameterNumber") // what a workload is
    public static List<FlowSpec> poisson(
            String name,
            int hosts,
            double load,
            long kbps,
            SizeDistribution sizes,
            long fromPs,
            long untilPs,
            int dscp,
            long seed) {
        if (hosts < 2) {
            throw new ConfigurationException("random flows between " + hosts + " hosts: it needs 2 or more");
        }
        if (!(load > 0 && load <= 10)) {
            throw new ConfigurationException("load " + load + " is not in 0..10");
        }
        double meanPs = sizes.mean() * BITS_PS / (kbps * load * hosts);
        if ((untilPs - fromPs) / meanPs > MOST_FLOWS) {
            throw new ConfigurationException("load " + load + ": more than " + MOST_FLOWS + " flows");
        }
        RandomStream random = RandomStream.named(seed, name);
        List<FlowSpec> flows = new ArrayList<>();
        double at = fromPs;
        while (true) {
            double u = ((random.nextLong() >>> 11) + 1) * 0x1.0p-53;
            at -= StrictMath.log(u) * meanPs;
            if (at > untilPs) {
                return flows;
            }
            int src = random.below(hosts);
            int dst = (src + 1 + random.below(hosts - 1)) % hosts;
            flows.add(new FlowSpec(name + "." + flows.size(), src, dst, sizes.draw(random), Math.round(at), dscp));
        }
    }
}
