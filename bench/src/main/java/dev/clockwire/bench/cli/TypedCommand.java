package dev.clockwire.bench.cli;

import dev.clockwire.bench.text.ShellWord;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A command as it was typed, for artefacts: without what cannot change the trace, and without directories. */
final class TypedCommand {
    private TypedCommand() {}

    /**
     * Returns it on one line.
     *
     * @param without names of options that are left out
     */
    static String of(CommandSpec command, Set<String> without) {
        StringBuilder text = new StringBuilder(command.qualifiedName(" "));
        var typed = command.commandLine().getParseResult();
        typed.matchedPositionals().forEach(p -> p.originalStringValues().forEach(v -> word(text, v)));
        for (OptionSpec option : typed.matchedOptions()) {
            if (without.contains(option.longestName())) {
                continue;
            }
            if (option.arity().max() == 0) {
                word(text, option.longestName());
            }
            for (String value : option.arity().max() == 0 ? List.<String>of() : option.originalStringValues()) {
                word(text, option.longestName());
                word(text, plain(option, value));
            }
        }
        return text.toString();
    }

    private static String plain(ArgSpec option, String value) {
        return Path.class.equals(option.type()) ? Path.of(value).getFileName().toString() : value;
    }

    private static void word(StringBuilder text, String word) {
        text.append(' ').append(ShellWord.of(word));
    }
}
