package dev.clockwire.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CausesTest {
    private static final class Waiter extends SimNode {
        Waiter(Sim sim) {
            super(sim.root(), "waiter");
        }

        void waited() {
            delayed(3, causes().rate, 5, 9);
            delayed(3, 17, causes().numa, 9, 10);
            delayed(0, causes().rate, 5, 9);
            delayed(3, causes().rate, 9, 9);
        }
    }

    @Test
    void everyCauseHasOneNumberUnderItsName() throws IllegalAccessException {
        StageRegistry names = new StageRegistry();
        Causes causes = new Causes(names);
        List<String> found = new ArrayList<>();
        for (Field f : Causes.class.getFields()) {
            if (!Modifier.isStatic(f.getModifiers())) {
                String name = f.getName().replaceAll("([A-Z])", "_$1").toLowerCase(java.util.Locale.ROOT);
                assertThat(names.name(f.getInt(causes))).isEqualTo(name);
                found.add(name);
            }
        }
        assertThat(found).containsExactlyElementsOf(Causes.NAMES);
    }

    @Test
    void aNodeRecordsWhatFollowedOperationsLost() {
        Sim sim = new Sim(SimSpec.of(1));
        sim.enableJourneys(8);
        new Waiter(sim).waited();
        JourneyLog log = java.util.Objects.requireNonNull(sim.journeys());
        assertThat(log.size()).isEqualTo(2);
        assertThat(log.isDelay(0)).isTrue();
        assertThat(log.journey(0)).isEqualTo(3);
        assertThat(log.seq(0)).isEqualTo(JourneyLog.WHOLE);
        assertThat(sim.stages().name(log.cause(0))).isEqualTo("rate");
        assertThat(log.in(0)).isEqualTo(5);
        assertThat(log.out(0)).isEqualTo(9);
        assertThat(log.seq(1)).isEqualTo(17);
        assertThat(new JourneyIndex(log).stamps()).isEmpty();
    }

    @Test
    void withoutJourneysNothingIsKept() {
        Sim sim = new Sim(SimSpec.of(1));
        new Waiter(sim).waited();
        assertThat(sim.journeys()).isNull();
    }
}
