package dev.clockwire.roce.fabric;

import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Timer;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultGate;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sends the frames of one end of a link as a fault plan wants it. Exists only where there is a plan. */
final class FaultyLine {
    /** No run gets that far. */
    private static final long FOREVER = Long.MAX_VALUE / 4;

    private final LinkEnd end;
    private final LinkSpec spec;
    private final LinkFaults s;
    private final Timer holdOver;
    private final EventPort outage;
    private final EventPort edge;
    private final EventPort parting;
    private @Nullable FaultyLine peer;

    FaultyLine(LinkEnd end, String link, boolean firstEnd, FaultPlan plan) {
        this.end = end;
        spec = end.spec();
        s = new LinkFaults(gates(plan.onFrames(firstEnd)), gates(plan.onLink(link)));
        holdOver = new Timer(end, "holdOver") {
            @Override
            protected void expired(long at) {
                release(at);
            }
        };
        outage = new EventPort(end, "outage") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                cut(a);
            }
        };
        parting = new EventPort(end, "parting") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                s.part(a, b);
            }
        };
        edge = new EventPort(end, "edge") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                lookAtLink();
            }
        };
    }

    /** Schedules the outages whose times are known, for the devices at the ends. */
    void start() {
        for (FaultGate gate : s.outages()) {
            if (gate.rule().trigger() instanceof FaultTrigger.At at) {
                long from = Math.max(1, at.ps());
                edge.send(from, 0, 0, 0);
                back(at.ps() + gate.rule().outagePs());
            }
        }
    }

    /** Returns the port that takes the link down at this end, for both directions' sake at both ends, until a time. */
    EventPort outage() {
        return outage;
    }

    /** Returns the port that loses frames to the address in the first number until the time in the second. */
    EventPort parting() {
        return parting;
    }

    /** Lets a rule about frames strike elsewhere. */
    void watch(FaultRule rule, EventPort strike, int kind) {
        s.add(new FaultWatch(gate(rule), strike, kind));
    }

    private void cut(long until) {
        s.outage(until);
        lookAtLink();
        back(until);
    }

    private void back(long at) {
        if (at < FOREVER) {
            edge.send(Math.max(at, end.now() + 1), 0, 0, 0);
        }
    }

    private void lookAtLink() {
        if (s.changed(end.now())) {
            end.tell(s.toldDown() ? LinkEnd.LINK_DOWN : LinkEnd.LINK_UP);
        }
    }

    private List<FaultGate> gates(List<FaultRule> rules) {
        List<FaultGate> gates = new ArrayList<>();
        for (FaultRule rule : rules) {
            gates.add(gate(rule));
        }
        return gates;
    }

    private FaultGate gate(FaultRule rule) {
        return new FaultGate(rule, end.sim().random(end.path() + ".fault." + rule.name()));
    }

    void join(FaultyLine other) {
        peer = other;
    }

    LinkFaults state() {
        return s;
    }

    /** Decides what happens to a frame before anybody sees it: a damaged frame is damaged on the line. */
    @Nullable
    FaultGate judge(long first, Token frame) {
        FaultGate gate = s.judge(first, frame);
        if (gate != null
                && gate.rule().action() instanceof FaultAction.Corrupt corrupt
                && frame instanceof RocePacket packet
                && !LinkFaults.choose(gate, corrupt, packet)) {
            gate.missed();
            return null;
        }
        return gate;
    }

    /**
     * Takes a frame that is on the line to the far end, or not.
     *
     * @param gate of the rule that acts on it
     * @return a copy that is to be sent right behind it, null if none
     */
    @Nullable
    RocePacket send(long first, Token frame, int lineBytes, @Nullable FaultGate gate) {
        long firstThere = first + spec.flightPs();
        long lastThere = end.lastBitAt() + spec.flightPs();
        RocePacket again = null;
        long before = s.downUntil();
        if (s.isDown(first, end.lastBitAt(), frame)) {
            s.lose(lineBytes);
            if (s.downUntil() > before && peer != null) {
                peer.outage.send(Math.max(firstThere, end.now() + 1), 0, s.downUntil(), 0);
                outage.send(Math.max(first, end.now() + 1), 0, s.downUntil(), 0);
            }
        } else if (s.isParted(first, frame)) {
            s.lose(lineBytes);
        } else if (gate == null) {
            end.deliver(firstThere, lastThere, frame);
        } else {
            again = act(firstThere, lastThere, frame, lineBytes, gate);
        }
        if (s.held != null && s.held != frame) {
            release(lastThere);
        }
        return again;
    }

    private @Nullable RocePacket act(long firstThere, long lastThere, Token frame, int lineBytes, FaultGate gate) {
        FaultAction action = gate.rule().action();
        long delay = gate.rule().delayPs();
        if (action instanceof FaultAction.Delay) {
            s.late++;
            end.deliver(firstThere + delay, lastThere + delay, frame);
        } else if (action instanceof FaultAction.Reorder && s.held == null) {
            s.late++;
            s.held = frame;
            s.heldLineBytes = lineBytes;
            holdOver.arm(lastThere + delay);
        } else if (action instanceof FaultAction.Corrupt && frame instanceof RocePacket packet) {
            if (s.damage(packet)) {
                end.deliver(firstThere, lastThere, packet);
            }
        } else if (action instanceof FaultAction.Duplicate && frame instanceof RocePacket packet) {
            s.duplicated++;
            RocePacket copy = new RocePacket();
            copy.set(packet);
            end.deliver(firstThere, lastThere, frame);
            return copy;
        } else if (action instanceof FaultAction.Reorder || action instanceof FaultAction.Duplicate) {
            end.deliver(firstThere, lastThere, frame);
        } else {
            s.lose(lineBytes);
        }
        return null;
    }

    /** Lets the held frame arrive, right behind what arrives at a time. */
    private void release(long behind) {
        Token frame = s.held;
        if (frame != null) {
            s.held = null;
            holdOver.cancel();
            long firstThere = Math.max(behind, end.now()) + 1;
            end.deliver(
                    firstThere,
                    firstThere + spec.linePs(s.heldLineBytes - spec.framing().gapBytes()),
                    frame);
        }
    }
}
