package dev.clockwire.bench.config.host;

import dev.clockwire.bench.config.model.ClassKey;
import dev.clockwire.bench.config.model.ImportLog;
import dev.clockwire.bench.config.model.PortConfig;
import dev.clockwire.bench.config.model.PortKey;
import dev.clockwire.bench.config.model.Rule;
import dev.clockwire.bench.config.text.ConfigLine;
import dev.clockwire.sim.error.Nearest;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code echo VALUE > FILE} and {@code echo VALUE | sudo tee FILE} for the files of congestion control in sysfs and debugfs. */
final class SysfsFile {
    private static final Pattern ECN = Pattern.compile("/sys/class/net/([^/]+)/ecn/roce_(np|rp)/(.+)");
    private static final Pattern DEBUGFS = Pattern.compile("/sys/kernel/debug/mlx5/([^/]+)/cc_params/(.+)");
    private static final Pattern CLASS = Pattern.compile("/sys/class/infiniband/([^/]+)/tc/\\d+/traffic_class");
    private static final Pattern DEFAULT_TOS =
            Pattern.compile("/sys/kernel/config/rdma_cm/([^/]+)/ports/\\d+/default_roce_tos");
    private static final Pattern COUNTER =
            Pattern.compile("/sys/class/infiniband/([^/]+)/ports/\\d+/(?:hw_)?counters/(.+)");
    private static final List<String> ECN_FOLDERS = List.of("roce_np", "roce_rp");
    private static final Pattern ENABLE = Pattern.compile("enable/([0-7*])");

    /** What a file sets, by its name without rp_, np_ or rpg_. */
    private enum Parameter {
        AI_RATE(PortKey.AI_MBPS, 1_000_000),
        HAI_RATE(PortKey.HAI_MBPS, 1_000_000),
        TIME_RESET(PortKey.TIMER_US, 131_071),
        BYTE_RESET(PortKey.VOLUME, 32_767),
        THRESHOLD(PortKey.STAGES, 31),
        MIN_RATE(PortKey.FLOOR_MBPS, 1_000_000),
        MIN_DEC_FAC(PortKey.LEFT, 100),
        DCE_TCP_G(PortKey.KEEP, 1023),
        DCE_TCP_RTT(PortKey.ALPHA_US, 131_071),
        RATE_REDUCE_MONITOR_PERIOD(PortKey.MONITOR_US, 131_071),
        RATE_TO_SET_ON_FIRST_CNP(PortKey.FIRST_MBPS, 1_000_000),
        CLAMP_TGT_RATE(PortKey.CLAMP, 1),
        MIN_TIME_BETWEEN_CNPS(PortKey.CNP_US, 4095),
        CNP_DSCP(PortKey.CNP_DSCP, 63),
        CNP_802P_PRIO(PortKey.CNP_PRIORITY, 7),
        CNP_PRIO(PortKey.CNP_PRIORITY, 7);

        private final PortKey key;
        private final long most;

        Parameter(PortKey key, long most) {
            this.key = key;
            this.most = most;
        }
    }

    private static final Map<String, Parameter> PARAMETERS = new TreeMap<>();

    static {
        for (Parameter p : Parameter.values()) {
            PARAMETERS.put(p.name().toLowerCase(java.util.Locale.ROOT), p);
        }
    }

    /** Files that are there, and set what the simulation does not have. */
    private static final List<String> OTHERS = List.of(
            "gd",
            "max_rate",
            "initial_alpha_value",
            "clamp_tgt_rate_ati",
            "clamp_tgt_rate_after_time_inc",
            "cnp_prio_mode");

    private final HostReader reader;
    private final ImportLog log;

    private SysfsFile(HostReader reader) {
        this.reader = reader;
        this.log = reader.log;
    }

