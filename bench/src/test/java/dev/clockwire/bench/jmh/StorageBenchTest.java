package dev.clockwire.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.mem.PayloadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bench measures what it says: reads of the latencies that the medium, and the way to it, have. */
class StorageBenchTest {
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
        assertThat(sum / 20 / 1e6).isBetween(leastUs, mostUs);
    }
}
