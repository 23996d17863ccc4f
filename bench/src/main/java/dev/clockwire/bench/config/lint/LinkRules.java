package dev.clockwire.bench.config.lint;

import dev.clockwire.bench.config.model.ClassKey;
import dev.clockwire.bench.config.model.DeviceConfig;
import dev.clockwire.bench.config.model.PortConfig;
import dev.clockwire.bench.config.model.PortKey;
import dev.clockwire.bench.config.model.Rule;
import dev.clockwire.bench.config.model.Setting;
import dev.clockwire.bench.config.model.Told;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Two devices that do not fit. Where ports name their neighbours only those are compared, else all with all. */
final class LinkRules {
    private final Book book;
    private final List<DeviceConfig> devices;
    private final boolean isNamed;

    LinkRules(Book book, List<DeviceConfig> devices) {
        this.book = book;
        this.devices = devices;
        isNamed = devices.stream()
                .flatMap(d -> d.ports().stream())
                .anyMatch(p -> devices.stream().anyMatch(d -> d.name().equals(p.neighbour())));
    }

    void check() {
        DcbxRules dcbx = new DcbxRules(book);
        devices.forEach(d -> d.ports().forEach(p -> dcbx.waits(d, p)));
        for (int i = 0; i < devices.size(); i++) {
            for (int j = i + 1; j < devices.size(); j++) {
                pair(devices.get(i), devices.get(j), dcbx);
            }
        }
        congestion();
    }

    private void pair(DeviceConfig a, DeviceConfig b, DcbxRules dcbx) {
        boolean hosts = !a.isSwitch() && !b.isSwitch();
        for (PortConfig p : towards(a, b)) {
            for (PortConfig q : towards(b, a)) {
                if (hosts) {
                    versions(a, p, b, q);
                    packets(a, p, b, q);
                } else {
                    pauses(a, p, b, q);
                    packets(a, p, b, q);
                    cables(a, p, b, q);
                    dcbx.pair(a, p, b, q);
                }
            }
        }
    }

    /** Returns the ports of a device that lead to another: all if nobody names neighbours, or if only the other names it. */
    private List<PortConfig> towards(DeviceConfig a, DeviceConfig b) {
        if (!isNamed || (!a.isSwitch() && !b.isSwitch())) {
            return a.ports();
        }
        List<PortConfig> named =
                a.ports().stream().filter(p -> p.neighbour().equals(b.name())).toList();
        boolean back = b.ports().stream().anyMatch(p -> p.neighbour().equals(a.name()));
        boolean silent = a.ports().stream().allMatch(p -> p.neighbour().isEmpty());
        return named.isEmpty() && back && silent ? a.ports() : named;
    }

    private void pauses(DeviceConfig a, PortConfig p, DeviceConfig b, PortConfig q) {
        int here = a.isSwitch() ? a.lossless(p) : Told.agreed(a, p, b, q);
        int there = b.isSwitch() ? b.lossless(q) : Told.agreed(b, q, a, p);
        boolean silent = (!a.isSwitch() && p.name().isEmpty())
                || (!b.isSwitch() && q.name().isEmpty());
        if (here == there || silent || (!a.speaksOfPfc(p) && !b.speaksOfPfc(q))) {
            return; // a host of which only applications are known may have PFC
        }
        if (!isNamed && (fits(a, there) || fits(b, here))) {
            return; // nobody says which ports are joined, and some would fit
        }
        Setting at = pfc(here != 0 ? p : q, here != 0 ? here : there);
        book.find(
                Rule.PFC_ONE_SIDED,
                at == null ? p.where() : at.where(),
                here ^ there,
                Lint.name(a, p) + " has PFC on " + Lint.names(here) + ", " + Lint.name(b, q) + " on "
                        + Lint.names(there),
                "the same priorities at both ends");
    }

    private static boolean fits(DeviceConfig device, int lossless) {
        return device.ports().stream().anyMatch(p -> device.lossless(p) == lossless);
    }

    private static @Nullable Setting pfc(PortConfig port, int bits) {
        return port.get(ClassKey.LOSSLESS, Integer.numberOfTrailingZeros(Math.max(1, bits)));
    }

