package dev.clockwire.bench.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.clockwire.bench.fabric.FabricFile;
import dev.clockwire.bench.fault.FaultFile;
import dev.clockwire.bench.profile.ProfileSchema;
import dev.clockwire.bench.replay.SetupFile;
import dev.clockwire.bench.sweep.PlanFile;
import dev.clockwire.bench.yaml.FileSchema;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code schema KIND}: what a file of a kind may hold, for editors. */
@Command(
        name = "schema",
        description =
                "Print the JSON schema of a kind of YAML files: editors complete and check keys and values with it.")
final class SchemaCommand extends ClockwireTask {
    @Parameters(
            index = "0",
            paramLabel = "KIND",
            converter = KindConverter.class,
            description = "fabric, faults, profile, setup (of pcap replay) or sweep.")
    private FileKind kind = FileKind.FABRIC;

    SchemaCommand(Console console) {
        super(console);
    }

    /** What files there are. */
    enum FileKind {
        FABRIC,
        FAULTS,
        PROFILE,
        SETUP,
        SWEEP;

        ObjectNode schema() {
            return switch (this) {
                case FABRIC -> FileSchema.of("Clockwire fabric", FabricFile.SHAPE);
                case FAULTS -> FileSchema.of("Clockwire fault plan", FaultFile.SHAPE);
                case PROFILE -> ProfileSchema.of();
                case SETUP -> FileSchema.of("Clockwire set-up of a replay", SetupFile.SHAPE);
                case SWEEP -> FileSchema.of("Clockwire sweep", PlanFile.SHAPE);
            };
        }
    }

    private static final class KindConverter extends EnumConverter<FileKind> {
        KindConverter() {
            super("kind of file", FileKind.values());
        }
    }

    @Override
    public Integer call() {
        console().line(kind.schema().toPrettyString());
        return ExitCode.OK;
    }
}
