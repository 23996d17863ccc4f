package dev.clockwire.bench.cli;

import dev.clockwire.bench.text.Decimal;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.TypeConversionException;

/** The root: everything is in the commands below it. */
@Command(
        name = "clockwire",
        versionProvider = Version.class,
        description = "Simulates RDMA NICs and the storage systems on them, cycle by cycle.",
        subcommandsRepeatable = false)
final class ClockwireCommand extends CommandGroup {

    private ClockwireCommand() {}

    /** Builds the parser for a command line. */
    static CommandLine parser(Console console, List<String> words) {
        CommandLine root = new CommandLine(new ClockwireCommand());
        Commands.register(root, console, words.isEmpty() ? "" : words.get(0));
        return prepared(root);
    }

    /** Builds the parser of a command that is none of these. */
    static CommandLine alone(ClockwireTask command) {
        return prepared(new CommandLine(command));
    }

    private static CommandLine prepared(CommandLine root) {
        root.setExpandAtFiles(false);
        root.registerConverter(Long.class, text -> number(text, "a whole number of 64 bits", Long::valueOf));
        root.registerConverter(long.class, text -> number(text, "a whole number of 64 bits", Long::valueOf));
        root.registerConverter(Integer.class, text -> number(text, "a whole number of 32 bits", Integer::valueOf));
        root.registerConverter(int.class, text -> number(text, "a whole number of 32 bits", Integer::valueOf));
        root.registerConverter(Double.class, text -> number(text, "a number", Decimal::of));
        root.registerConverter(Path.class, ClockwireCommand::path);
        withHelp(root);
        return root;
    }

    /** To Java no name at all is the working directory: a variable that a script has not set would fill it. */
    private static Path path(String text) {
        if (text.isBlank()) {
            throw new TypeConversionException("'" + text + "' is no name of a file or directory");
        }
        return Path.of(text);
    }

    /** The messages of the library speak of Java's types. */
    private static <T> T number(String text, String expected, Function<String, T> reader) {
        try {
            return reader.apply(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'" + text + "' is not " + expected);
        }
    }

    private static void withHelp(CommandLine command) {
        command.getCommandSpec().mixinStandardHelpOptions(true);
        command.getSubcommands().values().forEach(ClockwireCommand::withHelp);
    }
}
