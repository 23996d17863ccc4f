package dev.clockwire.bench.cli;

import dev.clockwire.bench.nvmf.NvmfSpec;
import dev.clockwire.bench.nvmf.StackKind;
import dev.clockwire.bench.nvmf.Stacks;
import dev.clockwire.bench.nvmf.TransportId;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nvme.ctrl.NamespaceSpec;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.nvme.media.GcSpec;
import dev.clockwire.nvme.media.MediaParameter;
import dev.clockwire.nvme.media.MediaProfiles;
import dev.clockwire.nvme.media.MediaSpec;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.Plain;
import dev.clockwire.storage.perf.LocalSpec;
import dev.clockwire.storage.perf.PerfSpec;
import dev.clockwire.storage.reactor.CoreMask;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** From what was typed behind {@code nvmf perf} to a run. */
final class NvmfResolver {
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
        Profile profile = Profiles.named(own.profile);
        int pairs = 1;
        for (String p : options.pairsOrOverrides) {
            if (p.indexOf('=') > 0) {
                ProfileOverride change = new ProfileOverride.Converter().convert(p);
                if (change.path().startsWith(SSD)) {
                    continue; // see ssds()
                }
                profile = profile.with(change.path(), change.value());
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
        List<TransportId> transports = transports();
        checkWay(kind(transports), transports);
        if (own.against != null) {
            checkWay(own.against, transports);
        }
        if (kind(transports) == StackKind.OFFLOAD || own.against == StackKind.OFFLOAD) {
            profile = Stacks.offloading(profile);
        }
        return new NvmfSpec(
                kind(transports),
                profile,
                SimSpec.of(own.seed).withMode(own.kernel),
                own.payload(),
                usage(() -> CoreMask.parse(options.cores)),
                ssds(),
                targets(transports),
                use,
                load,
                String.valueOf(options.pattern),
                own.provider,
                transports,
                own.handOver,
                options.keepAlive == null ? -1 : (int) Capacity.parse("-k", options.keepAlive, 0, Integer.MAX_VALUE),
                own.adaptive);
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

    private StackKind kind(List<TransportId> transports) {
        boolean local = !transports.isEmpty() && transports.stream().allMatch(TransportId::isLocal);
        return local && own.stack == null ? StackKind.LOCAL : own.kind();
    }

    /** What would be passed over is refused: nobody shall think that it has had an effect. */
    private void checkWay(StackKind stack, List<TransportId> transports) {
        boolean local = stack == StackKind.LOCAL;
        if (local && own.provider.soft() != null) {
            throw CliException.usage("--provider is for a fabric: local SSDs have no NICs");
        }
        if (!local && !options.allowed.isEmpty()) {
            throw CliException.usage("-b is for local SSDs: a fabric's are chosen by -r");
        }
        if (stack == StackKind.KERNEL_TCP || stack == StackKind.KERNEL_RDMA) {
            checkKernel(stack);
        }
        if (!local && transports.size() > 1) {
            throw CliException.usage("-r: a fabric has one target, so it may stand once");
        }
        for (TransportId t : transports) {
            if (local != t.isLocal()) {
                throw CliException.usage("-r trtype:" + t.value("trtype") + " is not on the way to "
                        + (local ? "local SSDs" : "a target of --stack " + stack));
            }
            if (stack.hasReactors()) {
                checkRdma(t, stack);
            }
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

    private static void checkRdma(TransportId t, StackKind stack) {
        if (!t.value("trtype").equalsIgnoreCase("RDMA")) {
            throw CliException.usage(
                    "-r trtype:" + t.value("trtype") + ": --stack " + stack + " has RDMA; --stack kernel-tcp has TCP");
        }
        String family = t.value("adrfam");
        if (!family.isEmpty() && !family.equalsIgnoreCase("IPv4")) {
            throw CliException.usage("-r adrfam:" + family + ": must be IPv4");
        }
        for (String key : List.of("ns", "hostaddr", "hostsvcid", "hostnqn", "priority")) {
            if (!t.value(key).isEmpty()) {
                throw CliException.usage("-r " + key + ":" + t.value(key) + ": not simulated on a fabric");
            }
        }
    }

    private List<TransportId> transports() {
        return options.transports.stream()
                .map(t -> usage(() -> TransportId.parse(t)))
                .toList();
    }

    private PerfSpec load() {
        String pattern = required("-w", options.pattern);
        if (!WORKLOADS.contains(pattern)) {
            throw CliException.unknown("workload", pattern, WORKLOADS);
        }
        int depth = (int) Capacity.parse("-q", required("-q", options.depth), 1, 65_536);
        int size = (int) Capacity.parse("-o", required("-o", options.size), 512, 1 << 24);
        long time = time("-t", required("-t", options.seconds), 1e-9);
        long warmup = time("-a", options.warmup, 0);
        boolean random = pattern.startsWith("rand");
        int reads = percent(random ? pattern.substring(4) : pattern);
        return usage(() -> new PerfSpec(depth, size, random, reads, warmup, time, options.number, options.zipf));
    }

    private int percent(String kind) {
        Integer mix = options.mix;
        if (!kind.equals("rw")) {
            return kind.equals("read") ? 100 : 0; // the real tool ignores -M here, too
        }
        return (int) Range.check("-M", required("-M", mix), 0, 100, "");
    }

    private static <T> T required(String option, @Nullable T value) {
        if (value == null) {
            throw CliException.usage(
                    "missing " + option + ": 'nvmf perf' needs -q, -o, -w and -t, for rw and randrw -M too");
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

    private List<NvmeSpec> ssds() {
        MediaProfiles.named(own.media); // a wrong name is told as such
        if (own.gc && MediaProfiles.named(own.media).buffer().bytes() == 0) {
            throw CliException.usage("--gc: " + own.media + " overwrites in place; flash is --media pm9a3");
        }
        List<NvmeSpec> all = new ArrayList<>();
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
            all.add(ssd.withMedia(media));
        }
        return all;
    }

    /** The local SSDs that {@code -r} and {@code -b} name, by their PCIe addresses. */
    private List<LocalSpec.Target> targets(List<TransportId> transports) {
        List<LocalSpec.Target> list = new ArrayList<>();
        for (TransportId t : transports) {
            if (t.isLocal()) {
                String at = t.value("traddr");
                String ns = t.value("ns");
                int nsid = ns.isEmpty() ? 0 : (int) Capacity.parse("-r ns:", ns, 1, own.namespaces);
                for (int i = 0; i < own.ssds; i++) {
                    if (at.isEmpty() || i == ssd(at)) {
                        list.add(new LocalSpec.Target(i, nsid));
                    }
                }
            }
        }
        options.allowed.forEach(b -> list.add(new LocalSpec.Target(ssd(b), 0)));
        return list;
    }

    private int ssd(String address) {
        List<String> known = new ArrayList<>();
        for (int i = 0; i < own.ssds; i++) {
            known.add(String.format(Locale.ROOT, "0000:%02x:00.0", i + 1));
        }
        String full = address.indexOf(':') == address.lastIndexOf(':') ? "0000:" + address : address;
        if (!known.contains(full)) {
            throw CliException.unknown("PCIe address", address, known);
        }
        return known.indexOf(full);
    }
}
