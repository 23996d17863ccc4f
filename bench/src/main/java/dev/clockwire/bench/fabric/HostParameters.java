package dev.clockwire.bench.fabric;

import dev.clockwire.nic.lab.FabricLab.FlowTerms;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.roce.congestion.RateRules;
import dev.clockwire.roce.congestion.RateRules.AlphaClock;
import dev.clockwire.roce.congestion.RateRules.Clamp;
import dev.clockwire.roce.congestion.RateRules.CutTrigger;
import dev.clockwire.roce.fabric.bridge.BridgeSpec;
import dev.clockwire.roce.fabric.bridge.ClassMap;
import dev.clockwire.roce.fabric.bridge.PauseSpec;
import dev.clockwire.roce.fabric.host.LightSpec;
import dev.clockwire.roce.fabric.host.PrioritySpec;
import dev.clockwire.roce.fabric.net.CableSpec;
import dev.clockwire.roce.fabric.net.DcbxPlan;
import dev.clockwire.roce.fabric.net.NetworkSpec;
import dev.clockwire.roce.transport.AckTimeout;
import java.util.List;

/** What a fabric says of its hosts, as parameters of a NIC and of its connections. */
final class HostParameters {
    private static final long PS_US = 1_000_000;
    private static final long MBPS = 1_000_000;
    private static final double KBPS_GBPS = 1e6;
    private static final int LEAST_MTU = 256;
    private static final int MOST_MTU = 4096;
    private static final int ONE = 1024;
    private static final int USUAL_TIMEOUT = 14;
    private static final int USUAL_RETRIES = 7;
    private static final int LAST_CODE = 31;
    private static final int ALL = 0xFF;

    private HostParameters() {}

    /**
     * Returns a profile whose port is one of the fabric's: rate, MTU, pauses, marks, notifications, reaction point.
     *
     * @param host name of the host
     * @throws dev.clockwire.sim.error.ConfigurationException for what no NIC does
     */
    static Profile of(Profile base, FabricJob job, String host) {
        NetworkSpec spec = job.network();
        LightSpec light = spec.light(host);
        PrioritySpec priorities = light.priorities();
        if (!priorities.classes().equals(ClassMap.standard())) {
            throw job.error(
                    "hosts.config",
                    "host " + host + ": a map of code points of its own;"
                            + " devices have priority DSCP / 8, only light endpoints have others");
        }
        if (light.repeat() == LightSpec.Repeat.SELECTIVE) {
            throw job.error(
                    "hosts.recovery",
                    "recovery selective: devices go back to the lost packet; only light endpoints repeat it alone");
        }
        Profile p = base.with("link.gbps", number(kbps(job) / KBPS_GBPS)).with("link.mtu", number(mtu(job, light)));
        p = pauses(p, bridge(spec, host).pause(), speaks(spec, host) ? ALL : priorities.obeyed());
        RateRules rules = light.rules();
        if (rules == null) {
            return p;
        }
        long interval = light.echo() ? rules.monitorPs() : light.cnpPs();
        p = p.with("nic.ecn.capable", "true")
                .with("nic.ecn.notify", !priorities.notifies() ? "off" : light.cnpPerPort() ? "port" : "qp")
                .with("nic.ecn.cnp_interval_us", number(interval / PS_US))
                .with("nic.ecn.cnp_dscp", number(light.answerDscp()));
        long cycles = light.cnpLatencyPs() * p.integer("nic.core_mhz") / PS_US;
        if (cycles > p.integer("nic.ecn.cnp_cycles")) {
            p = p.with("nic.ecn.cnp_cycles", number(cycles));
        }
        boolean paper = rules.alphaClock() == AlphaClock.SINCE_NOTIFICATION && rules.cutTrigger() == CutTrigger.EACH;
        return paper ? paper(p, rules) : vendor(p, rules);
    }

    /** Whether a host hears by DCBX, once it runs, what it is to obey: then its NIC has whatever the switch may ask for. */
    private static boolean speaks(NetworkSpec spec, String host) {
        DcbxPlan dcbx = spec.dcbx();
        return dcbx != null
                && spec.topology().cables().stream()
                        .anyMatch(c -> (c.a().equals(host) || c.b().equals(host))
                                && dcbx.settings().of(host, c) != null);
    }

    /** Returns the switch that a host is joined to; what all have if it is joined to another host. */
    private static BridgeSpec bridge(NetworkSpec spec, String host) {
        for (CableSpec cable : spec.topology().cables()) {
            if (cable.a().equals(host) || cable.b().equals(host)) {
                String far = cable.a().equals(host) ? cable.b() : cable.a();
                return spec.topology().switches().contains(far) ? spec.plan().bridge(far) : spec.bridge();
            }
        }
        return spec.bridge();
    }

