package dev.clockwire.nvme.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers of media: both ends of each range are taken, what is beyond is refused, and only the one changes. */
class MediaParameterTest {
    @Test
    void eachReplacesItsNumberAndNoOther() {
        for (String name : List.of("p5800x", "p4800x", "pm9a3")) {
            MediaSpec medium = MediaProfiles.named(name);
            for (MediaParameter p : MediaParameter.all()) {
                for (long x : new long[] {p.min(), p.max(), Math.min(p.max(), p.min() + 7)}) {
                    MediaSpec changed = MediaParameter.replace(medium, p.path(), Long.toString(x));
                    assertThat(p.value().applyAsLong(changed)).as(p.path()).isEqualTo(x * p.scale());
                    for (MediaParameter other : MediaParameter.all()) {
                        if (!other.path().equals(p.path())) {
                            assertThat(other.value().applyAsLong(changed))
                                    .as(p.path() + " changes " + other.path())
                                    .isEqualTo(other.value().applyAsLong(medium));
                        }
                    }
                }
                for (String wrong : List.of(Long.toString(p.max() + 1), "-1", "x", "", "1.5")) {
                    assertThatThrownBy(() -> MediaParameter.replace(medium, p.path(), wrong))
                            .isInstanceOf(ConfigurationException.class)
                            .hasMessageContaining(p.path() + "=" + wrong)
                            .hasMessageContaining("from " + p.min() + " to " + p.max());
                }
                assertThat(p.meaning()).isNotEmpty();
                assertThat(p.optane() + p.flash()).containsAnyOf("A:", "B:", "C:");
            }
        }
    }

    /** Held against what a medium does: a number without effect changes no time of reads and writes, each other one some. */
    @ParameterizedTest
    @ValueSource(strings = {"p5800x", "p4800x", "pm9a3", "null", "ram"})
    void whatHasNoEffectChangesNothing(String name) {
        MediaSpec medium = MediaProfiles.named(name);
        for (MediaParameter p : MediaParameter.all()) {
            if (p.path().equals("ssd.units") || p.path().equals("ssd.suspend_ns")) {
                continue; // a medium of no units may get some; suspending shows where reads meet programs
            }
            long x = p.typed(medium) == p.min() ? p.min() + 5000 : Math.max(p.min(), p.typed(medium) / 2);
            MediaSpec changed = MediaParameter.replace(medium, p.path(), Long.toString(x));
            boolean same = times(changed).equals(times(medium));
            assertThat(same)
                    .as(name + " " + p.path())
                    .isEqualTo(!p.withoutEffect(medium).isEmpty());
        }
    }

    /** When reads and writes of 4 KiB end, and a flush behind them. */
    private static List<Long> times(MediaSpec spec) {
        Sim sim = new Sim(SimSpec.of(1));
        List<Long> ends = new ArrayList<>();
        SimNode node = new SimNode(sim.root(), "node") {};
        Media media = new Media(node, "media", spec, 8, tag -> ends.add(sim.now()));
        sim.elaborate();
        sim.run(1000);
        for (int i = 0; i < 3; i++) {
            media.read(i, 4096L * i, 4096);
        }
        sim.run(10_000_000_000L);
        for (int i = 3; i < 6; i++) {
            media.write(i, 4096L * i, 4096);
        }
        media.flush(6);
        sim.run(100_000_000_000L);
        return ends;
    }

    @Test
    void aWrongNameHasTheNearest() {
        assertThatThrownBy(() -> MediaParameter.replace(MediaProfiles.named("ram"), "ssd.unit", "3"))
                .hasMessageContaining("did you mean ssd.units?");
    }
}
