package dev.clockwire.bench.config.app;

import dev.clockwire.bench.config.host.HostReader;
import dev.clockwire.bench.config.model.ImportLog;
import dev.clockwire.bench.config.model.PortKey;
import dev.clockwire.bench.config.model.Rule;
import dev.clockwire.bench.config.text.ConfigLine;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Options of 3FS that concern RDMA: the sections {@code ibsocket}, {@code ib_devices} and {@code rdma_control} of its TOML files. */
public final class ThreeFsOptions {
    private static final Pattern SECTION = Pattern.compile("\\[\\[?([A-Za-z0-9_.\"' -]+)\\]?\\]");
    private static final Pattern ENTRY = Pattern.compile("([A-Za-z0-9_-]+)\\s*=\\s*(.*)");
    private static final Pattern RDMA = Pattern.compile("(?:.*\\.)?(ibsocket|ib_devices|rdma_control)");
    private static final Pattern PROGRAM = Pattern.compile("hf3fs_fuse(_main)?");
    private static final List<String> LAUNCHER =
            List.of("--launcher_cfg", "--app_cfg", "--cfg", "--dump_default_cfg", "--help");

    /** Numbers: their least and largest value. */
    private static final Map<String, long[]> NUMBERS = new TreeMap<>(Map.ofEntries(
            Map.entry("sl", new long[] {0, 15}),
            Map.entry("traffic_class", new long[] {0, 255}),
            Map.entry("default_traffic_class", new long[] {0, 255}),
            Map.entry("gid_index", new long[] {0, 255}),
            Map.entry("default_gid_index", new long[] {0, 255}),
            Map.entry("pkey_index", new long[] {0, 65_535}),
            Map.entry("default_pkey_index", new long[] {0, 65_535}),
            Map.entry("default_roce_pkey_index", new long[] {0, 65_535}),
            Map.entry("start_psn", new long[] {0, (1 << 24) - 1}),
            Map.entry("min_rnr_timer", new long[] {0, 31}),
            Map.entry("timeout", new long[] {0, 31}),
            Map.entry("retry_cnt", new long[] {0, 7}),
            Map.entry("rnr_retry", new long[] {0, 7}),
            Map.entry("max_sge", new long[] {1, 64}),
            Map.entry("max_rdma_wr", new long[] {1, 1 << 16}),
            Map.entry("max_rdma_wr_per_post", new long[] {1, 1 << 16}),
            Map.entry("max_rd_atomic", new long[] {1, 128}),
            Map.entry("buf_size", new long[] {1, 1 << 30}),
            Map.entry("send_buf_cnt", new long[] {1, 1 << 16}),
            Map.entry("buf_ack_batch", new long[] {1, 1 << 16}),
            Map.entry("buf_signal_batch", new long[] {1, 1 << 16}),
            Map.entry("event_ack_batch", new long[] {1, 1 << 16}),
            Map.entry("drop_connections", new long[] {0, 1 << 16}),
            Map.entry("max_concurrent_transmission", new long[] {1, 1 << 16})));

    private static final List<String> OTHERS = List.of(
            "drain_timeout",
            "record_latency_per_peer",
            "record_bytes_per_peer",
            "allow_no_usable_devices",
            "allow_unknown_zone",
            "default_network_zone",
            "device_filter",
            "fork_safe",
            "prefer_ibdevice",
            "skip_inactive_ports",
            "skip_unusable_device",
            "subnets");

    private final HostReader host;
    private final ImportLog log;
    private boolean inside;

    /** Creates a reader for the services of a host. */
    public ThreeFsOptions(HostReader host, ImportLog log) {
        this.host = host;
        this.log = log;
    }

    /** Takes a line; false if it is none that concerns RDMA. */
    public boolean read(ConfigLine line) {
        String text = String.join(" ", line.words());
        Matcher section = SECTION.matcher(text);
        if (section.matches()) {
            inside = RDMA.matcher(section.group(1)).matches();
            if (inside) {
                log.begin(line.file(), line.number(), line.text(), "3fs");
                log.effect("options of RDMA");
            }
            return inside;
        }
        if (PROGRAM.matcher(line.program()).matches()) {
            log.begin(line.file(), line.number(), line.text(), "3fs");
            launch(line.words());
            return true;
        }
        Matcher m = ENTRY.matcher(text);
        if (!inside || !m.matches()) {
            return false;
        }
        log.begin(line.file(), line.number(), line.text(), "3fs");
        option(m.group(1), m.group(2).trim());
        return true;
    }

    private void launch(List<String> words) {
        boolean good = true;
        for (String word : words.subList(1, words.size())) {
            String name = word.replaceFirst("=.*", "");
            if (name.startsWith("--") && !LAUNCHER.contains(name)) {
                good = false;
                log.finding(
                        Rule.NO_SUCH_OPTION,
                        0,
                        "hf3fs_fuse_main has no option " + name + says(name),
                        "hf3fs_fuse_main --launcher_cfg FILE.toml with mountpoint, mgmtd_server_addresses ="
                                + " [\"RDMA://IP:8000\"], token_file and cluster_id in the file");
            }
        }
        log.effect(good ? "starts the client; what it does is in its files" : "refused: unknown options");
    }

    private static String says(String name) {
        return switch (name) {
            case "--rdma_polling" -> ": its completions are events, not polled";
            case "--io_uring_enabled" ->
                ": zero copy needs the interface of the library (Iov, Ior), io_uring is for"
                        + " the storage service's files";
            default -> "";
        };
    }

    private void option(String name, String value) {
        long[] range = NUMBERS.get(name);
        if (range == null) {
            if (OTHERS.contains(name)) {
                log.effect("no effect in the simulation: " + name);
            } else {
                List<String> all = new java.util.ArrayList<>(NUMBERS.keySet());
                all.addAll(OTHERS);
                log.unknownWord(Rule.NO_SUCH_OPTION, "option of 3FS here", name, all);
            }
            return;
        }
        if (!value.matches("\\d{1,12}") || Long.parseLong(value) < range[0] || Long.parseLong(value) > range[1]) {
            log.bad(name, value, range[0] + " to " + range[1]);
            return;
        }
        apply(name, Long.parseLong(value));
    }

    private void apply(String name, long value) {
        switch (name) {
            case "traffic_class", "default_traffic_class" -> {
                host.made().all().set(PortKey.DATA_DSCP, value >> 2, log.where());
                log.effect("data has DSCP " + (value >> 2) + " (hosts: code point of data)");
                HostReader.suspicious(log, (int) value, name);
            }
            case "timeout" -> {
                host.made().all().set(PortKey.TIMEOUT, value, log.where());
                log.effect("acknowledgement timeout 4.096 us x 2^" + value + " (hosts.timeout_us)");
            }
            case "retry_cnt" -> {
                host.made().all().set(PortKey.RETRIES, value, log.where());
                log.effect(value + " retries (hosts.retries)");
            }
            case "rnr_retry" -> {
                log.effect(value + " retries when the receiver is not ready");
                if (value == 0) {
                    log.finding(
                            Rule.RNR_RETRY_ZERO,
                            0,
                            "a receiver without a receive ends the queue pair at once",
                            "leave it: credits keep receives posted, and a fault in them shows; 7 = for ever");
                }
            }
            default -> log.effect(name + " = " + value + "; not simulated yet");
        }
    }
}
