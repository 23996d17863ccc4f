package dev.clockwire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import dev.clockwire.sim.Clock;
import dev.clockwire.sim.Frequency;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.LongChannel;
import dev.clockwire.sim.Probe;
import dev.clockwire.sim.Sim;
import org.junit.jupiter.api.Tag;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** The extension, used and judged. */
class SimTestTest {
    @SimTest
    void aTestGetsAFreshSimulation(Sim sim) {
        Clock clock = new Clock(sim.root(), "clk", Frequency.mhz(1000));
        LongChannel c = new LongChannel(sim.root(), "c", clock, 2);
        new LongSource(sim.root(), "source", clock, c, Stall.none(), 1, 2, 3);
        LongSink sink = new LongSink(sim.root(), "sink", clock, c, Stall.pattern("01"));
        sim.run(20_000);
        assertThat(sink.cycles()).containsExactly(1L, 3L, 5L);
        assertThat(sim.spec().seed()).isNotZero();
    }

    @org.junit.jupiter.api.Test
    void modesThatDisagreeAndRunsThatHangFail() {
        Events tests = EngineTestKit.engine("junit-jupiter")
                .configurationParameter("junit.jupiter.conditions.deactivate", "*")
                .selectors(selectClass(Wrong.class))
                .execute()
                .testEvents();
        tests.assertStatistics(s -> s.started(4).succeeded(1).failed(3));
        tests.failed()
                .assertThatEvents()
                .haveAtLeastOne(event(finishedWithFailure(message(m -> m.contains("modes disagree")))));
        tests.failed().assertThatEvents().haveAtLeastOne(event(finishedWithFailure(message(m -> m.contains("limit")))));
    }

    /** Run by the test above only: nested and not public, so nothing else finds it. */
    @Tag("wrong")
    static class Wrong {
        @SimTest
        void dependsOnTheMode(Sim sim) {
            new Probe(sim.root(), "p").fold(0, sim.spec().mode() == KernelMode.EXHAUSTIVE ? 1 : 2, 0);
        }

        @SimTest(limitNs = 10)
        void hangs(Sim sim) {
            sim.runUntil(() -> false, Long.MAX_VALUE);
        }
    }
}
