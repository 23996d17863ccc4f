package dev.clockwire.bench.cli;

import dev.clockwire.bench.artefact.RunFiles;
import dev.clockwire.bench.live.Live;
import dev.clockwire.bench.live.LiveSpec;
import dev.clockwire.bench.perftest.Provider;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.RunPart;
import dev.clockwire.sim.error.Plain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code live PROGRAM}: the simulated NIC as the peer of a real machine. */
@Command(
        name = "live",
        description = "Join the simulated NIC to a real machine: one Ethernet frame per UDP datagram on the loopback.")
final class LiveCommand extends ClockwireTask {
    private static final int MAX_PORT = 65_535;
    private static final int MAX_RECEIVE = 1 << 20;
    private static final int MAX_DELAY_MS = 3_600_000;

    @Parameters(
            index = "0",
            paramLabel = "PROGRAM",
            converter = ProgramConverter.class,
            description = "rping-server, verbs-peer or nvmf-target.")
    private Live.Program program = Live.Program.VERBS_PEER;

    @Option(names = "--listen", paramLabel = "PORT", required = true, description = "UDP port of this side.")
    private int listen;

    @Option(names = "--peer", paramLabel = "PORT", required = true, description = "UDP port of the real machine.")
    private int peer;

    @Option(
            names = "--provider",
            paramLabel = "hw|soft",
            converter = ProviderConverter.class,
            defaultValue = "hw",
            description = "Hardware, in cycles, or software (default: ${DEFAULT-VALUE}).")
    private Provider provider = Provider.HW;

    @Option(
            names = "--mtu",
            paramLabel = "BYTES",
            defaultValue = "1024",
            description = "verbs-peer: path MTU (default: ${DEFAULT-VALUE}).")
    private int mtu;

    @Option(
            names = "--recv-size",
            paramLabel = "BYTES",
            defaultValue = "2048",
            description = "verbs-peer: size of a receive (default: ${DEFAULT-VALUE}).")
    private int receiveBytes;

    @Option(
            names = "--recv-delay-ms",
            paramLabel = "T|never",
            converter = DelayConverter.class,
            defaultValue = "0",
            description = "verbs-peer: post the receives so long after the peer's first frame (default: at once).")
    private long receiveDelayMs;

    @Option(
            names = "--loss",
            paramLabel = "P",
            defaultValue = "0",
            description = "Lose reliable packets with this probability, in each direction.")
    private double loss;

    @Mixin
    private RunOptions run = new RunOptions();

    LiveCommand(Console console) {
        super(console);
    }

    /** Reads a program's name. */
    static final class ProgramConverter extends EnumConverter<Live.Program> {
        ProgramConverter() {
            super("program", Live.Program.values());
        }
    }

    /** Reads a delay. */
    static final class DelayConverter implements picocli.CommandLine.ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            if (text.equals("never")) {
                return LiveSpec.NEVER;
            }
            try {
                return Range.check("--recv-delay-ms", Long.parseLong(text), 0, MAX_DELAY_MS, "ms");
            } catch (NumberFormatException e) {
                throw CliException.usage("--recv-delay-ms " + text + " is neither a whole number of ms nor 'never'");
            }
        }
    }

    @Override
    public Integer call() throws Exception {
        Range.check("--listen", listen, 1, MAX_PORT, "");
        Range.check("--peer", peer, 1, MAX_PORT, "");
        Range.check("--recv-size", receiveBytes, 1, MAX_RECEIVE, "bytes");
        if (Integer.bitCount(mtu) != 1 || mtu < 256 || mtu > 4096) {
            throw CliException.usage("--mtu " + mtu + " is none of 256, 512, 1024, 2048, 4096");
        }
        if (!(loss >= 0 && loss < 1)) {
            throw CliException.usage("--loss " + Plain.text(loss) + " is outside its range 0 to 1, 1 excluded");
        }
        LiveSpec spec = new LiveSpec(listen, peer, mtu, receiveBytes, receiveDelayMs, loss, run.seed());
        run.check();
        if (run.waves().isPresent() || run.json()) {
            throw CliException.usage("live prints events and leaves a capture: no --waves, no --json");
        }
        if (run.out().isEmpty()) {
            return exit(live(spec, null));
        }
        try (OutputDirectory out = OutputDirectory.at(run.out().get())) {
            boolean closed = live(spec, out.file(RunFiles.CAPTURE));
            if (closed) {
                out.keep();
            } else {
                out.keepInterrupted();
            }
            return exit(closed);
        }
    }

    private boolean live(LiveSpec spec, @Nullable Path capture) throws IOException {
        Profile profile = ProfileChoice.of(run);
        Set<RunPart> parts = EnumSet.of(RunPart.LINE, RunPart.MARKS);
        if (provider == Provider.HW) {
            parts.add(RunPart.NIC);
        }
        if (program == Live.Program.NVMF_TARGET) {
            parts.add(RunPart.SPDK);
        }
        run.complain(console(), new Idle(), profile, parts);
        return Live.run(program, provider, profile, spec, console()::now, Interrupt::requested, capture);
    }

    private static int exit(boolean closed) {
        return closed ? ExitCode.OK : ExitCode.INTERRUPTED;
    }
}
