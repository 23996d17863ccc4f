package dev.clockwire.bench.cli;

import java.math.BigDecimal;
import picocli.CommandLine.ITypeConverter;

/**
 * Which waves to record: {@code [SCOPE][@FROM..TO]}.
 *
 * @param scope hierarchical path or its last name; empty means everything
 * @param fromPs first picosecond recorded
 * @param toPs first picosecond no longer recorded
 */
public record Waves(String scope, long fromPs, long toPs) {
    /** Returns the selection as it is typed, times in microseconds. */
    String text() {
        return scope + "@" + (fromPs == 0 ? "" : us(fromPs)) + ".." + (toPs == Long.MAX_VALUE ? "" : us(toPs));
    }

    private static String us(long ps) {
        return BigDecimal.valueOf(ps, 6).stripTrailingZeros().toPlainString() + "us";
    }

    /** Returns whether it is all of the time. */
    boolean isWhole() {
        return fromPs == 0 && toPs == Long.MAX_VALUE;
    }

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
            long fromPs = from.isEmpty() ? 0 : TimeText.toPs("--waves " + text, from);
            long toPs = to.isEmpty() ? Long.MAX_VALUE : TimeText.toPs("--waves " + text, to);
            if (fromPs >= toPs) {
                throw CliException.usage("--waves " + text + ": the window ends before it begins");
            }
            return new Waves(text.substring(0, at), fromPs, toPs);
        }
    }
}
