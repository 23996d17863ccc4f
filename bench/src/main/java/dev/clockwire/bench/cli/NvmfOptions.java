package dev.clockwire.bench.cli;

import dev.clockwire.bench.artefact.WaveChoice;
import dev.clockwire.bench.nvmf.StackKind;
import dev.clockwire.bench.perftest.Provider;
import dev.clockwire.nic.offload.OffloadMemory.Place;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.mem.PayloadMode;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Our own options of {@code nvmf perf}: {@link RunOptions} but for {@code -P}, which the real tool has too, and what is simulated. */
final class NvmfOptions {
    @Option(names = "--local", description = "SSDs in the host that loads them: no fabric.")
    boolean local;

    @Option(
            names = "--stack",
            paramLabel = "STACK",
            converter = StackConverter.class,
            description = "What the load and the SSDs are joined by: spdk, offload, kernel-rdma or kernel-tcp"
                    + " (default: spdk).")
    @Nullable
    StackKind stack;

    @Option(
            names = "--against",
            paramLabel = "STACK",
            converter = StackConverter.class,
            description = "Run the load on this stack too, on the same hardware, and show both side by side.")
    @Nullable
    StackKind against;

    @Option(
            names = "--offload-memory",
            paramLabel = "PLACE",
            converter = PlaceConverter.class,
            defaultValue = "host",
            description = "With --stack offload: what data pass through, memory of the host or the controller memory of"
                    + " the SSDs, which they have then: host or controller (default: ${DEFAULT-VALUE}).")
    Place offloadMemory = Place.HOST;

    @Option(
            names = "--media",
            paramLabel = "NAME",
            defaultValue = "p5800x",
            description = "What SSDs are made of: p5800x, p4800x, pm9a3, null or ram (default: ${DEFAULT-VALUE}).")
    String media = "p5800x";

    @Option(
            names = "--gc",
            description =
                    "Flash makes room for writes by moving pages (pm9a3), and is found as long random writing leaves"
                            + " it.")
    boolean gc;

    @Option(
            names = "--image",
            paramLabel = "FILE",
            description = "With --local: what the first namespace of the first SSD holds; it survives the run.")
    @Nullable
    Path image;

    @Option(names = "--ssds", paramLabel = "N", defaultValue = "1", description = "SSDs (default: ${DEFAULT-VALUE}).")
    int ssds = 1;

    @Option(
            names = "--namespaces",
            paramLabel = "N",
            defaultValue = "1",
            description = "Namespaces of each SSD (default: ${DEFAULT-VALUE}).")
    int namespaces = 1;

    @Option(
            names = "--block-size",
            paramLabel = "BYTES",
            defaultValue = "512",
            description = "Bytes of a block (default: ${DEFAULT-VALUE}).")
    int block = 512;

    @Option(
            names = "--doorbell-each",
            description =
                    "Ring the submission doorbell for each I/O, not once a look; over a fabric that of the send queue.")
    boolean doorbellEach;

    @Option(
            names = "--hand-over",
            description = "The target's block devices send a message for the end of each I/O; SPDK ends it at once.")
    boolean handOver;

    @Option(
            names = "--interrupt-mode",
            description = "Reactors of both hosts sleep when there is nothing to do; without it they poll.")
    boolean adaptive;

    @Option(
            names = "--provider",
            paramLabel = "KIND",
            converter = ProviderConverter.class,
            defaultValue = "hw",
            description = "What the NICs of a fabric are: hw or soft (default: ${DEFAULT-VALUE}).")
    Provider provider = Provider.HW;

    @Option(
            names = "--payload",
            paramLabel = "KIND",
            converter = PerftestOptions.PayloadConverter.class,
            description =
                    "What data are: bytes or sizes (default: sizes with --local, whose data nobody sees; else bytes).")
    private @Nullable PayloadMode payload;

    @Option(
            names = "--kernel",
            paramLabel = "MODE",
            converter = PerftestOptions.KernelConverter.class,
            defaultValue = "activity",
            description = "What is evaluated: activity or exhaustive (default: ${DEFAULT-VALUE}).")
    KernelMode kernel = KernelMode.ACTIVITY;

