package dev.clockwire.bench.config.app;

import dev.clockwire.bench.config.host.HostReader;
import dev.clockwire.bench.config.model.ImportLog;
import dev.clockwire.bench.config.model.PortKey;
import dev.clockwire.bench.config.model.Rule;
import dev.clockwire.bench.config.text.ConfigLine;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Options of Ceph's RDMA messenger, in ceph.conf or set by {@code ceph config set}. Source: its table of options. */
public final class CephOptions {
    private static final Pattern LINE = Pattern.compile("(ms[ _-][a-z_ -]+?)\\s*=\\s*(.*)");
    private static final Pattern BARE = Pattern.compile("(ms_[a-z_]+)(?:\\s+(.*))?");
    private static final Pattern SECTION =
            Pattern.compile("\\[(global|client(\\.(admin|rgw).*)?|(osd|mon|mgr|mds)(\\.[0-9a-z-]+)?)\\]");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,12})([KMG]?)(?:i?B)?");
    private static final List<String> TYPES = List.of("async+posix", "async+rdma", "async+dpdk", "simple", "async");
    private static final long DEFAULT_BUFFER = 128 << 10;
    private static final long DEFAULT_RECEIVES = 32_768;
    private static final long DEFAULT_SENDS = 1024;
    private static final long GIB = 1L << 30;

    /** Numbers: their least and largest value. */
    private static final Map<String, long[]> NUMBERS = new TreeMap<>(Map.ofEntries(
            Map.entry("ms_async_rdma_buffer_size", new long[] {1024, 1L << 30}),
            Map.entry("ms_async_rdma_send_buffers", new long[] {1, 1L << 24}),
            Map.entry("ms_async_rdma_receive_buffers", new long[] {1, 1L << 24}),
            Map.entry("ms_async_rdma_receive_queue_len", new long[] {1, 1L << 16}),
            Map.entry("ms_async_rdma_port_num", new long[] {1, 255}),
            Map.entry("ms_async_rdma_polling_us", new long[] {0, Integer.MAX_VALUE}),
            Map.entry("ms_async_rdma_gid_idx", new long[] {0, 255}),
            Map.entry("ms_async_rdma_roce_ver", new long[] {0, 2}),
            Map.entry("ms_async_rdma_sl", new long[] {0, 15}),
            Map.entry("ms_async_rdma_dscp", new long[] {0, 255})));

    private static final List<String> OTHERS = List.of(
            "ms_type",
            "ms_cluster_type",
            "ms_public_type",
            "ms_async_rdma_device_name",
            "ms_async_rdma_enable_hugepage",
            "ms_async_rdma_support_srq",
            "ms_async_rdma_local_gid",
            "ms_async_rdma_cm",
            "ms_async_rdma_type");

    private final HostReader host;
    private final ImportLog log;
    private final Map<String, Long> set = new TreeMap<>();
    private String pinnedWhere = "";

    /** Creates a reader for the daemons of a host. */
    public CephOptions(HostReader host, ImportLog log) {
        this.host = host;
        this.log = log;
    }

    /** Takes a line; false if it is none of the messenger. */
    public boolean read(ConfigLine line) {
        List<String> words = line.words();
        String text = String.join(" ", words);
        if (words.get(0).equals("ceph")
                && words.size() > 4
                && words.get(1).equals("config")
                && words.get(2).equals("set")) {
            if (!words.get(4).startsWith("ms_")) {
                return false;
            }
            log.begin(line.file(), line.number(), line.text(), "ceph");
            option(words.get(4), words.size() > 5 ? words.get(5) : "");
            return true;
        }
        if (SECTION.matcher(text).matches()) {
            log.begin(line.file(), line.number(), line.text(), "ceph");
            log.effect("daemons that the options are for; all of the host here");
            return true;
        }
        Matcher m = LINE.matcher(text);
        Matcher bare = BARE.matcher(text);
        if (m.matches()) {
            log.begin(line.file(), line.number(), line.text(), "ceph");
            option(
                    m.group(1).trim().replace(' ', '_').replace('-', '_'),
                    m.group(2).replaceFirst("\\s*;.*", "").trim());
        } else if (bare.matches()) {
            log.begin(line.file(), line.number(), line.text(), "ceph");
            String value = bare.group(2) == null ? "" : bare.group(2);
            log.effect("no effect: ceph.conf takes NAME = VALUE");
            log.finding(
                    Rule.CEPH_SYNTAX,
                    line.number(),
                    "there is no '=' between name and value",
                    bare.group(1) + " = " + (value.equals("asyncrdma") ? "async+rdma" : value));
        } else {
            return false;
        }
        return true;
    }

    private void option(String name, String value) {
        long[] range = NUMBERS.get(name);
        if (range != null) {
            number(name, value, range);
        } else if (name.equals("ms_type") || name.equals("ms_cluster_type") || name.equals("ms_public_type")) {
            type(name, value);
        } else if (OTHERS.contains(name)) {
            log.effect("no effect in the simulation: " + name);
        } else if (name.startsWith("ms_async_rdma")) {
            List<String> all = new java.util.ArrayList<>(NUMBERS.keySet());
            all.addAll(OTHERS);
            log.unknownWord(Rule.NO_SUCH_OPTION, "option of Ceph", name, all);
        } else {
            log.effect("no effect in the simulation: not an option of RDMA");
        }
    }

    private void type(String name, String value) {
        if (!TYPES.contains(value)) {
            log.unknownWord(Rule.CEPH_TYPE, "messenger", value, TYPES);
        } else {
            log.effect((name.equals("ms_type") ? "all networks: " : name + ": ")
                    + (value.equals("async+rdma") ? "RDMA, by SEND only, path MTU 1024" : "no RDMA"));
        }
    }

    private void number(String name, String value, long[] range) {
        Matcher m = SIZE.matcher(value.replace("_", ""));
        long given = m.matches() ? Long.parseLong(m.group(1)) : -1;
        int shift = m.matches() ? shift(m.group(2)) : 0;
        long number = given > Long.MAX_VALUE >> shift ? -1 : given << shift;
        if (number < range[0] || number > range[1]) {
            log.bad(name, value, range[0] + " to " + range[1]);
            return;
        }
        set.put(name, number);
        switch (name) {
            case "ms_async_rdma_polling_us" -> polling(number);
            case "ms_async_rdma_dscp" -> {
                host.made().all().set(PortKey.DATA_DSCP, number >> 2, log.where());
                log.effect("data has DSCP " + (number >> 2) + ": the option is a type of service");
                HostReader.suspicious(log, (int) number, name);
            }
            case "ms_async_rdma_receive_buffers", "ms_async_rdma_buffer_size", "ms_async_rdma_send_buffers" -> {
                pinnedWhere = log.where();
                log.effect(String.format(Locale.ROOT, "%,d; chunks of the messenger, not simulated yet", number));
            }
            default -> log.effect(name + " = " + number);
        }
    }

    private static int shift(String unit) {
        return switch (unit) {
            case "K" -> 10;
            case "M" -> 20;
            case "G" -> 30;
            default -> 0;
        };
    }

    private void polling(long us) {
        if (us == 0) {
            log.effect("event mode: the thread arms the completion queues and sleeps at once");
            log.finding(
                    Rule.CEPH_POLLING_ZERO,
                    0,
                    "0 is the time without completions after which the thread sleeps: it never polls, and each message"
                            + " costs an interrupt",
                    "1000 (the default), or a large number to poll always");
        } else {
            log.effect("polls until nothing has come for " + us + " us");
        }
    }

    /** Ends the file: memory that the buffers pin. */
    public void close() {
        if (pinnedWhere.isEmpty()) {
            return;
        }
        long chunk = set.getOrDefault("ms_async_rdma_buffer_size", DEFAULT_BUFFER);
        double bytes = (double) chunk
                * (set.getOrDefault("ms_async_rdma_receive_buffers", DEFAULT_RECEIVES)
                        + set.getOrDefault("ms_async_rdma_send_buffers", DEFAULT_SENDS));
        if (bytes >= GIB) {
            log.finding(
                    Rule.CEPH_BUFFERS,
                    Rule.CEPH_BUFFERS.severity(),
                    pinnedWhere,
                    (long) bytes,
                    String.format(Locale.ROOT, "each daemon may pin %.1f GiB", bytes / GIB),
                    "LimitMEMLOCK=infinity in the unit of the daemon, or fewer receive buffers");
        }
    }
}
