package dev.clockwire.bench.validate;

import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntToDoubleFunction;

/**
 * Repeats the fit of a profile: one parameter after the other takes the value whose largest deviation from its published numbers is
 * smallest.
 */
public final class Fit {
    private static final int PASSES = 2;
    private static final int WIDE = 3;

    private final Validation measured;
    private Profile profile;

    private Fit(Validation measured, Profile profile) {
        this.measured = measured;
        this.profile = profile;
    }

    /**
     * One fitted parameter.
     *
     * @param parameter path of the parameter
     * @param built value that the built-in profile has
     * @param fitted value that fits best
     * @param target number of the target in docs/validation.md
     * @param rows rows of the file it was fitted on
     * @param errorPct largest deviation of these rows that is left, in percent
     */
    public record Value(
            String parameter, String built, String fitted, String target, List<Integer> rows, double errorPct) {}

    /**
     * Fits one profile.
     *
     * @param progress told what is being fitted
     * @throws ConfigurationException if there is no such profile, nothing of it is fitted, or the file lacks the rows
     */
    public static List<Value> of(Validation measured, String name, Consumer<String> progress) {
        Profile built = Profiles.named(name);
        List<FitStep> steps = FitStep.of(name);
        if (steps.isEmpty()) {
            throw new ConfigurationException("nothing of profile " + name + " is fitted");
        }
        return new Fit(measured, built).run(built, steps, progress);
    }

    private List<Value> run(Profile built, List<FitStep> steps, Consumer<String> progress) {
        List<Value> values = new ArrayList<>();
        for (int pass = 1; pass <= PASSES; pass++) {
            values.clear();
            for (FitStep step : steps) {
                progress.accept("pass " + pass + " of " + PASSES + ": " + step.parameter());
                values.add(value(built, step));
            }
        }
        return values;
    }

    private Value value(Profile built, FitStep step) {
        List<Measurement> rows = measured.rows().stream().filter(step::takes).toList();
        if (rows.size() < step.sizes().size()) {
            throw new ConfigurationException("the file lacks rows of target " + step.target() + ": " + step.device()
                    + " " + step.tool() + " " + step.sizes());
        }
        int best = smallest(v -> worst(rows, step, v), step.least(), step.most());
        profile = profile.with(step.parameter(), Integer.toString(best));
        double worst = worst(rows);
        return new Value(
                step.parameter(),
                built.text(step.parameter()),
                profile.text(step.parameter()),
                step.target(),
                rows.stream().map(Measurement::row).toList(),
                Math.round(1e4 * worst) / 100.0);
    }

    /** Returns the largest deviation of the rows with a value. */
    private double worst(List<Measurement> rows, FitStep step, int value) {
        Profile before = profile;
        profile = profile.with(step.parameter(), Integer.toString(value));
        double worst = worst(rows);
        profile = before;
        return worst;
    }

    private double worst(List<Measurement> rows) {
        double worst = 0;
        for (Measurement m : rows) {
            worst = Math.max(worst, Math.abs(error(m)));
        }
        return worst;
    }

    private double error(Measurement m) {
        return Validation.simulate(m, name -> name.equals(profile.name()) ? profile : Profiles.named(name))
                        / m.expected()
                - 1;
    }

    /** Returns where a function with one valley is smallest: thirds are cut off. Clock edges make small steps: the rest is tried. */
    private static int smallest(IntToDoubleFunction f, int least, int most) {
        int low = least;
        int high = most;
        while (high - low > WIDE) {
            int third = (high - low) / 3;
            if (f.applyAsDouble(low + third) <= f.applyAsDouble(high - third)) {
                high = high - third;
            } else {
                low = low + third;
            }
        }
        int best = low;
        for (int v = low + 1; v <= high; v++) {
            best = f.applyAsDouble(v) < f.applyAsDouble(best) ? v : best;
        }
        return best;
    }
}
