package dev.clockwire.bench.cli;

import dev.clockwire.bench.device.DeviceFormat;
import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** An option whose value is behind {@code =} or absent: what stands behind a blank is not its own, but the host of a real command line. */
final class PlainOption implements IParameterPreprocessor {
    /** What {@code --counters} alone prints. */
    static final String COUNTERS = "hw-counters,ethtool-s";

    PlainOption() {}

    @Override
    public boolean preprocess(Stack<String> args, CommandSpec command, ArgSpec option, Map<String, Object> info) {
        if (!"=".equals(info.get("separator"))) {
            refuseFormat(args);
            args.push(((OptionSpec) option).fallbackValue());
        }
        return false;
    }

    /** No host is called so, and somebody would wonder where the format is. */
    private static void refuseFormat(Stack<String> args) {
        String next = args.isEmpty() ? "" : args.peek();
        for (DeviceFormat format : DeviceFormat.values()) {
            if (next.equals(EnumConverter.name(format))) {
                throw CliException.usage("--counters " + next + ": write --counters=" + next);
            }
        }
    }
}
