package dev.clockwire.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a run allocates does not grow with the messages, but for the samples that its statistics keep. */
class SteadyStateTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int FEW = 5_000;
    private static final int MORE = 20_000;
    /** Times of 8 bytes, a few of each message and side, in arrays that double and are copied; a watch of its own for each was 500 more. */
    private static final long BYTES_A_MESSAGE = 200;
    /** Code that is not compiled yet allocates what it need not; on a busy machine compilers come late. */
    private static final int ROUNDS = 5;

    private static long allocated(String tool, String provider, int messages) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        CommandRunner.clockwire(
                        "perftest",
                        tool,
                        "-s",
                        "64",
                        "-n",
                        Integer.toString(messages),
                        "--provider",
                        provider,
                        "--json")
                .json(0);
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    @ParameterizedTest
    @CsvSource({"send-lat, hw", "write-lat, hw", "read-lat, hw", "send-bw, hw", "send-lat, soft", "write-bw, soft"})
    void nothingIsAllocatedForAMessage(String tool, String provider) {
        long few = allocated(tool, provider, FEW);
        long more = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS && (more - few) / (MORE - FEW) >= BYTES_A_MESSAGE; round++) {
            few = Math.min(few, allocated(tool, provider, FEW));
            more = Math.min(more, allocated(tool, provider, MORE));
        }
        assertThat((more - few) / (MORE - FEW)).as("bytes a message").isLessThan(BYTES_A_MESSAGE);
    }
}
