package dev.clockwire.roce.soft;

import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.fault.FaultGates;
import dev.clockwire.sim.state.Token;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** What a fault plan does to a software device: it stops receiving for a while, forgets its connections, writes completions in the wrong order. */
public final class SoftTroubles {
    /** Event: nothing is received for {@code a} ps. */
    public static final int STALL = 0;

    /** Event: the device forgets all connections, and is back after {@code a} ps, 0 = never. */
    public static final int RESET = 1;

    private static final int RESUME = 2;
    private static final int BACK = 3;

    private final SoftDevice device;
    private final Receiver receiver;
    private final EventPort port;
    private final Deque<RocePacket> waiting = new ArrayDeque<>();
    private long stalledUntil;
    private @Nullable FaultGates cqeOrder;

    SoftTroubles(SoftDevice device, Receiver receiver) {
        this.device = device;
        this.receiver = receiver;
        port = new EventPort(device, "trouble") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                if (kind == STALL) {
                    stalledUntil = Math.max(stalledUntil, device.now() + a);
                    send(stalledUntil, RESUME, 0, 0);
                } else if (kind == RESUME) {
                    resume();
                } else if (kind == BACK) {
                    device.life().started((int) a);
                } else {
                    int failure = device.resetAll();
                    if (a > 0) {
                        send(device.now() + a, BACK, failure, 0);
                    }
                }
            }
        };
    }

    /** Returns the port that brings trouble: {@link #STALL} or {@link #RESET}. */
    public EventPort port() {
        return port;
    }

    /** Sets the rules by which completions are written in the wrong order. */
    public void misorder(FaultGates rules) {
        cqeOrder = rules;
    }

    /** Returns the rules by which completions are written in the wrong order, null if there are none. */
    public @Nullable FaultGates cqeOrder() {
        return cqeOrder;
    }

    /** A packet is off the line: it is handled now, or when the device goes on. */
    void arrived(RocePacket packet) {
        if (device.now() < stalledUntil || !waiting.isEmpty()) {
            waiting.add(packet);
        } else {
            handle(packet);
        }
    }

    private void resume() {
        while (device.now() >= stalledUntil && !waiting.isEmpty()) {
            handle(waiting.remove());
        }
    }

    private void handle(RocePacket packet) {
        device.transmitter().charge(device.spec().receivePs());
        receiver.receive(packet);
        device.packets().give(packet);
    }
}
