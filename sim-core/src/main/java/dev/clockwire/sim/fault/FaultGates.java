package dev.clockwire.sim.fault;

import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import dev.clockwire.sim.state.Token;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of a plan that concern one place, in the order of the plan. Every gate is asked, so that no rule moves another one's stream. */
public final class FaultGates implements State {
    private final List<FaultGate> gates;

    /** Creates the place. */
    public FaultGates(List<FaultGate> gates) {
        this.gates = List.copyOf(gates);
    }

    /** Returns the gate whose rule acts on a thing that passes now, null if none. */
    public @Nullable FaultGate judge(long ps, Token thing) {
        FaultGate first = null;
        for (int i = 0; i < gates.size(); i++) {
            FaultGate gate = gates.get(i);
            if (gate.hits(ps, thing) && first == null) {
                first = gate;
            }
        }
        return first;
    }

    /** Returns the gate whose rule acts on the next thing that has no token, null if none. */
    public @Nullable FaultGate judge(long ps) {
        FaultGate first = null;
        for (int i = 0; i < gates.size(); i++) {
            FaultGate gate = gates.get(i);
            if (gate.hits(ps) && first == null) {
                first = gate;
            }
        }
        return first;
    }

    /** Returns how often a rule has hit here. */
    public long hits(FaultRule rule) {
        long sum = 0;
        for (FaultGate gate : gates) {
            sum += gate.rule().equals(rule) ? gate.hits() : 0;
        }
        return sum;
    }

    @Override
    public void save(Snapshot out) {
        gates.forEach(gate -> gate.save(out));
    }

    @Override
    public void load(Snapshot in) {
        gates.forEach(gate -> gate.load(in));
    }
}
