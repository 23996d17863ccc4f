package dev.clockwire.roce.fabric;

import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.fault.FaultGate;
import dev.clockwire.sim.state.Token;

/**
 * A rule whose damage is done elsewhere, but which frames of a link set off.
 *
 * @param gate of the rule
 * @param strike hears of it 1 ps later
 * @param kind of that event
 */
record FaultWatch(FaultGate gate, EventPort strike, int kind) {
    void look(long ps, Token frame) {
        if (gate.hits(ps, frame)) {
            strike.send(ps + 1, kind, 0, 0);
        }
    }
}
