package dev.clockwire.bench.cli;

import dev.clockwire.bench.nvmf.FioFile;
import dev.clockwire.bench.nvmf.NvmfSpec;
import dev.clockwire.bench.nvmf.StackKind;
import dev.clockwire.bench.nvmf.Stacks;
import dev.clockwire.nic.offload.OffloadMemory.Place;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nvme.ctrl.NamespaceSpec;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.nvme.media.GcSpec;
import dev.clockwire.nvme.media.MediaParameter;
import dev.clockwire.nvme.media.MediaProfiles;
import dev.clockwire.nvme.media.MediaSpec;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Plain;
import dev.clockwire.storage.nvmf.offload.NicOffload;
import dev.clockwire.storage.perf.LocalSpec;
import dev.clockwire.storage.perf.PerfSpec;
import dev.clockwire.storage.reactor.CoreMask;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** From what was typed behind {@code nvmf perf} to a run. */
final class NvmfResolver {
    /** Of the last few thousand work requests. */
    private static final int STAMPS = 1 << 18;

    private static final List<String> WORKLOADS = List.of("read", "write", "randread", "randwrite", "rw", "randrw");
    static final String SSD = "ssd.";
    private static final double PS = 1e12;
    private static final double LONGEST = 3600;
    private static final long SSD_BYTES = 1L << 36;

    private final NvmfPerfOptions options;
    private final NvmfOptions own;

    NvmfResolver(NvmfPerfOptions options, NvmfOptions own) {
        this.options = options;
        this.own = own;
    }

    NvmfSpec resolve() {
        PerfSpec load = load();
        Profile profile = own.profile.profile();
        List<String> typed = new ArrayList<>(profile.replaced());
        int pairs = 1;
        for (String p : options.pairsOrOverrides) {
            if (p.indexOf('=') > 0) {
                ProfileOverride change = new ProfileOverride.Converter().convert(p);
                if (change.path().startsWith(SSD)) {
                    continue; // see ssds()
                }
                profile = profile.with(change.path(), change.value());
                typed.add(change.path());
            } else {
                pairs = (int) Capacity.parse("-P", p, 1, 128);
            }
        }
        int entries =
                options.entries == null ? 65_536 : (int) Capacity.parse("--io-queue-size", options.entries, 2, 65_536);
        Range.check("-U", options.unused, 0, 128, "");
        Range.check("-C", options.mostPerPoll, 0, 65_536, "");
        LocalSpec.Use use = new LocalSpec.Use(
                load.queueDepth(),
                pairs,
                options.unused,
                entries,
                options.mostPerPoll,
                options.everyCore,
                !own.doorbellEach,
                true);
        NvmfTransports transports = new NvmfTransports(options, own);
        StackKind stack = transports.kind();
        checkWay(stack);
        transports.check(stack);
        if (own.against != null) {
            checkWay(own.against);
            transports.check(own.against);
        }
        if (stack == StackKind.OFFLOAD || own.against == StackKind.OFFLOAD) {
            profile = Stacks.offloading(profile, typed);
        }
        NvmfSpec spec = new NvmfSpec(
                stack,
                profile,
                SimSpec.of(own.seed).withMode(own.kernel),
                own.payload(),
                options.read("-c", label -> CoreMask.parse(options.cores())),
                ssds(profile),
                transports.targets(),
                use,
                load,
                String.valueOf(options.pattern),
                own.provider,
                transports.ids(),
                own.handOver,
                options.keepAlive == null ? -1 : (int) Capacity.parse("-k", options.keepAlive, 0, Integer.MAX_VALUE),
                own.offloadMemory,
                own.adaptive,
                own.out().isEmpty() || own.provider.soft() != null ? 0 : STAMPS);
        new NvmfLimits(spec, options, own).check();
        return spec;
    }

    private interface Maker<T> {
        T make();
    }

    /** What is wrong with an option is the command line's fault, not an input's. */
    private static <T> T usage(Maker<T> maker) {
        try {
            return maker.make();
        } catch (ConfigurationException e) {
            throw CliException.usage(String.valueOf(e.getMessage()));
        }
    }

    /** What would be passed over is refused: nobody shall think that it has had an effect. */
    private void checkWay(StackKind stack) {
        if (stack == StackKind.LOCAL && own.provider.soft() != null) {
            throw CliException.usage("--provider is for a fabric: local SSDs have no NICs");
        }
        if (stack == StackKind.KERNEL_TCP || stack == StackKind.KERNEL_RDMA) {
            checkKernel(stack);
        }
        if (options.hugemem != null) {
            Capacity.parse("-s", options.hugemem, 1, 1 << 24);
        }
    }