    private static Profile pauses(Profile p, PauseSpec pause, int obeyed) {
        return pause.wholeLink()
                ? p.with("nic.pause.global", String.valueOf(obeyed != 0))
                : p.with("nic.pfc.classes", number(pause.lossless() & obeyed));
    }

    private static Profile paper(Profile p, RateRules r) {
        int shift =
                Math.max(1, Math.min(16, RateRules.ALPHA_BITS - (Long.SIZE - 1 - Long.numberOfLeadingZeros(r.gain()))));
        return p.with("nic.rate.dcqcn", "paper")
                .with("nic.dcqcn.gain_shift", number(shift))
                .with("nic.dcqcn.alpha_us", number(us(r.alphaPs())))
                .with("nic.dcqcn.timer_us", number(us(r.timerPs())))
                .with("nic.dcqcn.byte_counter", number(Math.min(r.byteCounter(), 2_000_000_000)))
                .with("nic.dcqcn.fast_recovery", number(r.recoveries()))
                .with("nic.dcqcn.additive_mbps", number(r.additive() / MBPS))
                .with("nic.dcqcn.hyper_mbps", number(r.hyper() / MBPS))
                .with("nic.dcqcn.floor_mbps", number(Math.max(1, r.floorRate() / MBPS)));
    }

    /** The NIC's registers hold alpha with 10 binary places. */
    private static Profile vendor(Profile p, RateRules r) {
        long gain = Math.max(1, Math.round((double) r.gain() * ONE / (1L << RateRules.ALPHA_BITS)));
        return p.with("nic.rate.dcqcn", "vendor")
                .with("nic.dcqcn.dce_tcp_g", number(ONE - gain))
                .with("nic.dcqcn.rpg_min_dec_fac", number(r.leastLeft()))
                .with("nic.dcqcn.rpg_min_rate", number(Math.max(1, r.floorRate() / MBPS)))
                .with("nic.dcqcn.rate_reduce_monitor_period", number(us(r.monitorPs())))
                .with("nic.dcqcn.rpg_time_reset", number(us(r.timerPs())))
                .with("nic.dcqcn.rpg_threshold", number(Math.min(31, r.recoveries())))
                .with("nic.dcqcn.rpg_ai_rate", number(r.additive() / MBPS))
                .with("nic.dcqcn.rpg_hai_rate", number(r.hyper() / MBPS))
                .with("nic.dcqcn.clamp_tgt_rate", String.valueOf(r.clamp() == Clamp.ALWAYS));
    }

    private static long us(long ps) {
        return Math.max(1, ps / PS_US);
    }

    private static String number(long value) {
        return Long.toString(value);
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    /** All hosts have one profile: their cables are equally fast. */
    private static long kbps(FabricJob job) {
        NetworkSpec spec = job.network();
        List<String> hosts = spec.topology().hosts();
        long rate = 0;
        for (CableSpec cable : spec.topology().cables()) {
            boolean host = hosts.contains(cable.a()) || hosts.contains(cable.b());
            if (host && rate != 0 && rate != cable.kbps()) {
                throw job.error(
                        job.gives("links") ? "links" : "topology",
                        "link " + cable.a() + " - " + cable.b() + ": " + cable.kbps() + " kbit/s, but other hosts have "
                                + rate + "; devices of a fabric have one rate");
            }
            rate = host ? cable.kbps() : rate;
        }
        return rate;
    }

    /** Returns the path MTU: the payload of a packet, rounded up to one that there is. */
    private static int mtu(FabricJob job, LightSpec light) {
        int mtu = Math.max(LEAST_MTU, Integer.highestOneBit(Math.max(1, light.payload() * 2 - 1)));
        if (mtu > MOST_MTU) {
            throw job.error(
                    "hosts.payload", "payload " + light.payload() + ": a path MTU is at most " + MOST_MTU + " bytes");
        }
        return mtu;
    }

    /** What the connections of a host's flows are like. */
    static FlowTerms terms(FabricJob job, String host) {
        LightSpec light = job.network().light(host);
        if (light.timeoutPs() == 0) {
            return new FlowTerms(mtu(job, light), light.dataDscp(), USUAL_TIMEOUT, USUAL_RETRIES);
        }
        int code = 1;
        while (code < LAST_CODE && AckTimeout.ps(code) < light.timeoutPs()) {
            code++;
        }
        return new FlowTerms(mtu(job, light), light.dataDscp(), code, light.retries());
    }
}
