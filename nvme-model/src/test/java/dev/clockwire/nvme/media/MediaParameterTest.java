package dev.clockwire.nvme.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import java.util.List;
import org.junit.jupiter.api.Test;

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

    @Test
    void aWrongNameHasTheNearest() {
        assertThatThrownBy(() -> MediaParameter.replace(MediaProfiles.named("ram"), "ssd.unit", "3"))
                .hasMessageContaining("did you mean ssd.units?");
    }
}
