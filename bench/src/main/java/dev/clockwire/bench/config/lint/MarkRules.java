package dev.clockwire.bench.config.lint;

import dev.clockwire.bench.config.model.ClassKey;
import dev.clockwire.bench.config.model.DeviceConfig;
import dev.clockwire.bench.config.model.PortConfig;
import dev.clockwire.bench.config.model.Rule;
import dev.clockwire.bench.config.model.Setting;
import dev.clockwire.bench.config.model.Thresholds;

/** When queues mark, and when that is too late. */
final class MarkRules {
    private final Book book;
    private final DeviceConfig device;
    private final PortConfig port;
    private final String name;

    MarkRules(Book book, DeviceConfig device, PortConfig port) {
        this.book = book;
        this.device = device;
        this.port = port;
        name = Lint.name(device, port);
    }

    void check() {
        for (int queue = 0; queue < PortConfig.CLASSES; queue++) {
            Setting kmin = port.get(ClassKey.KMIN, queue);
            Setting kmax = port.get(ClassKey.KMAX, queue);
            if (kmin != null && kmax != null && kmax.value() < kmin.value()) {
                book.find(
                        Rule.KMAX_BELOW_KMIN,
                        kmax.where(),
                        kmax.whole(),
                        name + ", queue " + queue + ": Kmax " + kmax.whole() + " B is below Kmin " + kmin.whole()
                                + " B",
                        "Kmax above Kmin, four times as a rule");
            }
            averaged(queue);
        }
        int lossless = device.lossless(port);
        for (int c = 0; c < PortConfig.CLASSES; c++) {
            if ((lossless >> c & 1) != 0) {
                lossless(c, device.queueOf(port, c));
            }
        }
    }

    private void averaged(int queue) {
        Setting ecn = port.get(ClassKey.ECN, queue);
        long w = Thresholds.average(device, port, queue);
        if (ecn != null && ecn.on() && w > 0) {
            Setting set = port.get(ClassKey.AVERAGE, queue);
            book.find(
                    Rule.ECN_AVERAGED,
                    set == null ? ecn.where() : set.where(),
                    w,
                    name + ", queue " + queue + ": the queue is averaged with weight 2^-" + w
                            + (set == null ? " (the default)" : "") + "; DCQCN means its length now",
                    "queue " + queue + " weighting-constant 0");
        }
    }

    private void lossless(int c, int queue) {
        Setting kmin = port.get(ClassKey.KMIN, queue);
        if (kmin == null) {
            return;
        }
        if (!port.on(ClassKey.ECN, queue)) {
            book.find(
                    Rule.WRED_DROPS_LOSSLESS,
                    kmin.where(),
                    kmin.whole(),
                    name + ", queue " + queue + ": drops from " + kmin.whole() + " B on, though priority " + c
                            + " is lossless",
                    device.kind() == DeviceConfig.Kind.SONIC ? "\"ecn\": \"ecn_all\"" : "queue " + queue + " ecn");
            return;
        }
        long xoff = Thresholds.xoff(device, port, c);
        if (xoff > 0 && kmin.value() > xoff) {
            book.find(
                    Rule.KMIN_ABOVE_XOFF,
                    kmin.where(),
                    xoff,
                    name + ", priority " + c + ": marks begin at " + kmin.whole() + " B, but one sender is paused at "
                            + xoff + " B",
                    "Kmin well below " + xoff + " B");
        }
    }
}
