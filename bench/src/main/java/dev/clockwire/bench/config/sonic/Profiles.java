package dev.clockwire.bench.config.sonic;

import dev.clockwire.bench.config.model.ClassKey;
import dev.clockwire.bench.config.model.DeviceConfig;
import dev.clockwire.bench.config.model.ImportLog;
import dev.clockwire.bench.config.model.PortConfig;
import dev.clockwire.bench.config.model.PortKey;
import dev.clockwire.bench.config.model.Rule;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Buffer pools and profiles, WRED profiles, schedulers, and the priority groups and queues that use them. */
final class Profiles {
    private static final Pattern KEY = Pattern.compile("(.+)\\|([0-7])(?:-([0-7]))?");
    private static final long MOST_BYTES = 1L << 40;
    private static final long MOST_PART = 1L << 30;
    private static final double PER_CENT = 100.0;
    private static final List<String> GREEN = List.of("ecn_green", "ecn_green_yellow", "ecn_green_red", "ecn_all");
    private static final List<String> NOT_GREEN = List.of("ecn_none", "ecn_yellow", "ecn_red", "ecn_yellow_red");

    private final SonicReader reader;
    private final ImportLog log;

    Profiles(SonicReader reader) {
        this.reader = reader;
        this.log = reader.log;
    }

    /** WRED profiles that no queue uses. */
    void unused(DeviceConfig device) {
        reader.table("WRED_PROFILE").forEach((name, profile) -> {
            boolean used = reader.table("QUEUE").values().stream()
                    .anyMatch(q -> q.get("wred_profile", "").replace("]", "").endsWith(name));
            if (!used) {
                log.finding(
                        Rule.WRED_NOT_APPLIED,
                        Rule.WRED_NOT_APPLIED.severity(),
                        reader.where(profile, ""),
                        profile.fields().size(),
                        "no queue of " + device.name() + " uses the WRED profile " + name,
                        "\"QUEUE\": {\"Ethernet0|3\": {\"wred_profile\": \"" + name + "\"}}");
            }
        });
    }

    void pool(DeviceConfig device, String name, JsonPlace pool) {
        if (!pool.get("type", "ingress").equals("ingress") || !name.contains("lossless")) {
            log.effect("no pool of lossless priorities where frames come in; not simulated");
            return;
        }
        long size = reader.number(pool, "size", 1, MOST_BYTES, 0);
        long xoff = reader.number(pool, "xoff", 0, MOST_BYTES, -1);
        if (size > 0) {
            device.all().set(PortKey.POOL, size, reader.where(pool, "size"));
        }
        if (xoff >= 0) {
            device.all().set(PortKey.POOL_XOFF, xoff, reader.where(pool, "xoff"));
        }
        log.effect(size > 0 ? "lossless priorities share " + size + " B (switches.buffer)" : "no size");
    }

    /** Applies an entry to the ports and numbers of a key {@code Ethernet0,Ethernet4|3-4}. */
    private boolean each(DeviceConfig device, String key, BiConsumer<PortConfig, Integer> effect) {
        Matcher m = KEY.matcher(key);
        if (!m.matches()) {
            log.bad("key", key, "PORT|0 to 7 or PORT|FIRST-LAST");
            return false;
        }
        int first = Integer.parseInt(m.group(2));
        int last = m.group(3) == null ? first : Integer.parseInt(m.group(3));
        for (PortConfig port : reader.ports(device, m.group(1))) {
            for (int n = first; n <= last; n++) {
                effect.accept(port, n);
            }
        }
        return true;
    }

