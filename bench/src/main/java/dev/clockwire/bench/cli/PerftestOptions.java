package dev.clockwire.bench.cli;

import dev.clockwire.bench.device.DeviceFormat;
import dev.clockwire.bench.perftest.AtomicKind;
import dev.clockwire.bench.perftest.Provider;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the real perftest that mean something here, and our own. What the user did not type is null. */
final class PerftestOptions {
    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            converter = ByteSize.MessageConverter.class,
            description = "Message size, such as 4096, 64K or 1M (default: 2 lat, 65536 bw).")
    @Nullable
    ByteSize size;

    @Option(
            names = {"-a", "--all"},
            description = "All sizes from 2 to 2^23, a row each.")
    boolean all;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            description = "Messages of each QP (default: 1000, write-bw 5000).")
    @Nullable
    Long iterations;

    @Option(
            names = {"-D", "--duration"},
            paramLabel = "SECONDS",
            description = "Simulated seconds instead of -n; ends when the result is known to 0.5 %%.")
    @Nullable
    Double seconds;

    @Option(names = "--exact", description = "Run all of -D.")
    boolean exact;

    @Option(
            names = {"-q", "--qp"},
            paramLabel = "N",
            description = "Queue pairs; bw tools only (default: 1).")
    @Nullable
    Integer qps;

    @Option(
            names = {"-t", "--tx-depth"},
            paramLabel = "N",
            description = "Sends in flight of each QP (default: 128 bw, 1 lat).")
    @Nullable
    Integer txDepth;

    @Option(
            names = {"-r", "--rx-depth"},
            paramLabel = "N",
            description = "Receives posted ahead (default: 512).")
    @Nullable
    Integer rxDepth;

    @Option(
            names = {"-l", "--post_list"},
            paramLabel = "N",
            description = "Work requests for each doorbell (default: 1).")
    @Nullable
    Integer postList;

    @Option(
            names = {"-Q", "--cq-mod"},
            paramLabel = "N",
            description = "A completion every N sends (default: 100; 1 above 8192 B).")
    @Nullable
    Integer cqMod;

    @Option(
            names = {"-m", "--mtu"},
            paramLabel = "BYTES",
            description = "Path MTU (default: that of the profile).")
    @Nullable
    Integer mtu;

    @Option(names = "--switch", description = "Put a switch between the hosts (default: as the profile says).")
    boolean throughSwitch;

    @Option(
            names = {"-I", "--inline_size"},
            paramLabel = "BYTES",
            description =
                    "Largest message inside the work request (default: 220 write-lat, 236 send-lat, 188 UD, 0 bw).")
    @Nullable
    Integer inline;

    @Option(
            names = {"-c", "--connection"},
            paramLabel = "RC|UC|UD",
            defaultValue = "RC",
            converter = ConnectionConverter.class,
            description = "Transport service (default: ${DEFAULT-VALUE}).")
    QpType connection = QpType.RC;

    @Option(
            names = {"-o", "--outs"},
            paramLabel = "N",
            description = "READs and atomics in flight (default: profile).")
    @Nullable
    Integer outstanding;

    @Option(
            names = {"-A", "--atomic_type"},
            paramLabel = "TYPE",
            defaultValue = "FETCH_AND_ADD",
            converter = AtomicConverter.class,
            description = "FETCH_AND_ADD or CMP_AND_SWAP (default: ${DEFAULT-VALUE}).")
    AtomicKind atomic = AtomicKind.FETCH_AND_ADD;

    @Option(names = "--cpu_util", description = "A line for each core: busy, polling, useful.")
    boolean cpuUtil;

    @Option(names = "--report_gbits", description = "Bandwidth in Gb/s.")
    boolean gbits;

    @Option(
            names = {"-H", "--report-histogram"},
            description = "Print all latencies, sorted.")
    boolean histogram;

    @Option(
            names = {"-U", "--report-unsorted"},
            description = "Print all latencies in order.")
    boolean unsorted;

    @Option(
            names = {"-C", "--report-cycles"},
            description = "With -H and -U: in cycles of the NIC's core clock.")
    boolean cycles;

    @Option(
            names = {"-e", "--event", "--events"},
            description = "Sleep until an event of the completion queue comes, rather than poll.")
    boolean events;

    /** Only {@code explain} offers it: the real tools have no such option. */
    boolean deviceMemory;

    @Option(
            names = "--register-each",
            description =
                    "Register the buffer for each message, and release it behind it, as a program without a pool does;"
                            + " read-lat and atomic-lat only.")
    boolean registerEach;

    @Option(
            names = "--counters",
            arity = "0..1",
            paramLabel = "FORMAT[,FORMAT]",
            fallbackValue = PlainOption.COUNTERS,
            preprocessor = PlainOption.class,
            description = "Print both devices as the real tools do: --counters=FORMAT,… of counters, hw-counters,"
                    + " ethtool-s, ethtool-c, lspci, lspci-dump, rdma, qps, numa, interrupts, status, iommu (default:"
                    + " hw-counters,ethtool-s).")
    @Nullable
    String counters;

    @Option(
            names = "--tail",
            description =
                    "Also say why the slowest messages were slower than the median one; the run is simulated twice.")
    boolean tail;

    @Option(names = "--rate", paramLabel = "MSGS_PER_S", description = "Open loop: post at this rate; bw tools only.")
    @Nullable
    Double rate;

    @Option(
            names = "--together",
            paramLabel = "SHARE|stalls",
            description =
                    "With --rate: in this share of the rounds, or in those in which the client's memory stalls, all"
                            + " queue pairs post at once (default: 0, spread evenly).")
    @Nullable
    String together;

    @Option(
            names = "--rate_limit",
            paramLabel = "RATE",
            description = "The device paces each queue pair to this rate, headers included; bw tools only.")
    @Nullable
    Double rateLimit;

    @Option(
            names = "--rate_units",
            paramLabel = "g|M",
            defaultValue = "g",
            description = "Unit of --rate_limit: Gb/s, or MiB/s (default: ${DEFAULT-VALUE}).")
    String rateUnits = "g";

    @Option(
            names = "--burst_size",
            paramLabel = "MESSAGES",
            description = "Messages that may leave at once after a rest, with --rate_limit (default: 64 KiB).")
    @Nullable
    Long burstSize;

    @Option(
            names = "--tx_weight",
            paramLabel = "N[,N]",
            description = "Weights of the queue pairs, in turn, 1 to 255; needs -P nic.sched.policy=wrr.")
    @Nullable
    String txWeight;

    @Option(
            names = "--tx_priority",
            paramLabel = "N[,N]",
            description = "Priorities of the queue pairs, in turn, 0 (lowest) to 7; needs -P nic.sched.policy=strict.")
    @Nullable
    String txPriority;

    @Option(
            names = "--cq_count",
            paramLabel = "N",
            description = "With -e: completions that an event waits for (ibv_modify_cq); needs --cq_period.")
    @Nullable
    Integer cqCount;

    @Option(
            names = "--cq_period",
            paramLabel = "US",
            description = "With -e: an event waits for so many us after the first completion at most.")
    @Nullable
    Integer cqPeriod;

    @Option(
            names = {"-u", "--qp-timeout"},
            paramLabel = "N",
            description = "Acknowledge timeout of 4.096 us x 2^N, 0 = none (default: 14).")
    @Nullable
    Integer qpTimeout;

    @Option(
            names = "--use-srq",
            description = "SENDs of all queue pairs take from one shared receive queue of -r receives.")
    boolean sharedReceives;

    @Option(
            names = "--tclass",
            paramLabel = "N",
            description = "Traffic class of packets, 0 to 255: code point x 4 and ECN (default: 0).")
    @Nullable
    Integer trafficClass;

    @Option(names = "--ipv6", description = "Frames over IPv6.")
    boolean ipv6;

    @Option(
            names = "--payload",
            paramLabel = "bytes|sizes",
            defaultValue = "bytes",
            converter = PayloadConverter.class,
            description = "Carry payload, or only its sizes (default: ${DEFAULT-VALUE}).")
    PayloadMode payload = PayloadMode.BYTES;

    @Option(
            names = "--kernel",
            paramLabel = "activity|exhaustive",
            defaultValue = "activity",
            converter = KernelConverter.class,
            description = "Skip what is idle, or nothing (default: ${DEFAULT-VALUE}).")
    KernelMode kernel = KernelMode.ACTIVITY;

    @Option(
            names = "--provider",
            paramLabel = "hw|soft",
            defaultValue = "hw",
            converter = ProviderConverter.class,
            description = "Simulate the NIC, or only what it does (default: ${DEFAULT-VALUE}).")
    Provider provider = Provider.HW;

    @Option(
            names = "--hash",
            paramLabel = "points|full",
            defaultValue = "points",
            converter = HashConverter.class,
            description =
                    "What the trace hash covers: observation points, or every channel (default: ${DEFAULT-VALUE}).")
    HashScope hash = HashScope.POINTS;

    PerftestOptions() {}

    /** What the trace hash covers. */
    enum HashScope {
        POINTS,
        FULL
    }

    /** Returns the formats of {@code --counters}, none without it. */
    List<DeviceFormat> formats() {
        CounterConverter converter = new CounterConverter();
        return counters == null
                ? List.of()
                : Arrays.stream(counters.split(",")).map(converter::convert).toList();
    }

    private static final class CounterConverter extends EnumConverter<DeviceFormat> {
        CounterConverter() {
            super("format", DeviceFormat.values());
        }
    }

    /** Reads a transport service, as the real tools do. */
    static final class ConnectionConverter implements picocli.CommandLine.ITypeConverter<QpType> {
        @Override
        public QpType convert(String text) {
            for (QpType type : QpType.values()) {
                if (type.name().equals(text)) {
                    return type;
                }
            }
            throw CliException.usage("-c " + text + ": the transport services are RC, UC and UD");
        }
    }

    private static final class AtomicConverter implements picocli.CommandLine.ITypeConverter<AtomicKind> {
        @Override
        public AtomicKind convert(String text) {
            for (AtomicKind kind : AtomicKind.values()) {
                if (kind.name().equals(text)) {
                    return kind;
                }
            }
            throw CliException.usage("-A " + text + ": the atomics are FETCH_AND_ADD and CMP_AND_SWAP");
        }
    }

    static final class PayloadConverter extends EnumConverter<PayloadMode> {
        PayloadConverter() {
            super("payload mode", PayloadMode.values());
        }
    }

    static final class KernelConverter extends EnumConverter<KernelMode> {
        KernelConverter() {
            super("kernel", KernelMode.values());
        }
    }

    private static final class HashConverter extends EnumConverter<HashScope> {
        HashConverter() {
            super("hash scope", HashScope.values());
        }
    }
}
