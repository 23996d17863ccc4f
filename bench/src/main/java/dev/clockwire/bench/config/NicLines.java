package dev.clockwire.bench.config;

import dev.clockwire.bench.config.host.HostReader;
import dev.clockwire.bench.config.model.ClassKey;
import dev.clockwire.bench.config.model.ImportLog;
import dev.clockwire.bench.config.model.PortConfig;
import dev.clockwire.bench.config.model.PortKey;
import dev.clockwire.bench.config.text.ConfigLine;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Lines of the tools of one NIC: applied to a simulated one, and noted for the host where they concern the fabric. */
final class NicLines {
    /** No NIC: lines are noted only. */
    static final NicLines NONE = new NicLines(null);

    private static final List<ConfigFormat> FORMATS =
            List.of(new SetpciFormat(), new MlxconfigFormat(), new EthtoolFormat(), new RoceModeFormat());

    private static final Pattern SETTING = Pattern.compile("([A-Z_0-9]+)_P1=(\\d{1,9})");

    private static final Map<String, PortKey> FIRMWARE = new TreeMap<>(Map.of(
            "CNP_DSCP", PortKey.CNP_DSCP,
            "CNP_802P_PRIO", PortKey.CNP_PRIORITY,
            "RPG_AI_RATE", PortKey.AI_MBPS,
            "RPG_HAI_RATE", PortKey.HAI_MBPS,
            "RPG_TIME_RESET", PortKey.TIMER_US,
            "RPG_BYTE_RESET", PortKey.VOLUME));

    private final @Nullable ConfigTarget target;

    NicLines(@Nullable ConfigTarget target) {
        this.target = target;
    }

    /** Takes a line; false if it is none of a NIC's tools. */
    boolean read(ConfigLine line, ImportLog log, HostReader host) {
        for (ConfigFormat format : FORMATS) {
            if (format.knows(line)) {
                log.begin(line.file(), line.number(), line.text(), format.name());
                if (target == null) {
                    log.effect("for the NIC itself; see perftest --config");
                } else {
                    target.begin(log);
                    format.apply(line, target);
                }
                noted(line, host);
                return true;
            }
        }
        return false;
    }

    private static void noted(ConfigLine line, HostReader host) {
        List<String> words = line.words();
        switch (line.program()) {
            case "cma_roce_mode" -> {
                String mode = line.option("-m", "");
                if (mode.equals("1") || mode.equals("2")) {
                    host.roce(Integer.parseInt(mode));
                }
            }
            case "ethtool" -> {
                if (words.size() > 3
                        && (words.get(1).equals("-A") || words.get(1).equals("--pause"))) {
                    boolean on = words.subList(3, words.size()).contains("on")
                            && (line.option("rx", "").equals("on")
                                    || line.option("tx", "").equals("on"));
                    host.made().port(words.get(2), line.where()).set(PortKey.GLOBAL_PAUSE, on ? 1 : 0, line.where());
                }
            }
            case "mlxconfig" -> words.forEach(w -> firmware(w, line, host));
            default -> {}
        }
    }

    private static void firmware(String word, ConfigLine line, HostReader host) {
        Matcher m = SETTING.matcher(word);
        if (!m.matches()) {
            return;
        }
        int value = Integer.parseInt(m.group(2));
        PortKey key = FIRMWARE.get(m.group(1));
        ReactionPointKeys.Key rate = ReactionPointKeys.ALL.get(m.group(1) + "_P1");
        if (rate != null && !rate.takes(value)) {
            return; // the tool does not either
        }
        if (key != null) {
            host.made().all().set(key, value, line.where());
        } else if (m.group(1).equals("ROCE_CC_PRIO_MASK")) {
            PortConfig all = host.made().all();
            for (int c = 0; c < PortConfig.CLASSES; c++) {
                all.set(ClassKey.NP, c, value >> c & 1, line.where());
                all.set(ClassKey.RP, c, value >> c & 1, line.where());
            }
        }
    }
}
