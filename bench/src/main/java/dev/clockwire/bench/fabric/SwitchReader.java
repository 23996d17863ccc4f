package dev.clockwire.bench.fabric;

import dev.clockwire.bench.yaml.YamlValue;
import dev.clockwire.roce.fabric.Framing;
import dev.clockwire.roce.fabric.bridge.BridgeSpec;
import dev.clockwire.roce.fabric.bridge.BufferSpec;
import dev.clockwire.roce.fabric.bridge.IngressSpec;
import dev.clockwire.roce.fabric.bridge.MarkSpec;
import dev.clockwire.roce.fabric.bridge.PauseSpec;
import dev.clockwire.roce.fabric.bridge.PortSpec;
import dev.clockwire.roce.fabric.bridge.WatchdogSpec;
import dev.clockwire.roce.fabric.host.LightSpec;
import dev.clockwire.roce.fabric.net.CableSpec;
import dev.clockwire.roce.fabric.net.Headroom;
import dev.clockwire.roce.wire.PauseFrame;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what all switches have in common; what is left out has the value of a lossless class 3 with 32 MiB of buffer. */
final class SwitchReader {
    private static final List<String> KEYS = List.of(
            "latency_ns",
            "cut_through",
            "buffer",
            "alpha",
            "headroom_bytes",
            "pfc",
            "ecn",
            "scheduling",
            "watchdog",
            "mtu",
            "deny_udp",
            "config");
    private static final int CLASSES = PauseFrame.CLASSES;
    private static final double MIB = 1 << 20;
    private static final double KB = 1000;
    private static final double PS_PER_NS = 1e3;
    private static final double PS_PER_MS = 1e9;
    private static final int DEFAULT_MIB = 32;
    static final int DEFAULT_QUANTUM = 1600;

    private final BridgeSpec bridge;
    private final int alphaLog2;
    private final @Nullable Integer headroom;
    private final List<MarkSpec> marks;
    private final Framing framing;
    private int longestFrame;

    SwitchReader(Optional<YamlValue> value, Framing framing, LightSpec light) {
        this.framing = framing;
        longestFrame = light.payload() + light.headerBytes();
        Map<String, YamlValue> keys = value.map(v -> v.map(KEYS)).orElse(Map.of());
        long latency = keys.containsKey("latency_ns")
                ? Math.round(keys.get("latency_ns").number(0, 1e6) * PS_PER_NS)
                : 0;
        boolean through = keys.containsKey("cut_through") && flag(keys.get("cut_through"));
        int dataClass = light.dataDscp() >> 3;
        PauseSpec pause = keys.containsKey("pfc") ? pause(keys.get("pfc"), dataClass) : PauseSpec.ofClass(dataClass);
        bridge = BridgeSpec.of(
                        keys.containsKey("buffer")
                                ? buffer(keys.get("buffer"))
                                : BufferSpec.of(DEFAULT_MIB * (long) MIB))
                .withPause(pause)
                .withQuanta(keys.containsKey("scheduling") ? quanta(keys.get("scheduling")) : strict())
                .withLatency(latency, through)
                .withWatchdog(keys.containsKey("watchdog") ? watchdog(keys.get("watchdog")) : WatchdogSpec.OFF)
                .withIngress(ingress(keys));
        alphaLog2 = keys.containsKey("alpha") ? log2(keys.get("alpha")) : -3;
        headroom = keys.containsKey("headroom_bytes")
                ? (Integer) (int) keys.get("headroom_bytes").size(0, 1 << 30)
                : null;
        marks = keys.containsKey("ecn")
                ? marks(keys.get("ecn"), dataClass, bridge.buffer().bytes())
                : Collections.nCopies(CLASSES, MarkSpec.NONE);
    }

    /** Some hosts send longer frames than all: headroom that is not given holds them too. */
    void longestFrame(int bytes) {
        longestFrame = bytes;
    }

    BridgeSpec bridge() {
        return bridge;
    }

    /** Returns the parameters of a port; headroom that is not given follows from the cable. */
    PortSpec port(CableSpec cable) {
        Integer given = headroom;
        int room = given != null ? given : Headroom.needed(cable, framing, longestFrame);
        return new PortSpec(room, alphaLog2, 0, marks);
    }

    private static IngressSpec ingress(Map<String, YamlValue> keys) {
        List<Integer> denied = new ArrayList<>();
        if (keys.containsKey("deny_udp")) {
            keys.get("deny_udp").listOrOne().forEach(port -> denied.add((int) port.integer(1, 65_535)));
        }
        int mtu =
                keys.containsKey("mtu") ? (int) keys.get("mtu").integer(68, IngressSpec.LARGEST) : IngressSpec.LARGEST;
        return new IngressSpec(mtu, denied);
    }

    private static List<Integer> strict() {
        return Collections.nCopies(CLASSES, 0);
    }

    static boolean flag(YamlValue value) {
        return switch (value.text()) {
            case "true", "yes", "on" -> true;
            case "false", "no", "off" -> false;
            default -> throw value.error("expected true or false, found '" + value.text() + "'");
        };
    }

