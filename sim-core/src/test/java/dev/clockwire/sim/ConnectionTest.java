package dev.clockwire.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConnectionTest {
    private static SimModule module(Sim sim, String name, Clock clock) {
        return new SimModule(sim.root(), name, clock) {
            @Override
            protected boolean tick(long cycle) {
                return false;
            }
        };
    }

    @Test
    void everyKindOfConnectionTellsItsEnds() {
        Sim sim = new Sim(SimSpec.of(1));
        Clock fast = new Clock(sim.root(), "fast", Frequency.mhz(500));
        Clock slow = new Clock(sim.root(), "slow", Frequency.mhz(200));
        SimModule a = module(sim, "a", fast);
        SimModule b = module(sim, "b", fast);
        SimModule c = module(sim, "c", slow);
        new LongChannel(sim.root(), "words", fast, 3).from(a).to(b);
        new Channel<>(sim.root(), "tokens", fast, 2).from(b).to(a);
        new CreditChannel<>(sim.root(), "credits", fast, 8, 4, 5).from(a).to(b);
        new AsyncFifo<>(sim.root(), "fifo", 16, 2).from(a).to(c);
        new Inlet<>(b, "inlet", 7, 3);
        assertThat(sim.connections())
                .containsExactly(
                        new Connection("Inlet", "b.inlet", "", "b", 7, 3),
                        new Connection("CreditChannel", "credits", "a", "b", 8, 4),
                        new Connection("AsyncFifo", "fifo", "a", "c", 16, 2),
                        new Connection("Channel", "tokens", "b", "a", 2, 1),
                        new Connection("LongChannel", "words", "a", "b", 3, 1));
    }
}
