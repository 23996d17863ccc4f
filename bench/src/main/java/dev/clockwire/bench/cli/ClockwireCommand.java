package dev.clockwire.bench.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The root: everything is in the commands below it. */
@Command(
        name = "clockwire",
        versionProvider = Version.class,
        description = "Simulates RDMA NICs and the storage systems on them, cycle by cycle.",
        subcommandsRepeatable = false)
final class ClockwireCommand extends CommandGroup {
    private ClockwireCommand() {}

    /** Builds the parser over all registered commands. */
    static CommandLine parser(Console console) {
        CommandLine root = new CommandLine(new ClockwireCommand());
        Commands.register(root, console);
        root.setExpandAtFiles(false);
        withHelp(root);
        return root;
    }

    private static void withHelp(CommandLine command) {
        command.getCommandSpec().mixinStandardHelpOptions(true);
        command.getSubcommands().values().forEach(ClockwireCommand::withHelp);
    }
}