    /** What SPDK's tool does with its queues, a program above a kernel cannot. */
    private void checkKernel(StackKind stack) {
        String option = options.mostPerPoll != 0
                ? "-C"
                : options.unused != 0
                        ? "-U"
                        : options.everyCore ? "--use-every-core" : own.doorbellEach ? "--doorbell-each" : "";
        if (!option.isEmpty()) {
            throw CliException.usage(option + " is for local SSDs and --stack spdk: the queues of --stack " + stack
                    + " are the kernel's");
        }
    }

    private PerfSpec load() {
        String pattern = required("-w", options.pattern);
        if (!WORKLOADS.contains(pattern)) {
            options.read("-w", label -> {
                String place = label.equals("-w") ? "" : label + "=" + pattern + ": ";
                throw CliException.usage(place + CliException.unknownText("workload", pattern, WORKLOADS));
            });
        }
        String q = required("-q", options.depth);
        String o = required("-o", options.size);
        int depth = (int) (long) options.read("-q", label -> Capacity.parse(label, q, 1, 65_536));
        int size = (int) (long) options.read("-o", label -> Capacity.parse(label, o, 512, 1 << 24));
        if (size % own.block != 0) {
            throw CliException.input(options.label("-o") + " " + size + " is no multiple of " + own.block
                    + ", the bytes of a block (--block-size)");
        }
        double seconds = required("-t", options.seconds);
        long time = options.read("-t", label -> time(label, seconds, 1e-9));
        long warmup = options.read("-a", label -> time(label, options.warmup(), 0));
        checkNumber(depth, warmup);
        boolean random = pattern.startsWith("rand");
        int reads = percent(random ? pattern.substring(4) : pattern);
        double zipf = options.zipf();
        if (!(zipf >= 0 && zipf <= 10) || zipf == 1) {
            options.read("-F", label -> {
                throw CliException.usage(label + " " + Plain.text(zipf) + ": must be 0 to 10, and not 1");
            });
        }
        return usage(() -> new PerfSpec(depth, size, random, reads, warmup, time, options.number(), zipf));
    }

    /** A number of I/Os fills the queue once at least, and has no warm-up. */
    private void checkNumber(int depth, long warmup) {
        long number = options.number();
        if (number != 0 && number < depth) {
            options.read("-d", label -> {
                throw CliException.usage(
                        label + " " + number + " is less than the queue depth, " + options.label("-q") + " " + depth);
            });
        }
        if (number > 0 && warmup > 0) {
            options.read("-d", label -> {
                throw CliException.usage(label + " " + number + " and a warm-up, " + options.label("-a") + " "
                        + Plain.text(options.warmup()) + ", exclude each other: -a 0 leaves it out");
            });
        }
    }

    private int percent(String kind) {
        Integer mix = options.mix;
        if (!kind.equals("rw")) {
            return kind.equals("read") ? 100 : 0; // the real tool ignores -M here, too
        }
        return (int) Range.check("-M", required("-M", mix), 0, 100, "");
    }

    private <T> T required(String option, @Nullable T value) {
        if (value == null) {
            FioFile file = options.file();
            throw file == null
                    ? CliException.usage(
                            "missing " + option + ": 'nvmf perf' needs -q, -o, -w and -t, for rw and randrw -M too")
                    : CliException.input(file.where("runtime") + " is missing: it, or -t, says how long it runs");
        }
        return value;
    }

    private static long time(String option, double seconds, double least) {
        if (!(seconds >= least && seconds <= LONGEST)) {
            throw CliException.usage(option + " " + Plain.text(seconds) + " is outside its range " + Plain.text(least)
                    + " to " + Plain.text(LONGEST) + " s");
        }
        return Math.round(seconds * PS);
    }

    private List<NvmeSpec> ssds(Profile profile) {
        MediaProfiles.named(own.media); // a wrong name is told as such
        if (own.gc && MediaProfiles.named(own.media).buffer().bytes() == 0) {
            throw CliException.usage("--gc: " + own.media + " overwrites in place; flash is --media pm9a3");
        }
        List<NvmeSpec> all = new ArrayList<>();
        long cmb = own.offloadMemory == Place.HOST
                ? 0
                : NicOffload.controllerMemory(Math.max(1, profile.integer("nic.nvmf.contexts")));
        for (int i = 0; i < own.ssds; i++) {
            NamespaceSpec n = new NamespaceSpec(own.block, SSD_BYTES / own.block / own.namespaces);
            NvmeSpec ssd = NvmeSpec.of(own.media).withNamespaces(Collections.nCopies(own.namespaces, n));
            MediaSpec media = own.gc ? ssd.media().withGc(GcSpec.usual()) : ssd.media();
            for (String p : options.pairsOrOverrides) {
                int equals = p.indexOf('=');
                if (p.startsWith(SSD) && equals > 0) {
                    media = MediaParameter.replace(media, p.substring(0, equals), p.substring(equals + 1));
                }
            }
            all.add(ssd.withMedia(media).withControllerMemory(cmb));
        }
        return all;
    }
}
