package dev.clockwire.bench.config.host;

import dev.clockwire.bench.config.model.DeviceConfig;
import dev.clockwire.bench.config.model.ImportLog;
import dev.clockwire.bench.config.model.PortConfig;
import dev.clockwire.bench.config.model.PortKey;
import dev.clockwire.bench.config.model.Rule;
import dev.clockwire.bench.config.text.ConfigLine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads command lines of one host: mlnx_qos, cma_roce_tos, cma_roce_mode, writes to files of the kernel, and the MTU of an interface. */
public final class HostReader {
    private static final int MOST_MTU = 65_535;
    private static final int LEAST_MTU = 68;

    final ImportLog log;
    private final String hostName;
    private @Nullable DeviceConfig device;

    /**
     * Creates a reader.
     *
     * @param hostName name of the host
     */
    public HostReader(String hostName, ImportLog log) {
        this.hostName = hostName;
        this.log = log;
    }

    /** Returns the host, null if no line spoke of one. */
    public @Nullable DeviceConfig device() {
        return device;
    }

    /** Returns the host; it is made if it is not there. */
    public DeviceConfig made() {
        DeviceConfig known = device;
        if (known == null) {
            known = new DeviceConfig(DeviceConfig.Kind.HOST, hostName, log.where());
            device = known;
        }
        return known;
    }

    /** Takes a line; false if it is none that this reader knows. */
    public boolean read(ConfigLine line) {
        if (line.words().stream().anyMatch(w -> w.indexOf('$') >= 0)) {
            return false; // what a shell computes is not known
        }
        switch (line.program()) {
            case "mlnx_qos" -> {
                begin(line, "mlnx_qos");
                new MlnxQos(this, line.words()).run();
            }
            case "cma_roce_tos" -> {
                begin(line, "cma_roce_tos");
                tos(line);
            }
            case "echo" -> {
                return SysfsFile.read(this, line);
            }
            case "ip", "ifconfig" -> {
                return mtu(line);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    void begin(ConfigLine line, String format) {
        log.begin(line.file(), line.number(), line.text(), format);
    }

    /** A RoCE version, as {@code cma_roce_mode -m} sets it. */
    public void roce(int version) {
        made().all().set(PortKey.ROCE, version, log.where());
    }

    private void tos(ConfigLine line) {
        int at = Math.max(line.words().indexOf("-t"), line.words().indexOf("--tos"));
        if (at < 0) {
            log.effect("prints; changes nothing");
            return;
        }
        typeOfService(at + 1 < line.words().size() ? line.words().get(at + 1) : "");
    }

    /** A type of service: the DSCP and two bits of ECN. */
    void typeOfService(String word) {
        if (word.equals("-1")) {
            log.effect("programs choose the type of service");
            return;
        }
        if (!word.matches("\\d{1,3}") || Integer.parseInt(word) > 255) {
            log.bad("type of service", word, "0 to 255: DSCP x 4");
            return;
        }
        int tos = Integer.parseInt(word);
        made().all().set(PortKey.DATA_DSCP, tos >> 2, log.where());
        log.effect("data has DSCP " + (tos >> 2) + " (hosts: code point of data)");
        suspicious(log, tos, "");
    }

    /** Says if a type of service looks like a DSCP: no DSCP that anybody uses for RoCE, and a usual one if it were read so. */
    public static void suspicious(ImportLog log, int tos, String name) {
        boolean isUsual = List.of(24, 26, 30, 32, 34, 40, 46, 48).contains(tos);
        if (isUsual && tos >> 2 < 16) {
            log.finding(
                    Rule.TOS_IS_NOT_DSCP,
                    tos,
                    (name.isEmpty() ? "" : name + " is a type of service: ") + tos + " is DSCP " + (tos >> 2)
                            + ", not DSCP " + tos,
                    Integer.toString(tos << 2) + " for DSCP " + tos);
        }
    }

    /** {@code ip link set [dev] IF mtu N} and {@code ifconfig IF mtu N}. */
    private boolean mtu(ConfigLine line) {
        List<String> words = line.words();
        int at = words.indexOf("mtu");
        boolean ip = line.program().equals("ip");
        if (at < 0
                || (ip
                        && (words.size() < 4
                                || !words.get(1).startsWith("l")
                                || !words.get(2).equals("set")))) {
            return false;
        }
        begin(line, line.program());
        String name = ip ? words.get(words.get(3).equals("dev") && words.size() > 4 ? 4 : 3) : words.get(1);
        String value = at + 1 < words.size() ? words.get(at + 1) : "";
        if (!value.matches("\\d{1,5}") || Integer.parseInt(value) < LEAST_MTU || Integer.parseInt(value) > MOST_MTU) {
            log.bad("mtu", value, LEAST_MTU + " to " + MOST_MTU);
            return true;
        }
        PortConfig port = made().port(name, log.where());
        port.set(PortKey.MTU, Integer.parseInt(value), log.where());
        log.effect(
                "packets of up to " + value + " B: path MTU " + pathMtu(Integer.parseInt(value)) + " (hosts.payload)");
        return true;
    }

    /** Returns the largest path MTU that fits into an IP packet: Linux keeps 96 B for the headers of RoCE. */
    public static int pathMtu(long mtu) {
        int path = 4096;
        while (path > 256 && path + 96 > mtu) {
            path >>= 1;
        }
        return path;
    }
}