    private static BufferSpec buffer(YamlValue value) {
        Map<String, YamlValue> keys =
                value.map(List.of("mib", "bytes", "cell", "reserve", "resume_offset", "lossy_reserve", "lossy_alpha"));
        if (keys.containsKey("mib") == keys.containsKey("bytes")) {
            throw value.error("a buffer has 'mib' or 'bytes'");
        }
        long bytes = keys.containsKey("mib")
                ? Math.round(keys.get("mib").number(1e-6, 4096) * MIB)
                : value.get("bytes").size(1, 1L << 32);
        for (String part : List.of("reserve", "resume_offset", "lossy_reserve")) {
            if (keys.containsKey(part)) {
                keys.get(part).size(0, Math.min(bytes, 1 << 30));
            }
        }
        BufferSpec usual = BufferSpec.of(bytes);
        return FabricFile.at(
                value,
                () -> new BufferSpec(
                        bytes,
                        keys.containsKey("cell") ? (int) keys.get("cell").integer(1, 4096) : usual.cellBytes(),
                        keys.containsKey("reserve") ? (int) keys.get("reserve").size(0, 1 << 30) : usual.reserve(),
                        keys.containsKey("resume_offset")
                                ? (int) keys.get("resume_offset").size(0, 1 << 30)
                                : usual.resumeOffset(),
                        keys.containsKey("lossy_reserve")
                                ? (int) keys.get("lossy_reserve").size(0, 1 << 30)
                                : usual.lossyReserve(),
                        keys.containsKey("lossy_alpha") ? log2(keys.get("lossy_alpha")) : usual.lossyAlphaLog2()));
    }

    private static int log2(YamlValue value) {
        double alpha = value.number(1.0 / 1024, 1024);
        int n = Math.getExponent(alpha);
        if (Math.scalb(1.0, n) != alpha) {
            throw value.error("alpha " + value.text() + " is no power of two: switches know 1/1024 to 1024");
        }
        return n;
    }

    private static PauseSpec pause(YamlValue value, int dataClass) {
        Map<String, YamlValue> keys = value.map(List.of("classes", "quanta", "expires", "whole_link"));
        int classes = keys.containsKey("classes") ? classes(keys.get("classes")) : 1 << dataClass;
        return new PauseSpec(
                classes,
                keys.containsKey("quanta")
                        ? (int) keys.get("quanta").integer(1, PauseFrame.MAX_QUANTA)
                        : PauseFrame.MAX_QUANTA,
                !keys.containsKey("expires") || flag(keys.get("expires")),
                keys.containsKey("whole_link") && flag(keys.get("whole_link")));
    }

    static int classes(YamlValue value) {
        int bits = 0;
        for (YamlValue one : value.listOrOne()) {
            bits |= 1 << one.integer(0, CLASSES - 1);
        }
        return bits;
    }

    /** A threshold above the buffer is never reached: no queue is that long. */
    private static long threshold(YamlValue kb, long bufferBytes) {
        return Math.round(kb.number(0, bufferBytes / KB) * KB);
    }

    private static List<MarkSpec> marks(YamlValue value, int dataClass, long bufferBytes) {
        Map<String, YamlValue> keys = value.map(List.of("kmin_kb", "kmax_kb", "pmax", "weight", "at", "classes"));
        boolean enqueue = keys.containsKey("at") && atEnqueue(keys.get("at"));
        MarkSpec rule = FabricFile.at(
                value,
                () -> new MarkSpec(
                        threshold(value.get("kmin_kb"), bufferBytes),
                        threshold(value.get("kmax_kb"), bufferBytes),
                        value.get("pmax").number(0, 1),
                        keys.containsKey("weight") ? (int) keys.get("weight").integer(0, 15) : 0,
                        enqueue));
        int classes = keys.containsKey("classes") ? classes(keys.get("classes")) : 1 << dataClass;
        List<MarkSpec> marks = new ArrayList<>();
        for (int c = 0; c < CLASSES; c++) {
            marks.add((classes >> c & 1) == 0 ? MarkSpec.NONE : rule);
        }
        return marks;
    }

    private static boolean atEnqueue(YamlValue value) {
        return switch (value.text()) {
            case "enqueue" -> true;
            case "dequeue" -> false;
            default -> throw value.unknown("place to mark", value.text(), List.of("enqueue", "dequeue"));
        };
    }

    private static List<Integer> quanta(YamlValue value) {
        List<Integer> quanta = new ArrayList<>(Collections.nCopies(CLASSES, DEFAULT_QUANTUM));
        Map<String, YamlValue> keys = value.map(List.of("strict", "dwrr"));
        if (keys.containsKey("strict")) {
            int bits = classes(keys.get("strict"));
            for (int c = 0; c < CLASSES; c++) {
                quanta.set(c, (bits >> c & 1) != 0 ? 0 : quanta.get(c));
            }
        }
        if (keys.containsKey("dwrr")) {
            keys.get("dwrr").map().forEach((c, weight) -> {
                if (!c.matches("[0-7]")) {
                    throw weight.error("class '" + c + "' is not in 0..7");
                }
                if (keys.containsKey("strict") && (classes(keys.get("strict")) >> Integer.parseInt(c) & 1) != 0) {
                    throw weight.error("class " + c + " is strict already: it has no share; leave out one of both");
                }
                quanta.set(Integer.parseInt(c), (int) weight.integer(1, 10_000) * DEFAULT_QUANTUM);
            });
        }
        return quanta;
    }

    private static WatchdogSpec watchdog(YamlValue value) {
        Map<String, YamlValue> keys = value.map(List.of("detect_ms", "restore_ms", "action"));
        boolean drop = true;
        if (keys.containsKey("action")) {
            YamlValue action = keys.get("action");
            if (!List.of("drop", "forward").contains(action.text())) {
                throw action.unknown("action", action.text(), List.of("drop", "forward"));
            }
            drop = action.text().equals("drop");
        }
        return new WatchdogSpec(
                Math.round(value.get("detect_ms").number(1e-3, 1e4) * PS_PER_MS),
                Math.round((keys.containsKey("restore_ms") ? keys.get("restore_ms") : value.get("detect_ms"))
                                .number(1e-3, 1e4)
                        * PS_PER_MS),
                drop);
    }
}