    /** Takes a line; false if it writes no file of the kernel. */
    static boolean read(HostReader reader, ConfigLine line) {
        List<String> words = line.words();
        String text = String.join(" ", words.subList(1, words.size())).replaceAll("['\"]", "");
        Matcher m = Pattern.compile("(\\S+) ?(?:>|\\| (?:sudo )?tee(?: -a)?) ?(/sys/\\S+)(?: .*)?")
                .matcher(text);
        if (!m.matches()) {
            return false;
        }
        reader.begin(line, "sysfs");
        String file = m.group(2).replaceAll("/+", "/");
        if (line.words().get(0).equals("echo") && !m.group(1).isEmpty()) {
            new SysfsFile(reader).write(file, m.group(1));
        }
        return true;
    }

    private void write(String file, String value) {
        Matcher ecn = ECN.matcher(file);
        Matcher debugfs = DEBUGFS.matcher(file);
        if (ecn.matches()) {
            ecn(reader.made().port(ecn.group(1), log.where()), ecn.group(2), ecn.group(3), value);
        } else if (debugfs.matches()) {
            parameter(reader.made().all(), debugfs.group(2), value);
        } else if (CLASS.matcher(file).matches() || DEFAULT_TOS.matcher(file).matches()) {
            reader.typeOfService(value.replace("tclass=", ""));
        } else if (COUNTER.matcher(file).matches()) {
            log.effect("no effect: a counter");
            log.finding(
                    Rule.NO_SUCH_SYSFS_FILE,
                    0,
                    file + " is no switch: what is in that folder counts, and can only be read",
                    "a program polls when it calls ibv_poll_cq; nothing has to be switched on");
        } else if (file.matches("/sys/class/net/[^/]+/ecn/.*")) {
            String folder = file.replaceFirst("^/sys/class/net/[^/]+/ecn/", "").replaceFirst("/.*", "");
            log.effect("no effect: there is no such file");
            log.finding(
                    Rule.NO_SUCH_SYSFS_FILE,
                    0,
                    file + ": ecn has no '" + folder + "'" + Nearest.hint(folder, ECN_FOLDERS),
                    "write to ecn/roce_np or ecn/roce_rp");
        } else {
            log.effect("no effect in the simulation: " + file);
        }
    }

    private void ecn(PortConfig port, String side, String name, String value) {
        Matcher enable = ENABLE.matcher(name);
        if (!enable.matches()) {
            parameter(port, name, value);
            return;
        }
        if (!value.equals("0") && !value.equals("1")) {
            log.bad("ecn/roce_" + side + "/" + name, value, "0 or 1");
            return;
        }
        ClassKey key = side.equals("np") ? ClassKey.NP : ClassKey.RP;
        for (int c = 0; c < PortConfig.CLASSES; c++) {
            if (enable.group(1).equals("*") || enable.group(1).equals(Integer.toString(c))) {
                port.set(key, c, Integer.parseInt(value), log.where());
            }
        }
        log.effect((side.equals("np") ? "notification" : "reaction") + " point of priority " + enable.group(1)
                + (value.equals("1") ? " on" : " off"));
    }

    private void parameter(PortConfig port, String file, String value) {
        String name = file.replaceFirst("^params/", "").replaceFirst("^(rpg_|rp_|np_)", "");
        Parameter known = PARAMETERS.get(name);
        if (known == null) {
            if (OTHERS.contains(name)) {
                log.effect("no effect in the simulation: " + name);
                return;
            }
            log.effect("no effect: there is no such file");
            log.finding(
                    Rule.NO_SUCH_SYSFS_FILE,
                    0,
                    "there is no parameter " + file + Nearest.hint(name, PARAMETERS.keySet()),
                    "one of " + String.join(", ", PARAMETERS.keySet()));
            return;
        }
        if (!value.matches("\\d{1,9}") || Long.parseLong(value) > known.most) {
            log.bad(name, value, "0 to " + known.most);
            return;
        }
        port.set(known.key, Long.parseLong(value), log.where());
        log.effect(name + " = " + value + " " + known.key.unit());
    }
}
