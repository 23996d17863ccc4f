package dev.clockwire.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.state.Token;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is wrong with a design is said before time zero, with the names of both ends. */
class ElaborationTest {
    private final Sim sim = new Sim(SimSpec.of(1));
    private final Scope top = sim.root();
    private final Clock a = new Clock(top, "a", Frequency.mhz(250));
    private final Clock b = new Clock(top, "b", Frequency.mhz(300));
    private final LambdaModule p = new LambdaModule(top.scope("nic"), "producer", a);
    private final LambdaModule q = new LambdaModule(top.scope("nic"), "consumer", a);
    private final LambdaModule far = new LambdaModule(top, "far", b);

    private void refused(String... parts) {
        assertThatThrownBy(sim::elaborate)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll(parts);
    }

    @Test
    void unconnectedChannels() {
        new LongChannel(top, "ch", a, 2).from(p);
        refused("ch: has no consumer; its producer is nic.producer");
    }

    @Test
    void unconnectedTokenChannels() {
        new Channel<TestToken>(top, "ch", a, 2).to(q);
        refused("ch: has no producer; its consumer is nic.consumer");
    }

    @Test
    void channelsWithoutAnyEnd() {
        new LongChannel(top, "ch", a, 2);
        refused("ch: has no producer and no consumer");
    }

    @Test
    void doubleDrivers() {
        LongChannel c = new LongChannel(top, "ch", a, 2).from(p).to(q);
        assertThatThrownBy(() -> c.from(far)).hasMessageContaining("ch: has two producers: nic.producer and far");
        assertThatThrownBy(() -> c.to(far)).hasMessageContaining("ch: has two consumers: nic.consumer and far");
        CreditChannel<TestToken> d =
                new CreditChannel<TestToken>(top, "cr", a, 2, 1, 1).from(p).to(q);
        assertThatThrownBy(() -> d.from(far)).hasMessageContaining("nic.producer and far");
        assertThatThrownBy(() -> d.to(far)).hasMessageContaining("nic.consumer and far");
        AsyncFifo<TestToken> e =
                new AsyncFifo<TestToken>(top, "fi", 2, 1).from(p).to(q);
        assertThatThrownBy(() -> e.from(far)).hasMessageContaining("nic.producer and far");
        assertThatThrownBy(() -> e.to(far)).hasMessageContaining("nic.consumer and far");
    }

    @Test
    void clockCrossingsWithoutFifo() {
        new LongChannel(top, "ch", a, 2).from(p).to(far);
        refused("ch: joins nic.producer (clock a) and far (clock b)", "AsyncFifo");
    }

    @Test
    void creditChannelsAcrossClocks() {
        new CreditChannel<TestToken>(top, "ch", b, 2, 1, 1).from(p).to(q);
        refused("nic.producer", "nic.consumer");
    }

    @Test
    void fifosWithoutAnEnd() {
        new AsyncFifo<TestToken>(top, "fifo", 2, 1).from(p);
        refused("fifo: has no reader; its writer is nic.producer");
    }

    @Test
    void namesAreUnique() {
        assertThatThrownBy(() -> new LambdaModule(top, "far", a)).hasMessageContaining("far: this name exists already");
        assertThatThrownBy(() -> top.scope("far")).hasMessageContaining("exists already");
        assertThatThrownBy(() -> new Clock(top, "a", Frequency.mhz(1))).hasMessageContaining("exists already");
        assertThatThrownBy(() -> top.scope("")).hasMessageContaining("empty name");
        assertThat(top.scope("nic")).isSameAs(top.scope("nic")).hasToString("nic");
        sim.random("r");
        assertThatThrownBy(() -> sim.random("r")).hasMessageContaining("stream r has two owners");
    }

    @Test
    void parametersHaveRanges() {
        assertThatThrownBy(() -> new LongChannel(top, "x", a, 0))
                .hasMessageContaining("capacity 0 is not in 1..1048576");
        assertThatThrownBy(() -> new Inlet<TestToken>(p, "x", 0, 1)).hasMessageContaining("capacity 0");
        assertThatThrownBy(() -> new LongInlet(p, "x", 1, 17))
                .hasMessageContaining("synchroniser depth 17 is not in 1..16");
        assertThatThrownBy(() -> new CreditChannel<TestToken>(top, "x", a, 0, 1, 1))
                .hasMessageContaining("credits 0");
        assertThatThrownBy(() -> new CreditChannel<TestToken>(top, "x", a, 1, 0, 1))
                .hasMessageContaining("latency 0");
        assertThatThrownBy(() -> new CreditChannel<TestToken>(top, "x", a, 1, 1, 33))
                .hasMessageContaining("33");
        assertThatThrownBy(() -> new Clock(top, "x", Frequency.mhz(1), -1)).hasMessageContaining("phase -1");
        assertThatThrownBy(() -> SimSpec.of(1).withWheelBits(1)).hasMessageContaining("wheelBits 1 is not in 2..16");
        assertThatThrownBy(() -> SimSpec.of(1).withWatchdogPs(-1)).hasMessageContaining("watchdogPs -1");
        assertThatThrownBy(() -> new Beats(0)).hasMessageContaining("width 0");
    }

    @Test
    void aDesignIsClosedByElaboration() {
        sim.elaborate();
        assertThatThrownBy(() -> new LambdaModule(top, "late", a)).hasMessageContaining("late: the design is closed");
        assertThatThrownBy(() -> new EventPort(p, "late") {
                    @Override
                    protected void event(int kind, long x, long y, @Nullable Token t) {}
                })
                .hasMessageContaining("nic.producer.late");
    }

    @Test
    void aClockOfAnotherSimulationIsRefused() {
        Sim other = new Sim(SimSpec.of(1));
        assertThatThrownBy(() -> new LambdaModule(other.root(), "m", a)).hasMessageContaining("another simulation");
    }

    @Test
    void allLinksAreListed() {
        new LongChannel(top, "z", a, 2);
        new LongInlet(p, "in", 1, 1);
        assertThat(sim.linkNames()).containsExactly("nic.producer.in", "z");
    }
}
