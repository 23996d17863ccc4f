package dev.clockwire.bench.fabric.experiment;

import dev.clockwire.bench.fabric.FabricJob;
import dev.clockwire.bench.fabric.FabricRun;
import dev.clockwire.bench.fabric.Series;
import dev.clockwire.sim.SimSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;

/** Runs experiments, each case that chance has a part in with several seeds. */
public final class ExperimentRun {
    private static final long EVERY_PS = 20_000_000;
    private static final int DATA = 3;

    private final int seeds;
    private final BiConsumer<String, Series> drawings;

    /**
     * Creates a run.
     *
     * @param seeds of cases with chance in them, from 1 up
     * @param drawings gets name and series of each case's first seed
     */
    public ExperimentRun(int seeds, BiConsumer<String, Series> drawings) {
        this.seeds = seeds;
        this.drawings = drawings;
    }

    /** Returns what all checks of an experiment find. */
    public List<Finding> run(Experiment experiment) {
        List<Finding> findings = new ArrayList<>();
        for (Case setup : experiment.cases()) {
            int runs = setup.random() ? seeds : 1;
            double[][] values = new double[setup.checks().size()][runs];
            for (int seed = 1; seed <= runs; seed++) {
                Outcome outcome = outcome(experiment, setup, seed);
                for (int i = 0; i < values.length; i++) {
                    values[i][seed - 1] = setup.checks().get(i).of().applyAsDouble(outcome);
                }
                if (seed == 1) {
                    drawings.accept(experiment.name() + ": " + setup.name(), outcome.series());
                }
            }
            for (int i = 0; i < values.length; i++) {
                findings.add(Finding.of(experiment, setup, setup.checks().get(i), values[i]));
            }
        }
        return findings;
    }

    private static Outcome outcome(Experiment experiment, Case setup, int seed) {
        FabricJob job = new FabricJob(experiment.name(), setup.network().apply(seed), setup.untilPs(), DATA);
        FabricRun run = new FabricRun(job, SimSpec.of(seed)).sampled(EVERY_PS);
        return new Outcome(run.run(), Objects.requireNonNull(run.series()));
    }
}
