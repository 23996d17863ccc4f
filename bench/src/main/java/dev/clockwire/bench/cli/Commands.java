package dev.clockwire.bench.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;

/** The registry: a command exists when it stands here. */
final class Commands {
    /** By name, in the order in which help lists them. */
    private static final Map<String, Function<Console, CommandLine>> ALL = all();

    private Commands() {}

    private static Map<String, Function<Console, CommandLine>> all() {
        Map<String, Function<Console, CommandLine>> all = new LinkedHashMap<>();
        all.put("perftest", c -> new CommandLine(new PerftestCommand(c)));
        all.put("explain", c -> new CommandLine(new ExplainCommand(c)));
        all.put("selfcheck", c -> new CommandLine(new SelfcheckCommand(c)));
        all.put("pcap", c -> group(new PcapCommand(), new PcapDecodeCommand(c), new PcapReplayCommand(c)));
        all.put(
                "profile",
                c -> group(
                        new ProfileCommand(),
                        new ProfileListCommand(c),
                        new ProfileShowCommand(c),
                        new ProfileDiffCommand(c),
                        new ProfileSchemaCommand(c)));
        all.put("schema", c -> new CommandLine(new SchemaCommand(c)));
        all.put("validate", c -> new CommandLine(new ValidateCommand(c)));
        all.put("audit", c -> new CommandLine(new AuditCommand(c)));
        all.put("diagnose", c -> new CommandLine(new DiagnoseCommand(c)));
        all.put("report", c -> new CommandLine(new ReportCommand(c)));
        all.put(
                "scenario",
                c -> group(new ScenarioCommand(), new ScenarioCommand.ListAll(c), new ScenarioCommand.Run(c)));
        all.put(
                "config",
                c -> group(new ConfigCommand(), new ConfigImportCommand.Import(c), new ConfigImportCommand.Lint(c)));
        all.put("fabric", c -> group(new FabricCommand(), new FabricCommand.Run(c), new ExperimentCommand(c)));
        all.put(
                "nvmf",
                c -> group(new NvmfCommand(), new NvmfPerfCommand(c), new NvmfRpcCommand(c), new NvmfTargetCommand(c)));
        all.put("storage", c -> group(new StorageCommand(), new StorageCommand.Run(c), new StorageCompareCommand(c)));
        all.put("sweep", c -> group(new SweepCommand(c), new SweepMergeCommand(c)));
        all.put("waves", c -> new CommandLine(new WavesCommand(c)));
        all.put("live", c -> new CommandLine(new LiveCommand(c)));
        all.put("bench", c -> new CommandLine(new BenchCommand(c)));
        return all;
    }

    private static CommandLine group(Object command, Object... below) {
        CommandLine group = new CommandLine(command);
        for (Object one : below) {
            group.addSubcommand(one);
        }
        return group;
    }

    /**
     * Adds commands to the root: the one that is asked for, since to look at all of them takes longer than many a run; all if there is none of that name.
     */
    static void register(CommandLine root, Console console, String wanted) {
        Function<Console, CommandLine> one = ALL.get(wanted);
        if (one != null) {
            root.addSubcommand(wanted, one.apply(console));
        } else {
            ALL.forEach((name, make) -> root.addSubcommand(name, make.apply(console)));
        }
    }
}
