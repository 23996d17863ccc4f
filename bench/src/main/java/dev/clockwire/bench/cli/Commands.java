package dev.clockwire.bench.cli;

import picocli.CommandLine;

/** The registry: a command exists when it stands here. */
final class Commands {
    private Commands() {}

    /** Adds every command to the root, in the order in which help lists them. */
    static void register(CommandLine root, Console console) {
        root.addSubcommand(new PerftestCommand(console));
        root.addSubcommand(new ExplainCommand(console));
        root.addSubcommand(new SelfcheckCommand(console));
        root.addSubcommand(new CommandLine(new PcapCommand())
                .addSubcommand(new PcapDecodeCommand(console))
                .addSubcommand(new PcapReplayCommand(console)));
        root.addSubcommand(new CommandLine(new ProfileCommand())
                .addSubcommand(new ProfileListCommand(console))
                .addSubcommand(new ProfileShowCommand(console))
                .addSubcommand(new ProfileDiffCommand(console))
                .addSubcommand(new ProfileSchemaCommand(console)));
        root.addSubcommand(new ValidateCommand(console));
        root.addSubcommand(new AuditCommand(console));
        root.addSubcommand(new DiagnoseCommand(console));
        root.addSubcommand(new ReportCommand(console));
        root.addSubcommand(new CommandLine(new ScenarioCommand())
                .addSubcommand(new ScenarioCommand.ListAll(console))
                .addSubcommand(new ScenarioCommand.Run(console)));
        root.addSubcommand(new CommandLine(new ConfigCommand())
                .addSubcommand(new ConfigImportCommand.Import(console))
                .addSubcommand(new ConfigImportCommand.Lint(console)));
        root.addSubcommand(new CommandLine(new FabricCommand())
                .addSubcommand(new FabricCommand.Run(console))
                .addSubcommand(new ExperimentCommand(console)));
        root.addSubcommand(new CommandLine(new NvmfCommand())
                .addSubcommand(new NvmfPerfCommand(console))
                .addSubcommand(new NvmfRpcCommand(console))
                .addSubcommand(new NvmfTargetCommand(console)));
        root.addSubcommand(new CommandLine(new StorageCommand())
                .addSubcommand(new StorageCommand.Run(console))
                .addSubcommand(new StorageCompareCommand(console)));
        root.addSubcommand(new CommandLine(new SweepCommand(console)).addSubcommand(new SweepMergeCommand(console)));
        root.addSubcommand(new WavesCommand(console));
        root.addSubcommand(new LiveCommand(console));
        root.addSubcommand(new BenchCommand(console));
    }
}
