package dev.clockwire.bench.cli;

import dev.clockwire.bench.artefact.Provenance;
import dev.clockwire.bench.artefact.RunFiles;
import dev.clockwire.bench.nvmf.FileStore;
import dev.clockwire.bench.nvmf.FioFile;
import dev.clockwire.bench.nvmf.IoSlices;
import dev.clockwire.bench.nvmf.NvmfSpec;
import dev.clockwire.bench.nvmf.PerfResults;
import dev.clockwire.bench.nvmf.PerfRun;
import dev.clockwire.bench.nvmf.PerfText;
import dev.clockwire.bench.nvmf.StackKind;
import dev.clockwire.bench.nvmf.Stacks;
import dev.clockwire.nic.lab.HostModel;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nic.profile.RunPart;
import dev.clockwire.nvme.ctrl.NamespaceSpec;
import dev.clockwire.nvme.media.MediaParameter;
import dev.clockwire.nvme.media.MediaSpec;
import dev.clockwire.nvme.store.BlockStore;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.storage.nvmf.offload.NicOffload;
import dev.clockwire.storage.perf.FabricStack;
import dev.clockwire.storage.perf.LocalSpec;
import dev.clockwire.storage.perf.LocalStack;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code nvmf perf}: what {@code spdk_nvme_perf} would measure on the simulated hardware. */
@Command(
        name = "perf",
        description = "Load SSDs as spdk_nvme_perf does; the usual options of the real tool work as typed.")
final class NvmfPerfCommand extends ClockwireTask {
    @Mixin
    private NvmfPerfOptions options = new NvmfPerfOptions();

    @Mixin
    private NvmfOptions own = new NvmfOptions();

    @Mixin
    private LocalSsds ssds = new LocalSsds();

    NvmfPerfCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws Exception {
        own.check();
        ssds.check(own.kind() == StackKind.LOCAL);
        if (options.fio != null) {
            options.fill(FioFile.read(options.fio));
        }
        NvmfSpec spec = new NvmfResolver(options, own).resolve();
        FioFile file = options.file();
        if (file != null) {
            file.idle(spec.stack()).forEach(console()::note);
        }
        if (options.mix != null && !spec.workload().endsWith("rw")) { // a job file fills it for mixed loads only
            console().note("-M is for rw and randrw: ignored, as by the real tool");
        }
        if (spec.keepAliveMs() >= 0 && !spec.stack().hasReactors()) {
            console()
                    .note("-k is for --stack spdk and offload: ignored, as "
                            + (spec.stack() == StackKind.LOCAL
                                    ? "the real tool does with PCIe"
                                    : "the keep-alive time of --stack " + spec.stack() + " is the kernel's"));
        }
        tellIdle(spec);
        try (Image image = own.image == null ? null : new Image(own.image)) {
            return call(spec, image == null ? new PerfRun(spec) : new PerfRun(spec, Stacks.local(spec, image)));
        }
    }

    private List<ProfileOverride> overrides() {
        List<ProfileOverride> all = new ArrayList<>(own.profile.overrides());
        for (String typed : options.pairsOrOverrides) {
            if (typed.indexOf('=') > 0 && !typed.startsWith(NvmfResolver.SSD)) {
                all.add(new ProfileOverride.Converter().convert(typed));
            }
        }
        return all;
    }

    private void tellIdle(NvmfSpec spec) {
        Idle idle = new Idle();
        if (spec.stack() == StackKind.LOCAL) {
            localIdle(idle);
        } else {
            idle.parameters(overrides(), Profiles.named(own.profile.base()), spec.profile(), parts(spec));
        }
        mediaIdle(idle, spec.ssds().get(0).media());
        idle.tell(console());
    }

    /** Numbers that the medium does not use. */
    private void mediaIdle(Idle idle, MediaSpec medium) {
        for (String typed : options.pairsOrOverrides) {
            for (MediaParameter m : MediaParameter.all()) {
                String why = m.withoutEffect(medium);
                idle.remark(typed.startsWith(m.path() + "=") && !why.isEmpty(), typed + " has no effect: " + why);
            }
        }
    }