    @Option(
            names = "--profile",
            paramLabel = "NAME|FILE.yaml",
            defaultValue = "cx7-400g",
            converter = ChosenProfile.Converter.class,
            description =
                    "Hardware profile of the hosts, or a file that lays values over one (default: ${DEFAULT-VALUE}).")
    ChosenProfile profile = ChosenProfile.USUAL;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Root of all random streams (default: ${DEFAULT-VALUE}).")
    long seed = 1;

    @Mixin
    private OutOptions out = new OutOptions();

    @Mixin
    private CaptureOption capture = new CaptureOption();

    @Mixin
    private JsonOption json = new JsonOption();

    NvmfOptions() {}

    boolean json() {
        return json.wanted();
    }

    /** Refuses what has no meaning: exit code 2. */
    void check() {
        out.check();
        capture.check(out.out().isPresent() && kind() != StackKind.LOCAL, "--out DIR and a fabric");
        if (local && stack != null && stack != StackKind.LOCAL) {
            throw CliException.usage("--local and --stack exclude each other: local SSDs have no fabric");
        }
        if (against != null && !against.hasReactors() && (handOver || adaptive)) {
            throw CliException.usage("--against " + against + " has neither --hand-over nor --interrupt-mode");
        }
        if (handOver && !kind().hasReactors()) {
            throw CliException.usage(
                    "--hand-over is for --stack spdk and offload: nothing else here has SPDK's block devices");
        }
        if (adaptive && !kind().hasReactors()) {
            throw CliException.usage(
                    "--interrupt-mode is for --stack spdk and offload: nothing else here has SPDK's reactors");
        }
        if (against == StackKind.LOCAL || (against != null && kind() == StackKind.LOCAL)) {
            throw CliException.usage("--against is for stacks of a fabric: local SSDs have none");
        }
        if ((kind() == StackKind.OFFLOAD || against == StackKind.OFFLOAD) && provider.soft() != null) {
            throw CliException.usage("--provider soft has no NIC that could do anything: not with --stack offload");
        }
        if (offloadMemory != Place.HOST && kind() != StackKind.OFFLOAD && against != StackKind.OFFLOAD) {
            throw CliException.usage("--offload-memory controller is for --stack offload: elsewhere data pass through"
                    + " memory of the host");
        }
        if (Integer.bitCount(block) != 1 || block < 512 || block > 1 << 16) {
            throw CliException.usage("--block-size " + block + ": must be a power of two, 512 to 65536");
        }
        if (image != null && !local) {
            throw CliException.usage("--image is for --local");
        }
        if (image != null && payload == PayloadMode.SIZES) {
            throw CliException.usage("--image takes bytes: not --payload sizes");
        }
        Range.check("--ssds", ssds, 1, 64, "");
        Range.check("--namespaces", namespaces, 1, 1024, "");
    }

    /** Returns what the load and the SSDs are joined by. */
    StackKind kind() {
        StackKind typed = stack;
        return local ? StackKind.LOCAL : typed == null ? StackKind.SPDK : typed;
    }

    /** Returns what data are; figures and traces do not depend on it. */
    PayloadMode payload() {
        PayloadMode typed = payload;
        boolean unseen = kind() == StackKind.LOCAL && image == null;
        return typed == null ? unseen ? PayloadMode.SIZES : PayloadMode.BYTES : typed;
    }

    /** Returns where files are left. */
    Optional<Path> out() {
        return out.out();
    }

    /** Returns the bytes of a capture, 0 for any number. */
    long captureLimit() {
        return capture.bytes();
    }

    /** Returns which waves are wanted, as the writer of files wants it; null for none. */
    @Nullable
    WaveChoice waveChoice() {
        return out.waveChoice();
    }

    /** Reads the place of data. */
    static final class PlaceConverter extends EnumConverter<Place> {
        PlaceConverter() {
            super("memory of the offload", Place.values());
        }
    }

    /** Reads the kind of stack. */
    static final class StackConverter extends EnumConverter<StackKind> {
        StackConverter() {
            super("stack", StackKind.values());
        }
    }
}