    private void packets(DeviceConfig a, PortConfig p, DeviceConfig b, PortConfig q) {
        Setting here = p.get(PortKey.MTU);
        Setting there = q.get(PortKey.MTU);
        if (here == null || there == null || here.whole() == there.whole()) {
            return;
        }
        Setting small = here.value() < there.value() ? here : there;
        boolean smallIsHost = here.value() < there.value() ? !a.isSwitch() : !b.isSwitch();
        boolean bigIsSwitch = here.value() < there.value() ? b.isSwitch() : a.isSwitch();
        if (smallIsHost && bigIsSwitch) {
            return; // a switch may take longer packets than a host sends
        }
        book.find(
                Rule.MTU_MISMATCH,
                small.where(),
                small.whole(),
                Lint.name(a, p) + " takes packets of " + here.whole() + " B, " + Lint.name(b, q) + " of "
                        + there.whole() + " B: longer ones are lost",
                "the same MTU everywhere, 4200 or more for a path MTU of 4096");
    }

    private void cables(DeviceConfig a, PortConfig p, DeviceConfig b, PortConfig q) {
        Setting here = p.get(PortKey.CABLE);
        Setting there = q.get(PortKey.CABLE);
        if (isNamed && here != null && there != null && here.whole() != there.whole()) {
            book.find(
                    Rule.CABLE_MISMATCH,
                    here.where(),
                    Math.abs(here.whole() - there.whole()),
                    Lint.name(a, p) + " was told " + here.whole() + " m, " + Lint.name(b, q) + " " + there.whole()
                            + " m",
                    "the length of the cable at both ends");
        }
    }

    private void versions(DeviceConfig a, PortConfig p, DeviceConfig b, PortConfig q) {
        Setting here = p.get(PortKey.ROCE);
        Setting there = q.get(PortKey.ROCE);
        if (here != null && there != null && here.whole() != there.whole()) {
            Setting old = here.value() < there.value() ? here : there;
            book.find(
                    Rule.ROCE_VERSION_MISMATCH,
                    old.where(),
                    old.whole(),
                    Lint.name(a, p) + " uses RoCE v" + here.whole() + ", " + Lint.name(b, q) + " v" + there.whole(),
                    "cma_roce_mode -d DEV -p 1 -m 2 on both");
        }
    }

    /** Marks, notifications and rates: all three for each lossless priority. */
    private void congestion() {
        for (int c = 0; c < PortConfig.CLASSES; c++) {
            Setting marks = find(true, ClassKey.ECN, c, true);
            Setting tells = find(false, ClassKey.NP, c, true);
            Setting obeys = find(false, ClassKey.RP, c, true);
            Setting mute = find(false, ClassKey.NP, c, false);
            Setting deaf = find(false, ClassKey.RP, c, false);
            boolean lossless = isLossless(c);
            if (mute != null && (marks != null || obeys != null)) {
                incomplete(mute, c, "nobody tells the sender of marks: the notification point is off");
            }
            if (deaf != null && (marks != null || tells != null)) {
                incomplete(deaf, c, "the sender does not obey notifications: the reaction point is off");
            }
            Setting host = tells != null ? tells : obeys;
            if (lossless && marks == null && host != null && devices.stream().anyMatch(DeviceConfig::isSwitch)) {
                incomplete(host, c, "no switch marks: nobody is ever told");
            }
        }
    }

    private void incomplete(Setting at, int c, String text) {
        book.find(
                Rule.ECN_INCOMPLETE,
                at.where(),
                c,
                "priority " + c + ": " + text,
                "ECN on the queue of each switch, ecn/roce_np/enable/" + c + " and ecn/roce_rp/enable/" + c
                        + " on each host");
    }

    private boolean isLossless(int c) {
        return devices.stream()
                .filter(DeviceConfig::isSwitch)
                .anyMatch(d -> d.ports().stream().anyMatch(p -> (d.lossless(p) >> c & 1) != 0));
    }

    /** Returns a setting of a priority on switches, or on hosts, that is on, or off; marks are the queue's. */
    private @Nullable Setting find(boolean switches, ClassKey key, int c, boolean on) {
        for (DeviceConfig device : devices) {
            for (PortConfig port : device.ports()) {
                Setting s = port.get(key, switches ? device.queueOf(port, c) : c);
                if (device.isSwitch() == switches && s != null && s.on() == on) {
                    return s;
                }
            }
        }
        return null;
    }
}
