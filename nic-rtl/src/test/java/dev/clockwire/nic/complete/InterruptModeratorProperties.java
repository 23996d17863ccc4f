package dev.clockwire.nic.complete;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Snapshot;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** The moderator against a count of what waits, picosecond by picosecond where something can happen. */
class InterruptModeratorProperties {
    private static final long CYCLE = 4000;

    private static InterruptModerator moderator() {
        Sim sim = new Sim(SimSpec.of(1));
        return new InterruptModerator(new Clock(sim.root(), "core", Frequency.mhz(250)));
    }

    /** Times of interrupts for entries at these times: the law in words, nothing shared with the unit. */
    private static List<Long> law(List<Long> entries, long period, int count) {
        List<Long> fired = new ArrayList<>();
        int i = 0;
        while (i < entries.size()) {
            long first = entries.get(i);
            long end = (first + CYCLE - 1) / CYCLE * CYCLE + period * CYCLE;
            int n = 0;
            long at = period == 0 ? first : end;
            while (i + n < entries.size() && (entries.get(i + n) < at || n == 0)) {
                n++;
                if (count > 0 && n == count) {
                    at = entries.get(i + n - 1);
                    break;
                }
                if (period == 0) {
                    break;
                }
            }
            fired.add(at);
            i += n;
        }
        return fired;
    }

    @Property
    void countOrPeriodWhicheverIsEarlier(
            @ForAll @Size(min = 1, max = 60) List<@IntRange(min = 1, max = 40_000) Integer> gaps,
            @ForAll @IntRange(max = 12) int period,
            @ForAll @IntRange(max = 3) int exponent,
            @ForAll @IntRange(max = 6) int count,
            @ForAll boolean saved) {
        InterruptModerator m = moderator();
        int register = count << 24 | exponent << 16 | period;
        List<Long> entries = new ArrayList<>();
        List<Long> fired = new ArrayList<>();
        long at = 0;
        int round = 0;
        long due = Long.MAX_VALUE;
        for (int gap : gaps) {
            at += gap;
            entries.add(at);
            if (due <= at) {
                if (m.expired(round)) {
                    fired.add(due);
                }
                due = Long.MAX_VALUE;
            }
            if (m.written(register, at)) {
                fired.add(at);
            } else if (m.started()) {
                due = m.due();
                round = m.round();
            }
            if (saved) {
                m = copy(m);
            }
        }
        if (due != Long.MAX_VALUE && m.expired(round)) {
            fired.add(due);
        }
        assertThat(fired).isEqualTo(law(entries, (long) period << exponent, count));
    }

    private static InterruptModerator copy(InterruptModerator m) {
        Snapshot s = new Snapshot();
        m.save(s);
        s.rewind();
        InterruptModerator other = moderator();
        other.load(s);
        return other;
    }

    /** The article's reset value, 0xFF: 1.02 us at 250 MHz. */
    @Test
    void theResetValueIsAMicrosecond() {
        InterruptModerator m = moderator();
        assertThat(m.written(0xFF, 8000)).isFalse();
        assertThat(m.due()).isEqualTo(8000 + 1_020_000);
        assertThat(InterruptModerator.periodCycles(0x000F_FFFF)).isEqualTo(0xFFFFL << 15);
    }

    @Test
    void aTimerOfAnEarlierRoundDoesNothing() {
        InterruptModerator m = moderator();
        assertThat(m.written(2 << 24 | 10, 100)).isFalse();
        int round = m.round();
        assertThat(m.written(2 << 24 | 10, 200)).isTrue();
        assertThat(m.written(2 << 24 | 10, 300)).isFalse();
        assertThat(m.expired(round)).isFalse();
        assertThat(m.expired(m.round())).isTrue();
        assertThat(m.expired(m.round())).as("nothing waits").isFalse();
    }
}
