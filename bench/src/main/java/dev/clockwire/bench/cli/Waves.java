package dev.clockwire.bench.cli;

import picocli.CommandLine.ITypeConverter;

/**
 * Which waves to record: {@code [SCOPE][@FROM..TO]}.
 *
 * @param scope hierarchical path or its last name; empty means everything
 * @param fromPs first picosecond recorded
 * @param toPs first picosecond no longer recorded
 */
public record Waves(String scope, long fromPs, long toPs) {
    /** Reads the selection from the command line. */
    static final class Converter implements ITypeConverter<Waves> {
        Converter() {}

        @Override
        public Waves convert(String text) {
            int at = text.indexOf('@');
            if (at < 0) {
                return new Waves(text, 0, Long.MAX_VALUE);
            }
            String window = text.substring(at + 1);
            int dots = window.indexOf("..");
            if (dots < 0) {
                throw CliException.usage("--waves " + text + ": expected SCOPE@FROM..TO, for example nic@1us..2us");
            }
            String from = window.substring(0, dots);
            String to = window.substring(dots + 2);
            long fromPs = from.isEmpty() ? 0 : TimeText.toPs(from);
            long toPs = to.isEmpty() ? Long.MAX_VALUE : TimeText.toPs(to);
            if (fromPs >= toPs) {
                throw CliException.usage("--waves " + text + ": the window ends before it begins");
            }
            return new Waves(text.substring(0, at), fromPs, toPs);
        }
    }
}
