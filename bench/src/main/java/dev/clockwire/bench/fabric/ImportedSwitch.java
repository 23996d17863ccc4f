package dev.clockwire.bench.fabric;

import dev.clockwire.bench.config.model.ClassKey;
import dev.clockwire.bench.config.model.DeviceConfig;
import dev.clockwire.bench.config.model.PortConfig;
import dev.clockwire.bench.config.model.PortKey;
import dev.clockwire.bench.config.model.Setting;
import dev.clockwire.bench.config.model.Thresholds;
import dev.clockwire.roce.fabric.bridge.BridgeSpec;
import dev.clockwire.roce.fabric.bridge.BufferSpec;
import dev.clockwire.roce.fabric.bridge.ClassMap;
import dev.clockwire.roce.fabric.bridge.MarkSpec;
import dev.clockwire.roce.fabric.bridge.PauseSpec;
import dev.clockwire.roce.fabric.bridge.PortSpec;
import dev.clockwire.roce.fabric.bridge.WatchdogSpec;
import dev.clockwire.roce.fabric.net.CableSpec;
import dev.clockwire.roce.fabric.net.PortRule;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A simulated switch as a file configures it. What the file does not say is as the YAML file says of all switches, but for PFC, marks and maps,
 * which are off, or the device's own, where the file is silent.
 */
final class ImportedSwitch {
    private static final int CODE_POINTS = 64;
    private static final double PS_PER_MS = 1e9;
    /** Comware's limits of a queue that marks, where nobody set others: 100 and 1000 cells of 256 B, 10 %. */
    private static final double USUAL_KMIN = 25_600;

    private static final double USUAL_KMAX = 256_000;
    private static final double USUAL_PMAX = 0.1;

    private final DeviceConfig device;
    private final String node;
    private final PortConfig first;

    /**
     * Creates a switch.
     *
     * @param node its name in the fabric
     */
    ImportedSwitch(DeviceConfig device, String node) {
        this.device = device;
        this.node = node;
        this.first = device.ports().stream()
                .filter(p -> device.lossless(p) != 0)
                .findFirst()
                .orElse(device.ports().get(0));
    }

    /** Returns what the ports have, by who is at the other end of their cable. */
    PortRule ports(PortRule usual) {
        return cable -> port(cable, usual.of(cable));
    }

    /** Returns the switch. */
    BridgeSpec bridge(BridgeSpec usual, PortRule usualPorts, List<CableSpec> cables) {
        int lossless = lossless();
        BridgeSpec spec = usual.withPause(pause(usual.pause(), lossless))
                .withClasses(classes())
                .withQuanta(quanta(usual.quanta()))
                .withWatchdog(watchdog(usual.watchdog()));
        BufferSpec was = usual.buffer();
        int c = Integer.numberOfTrailingZeros(lossless | 1 << (PortConfig.CLASSES - 1));
        BufferSpec buffer = new BufferSpec(
                was.bytes(),
                was.cellBytes(),
                (int) first.whole(ClassKey.RESERVE, c, was.reserve()),
                (int) first.whole(ClassKey.OFFSET, c, was.resumeOffset()),
                was.lossyReserve(),
                was.lossyAlphaLog2());
        Setting pool = first.get(PortKey.POOL);
        if (pool != null) {
            long set = 0;
            for (CableSpec cable : cables) {
                if (cable.a().equals(node) || cable.b().equals(node)) {
                    int room = port(cable, usualPorts.of(cable)).headroom();
                    set += buffer.lossyReserve() + Integer.bitCount(lossless) * ((long) room + buffer.reserve());
                }
            }
            buffer = new BufferSpec(
                    pool.whole() + set,
                    buffer.cellBytes(),
                    buffer.reserve(),
                    buffer.resumeOffset(),
                    buffer.lossyReserve(),
                    buffer.lossyAlphaLog2());
        }
        return spec.withBuffer(buffer);
    }

    /** A simulated switch has the same priorities on all ports: those that any port has. */
    private int lossless() {
        int bits = 0;
        for (PortConfig port : device.ports()) {
            bits |= device.lossless(port);
        }
        return bits;
    }

    private PauseSpec pause(PauseSpec usual, int lossless) {
        int quanta = (int) first.whole(PortKey.QUANTA, usual.quanta());
        boolean whole = lossless == 0 && first.whole(PortKey.GLOBAL_PAUSE, 0) != 0;
        return new PauseSpec(whole ? usual.lossless() : lossless, quanta, usual.expires(), whole);
    }

    private ClassMap classes() {
        List<Integer> ofDscp = new ArrayList<>();
        List<Integer> ofPcp = new ArrayList<>();
        for (int d = 0; d < CODE_POINTS; d++) {
            ofDscp.add(device.classOf(first, d));
        }
        for (int p = 0; p < PortConfig.CLASSES; p++) {
            ofPcp.add(device.classOfTag(first, p));
        }
        return new ClassMap(first.whole(PortKey.TRUST, 0) == 1, ofDscp, ofPcp);
    }

