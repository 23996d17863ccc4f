package dev.clockwire.testkit;

import java.util.Arrays;
import java.util.List;

/** What has come out of a channel. */
public final class SinkAssert extends ModelAssert<SinkAssert, SinkAssert.Output> {
    /**
     * What a sink has seen.
     *
     * @param channel full name of the channel
     * @param values words, or a number for each token
     * @param cycles when each was taken
     */
    public record Output(String channel, List<Long> values, List<Long> cycles) {}

    SinkAssert(Output output) {
        super(output, SinkAssert.class, output.channel);
    }

    /** Says what came out, in order, and nothing else. */
    public SinkAssert hasWords(long... words) {
        same("word", words, actual.values);
        return this;
    }

    /** Says in which cycles it came out. */
    public SinkAssert inCycles(long... cycles) {
        same("cycle of word", cycles, actual.cycles);
        return this;
    }

    /** Says how much came out. */
    public SinkAssert hasSize(int words) {
        within(actual.channel + ": the number of words", actual.values.size(), words, words, "");
        return this;
    }

    /** Says that nothing came out. */
    public SinkAssert isEmpty() {
        return hasWords();
    }

    /** Says by which cycle the last word was out. */
    public SinkAssert endsBy(long cycle) {
        int n = actual.cycles.size();
        within(actual.channel + ": the cycle of the last word", n == 0 ? -1 : actual.cycles.get(n - 1), 0, cycle, "");
        return this;
    }

    private void same(String what, long[] expected, List<Long> found) {
        List<Long> wanted = Arrays.stream(expected).boxed().toList();
        if (wanted.equals(found)) {
            return;
        }
        int i = 0;
        while (i < Math.min(wanted.size(), found.size()) && wanted.get(i).equals(found.get(i))) {
            i++;
        }
        String text = String.format(
                "%s: %s %d is %s, expected %s%n  expected %s%n  found    %s%n  taken in cycles %s",
                actual.channel,
                what,
                i,
                i < found.size() ? found.get(i) : "missing",
                i < wanted.size() ? wanted.get(i) : "none",
                wanted,
                found,
                actual.cycles);
        throw error(text, wanted, found);
    }
}
