package dev.clockwire.bench.config.comware;

import dev.clockwire.bench.config.model.ClassKey;
import dev.clockwire.bench.config.model.DeviceConfig;
import dev.clockwire.bench.config.model.ImportLog;
import dev.clockwire.bench.config.model.PortConfig;
import dev.clockwire.bench.config.model.Rule;
import dev.clockwire.bench.config.model.Setting;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A WRED table: when each queue marks or drops, and which ports use it. What is not set has the device's default. */
final class WredTable {
    private final String name;
    private final String where;
    private final List<Map<ClassKey, Setting>> queues = new ArrayList<>();
    private final List<PortConfig> users = new ArrayList<>();

    WredTable(String name, String where) {
        this.name = name;
        this.where = where;
        for (int q = 0; q < PortConfig.CLASSES; q++) {
            queues.add(new EnumMap<>(ClassKey.class));
        }
    }

    void set(ClassKey key, int queue, double value, String at) {
        queues.get(queue).put(key, new Setting(value, at));
    }

    void use(List<PortConfig> ports) {
        users.addAll(ports);
    }

    /** Gives the settings to the ports. Queue n is priority n. */
    void apply(DeviceConfig device, ImportLog log) {
        if (users.isEmpty()) {
            log.finding(
                    Rule.WRED_NOT_APPLIED,
                    Rule.WRED_NOT_APPLIED.severity(),
                    where,
                    queues.stream().filter(q -> !q.isEmpty()).count(),
                    "no interface of " + device.name() + " uses the WRED table " + name
                            + ": its queues drop at the tail",
                    "interface ...; qos wred apply " + name);
        }
        for (PortConfig port : users) {
            for (int q = 0; q < PortConfig.CLASSES; q++) {
                int queue = q;
                queues.get(q).forEach((key, s) -> port.set(key, queue, s.value(), s.where()));
            }
        }
    }
}
