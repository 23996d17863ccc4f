package dev.clockwire.bench.fabric;

import dev.clockwire.bench.config.host.HostReader;
import dev.clockwire.bench.config.model.ClassKey;
import dev.clockwire.bench.config.model.DeviceConfig;
import dev.clockwire.bench.config.model.PortConfig;
import dev.clockwire.bench.config.model.PortKey;
import dev.clockwire.bench.config.model.Setting;
import dev.clockwire.roce.congestion.RateRules;
import dev.clockwire.roce.fabric.bridge.ClassMap;
import dev.clockwire.roce.fabric.host.LightSpec;
import dev.clockwire.roce.fabric.host.PrioritySpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A simulated host as its files configure it. What they do not say is as the YAML file says of all hosts. */
final class ImportedHost {
    private static final int CODE_POINTS = 64;
    private static final long US = 1_000_000;
    private static final long MBPS = 1_000_000;
    private static final long ACK_TIMEOUT_PS = 4_096_000;
    private static final int ALL = 0xFF;
    private static final double KEPT = 1024.0;
    private static final List<PortKey> REACTION = List.of(
            PortKey.AI_MBPS,
            PortKey.HAI_MBPS,
            PortKey.TIMER_US,
            PortKey.VOLUME,
            PortKey.STAGES,
            PortKey.FLOOR_MBPS,
            PortKey.LEFT,
            PortKey.KEEP,
            PortKey.ALPHA_US,
            PortKey.MONITOR_US,
            PortKey.FIRST_MBPS,
            PortKey.CLAMP);

    private final DeviceConfig device;
    private final PortConfig port;
    private final int lossless;

    /**
     * Creates a host.
     *
     * @param lossless priorities with PFC that its NIC works with, bit n = priority n
     */
    ImportedHost(DeviceConfig device, int lossless) {
        this.device = device;
        this.lossless = lossless;
        port = device.ports().get(0);
    }

    /**
     * Returns the host.
     *
     * @param lineRate of its link in bit/s
     * @param chosen the YAML file says which rules its rates obey
     */
    LightSpec light(LightSpec usual, long lineRate, boolean chosen) {
        int data = (int) port.whole(PortKey.DATA_DSCP, usual.dataDscp());
        int answers = (int) port.whole(PortKey.CNP_DSCP, usual.answerDscp());
        PrioritySpec priorities = priorities(usual.priorities(), data);
        int c = priorities.classes().ofDscp().get(data);
        long timeout = port.whole(PortKey.TIMEOUT, -1);
        return usual.withPriorities(data, answers, priorities)
                .withPayload(payload(usual.payload()))
                .withRules(rules(usual.rules(), lineRate, c, chosen))
                .withNotifications(
                        usual.echo(),
                        port.get(PortKey.CNP_US) == null ? usual.cnpPs() : port.whole(PortKey.CNP_US, 0) * US,
                        usual.cnpPerPort(),
                        usual.cnpLatencyPs())
                .withRepeat(
                        usual.repeat(),
                        usual.nakPs(),
                        timeout < 0 ? usual.timeoutPs() : timeout == 0 ? 0 : time(timeout),
                        (int) port.whole(PortKey.RETRIES, usual.retries()));
    }

    /** The longest timeout that is simulated is 10 s. */
    private static long time(long code) {
        return Math.min(10_000_000_000_000L, ACK_TIMEOUT_PS << code);
    }

    private int payload(int usual) {
        Setting mtu = port.get(PortKey.MTU);
        return mtu == null ? usual : HostReader.pathMtu(mtu.whole());
    }

    /** A NIC of which anything is said has PFC and trust as its file says, else as the YAML file. */
    private PrioritySpec priorities(PrioritySpec usual, int data) {
        boolean speaks = device.speaksOfPfc(port) || port.get(PortKey.TRUST) != null;
        ClassMap map = speaks ? map() : usual.classes();
        int c = map.ofDscp().get(data);
        Setting tells = port.get(ClassKey.NP, c);
        return new PrioritySpec(
                map, speaks ? lossless & ALL : usual.obeyed(), tells == null ? usual.notifies() : tells.on());
    }

    private ClassMap map() {
        List<Integer> ofDscp = new ArrayList<>();
        for (int d = 0; d < CODE_POINTS; d++) {
            ofDscp.add(device.classOf(port, d));
        }
        return new ClassMap(false, ofDscp, ClassMap.standard().ofPcp());
    }

    private @Nullable RateRules rules(@Nullable RateRules usual, long lineRate, int c, boolean chosen) {
        Setting obeys = port.get(ClassKey.RP, c);
        if (obeys != null && !obeys.on()) {
            return null;
        }
        if (REACTION.stream().allMatch(k -> port.get(k) == null)) {
            return obeys != null && !chosen ? RateRules.nvidia(lineRate) : usual;
        }
        return changed(RateRules.nvidia(lineRate));
    }

    private long rate(PortKey key, long least, long otherwise, long most) {
        Setting s = port.get(key);
        return s == null ? otherwise : Math.max(least, Math.min(most, s.whole() * MBPS));
    }

    private long period(PortKey key, long otherwise) {
        Setting s = port.get(key);
        return s == null ? otherwise : Math.max(1, s.whole() * US);
    }

    private RateRules changed(RateRules r) {
        long volume = port.whole(PortKey.VOLUME, -1);
        Setting keep = port.get(PortKey.KEEP);
        Setting clamp = port.get(PortKey.CLAMP);
        return new RateRules(
                r.lineRate(),
                rate(PortKey.FLOOR_MBPS, 1, r.floorRate(), r.lineRate()),
                keep == null ? r.gain() : RateRules.gainOf((KEPT - keep.value()) / KEPT),
                r.alphaClock(),
                period(PortKey.ALPHA_US, r.alphaPs()),
                r.cutTrigger(),
                r.cutOrder(),
                period(PortKey.MONITOR_US, r.monitorPs()),
                (int) Math.max(1, port.whole(PortKey.LEFT, r.leastLeft())),
                period(PortKey.TIMER_US, r.timerPs()),
                volume < 0 ? r.byteCounter() : volume == 0 ? RateRules.NO_BYTE_COUNTER : volume,
                (int) port.whole(PortKey.STAGES, r.recoveries()),
                r.countBefore(),
                rate(PortKey.AI_MBPS, 0, r.additive(), r.lineRate()),
                rate(PortKey.HAI_MBPS, 0, r.hyper(), r.lineRate()),
                r.hyperRule(),
                clamp == null ? r.clamp() : clamp.on() ? RateRules.Clamp.ALWAYS : RateRules.Clamp.AFTER_INCREASE,
                r.targetDivided(),
                rate(PortKey.FIRST_MBPS, 0, r.firstRate(), r.lineRate()));
    }
}
