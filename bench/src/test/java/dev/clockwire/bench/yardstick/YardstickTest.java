package dev.clockwire.bench.yardstick;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.LoopKind;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The workloads give the tokens and checksums every simulator gives, in every mode, and allocate nothing. */
class YardstickTest {
    @ParameterizedTest
    @CsvSource({
        "pipeline, 100000, 74994, 5670d017ce277525",
        "pipeline-idle, 100000, 1008, fe74468ea24085ef",
        "hold-64, 200000, 200000, 26f3ef725d48bac4",
        "hold-1000, 200000, 200000, 9b476dea5a5c00eb",
        "hold-100000, 200000, 200000, b5a29c9fc8b4672e"
    })
    void tokensAndChecksumsAreThoseOfThePeers(String name, long n, long tokens, String checksum) {
        SimSpec plain = SimSpec.of(1).withLoop(LoopKind.PLAIN);
        for (SimSpec spec : new SimSpec[] {
            plain,
            plain.withLoop(LoopKind.SPECIALISED),
            plain.withMode(KernelMode.EXHAUSTIVE),
            plain.withShuffle(3, 4),
            plain.withChecked(true)
        }) {
            Workload w = Yardstick.build(name, spec);
            w.runTo(n);
            assertThat(w.tokens()).as("%s", spec).isEqualTo(tokens);
            assertThat(String.format("%016x", w.checksum())).as("%s", spec).isEqualTo(checksum);
        }
    }

    @ParameterizedTest
    @CsvSource({"pipeline", "pipeline-idle", "hold-64", "hold-1000"})
    void nothingIsAllocatedInSteadyState(String name) {
        for (LoopKind loop : new LoopKind[] {LoopKind.PLAIN, LoopKind.SPECIALISED}) {
            Workload w = Yardstick.build(name, loop);
            w.warmTo(200_000);
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long before = threads.getCurrentThreadAllocatedBytes();
            w.warmTo(1_200_000);
            assertThat(threads.getCurrentThreadAllocatedBytes() - before)
                    .as("%s %s, a million cycles or events", name, loop)
                    .isLessThan(100_000);
        }
    }

    @Test
    void wrongNamesAndCountsAreTheUsersMistake() {
        assertThatThrownBy(() -> Yardstick.run("pipline", 10, LoopKind.AUTO))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("pipline is not one of");
        assertThatThrownBy(() -> Yardstick.run("pipeline", 0, LoopKind.AUTO)).hasMessageContaining("-n 0");
    }
}
