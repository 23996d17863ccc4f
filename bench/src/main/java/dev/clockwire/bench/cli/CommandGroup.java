package dev.clockwire.bench.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that only has commands below it, like {@code pcap}. */
abstract class CommandGroup implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    CommandGroup() {}

    @Override
    public final Integer call() {
        CommandSpec own = spec;
        String name = own == null ? "clockwire" : own.qualifiedName();
        String below = own == null ? "" : String.join(", ", own.subcommands().keySet());
        throw CliException.usage("'" + name + "' needs a command: " + below);
    }
}
