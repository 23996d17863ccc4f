package dev.clockwire.bench.config;

import dev.clockwire.bench.config.model.ClassKey;
import dev.clockwire.bench.config.model.DeviceConfig;
import dev.clockwire.bench.config.model.ImportLog;
import dev.clockwire.bench.config.model.PortConfig;
import dev.clockwire.bench.config.model.PortKey;
import dev.clockwire.bench.config.model.Rule;
import dev.clockwire.bench.config.model.Setting;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a host's settings mean for its simulated NIC, whichever tool or file made them: pauses, notifications and the reaction point. */
final class HostOnNic {
    private static final int CODE_POINTS = 64;

    private static final Map<PortKey, String> PATHS = new EnumMap<>(Map.ofEntries(
            Map.entry(PortKey.CNP_DSCP, "nic.ecn.cnp_dscp"),
            Map.entry(PortKey.CNP_US, "nic.ecn.cnp_interval_us"),
            Map.entry(PortKey.AI_MBPS, "nic.dcqcn.rpg_ai_rate"),
            Map.entry(PortKey.HAI_MBPS, "nic.dcqcn.rpg_hai_rate"),
            Map.entry(PortKey.TIMER_US, "nic.dcqcn.rpg_time_reset"),
            Map.entry(PortKey.STAGES, "nic.dcqcn.rpg_threshold"),
            Map.entry(PortKey.FLOOR_MBPS, "nic.dcqcn.rpg_min_rate"),
            Map.entry(PortKey.LEFT, "nic.dcqcn.rpg_min_dec_fac"),
            Map.entry(PortKey.KEEP, "nic.dcqcn.dce_tcp_g"),
            Map.entry(PortKey.MONITOR_US, "nic.dcqcn.rate_reduce_monitor_period"),
            Map.entry(PortKey.VOLUME, "nic.dcqcn.byte_counter"),
            Map.entry(PortKey.CLAMP, "nic.dcqcn.clamp_tgt_rate")));

    private final DeviceConfig host;
    private final PortConfig port;
    private final ConfigTarget target;
    private final ImportLog log;

    private HostOnNic(DeviceConfig host, ConfigTarget target, ImportLog log) {
        this.host = host;
        port = host.ports().get(0);
        this.target = target;
        this.log = log;
    }

    /** Sets what the host's first port has. */
    static void apply(DeviceConfig host, ConfigTarget target, ImportLog log) {
        HostOnNic nic = new HostOnNic(host, target, log);
        nic.pauses();
        nic.congestion();
        PATHS.forEach(nic::value);
    }

    /** A port pauses classes or the whole link; that both are wanted is a finding of its own. */
    private void pauses() {
        int classes = host.lossless(port);
        if (host.speaksOfPfc(port)) {
            target.override("nic.pfc.classes", Integer.toString(classes));
            if (classes != 0) {
                mapped();
            }
        }
        Setting global = port.get(PortKey.GLOBAL_PAUSE);
        if (global != null) {
            target.override("nic.pause.global", Boolean.toString(global.on() && classes == 0));
        }
    }

    private void mapped() {
        for (int d = 0; d < CODE_POINTS; d++) {
            Setting own = port.ofDscp(d);
            if (own != null && own.whole() != d >> 3) {
                log.finding(
                        Rule.NIC_CLASS_IS_OF_DSCP,
                        Rule.NIC_CLASS_IS_OF_DSCP.severity(),
                        own.where(),
                        d,
                        "DSCP " + d + " is class " + (d >> 3) + " in the simulated NIC, not " + own.whole(),
                        "light hosts of 'fabric run' have the map");
                return;
            }
        }
    }

    /** Both points are on or off for each priority of the host, and as a whole in the simulated NIC. */
    private void congestion() {
        Boolean tells = any(ClassKey.NP);
        if (tells != null) {
            target.override("nic.ecn.notify", tells ? "qp" : "off");
        }
        Boolean obeys = any(ClassKey.RP);
        if (obeys != null) {
            target.override("nic.rate.dcqcn", obeys ? "vendor" : "off");
            target.override("nic.ecn.capable", Boolean.toString(obeys));
        }
    }

    private @Nullable Boolean any(ClassKey key) {
        boolean said = false;
        boolean on = false;
        for (int c = 0; c < PortConfig.CLASSES; c++) {
            said |= port.get(key, c) != null;
            on |= port.on(key, c);
        }
        return said ? on : null;
    }

    private void value(PortKey key, String path) {
        Setting s = port.get(key);
        if (s == null) {
            return;
        }
        String text = key == PortKey.CLAMP ? Boolean.toString(s.on()) : Long.toString(s.whole());
        String refusal = target.refusal(path, text);
        if (refusal == null) {
            target.override(path, text);
        } else {
            Rule rule = Rule.REACTION_POINT_NOT_SIMULATED;
            log.finding(rule, rule.severity(), s.where(), s.whole(), "is not simulated: " + refusal, "-P " + path);
        }
    }
}
