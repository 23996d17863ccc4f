package dev.clockwire.bench.cli;

import dev.clockwire.bench.artefact.WaveDiagram;
import dev.clockwire.bench.text.InputFile;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.export.VcdReader;
import dev.clockwire.sim.export.WaveJson;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code waves FILE.vcd}: a window of waves as a timing diagram. */
@Command(
        name = "waves",
        description = "Print a window of waves.vcd as WaveJSON, which WaveDrom draws as a timing diagram.")
final class WavesCommand extends ClockwireTask {
    private static final String FOUR_NS = "4ns";
    private static final int MOST_BYTES = 1 << 26;

    @Parameters(index = "0", paramLabel = "FILE.vcd", description = "Waves that --waves has left.")
    private Path file = Path.of("");

    @Parameters(
            index = "1..*",
            paramLabel = "SCOPE",
            description = "Signals or scopes, full names or last ones (default: all that change in the window).")
    private List<String> scopes = List.of();

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "First edge (default: two cycles before the first change).")
    private @Nullable String from;

    @Option(
            names = "--cycles",
            paramLabel = "N",
            defaultValue = "32",
            description = "Length of the window (default: ${DEFAULT-VALUE}).")
    private int cycles;

    @Option(
            names = "--period",
            paramLabel = "TIME",
            defaultValue = FOUR_NS,
            description = "Period of the clock (default: ${DEFAULT-VALUE}, the NIC's 250 MHz).")
    private String period = FOUR_NS;

    WavesCommand(Console console) {
        super(console);
    }

    @Override
    public Integer call() throws IOException {
        Range.check("--cycles", cycles, 1, WaveJson.MOST_CYCLES, "");
        long periodPs = TimeText.toPs("--period", period);
        if (periodPs < 1) {
            throw CliException.usage("--period " + period + ": must be at least 1ps");
        }
        long given = from == null ? 0 : TimeText.toPs("--from", from);
        WaveDiagram diagram = new WaveDiagram(dump(), scopes);
        long fromPs = from == null ? Math.max(0, diagram.firstMove() / periodPs - 2) * periodPs : given;
        WaveJson window = diagram.window(fromPs, periodPs, cycles);
        List<Integer> moving = window.moving();
        if (moving.isEmpty()) {
            console().note("nothing changes in these " + cycles + " cycles: --from and --cycles choose others");
        }
        StringBuilder text = new StringBuilder();
        window.write(text, moving);
        console().line(text.toString().stripTrailing());
        return ExitCode.OK;
    }

    private VcdReader dump() throws IOException {
        String text = InputFile.text(file, MOST_BYTES);
        VcdReader dump;
        try {
            dump = VcdReader.parse(text);
        } catch (ConfigurationException e) {
            throw new ConfigurationException(file + ": " + e.getMessage());
        }
        if (dump.signals().isEmpty()) {
            throw new ConfigurationException(file + ": no value change dump: it declares no signal ($var)");
        }
        String unit = dump.timescale();
        if (!unit.isEmpty() && !unit.equals("1ps")) {
            throw new ConfigurationException(
                    file + ": its $timescale is " + unit + ", expected 1ps, as in waves that --waves has left");
        }
        return dump;
    }
}
