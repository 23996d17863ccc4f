package dev.clockwire.nic.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.KeyChange;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What blocks report reaches the control one picosecond later, each under its own kind. */
class ControlEventsTest {
    @Test
    void reportsAreEvents() {
        Sim sim = new Sim(SimSpec.of(1));
        List<String> seen = new ArrayList<>();
        List<@Nullable Token> tokens = new ArrayList<>();
        EventPort port = new EventPort(new SimNode(sim.root(), "device") {}, "control") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                seen.add(now() + " " + kind + " " + a + " " + b);
                tokens.add(token);
            }
        };
        sim.elaborate();
        QpContext qp = new QpContext(0x77, QpType.RC, 1, 0, 4, 0, 4, 16, 0, 0, 0);
        qp.slot = 9;
        KeyChange change = new KeyChange();
        ControlEvents control = new ControlEvents(port);
        control.qpFailed(qp);
        control.cqFailed(3);
        control.sendFailed(qp);
        control.happened(5, 6);
        control.drained(qp);
        control.changeKeys(qp, change);
        control.emptied(qp);
        sim.run(5);
        assertThat(seen)
                .containsExactly(
                        "1 " + ControlEvents.QP_FAILED + " 9 0",
                        "1 " + ControlEvents.CQ_FAILED + " 3 0",
                        "1 " + ControlEvents.SEND_FAILED + " 9 0",
                        "1 " + ControlEvents.HAPPENED + " 5 6",
                        "1 " + ControlEvents.DRAINED + " 9 0",
                        "1 " + ControlEvents.KEYS + " 9 0",
                        "1 " + ControlEvents.EMPTIED + " 9 0");
        assertThat(tokens.get(5)).isSameAs(change);
        assertThat(tokens.stream().distinct()).as("nothing else comes along").hasSize(2);
    }
}
