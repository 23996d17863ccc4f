package dev.clockwire.bench.fabric;

import dev.clockwire.bench.yaml.Kind;
import dev.clockwire.bench.yaml.Shape;
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
    private static final int CLASSES = PauseFrame.CLASSES;
    private static final double MIB = 1 << 20;
    private static final double KB = 1000;
    private static final double PS_PER_NS = 1e3;
    private static final double PS_PER_MS = 1e9;
    private static final int DEFAULT_MIB = 32;
    static final int DEFAULT_QUANTUM = 1600;

    private static final long MOST_BUFFER = 1L << 32;
    private static final Kind PART = Kind.size(0, 1 << 30);
    private static final Kind ALPHA = Kind.number(1.0 / 1024, 1024);
    /** Some classes, or one. */
    static final Kind SOME = Kind.listOrOne(Kind.integer(0, CLASSES - 1));

    private static final Shape BUFFER = Shape.of()
            .key("mib", Kind.number(1e-6, 4096), "size in MiB")
            .key("bytes", Kind.size(1, MOST_BUFFER), "size in bytes")
            .key("cell", Kind.integer(1, 4096), "bytes of a cell")
            .key("reserve", PART, "bytes that each lossless queue has to itself")
            .key("resume_offset", PART, "bytes below the threshold at which a pause ends")
            .key("lossy_reserve", PART, "bytes that each lossy queue has to itself")
            .key("lossy_alpha", ALPHA, "part of the free buffer for a lossy queue, a power of two")
            .one(List.of("mib", "bytes"));
    private static final Shape PFC = Shape.of()
            .key("classes", SOME, "lossless classes")
            .key("quanta", Kind.integer(1, PauseFrame.MAX_QUANTA), "time of a pause frame")
            .key("expires", Kind.flag(), "a pause ends by itself")
            .key("whole_link", Kind.flag(), "pauses of 802.3x for all classes");
    private static final Kind THRESHOLD = Kind.number(0, MOST_BUFFER / KB);
    private static final Shape ECN = Shape.of()
            .required("kmin_kb", THRESHOLD, "queue from which on frames are marked")
            .required("kmax_kb", THRESHOLD, "queue from which on all are")
            .required("pmax", Kind.number(0, 1), "part that is marked just below kmax")
            .key("weight", Kind.integer(0, 15), "of the average of the queue, a power of two; 0 for the queue itself")
            .key("at", Kind.choice(List.of("enqueue", "dequeue")), "when the queue is looked at")
            .key("classes", SOME, "classes that are marked");
    private static final Shape SCHEDULING = Shape.of()
            .key("strict", SOME, "classes that go first")
            .key("dwrr", Kind.group(shares()), "shares of classes");
    private static final Kind MS = Kind.number(1e-3, 1e4);
    private static final Shape WATCHDOG = Shape.of()
            .required("detect_ms", MS, "pause after which a queue counts as stuck")
            .key("restore_ms", MS, "time without a pause after which it does not")
            .key("action", Kind.choice(List.of("drop", "forward")), "what becomes of its frames");

    static final Shape SHAPE = Shape.of()
            .key("latency_ns", Kind.number(0, 1e6), "time through the switch")
            .key("cut_through", Kind.flag(), "frames leave before they are there")
            .key("buffer", Kind.group(BUFFER), "shared buffer")
            .key("alpha", ALPHA, "part of the free buffer for a lossless queue, a power of two")
            .key("headroom_bytes", PART, "for what arrives behind a pause; from the cable if left out")
            .key("pfc", Kind.group(PFC), "pauses")
            .key("ecn", Kind.group(ECN), "marks")
            .key("scheduling", Kind.group(SCHEDULING), "which class is next")
            .key("watchdog", Kind.group(WATCHDOG), "against pause storms")
            .key("mtu", Kind.integer(68, IngressSpec.LARGEST), "longest IP packet")
            .key("deny_udp", Kind.listOrOne(Kind.integer(1, 65_535)), "UDP ports that are filtered")
            .key("config", ImportedNodes.CONFIG, "files of real switches");

    private final BridgeSpec bridge;
    private final int alphaLog2;
    private final @Nullable Integer headroom;
    private final List<MarkSpec> marks;
    private final Framing framing;
    private int longestFrame;

    private static Shape shares() {
        Shape shares = Shape.of();
        for (int c = 0; c < CLASSES; c++) {
            shares = shares.key("" + c, Kind.integer(1, 10_000), "share of class " + c);
        }
        return shares;
    }

    SwitchReader(Optional<YamlValue> value, Framing framing, LightSpec light) {
        this.framing = framing;
        longestFrame = light.payload() + light.headerBytes();
        Map<String, YamlValue> keys = value.map(YamlValue::entries).orElse(Map.of());
        long latency = keys.containsKey("latency_ns")
                ? Math.round(keys.get("latency_ns").number() * PS_PER_NS)
                : 0;
        boolean through =
                keys.containsKey("cut_through") && keys.get("cut_through").flag();
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
                ? (Integer) (int) keys.get("headroom_bytes").size()
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
            keys.get("deny_udp").listOrOne().forEach(port -> denied.add((int) port.integer()));
        }
        int mtu = keys.containsKey("mtu") ? (int) keys.get("mtu").integer() : IngressSpec.LARGEST;
        return new IngressSpec(mtu, denied);
    }

    private static List<Integer> strict() {
        return Collections.nCopies(CLASSES, 0);
    }

    private static BufferSpec buffer(YamlValue value) {
        Map<String, YamlValue> keys = value.entries();
        if (keys.containsKey("mib") == keys.containsKey("bytes")) {
            throw value.error("a buffer has 'mib' or 'bytes'");
        }
        long bytes = keys.containsKey("mib")
                ? Math.round(keys.get("mib").number() * MIB)
                : value.get("bytes").size();
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
                        keys.containsKey("cell") ? (int) keys.get("cell").integer() : usual.cellBytes(),
                        keys.containsKey("reserve") ? (int) keys.get("reserve").size() : usual.reserve(),
                        keys.containsKey("resume_offset")
                                ? (int) keys.get("resume_offset").size()
                                : usual.resumeOffset(),
                        keys.containsKey("lossy_reserve")
                                ? (int) keys.get("lossy_reserve").size()
                                : usual.lossyReserve(),
                        keys.containsKey("lossy_alpha") ? log2(keys.get("lossy_alpha")) : usual.lossyAlphaLog2()));
    }

    private static int log2(YamlValue value) {
        double alpha = value.number();
        int n = Math.getExponent(alpha);
        if (Math.scalb(1.0, n) != alpha) {
            throw value.error("alpha " + value.text() + " is no power of two: switches know 1/1024 to 1024");
        }
        return n;
    }

    private static PauseSpec pause(YamlValue value, int dataClass) {
        Map<String, YamlValue> keys = value.entries();
        int classes = keys.containsKey("classes") ? classes(keys.get("classes")) : 1 << dataClass;
        return new PauseSpec(
                classes,
                keys.containsKey("quanta") ? (int) keys.get("quanta").integer() : PauseFrame.MAX_QUANTA,
                !keys.containsKey("expires") || keys.get("expires").flag(),
                keys.containsKey("whole_link") && keys.get("whole_link").flag());
    }

    static int classes(YamlValue value) {
        int bits = 0;
        for (YamlValue one : value.listOrOne()) {
            bits |= 1 << one.integer();
        }
        return bits;
    }

    /** A threshold above the buffer is never reached: no queue is that long. */
    private static long threshold(YamlValue kb, long bufferBytes) {
        return Math.round(kb.number(0, bufferBytes / KB) * KB);
    }

    private static List<MarkSpec> marks(YamlValue value, int dataClass, long bufferBytes) {
        Map<String, YamlValue> keys = value.entries();
        boolean enqueue = keys.containsKey("at") && atEnqueue(keys.get("at"));
        MarkSpec rule = FabricFile.at(
                value,
                () -> new MarkSpec(
                        threshold(value.get("kmin_kb"), bufferBytes),
                        threshold(value.get("kmax_kb"), bufferBytes),
                        value.get("pmax").number(),
                        keys.containsKey("weight") ? (int) keys.get("weight").integer() : 0,
                        enqueue));
        int classes = keys.containsKey("classes") ? classes(keys.get("classes")) : 1 << dataClass;
        List<MarkSpec> marks = new ArrayList<>();
        for (int c = 0; c < CLASSES; c++) {
            marks.add((classes >> c & 1) == 0 ? MarkSpec.NONE : rule);
        }
        return marks;
    }

    private static boolean atEnqueue(YamlValue value) {
        return value.choice("place to mark").equals("enqueue");
    }

    private static List<Integer> quanta(YamlValue value) {
        List<Integer> quanta = new ArrayList<>(Collections.nCopies(CLASSES, DEFAULT_QUANTUM));
        Map<String, YamlValue> keys = value.entries();
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
                quanta.set(Integer.parseInt(c), (int) weight.integer() * DEFAULT_QUANTUM);
            });
        }
        return quanta;
    }

    private static WatchdogSpec watchdog(YamlValue value) {
        Map<String, YamlValue> keys = value.entries();
        boolean drop = true;
        if (keys.containsKey("action")) {
            drop = keys.get("action").choice("action").equals("drop");
        }
        return new WatchdogSpec(
                Math.round(value.get("detect_ms").number() * PS_PER_MS),
                Math.round((keys.containsKey("restore_ms") ? keys.get("restore_ms") : value.get("detect_ms")).number()
                        * PS_PER_MS),
                drop);
    }
}
