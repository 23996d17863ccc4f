package dev.clockwire.bench.cli;

import dev.clockwire.bench.artefact.RunFiles;
import dev.clockwire.bench.perftest.Provider;
import dev.clockwire.bench.replay.Replay;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code pcap replay FILE}: simulates one side of the recorded connections and compares it with the recorded one. */
@Command(name = "replay", description = "Simulate one side of a capture, feed it with the other, and compare.")
final class PcapReplayCommand extends ClockwireTask {
    @Parameters(paramLabel = "FILE", description = "pcap or pcapng, Ethernet, any byte order.")
    private Path file = Path.of("");

    @Option(
            names = "--as",
            required = true,
            paramLabel = "responder|requester",
            converter = RoleConverter.class,
            description = "Which side is simulated.")
    private Replay.Role role = Replay.Role.RESPONDER;

    @Option(
            names = "--provider",
            paramLabel = "hw|soft",
            defaultValue = "hw",
            converter = ProviderConverter.class,
            description = "What simulates it (default: ${DEFAULT-VALUE}).")
    private Provider provider = Provider.HW;

    @Option(names = "--setup", paramLabel = "FILE.yaml", description = "The set-up; without it, it is inferred.")
    private @Nullable Path setup;

    @Option(names = "--out", paramLabel = "DIR", description = "Leave there what the simulated side sent.")
    private @Nullable Path out;

    @Mixin
    private JsonOption json = new JsonOption();

    PcapReplayCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws Exception {
        Replay replay = Replay.of(file, role, provider, setup);
        if (out != null) {
            try (OutputDirectory directory = OutputDirectory.at(out)) {
                replay.write(directory.file(RunFiles.CAPTURE), Version.text());
                directory.keep();
            }
        }
        if (json.wanted()) {
            console().json(new JsonDocument("pcap-replay").withAll(replay.report()));
        } else {
            replay.print(console()::line);
        }
        return replay.report().differences().isEmpty() ? ExitCode.OK : ExitCode.CHECK_FAILED;
    }

    static final class RoleConverter extends EnumConverter<Replay.Role> {
        RoleConverter() {
            super("role", Replay.Role.values());
        }
    }
}