    /** Priority groups: those of the traffic classes that lead there. */
    void group(DeviceConfig device, String key, JsonPlace entry) {
        String name = entry.get("profile", "NULL");
        if (name.equals("NULL")) {
            log.effect("the switch makes the profile of speed and cable");
            return;
        }
        JsonPlace profile = reader.named("BUFFER_PROFILE", name, entry, "profile");
        long size = reader.number(profile, "size", 0, MOST_PART, 0);
        long xoff = reader.number(profile, "xoff", 0, MOST_PART, -1);
        long alpha = reader.number(profile, "dynamic_th", -10, 10, Long.MIN_VALUE);
        long fixed = reader.number(profile, "static_th", 0, MOST_BYTES, -1);
        long offset = reader.number(profile, "xon_offset", 0, MOST_PART, -1);
        boolean done = each(device, key, (port, group) -> {
            for (int tc = 0; tc < PortConfig.CLASSES; tc++) {
                if (port.whole(ClassKey.RECEIVE, tc, tc) != group) {
                    continue;
                }
                set(port, ClassKey.RESERVE, tc, xoff >= 0 && size >= xoff ? size - xoff : size, profile, "size");
                if (xoff >= 0) {
                    set(port, ClassKey.HEADROOM, tc, xoff, profile, "xoff");
                }
                if (alpha != Long.MIN_VALUE) {
                    set(port, ClassKey.ALPHA_LOG2, tc, alpha, profile, "dynamic_th");
                } else if (fixed >= 0) {
                    set(port, ClassKey.XOFF, tc, fixed, profile, "static_th");
                }
                if (offset >= 0) {
                    set(port, ClassKey.OFFSET, tc, offset, profile, "xon_offset");
                }
            }
        });
        if (done) {
            log.effect(
                    xoff >= 0
                            ? "headroom " + xoff + " B (switches.headroom_bytes)"
                                    + (alpha == Long.MIN_VALUE ? "" : ", alpha 2^" + alpha + " (switches.alpha)")
                            : "no headroom: a lossy priority group");
        }
    }

    private void set(PortConfig port, ClassKey key, int tc, long value, JsonPlace profile, String field) {
        port.set(key, tc, value, reader.where(profile, field));
    }

    /** Queues: their marks and their turn. */
    void queue(DeviceConfig device, String key, JsonPlace entry) {
        String wred = entry.get("wred_profile", "");
        String scheduler = entry.get("scheduler", "");
        JsonPlace marks = wred.isEmpty() ? null : reader.named("WRED_PROFILE", wred, entry, "wred_profile");
        JsonPlace turn = scheduler.isEmpty() ? null : reader.named("SCHEDULER", scheduler, entry, "scheduler");
        boolean done = each(device, key, (port, queue) -> {
            if (marks != null) {
                marks(port, queue, marks);
            }
            if (turn != null) {
                turn(port, queue, turn);
            }
        });
        if (done) {
            log.effect((marks == null ? "" : "marks as " + wred + " says (switches.ecn) ")
                    + (turn == null ? "" : "takes turns as " + scheduler + " says (switches.scheduling)"));
        }
    }

    private void marks(PortConfig port, int queue, JsonPlace profile) {
        String ecn = profile.get("ecn", "ecn_none");
        if (!GREEN.contains(ecn) && !NOT_GREEN.contains(ecn)) {
            log.unknownWord(Rule.BAD_VALUE, "value of ecn", ecn, GREEN);
            return;
        }
        long kmin = reader.number(profile, "green_min_threshold", 0, MOST_BYTES, -1);
        long kmax = reader.number(profile, "green_max_threshold", 0, MOST_BYTES, -1);
        long probability = reader.number(profile, "green_drop_probability", 0, 100, 100);
        port.set(ClassKey.ECN, queue, GREEN.contains(ecn) ? 1 : 0, reader.where(profile, "ecn"));
        if (kmin >= 0 && kmax >= 0) {
            port.set(ClassKey.KMIN, queue, kmin, reader.where(profile, "green_min_threshold"));
            port.set(ClassKey.KMAX, queue, kmax, reader.where(profile, "green_max_threshold"));
            port.set(ClassKey.PMAX, queue, probability / PER_CENT, reader.where(profile, "green_drop_probability"));
        }
    }

    private void turn(PortConfig port, int queue, JsonPlace scheduler) {
        String type = scheduler.get("type", "DWRR");
        if (!List.of("DWRR", "WRR", "STRICT").contains(type)) {
            log.unknownWord(Rule.BAD_VALUE, "type of scheduler", type, List.of("DWRR", "WRR", "STRICT"));
            return;
        }
        boolean strict = type.equals("STRICT");
        port.set(ClassKey.STRICT, queue, strict ? 1 : 0, reader.where(scheduler, "type"));
        if (!strict) {
            long weight = reader.number(scheduler, "weight", 1, 100, 1);
            port.set(ClassKey.SHARE, queue, weight, reader.where(scheduler, "weight"));
        }
    }
}
