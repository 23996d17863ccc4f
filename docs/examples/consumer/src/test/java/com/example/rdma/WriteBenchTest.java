package com.example.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs the bench: for figures with {@code mvn test -Dtest=WriteBenchTest -Dbench=true}, else only to see that it runs. */
class WriteBenchTest {
    @Test
    void itRuns() throws RunnerException {
        ChainedOptionsBuilder options =
                new OptionsBuilder().include(WriteBench.class.getName()).shouldFailOnError(true);
        if (!Boolean.getBoolean("bench")) {
            options.forks(0).warmupIterations(0).measurementIterations(1).measurementTime(TimeValue.milliseconds(100));
        }
        Collection<RunResult> results = new Runner(options.build()).run();
        assertThat(results).hasSize(2).allMatch(r -> r.getPrimaryResult().getScore() > 0);
    }
}
