package dev.clockwire.bench.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.bench.fabric.experiment.Experiment;
import dev.clockwire.bench.fabric.experiment.ExperimentRun;
import dev.clockwire.bench.fabric.experiment.Experiments;
import dev.clockwire.bench.fabric.experiment.Finding;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The experiments come out as published: three seeds of the quick ones, ten of all with {@code -Pfull}. */
class ExperimentsTest {
    private static final boolean FULL = Boolean.getBoolean("clockwire.full");
    /** Seconds for each seed, or a scatter that three seeds do not even out. */
    private static final List<String> LONG = List.of("victim-clos", "deadlock", "two-flows-paper", "incast-queue");

    static Stream<String> names() {
        return Experiments.all().stream().map(Experiment::name).filter(name -> FULL || !LONG.contains(name));
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyFigureIsInItsRange(String name) {
        List<Finding> findings = new ExperimentRun(FULL ? 10 : 3, (what, series) -> {}).run(Experiments.named(name));
        assertThat(findings).isNotEmpty().allMatch(Finding::passed);
    }

    @Test
    void anUnknownExperimentIsAnsweredWithTheNearest() {
        assertThatThrownBy(() -> Experiments.named("victims"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'victims'")
                .hasMessageContaining("victim");
    }
}