    /** Returns what a run over a network has of what parameters are about. */
    private static Set<RunPart> parts(NvmfSpec spec) {
        Set<RunPart> parts = EnumSet.allOf(RunPart.class);
        boolean kernel = !spec.stack().hasReactors();
        parts.removeAll(
                EnumSet.of(RunPart.MARKS, RunPart.PACING, RunPart.ATOMICS, RunPart.PACKET_FAULTS, RunPart.PEERS));
        parts.removeAll(kernel ? EnumSet.of(RunPart.SPDK) : EnumSet.of(RunPart.KERNEL, RunPart.ETHERNET));
        if (spec.stack() != StackKind.OFFLOAD) {
            parts.remove(RunPart.OFFLOAD);
        }
        return parts;
    }

    /** Local SSDs use what the profile says of the host and its cores, as it is in the end; their link is that of their medium. */
    private void localIdle(Idle idle) {
        Profile usual = Profiles.named(own.profile.base());
        List<ProfileOverride> all = overrides();
        for (ProfileOverride typed : all) {
            Profile with = usual;
            Profile without = usual;
            for (ProfileOverride other : all) {
                with = with.with(other.path(), other.value());
                without = other.equals(typed) ? without : without.with(other.path(), other.value());
            }
            boolean same = HostModel.host(with).equals(HostModel.host(without))
                    && HostModel.cpu(with).equals(HostModel.cpu(without))
                    && !with.text(typed.path()).equals(usual.text(typed.path()));
            same |= typed.path().equals("host.peer_ns"); // an SSD talks to no other device
            String why = typed.path().startsWith("host.")
                    ? "nothing of the host's cores and memory depends on it as they are"
                    : "local SSDs have neither NIC nor line, and a link of their own";
            idle.remark(same, typed.path() + "=" + typed.value() + " has no effect: " + why);
        }
    }

    private Integer call(NvmfSpec spec, PerfRun run) throws IOException {
        PerfResults results;
        run.tell(console()::note);
        ssds.apply(run.stack());
        try {
            results = results(spec, run);
        } catch (ConfigurationException e) {
            LocalSsds.View view = ssds.view(run.stack());
            if (view != null) {
                view.lines().forEach(console().err()::println);
            }
            throw e;
        }
        if (run.stack() instanceof FabricStack s) {
            tellUnshared(s);
        }
        return report(spec, run, results);
    }

    private PerfResults results(NvmfSpec spec, PerfRun run) throws IOException {
        if (own.out().isEmpty()) {
            return run.run(Interrupt::requested);
        }
        try (OutputDirectory out = OutputDirectory.at(own.out().get())) {
            PerfResults results = recorded(spec, run, out);
            if (results.interrupted()) {
                out.keepInterrupted();
            } else {
                out.keep();
            }
            return results;
        }
    }

    private Integer report(NvmfSpec spec, PerfRun run, PerfResults results) {
        if (results.interrupted()) {
            console().note("interrupted: these are the figures of a part of the run");
        } else if (!results.checkLittle()) {
            console().note(tooShort(spec, results));
        }
        StackKind against = results.interrupted() ? null : own.against;
        NvmfComparison other = against == null ? null : NvmfComparison.run(spec, against);
        print(spec, run, results, other);
        if (results.interrupted() || Interrupt.requested()) {
            return ExitCode.INTERRUPTED;
        }
        return results.errors() + (other == null ? 0 : other.errors()) > 0 ? ExitCode.CHECK_FAILED : ExitCode.OK;
    }

    /** What a run was too short for, and which time is enough. */
    private static String tooShort(NvmfSpec spec, PerfResults r) {
        String what = r.ios() == 0
                ? "no I/O has ended in the time that counts, so there are no figures"
                : "too short to check Little's law: under 100 I/Os for each that is outstanding";
        long most = spec.load().mostIos();
        long number = 100L * spec.load().queueDepth();
        return what + "; " + (most > 0 && most < number ? "-d " + number + " and " : "") + "-t "
                + new BigDecimal(r.enoughSeconds()).round(new MathContext(1)).toPlainString() + " is enough";
    }

    /** The NIC may have had no memory for the capsules of some queues, which are the target's then. */
    private void tellUnshared(FabricStack s) {
        NicOffload nic = s.lab().offload();
        int all = s.controller().queues().size();
        if (nic != null && nic.queues() < all) {
            console()
                    .note("the NIC serves " + nic.queues() + " of " + all
                            + " queues: nic.dm.bytes has no room for the capsules of the others");
        }
    }

