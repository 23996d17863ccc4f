package dev.clockwire.bench.perftest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TailChoiceTest {
    @Test
    void theFirstOperationWithTheLatencyOfAPercentileStandsForIt() {
        long[] latencies = LongStream.rangeClosed(1, 2000).toArray();
        TailChoice choice = new TailChoice(latencies);
        assertThat(choice.median).isEqualTo(999);
        assertThat(choice.rows.get("p99")).containsExactly(1979);
        assertThat(choice.rows.get("p999")).containsExactly(1997);
        assertThat(choice.slowest()).isEqualTo(1999);
        assertThat(choice.rows.get("beyond_p99"))
                .hasSize(20)
                .startsWith(1999, 1998)
                .endsWith(1980);
        assertThat(choice.all()).hasSize(22);
    }

    @Test
    void operationsThatTakeTheSameTimeHaveNothingBeyond() {
        TailChoice choice = new TailChoice(new long[] {7, 7, 7});
        assertThat(choice.rows.values()).containsExactly(List.of(0), List.of(0), List.of(0));
        assertThat(choice.all()).containsExactly(0);
    }

    @Test
    void ofAVeryLongTailTheSlowestAreTaken() {
        long[] latencies = LongStream.range(0, 100_000).map(i -> i % 3).toArray();
        latencies[50_000] = 9;
        latencies[70_000] = 8;
        TailChoice choice = new TailChoice(latencies);
        assertThat(choice.rows.get("beyond_p99")).containsExactly(50_000, 70_000);
        long[] many = LongStream.range(0, 100_000).toArray();
        assertThat(new TailChoice(many).rows.get("beyond_p99"))
                .hasSize(TailChoice.MOST)
                .startsWith(99_999);
    }
}
