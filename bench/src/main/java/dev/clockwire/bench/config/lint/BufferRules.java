package dev.clockwire.bench.config.lint;

import dev.clockwire.bench.config.model.ClassKey;
import dev.clockwire.bench.config.model.DeviceConfig;
import dev.clockwire.bench.config.model.PortConfig;
import dev.clockwire.bench.config.model.PortKey;
import dev.clockwire.bench.config.model.Rule;
import dev.clockwire.bench.config.model.Setting;
import dev.clockwire.bench.config.model.Thresholds;
import dev.clockwire.roce.fabric.Framing;
import dev.clockwire.roce.fabric.net.Headroom;
import dev.clockwire.roce.wire.PauseFrame;
import java.util.Map;
import java.util.TreeMap;

/** Room for what is under way, thresholds that fit into the buffer, and watchdogs that wait long enough. */
final class BufferRules {
    private static final long PS_PER_METRE = 5_000;
    private static final long KBPS = 1_000_000;
    private static final int FRAME_AROUND_IP = 18;
    private static final int SONIC_MTU = 9100;
    /** A path MTU of 4096 and the headers of RoCE. */
    private static final int USUAL_MTU = 4200;

    private static final double BITS_OF_QUANTUM = 512;
    private static final double US_PER_MS = 1000;

    /** Quanta that a sender may take to obey a pause, by its rate in Gb/s. Source: IEEE 802.3, annex 31B. */
    private static final Map<Long, Long> REACTION =
            new TreeMap<>(Map.of(10L, 60L, 25L, 80L, 40L, 118L, 100L, 394L, 400L, 905L));

    private final Book book;
    private final DeviceConfig device;
    private final PortConfig port;
    private final String name;

    BufferRules(Book book, DeviceConfig device, PortConfig port) {
        this.book = book;
        this.device = device;
        this.port = port;
        name = Lint.name(device, port);
    }

    void check() {
        int lossless = device.lossless(port);
        for (int c = 0; c < PortConfig.CLASSES; c++) {
            if ((lossless >> c & 1) != 0) {
                headroom(c);
                pool(c);
                offset(c);
            }
        }
        watchdog(lossless);
    }

    private void headroom(int c) {
        Setting room = port.get(ClassKey.HEADROOM, c);
        Setting rate = port.get(PortKey.GBPS);
        if (room == null) {
            Setting group = port.get(ClassKey.RESERVE, c);
            if (device.kind() == DeviceConfig.Kind.SONIC && group != null) {
                book.find(
                        Rule.HEADROOM_MISSING,
                        group.where(),
                        c,
                        name + ": the profile of priority " + c + " has no xoff: it is a lossy one",
                        "a BUFFER_PROFILE with xoff for its priority group");
            }
            return;
        }
        if (rate == null) {
            return;
        }
        Setting cable = port.get(PortKey.CABLE);
        long metres = cable == null ? 0 : cable.whole();
        long mtu = port.whole(PortKey.MTU, device.kind() == DeviceConfig.Kind.SONIC ? SONIC_MTU : USUAL_MTU);
        long kbps = Math.round(rate.value() * KBPS);
        int line = Framing.ETHERNET.lineBytes((int) mtu + FRAME_AROUND_IP);
        int pause = Framing.ETHERNET.lineBytes(PauseFrame.BYTES);
        long least = Headroom.bytes(kbps, metres * PS_PER_METRE, line, pause, 0);
        Long quanta = REACTION.get(Math.round(rate.value()));
        long bits = quanta == null ? 0 : quanta * (long) BITS_OF_QUANTUM;
        long allowed = Headroom.bytes(kbps, metres * PS_PER_METRE, line, pause, bits * 1_000_000_000L / kbps);
        boolean isError = room.whole() < least;
        if (isError || room.whole() < allowed) {
            long needed = isError ? least : allowed;
            String cableText = cable == null ? "even without a cable" : "with " + metres + " m of cable";
            book.find(
                    Rule.HEADROOM_SHORT,
                    isError ? Rule.HEADROOM_SHORT.severity() : Rule.PFC_ON_MANY.severity(),
                    room.where(),
                    needed - room.whole(),
                    name + ", priority " + c + ": headroom " + room.whole() + " B is " + (needed - room.whole())
                            + " B short: " + cableText + ", packets of " + mtu + " B and " + rate.value()
                            + " Gb/s, " + needed + " B are under way"
                            + (isError
                                    ? ""
                                    : " if the sender takes the " + quanta + " quanta that IEEE 802.3 allows it"),
                    "headroom of " + needed + " B or more");
        }
    }

    private void pool(int c) {
        Setting fixed = port.get(ClassKey.XOFF, c);
        Setting pool = port.get(PortKey.POOL);
        if (fixed != null && pool != null && fixed.value() > pool.value()) {
            book.find(
                    Rule.XOFF_ABOVE_POOL,
                    fixed.where(),
                    fixed.whole() - pool.whole(),
                    name + ", priority " + c + ": the threshold of " + fixed.whole() + " B is above the pool of "
                            + pool.whole() + " B: no pause before frames are lost",
                    "a threshold below " + pool.whole() + " B");
        }
        Setting room = port.get(ClassKey.HEADROOM, c);
        Setting all = port.get(PortKey.POOL_XOFF);
        if (room != null && all != null && all.value() > 0 && room.value() > all.value()) {
            book.find(
                    Rule.XOFF_ABOVE_POOL,
                    room.where(),
                    room.whole() - all.whole(),
                    name + ", priority " + c + ": the headroom of " + room.whole() + " B is more than the "
                            + all.whole() + " B of all together",
                    "a pool for the headrooms of all ports");
        }
    }

    private void offset(int c) {
        Setting offset = port.get(ClassKey.OFFSET, c);
        long xoff = Thresholds.xoff(device, port, c);
        if (offset != null && xoff > 0 && offset.value() >= xoff) {
            book.find(
                    Rule.OFFSET_ABOVE_XOFF,
                    offset.where(),
                    offset.whole(),
                    name + ", priority " + c + ": goes on " + offset.whole() + " B below a threshold of " + xoff + " B",
                    "an offset of a few frames");
        }
    }

    private void watchdog(int lossless) {
        Setting detect = port.get(PortKey.DETECT_MS);
        Setting rate = port.get(PortKey.GBPS);
        if (detect == null || rate == null || lossless == 0) {
            return;
        }
        double us = port.whole(PortKey.QUANTA, PauseFrame.MAX_QUANTA) * BITS_OF_QUANTUM / (rate.value() * US_PER_MS);
        if (detect.value() * US_PER_MS < us) {
            book.find(
                    Rule.WATCHDOG_TOO_SHORT,
                    detect.where(),
                    Math.round(us),
                    name + ": fires after " + detect.value() + " ms, but one pause may last " + Math.round(us)
                            + " us at " + rate.value() + " Gb/s",
                    "more than " + (long) Math.ceil(us / US_PER_MS) + " ms; 200 ms is usual");
        }
    }
}