    /** What the first namespace holds is in a file, the others are zeros in memory. */
    private static final class Image implements LocalStack.Stores, AutoCloseable {
        private final Path path;
        private @Nullable FileStore file;

        Image(Path path) {
            this.path = path;
        }

        @Override
        public BlockStore store(int ssd, int nsid, NamespaceSpec n, LocalSpec spec) {
            if (ssd > 0 || nsid > 1) {
                return LocalStack.inMemory(ssd, nsid, n, spec);
            }
            FileStore f = new FileStore(path, n.blockBytes(), n.blocks());
            file = f;
            return f;
        }

        @Override
        public void close() {
            if (file != null) {
                file.close();
            }
        }
    }

    private PerfResults recorded(NvmfSpec spec, PerfRun run, OutputDirectory out) throws IOException {
        Provenance source = Version.provenance(NvmfCommandText.of(spec, options, own), spec.profile(), own.seed);
        try (RunFiles files = new RunFiles(
                run.stack().sim(),
                run.built().hosts(),
                run.built().ports(),
                out.file(""),
                source,
                own.waveChoice(),
                own.captureLimit())) {
            run.observed(files.sampled());
            PerfResults results =
                    new LastMoments(console(), out).of(files::salvage, () -> run.run(Interrupt::requested));
            files.began(run.startedPs());
            files.show(IoSlices.of(results.stages()));
            files.finish(results.latency(), results.waterfalls());
            files.remarks().forEach(console()::note);
            return results;
        }
    }

    private void print(NvmfSpec spec, PerfRun run, PerfResults results, @Nullable NvmfComparison other) {
        if (own.json()) {
            JsonDocument d = NvmfPerfJson.of(spec, own.media, run, results);
            LocalSsds.View view = ssds.view(run.stack());
            d = view == null ? d : d.with("device_view", List.of(view));
            if (other != null) {
                d = d.with("against", other.document());
                d = other.isInterrupted() ? d.with("interrupted", true) : d;
            }
            console().json(d);
            return;
        }
        PerfText text = new PerfText(console()::line);
        if (results.interrupted()) {
            console().line("INTERRUPTED: what follows is what was measured until then");
        }
        text.start(run.stack().controllers(), results.rows());
        text.table(results);
        if (options.latency.length > 0) {
            text.summaries(results);
        }
        if (options.latency.length > 1) {
            text.histograms(results);
        }
        if (results.ios() == 0) {
            console().line("No I/O ended in the time that counts.");
        }
        if (results.errors() > 0) {
            console().line(results.errors() + " I/Os completed with error");
        }
        LocalSsds.View view = ssds.view(run.stack());
        if (view != null) {
            view.lines().forEach(console()::line);
        }
        stages(results);
        if (other != null) {
            other.print(console(), spec.stack(), results);
        }
    }

    /** What the real tool cannot know, behind what it prints. */
    private void stages(PerfResults results) {
        if (results.meanStages().isEmpty()) {
            return;
        }
        console().line("Stages of the mean I/O (simulated):");
        for (PerfResults.Stage s : results.meanStages()) {
            console()
                    .line(String.format(
                            Locale.ROOT, " %-12s %12.2f ns %6.1f %%", s.name(), s.durationNs(), s.share() * 100));
        }
        PerfResults.Latency l = results.latencyUs();
        if (l != null) {
            console().line(String.format(Locale.ROOT, " %-12s %12.2f ns", "total", l.avg() * 1000));
        }
        for (PerfResults.Core c : results.cores()) {
            console()
                    .line(String.format(
                            Locale.ROOT,
                            " %s: %.1f %% busy, %.1f %% %s",
                            c.name(),
                            c.busyFraction() * 100,
                            c.cqPollingFraction() * 100,
                            own.adaptive ? "looking in vain, waking up for it included" : "polling in vain"));
        }
        results.perIo()
                .forEach((name, n) -> console()
                        .line(String.format(Locale.ROOT, " %-28s %9.2f for each I/O", name.replace('_', ' '), n)));
    }
}