    private List<Integer> quanta(List<Integer> usual) {
        List<Integer> quanta = new ArrayList<>();
        boolean isSet = false;
        for (int c = 0; c < PortConfig.CLASSES; c++) {
            int queue = device.queueOf(first, c);
            isSet |= first.get(ClassKey.STRICT, queue) != null || first.get(ClassKey.SHARE, queue) != null;
            boolean strict = first.on(ClassKey.STRICT, queue);
            quanta.add(strict ? 0 : (int) first.whole(ClassKey.SHARE, queue, 1) * SwitchReader.DEFAULT_QUANTUM);
        }
        return isSet ? quanta : usual;
    }

    private WatchdogSpec watchdog(WatchdogSpec usual) {
        for (PortConfig port : device.ports()) {
            Setting detect = port.get(PortKey.DETECT_MS);
            if (detect != null) {
                long detectPs = Math.round(detect.value() * PS_PER_MS);
                Setting restore = port.get(PortKey.RESTORE_MS);
                long restorePs = restore == null ? detectPs : Math.round(restore.value() * PS_PER_MS);
                boolean drops = port.whole(PortKey.STORM_DROP, device.kind() == DeviceConfig.Kind.SONIC ? 1 : 0) != 0;
                return new WatchdogSpec(detectPs, restorePs, drops);
            }
        }
        return usual;
    }

    /** Returns the port that a file names as leading to the other end of a cable, else the first. */
    PortConfig at(CableSpec cable) {
        String far = cable.a().equals(node) ? cable.b() : cable.a();
        return device.ports().stream()
                .filter(p -> p.neighbour().equals(far))
                .findFirst()
                .orElse(first);
    }

    private PortSpec port(CableSpec cable, PortSpec usual) {
        return spec(at(cable), usual);
    }

    private PortSpec spec(PortConfig port, PortSpec usual) {
        int lossless = device.lossless(port);
        int c = Integer.numberOfTrailingZeros(lossless | 1 << (PortConfig.CLASSES - 1));
        long room = -1;
        for (int i = 0; i < PortConfig.CLASSES; i++) {
            room = (lossless >> i & 1) == 0 ? room : Math.max(room, port.whole(ClassKey.HEADROOM, i, -1));
        }
        List<MarkSpec> marks = new ArrayList<>();
        for (int i = 0; i < PortConfig.CLASSES; i++) {
            marks.add(marks(port, device.queueOf(port, i)));
        }
        return new PortSpec(
                room < 0 ? usual.headroom() : (int) room,
                (int) port.whole(ClassKey.ALPHA_LOG2, c, usual.alphaLog2()),
                (int) Math.min(1 << 30, port.whole(ClassKey.XOFF, c, usual.xoff())),
                marks);
    }

    private MarkSpec marks(PortConfig port, int queue) {
        if (!port.on(ClassKey.ECN, queue)) {
            return MarkSpec.NONE;
        }
        Setting upper = port.get(ClassKey.KMAX, queue);
        double kmin = value(port.get(ClassKey.KMIN, queue), USUAL_KMIN);
        double kmax = value(upper, USUAL_KMAX);
        if (kmax < kmin) {
            throw new ConfigurationException((upper == null ? port.where() : upper.where()) + ": Kmax " + (long) kmax
                    + " B of queue " + queue + " is not in " + (long) kmin + "..: it is below Kmin");
        }
        double pmax = value(port.get(ClassKey.PMAX, queue), USUAL_PMAX);
        return new MarkSpec(
                Math.round(kmin), Math.round(kmax), pmax, (int) Thresholds.average(device, port, queue), false);
    }

    private static double value(@Nullable Setting setting, double otherwise) {
        return setting == null ? otherwise : setting.value();
    }

    /** Says what a simulated switch cannot have of it. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        for (PortConfig port : device.ports()) {
            if (device.lossless(port) != lossless() && device.lossless(port) != 0) {
                notes.add(port.where() + ": note: PFC of " + port.name()
                        + " differs from other ports; a simulated switch has all of them on every port");
                break;
            }
        }
        boolean alike = device.ports().stream().allMatch(p -> p.neighbour().isEmpty());
        long kinds = device.ports().stream()
                .map(p -> spec(p, PortSpec.of(0, 0)))
                .distinct()
                .count();
        if (alike && kinds > 1) {
            notes.add(first.where() + ": note: ports differ and none says where it leads; all are as " + first.name()
                    + " (description NODE, DEVICE_NEIGHBOR)");
        }
        return notes;
    }
}
