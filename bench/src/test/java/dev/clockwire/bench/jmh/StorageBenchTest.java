package dev.clockwire.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.clockwire.sim.mem.PayloadMode;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bench measures what it says: reads of the latencies that the medium, and the way to it, have. */
class StorageBenchTest {
    private static final int READS = 500;
    private static final double MOST_BYTES = 100;

    @ParameterizedTest
    @CsvSource({"reactor, BYTES, 5.4, 6.2", "reactor, SIZES, 5.4, 6.2", "nvmf, BYTES, 8.8, 9.4", "nvmf, SIZES, 8.8, 9.4"
    })
    void readsTakeTheirTime(String path, PayloadMode payload, double leastUs, double mostUs) {
        StorageBench b = new StorageBench(path, payload);
        b.build();
        b.read();
        long sum = 0;
        for (int i = 0; i < 20; i++) {
            sum += b.read();
        }
        assertThat(sum / 20.0 / 1e6).isBetween(leastUs, mostUs);
    }

    /** What remains is what still grows now and then; a page of 4 KiB for each read was found here. */
    @ParameterizedTest
    @ValueSource(strings = {"reactor", "nvmf"})
    void readsAllocateNextToNothing(String path) {
        StorageBench b = new StorageBench(path, PayloadMode.SIZES);
        b.build();
        double least = Double.MAX_VALUE;
        for (int round = 0; round < 5 && least > MOST_BYTES; round++) {
            long before = allocated();
            for (int i = 0; i < READS; i++) {
                b.read();
            }
            least = Math.min(least, (double) (allocated() - before) / READS);
        }
        assertThat(least).as("bytes of a read").isLessThanOrEqualTo(MOST_BYTES);
    }

    private static long allocated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    }
}
