package dev.clockwire.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.bench.perftest.PerftestResult;
import dev.clockwire.bench.perftest.PerftestRun;
import dev.clockwire.bench.perftest.PerftestSpec;
import dev.clockwire.bench.perftest.Tool;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The loops of perftest keep off memory that is not theirs, and being watched changes no trace. */
class SanitizedPerftestTest {
    private static PerftestSpec resolve(Tool tool, String... args) {
        PerftestOptions options = CommandLine.populateCommand(new PerftestOptions(), args);
        return new PerftestResolver(tool, options).resolve(CommandLine.populateCommand(new RunOptions()), null);
    }

    @ParameterizedTest
    @CsvSource({
        "WRITE_LAT, -n 50 -s 256 -I 0",
        "WRITE_LAT, -n 50 -s 256 -I 0 --provider soft",
        "SEND_LAT, -n 50 -s 5000",
        "SEND_LAT, -n 50 -s 5000 --provider soft",
        "SEND_LAT, -n 50 -s 500 -c UD",
        "READ_LAT, -n 50 -s 5000",
        "ATOMIC_LAT, -n 50",
        "ATOMIC_LAT, -n 50 --provider soft",
        "WRITE_BW, -n 300 -s 4096",
        "SEND_BW, -n 300 -s 4096 -q 2",
        "SEND_BW, -n 300 -s 4096 --provider soft",
        "READ_BW, -n 300 -s 4096",
        "READ_BW, -n 300 -s 4096 --provider soft",
        "ATOMIC_BW, -n 300"
    })
    void nothingIsFound(Tool tool, String args) {
        PerftestSpec spec = resolve(tool, args.split(" "));
        PerftestRun watched = new PerftestRun(spec, true);
        PerftestResult result = watched.run(() -> false);
        assertThat(watched.lab().sanitizer().findings()).isEmpty();
        PerftestRun plain = new PerftestRun(spec);
        assertThat(plain.run(() -> false).traceHash()).isEqualTo(result.traceHash());
    }
}
