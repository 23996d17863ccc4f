package dev.clockwire.roce.fabric;

import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A link between two stations that send on command and note what arrives. */
final class Ends {
    final Sim sim;
    final Link link;
    final Station a;
    final Station b;

    Ends(LinkSpec spec, KernelMode mode) {
        this(spec, mode, FaultPlan.NONE);
    }

    Ends(LinkSpec spec, KernelMode mode, FaultPlan plan) {
        sim = new Sim(SimSpec.of(1).withMode(mode));
        a = new Station("left");
        b = new Station("right");
        link = new Link(sim.root(), "cable", spec, plan);
        a.on(link.a());
        b.on(link.b());
    }

    Ends(LinkSpec spec) {
        this(spec, KernelMode.ACTIVITY);
    }

    static RocePacket write(int payload, int psn) {
        RocePacket packet = new RocePacket();
        packet.opcode = Opcode.RC_RDMA_WRITE_MIDDLE.code();
        packet.psn = psn;
        packet.setPayloadLength(payload);
        return packet;
    }

    final class Station extends SimNode {
        final List<Arrival> arrivals = new ArrayList<>();
        private final EventPort command = new Command();
        private final EventPort receive = new Receive();
        private @Nullable LinkEnd end;

        Station(String name) {
            super(sim.root(), name);
        }

        void on(LinkEnd own) {
            end = own;
            own.attach(receive);
        }

        void sendAt(long ps, RocePacket packet) {
            command.send(ps, 0, 0, 0, packet);
        }

        private final class Command extends EventPort {
            Command() {
                super(Station.this, "command");
            }

            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                if (end != null && token instanceof RocePacket packet) {
                    end.transmit(now(), packet);
                }
            }
        }

        private final class Receive extends EventPort {
            Receive() {
                super(Station.this, "receive");
            }

            @Override
            protected void event(int kind, long first, long last, @Nullable Token token) {
                if (token instanceof RocePacket packet) {
                    arrivals.add(new Arrival(now(), first, last, packet.psn));
                }
            }
        }
    }

    record Arrival(long at, long first, long last, int psn) {}
}
