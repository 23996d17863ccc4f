package dev.clockwire.bench.cli;

import dev.clockwire.bench.sweep.SweptCommand;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nvme.media.MediaParameter;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** A command of this program, for a plan that runs it many times. */
final class SweptCommandLine implements SweptCommand {
    /** {@code --csv} of other commands is read. */
    private static final Set<String> FILES =
            Set.of("--out", "--series", "--plot", "--history", "--diagram", "--image", "--socket");

    private final CommandLine root;
    private final CommandLine command;

    private SweptCommandLine(CommandLine root, CommandLine command) {
        this.root = root;
        this.command = command;
    }

    /**
     * Returns the command that the words begin with.
     *
     * @throws ConfigurationException if there is none, or if it is a sweep itself
     */
    static SweptCommand of(List<String> words) {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        CommandLine root = ClockwireCommand.parser(new Console(nowhere, nowhere), words);
        CommandLine command = root;
        for (String word : words) {
            CommandLine below = command.getSubcommands().get(word);
            if (below != null) {
                command = below;
            } else if (command.getCommandSpec().userObject() instanceof CommandGroup) {
                throw new ConfigurationException(CliException.unknownText(
                        "command", word, command.getSubcommands().keySet()));
            } else {
                break;
            }
        }
        if (command.getCommandSpec().userObject() instanceof SweepCommand) {
            throw new ConfigurationException("a sweep cannot run sweeps");
        }
        return new SweptCommandLine(root, command);
    }

    @Override
    public Map<String, Boolean> options() {
        Map<String, Boolean> options = new TreeMap<>();
        for (OptionSpec o : command.getCommandSpec().options()) {
            for (String name : o.names()) {
                options.put(name, o.arity().max() > 0);
            }
        }
        return options;
    }

    @Override
    public Set<String> written() {
        boolean table = command.getCommandSpec().userObject() instanceof StorageCompareCommand;
        return options().keySet().stream()
                .filter(o -> FILES.contains(o) || (table && o.equals("--csv")))
                .collect(Collectors.toSet());
    }

    @Override
    public Set<String> parameters() {
        Set<String> paths = new TreeSet<>();
        if (options().containsKey("-P")) {
            paths.addAll(Profiles.named(Profiles.DEFAULT).settings().keySet());
            if (command.getCommandSpec().userObject() instanceof NvmfPerfCommand) {
                MediaParameter.all().forEach(p -> paths.add(p.path()));
            }
        }
        return paths;
    }

    @Override
    public Optional<String> mistake(List<String> arguments) {
        try {
            root.parseArgs(arguments.toArray(String[]::new));
            return Optional.empty();
        } catch (ParameterException e) {
            return Optional.of(ErrorReport.told(e));
        }
    }
}
