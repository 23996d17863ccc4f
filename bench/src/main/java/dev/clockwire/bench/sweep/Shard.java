package dev.clockwire.bench.sweep;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of a sweep: the rows of one residue class of the row number, so that long and short runs are spread evenly.
 *
 * @param index from 1
 * @param count of shards
 */
public record Shard(int index, int count) {
    /** All rows. */
    public static final Shard ALL = new Shard(1, 1);

    /** The number of completions of a Kubernetes job, which Kubernetes tells its pods nowhere. */
    public static final String SHARDS = "CLOCKWIRE_SHARDS";

    private static final String COMPLETION_INDEX = "JOB_COMPLETION_INDEX";
    private static final String TASK = "SLURM_ARRAY_TASK_";
    private static final Pattern TEXT = Pattern.compile("(\\d{1,7})/(\\d{1,7})");

    /** Checks the bounds. */
    public Shard {
        if (count < 1 || index < 1 || index > count) {
            throw new ConfigurationException("shard " + index + "/" + count + " is outside its range 1/n to n/n");
        }
    }

    /** Returns the shard written as {@code i/n}, i from 1 to n; empty if it is none. */
    public static Optional<Shard> parse(String text) {
        Matcher m = TEXT.matcher(text);
        if (!m.matches()) {
            return Optional.empty();
        }
        int index = Integer.parseInt(m.group(1));
        int count = Integer.parseInt(m.group(2));
        return index < 1 || index > count ? Optional.empty() : Optional.of(new Shard(index, count));
    }

    /**
     * Returns the shard of this process by the variables of a Slurm job array or of an indexed Kubernetes job, all rows without any.
     *
     * @throws ConfigurationException if they make no shard
     */
    public static Shard of(Map<String, String> environment) {
        if (environment.containsKey(TASK + "ID")) {
            int least = number(environment, TASK + "MIN", 0);
            int step = Math.max(1, number(environment, TASK + "STEP", 1));
            int task = number(environment, TASK + "ID", 0);
            if (task < least || (task - least) % step != 0) {
                throw new ConfigurationException(TASK + "ID=" + task + ": no task of an array that begins at " + least
                        + " (" + TASK + "MIN) in steps of " + step + " (" + TASK + "STEP)");
            }
            return new Shard((task - least) / step + 1, number(environment, TASK + "COUNT", -1));
        }
        if (environment.containsKey(COMPLETION_INDEX)) {
            return new Shard(number(environment, COMPLETION_INDEX, 0) + 1, number(environment, SHARDS, -1));
        }
        return ALL;
    }

    private static int number(Map<String, String> environment, String name, int otherwise) {
        String text = environment.getOrDefault(name, Integer.toString(otherwise));
        if (!text.matches("\\d{1,7}")) {
            throw new ConfigurationException(
                    environment.containsKey(name)
                            ? name + "=" + text + ": expected a number of at most seven digits"
                            : "this is one of several tasks, but " + name
                                    + " does not say of how many; --shard 1/1 runs all rows");
        }
        return Integer.parseInt(text);
    }

    /** Whether this shard runs the row. */
    public boolean has(SweepRow row) {
        return (row.number() - 1) % count == index - 1;
    }
}
