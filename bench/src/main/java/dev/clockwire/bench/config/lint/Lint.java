package dev.clockwire.bench.config.lint;

import dev.clockwire.bench.config.model.DeviceConfig;
import dev.clockwire.bench.config.model.ImportLog;
import dev.clockwire.bench.config.model.PortConfig;
import dev.clockwire.bench.config.model.PortKey;
import dev.clockwire.bench.config.model.Setting;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Looks at devices, one by one and at two ends of a link. */
public final class Lint {
    /** Code point of CNPs where nobody set another: the firmware's default. */
    static final int CNP_DSCP = 48;

    private Lint() {}

    /** Writes down what is wrong. */
    public static void check(List<DeviceConfig> devices, ImportLog log) {
        Book book = new Book(log);
        TreeSet<Integer> data = new TreeSet<>();
        TreeSet<Integer> cnps = new TreeSet<>();
        for (DeviceConfig device : devices) {
            for (PortConfig port : device.ports()) {
                collect(port.get(PortKey.DATA_DSCP), data);
                collect(port.get(PortKey.CNP_DSCP), cnps);
            }
        }
        if (cnps.isEmpty()) {
            cnps.add(CNP_DSCP);
        }
        for (DeviceConfig device : devices) {
            for (PortConfig port : device.ports()) {
                new PriorityRules(book, device, port).check(data, cnps);
                new MarkRules(book, device, port).check();
                new BufferRules(book, device, port).check();
            }
        }
        new LinkRules(book, devices).check();
        book.close();
    }

    private static void collect(@Nullable Setting setting, Set<Integer> into) {
        if (setting != null) {
            into.add((int) setting.whole());
        }
    }

    /** Returns a port's name for messages. */
    static String name(DeviceConfig device, PortConfig port) {
        return port.name().isEmpty() ? device.name() : device.name() + " " + port.name();
    }

    /** Returns {@code 3, 4}. */
    static String names(int bits) {
        StringBuilder names = new StringBuilder();
        for (int c = 0; c < PortConfig.CLASSES; c++) {
            if ((bits >> c & 1) != 0) {
                names.append(names.isEmpty() ? "" : ", ").append(c);
            }
        }
        return names.isEmpty() ? "none" : names.toString();
    }
}
