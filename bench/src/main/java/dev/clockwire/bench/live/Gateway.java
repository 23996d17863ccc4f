package dev.clockwire.bench.live;

import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.wire.FrameDecoder;
import dev.clockwire.roce.wire.FrameEncoder;
import dev.clockwire.roce.wire.FrameVerdict;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.roce.wire.Service;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.random.RandomStream;
import dev.clockwire.sim.state.Token;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The far end of the simulated link: turns the simulated NIC's packets into frames for the outside, and frames from there into packets. It may lose reliable packets
 * on purpose, each with the same probability in both directions.
 */
final class Gateway extends SimNode {
    private static final int SHORTEST = 60;

    private final LinkEnd end;
    private final double loss;
    private final RandomStream dice;
    private final FrameEncoder encoder = new FrameEncoder();
    private final FrameDecoder decoder = new FrameDecoder();
    private final Deque<ByteBuffer> outgoing = new ArrayDeque<>();
    private long lost;
    private long notRoce;
    private long damaged;

    Gateway(Scope parent, LinkEnd end, double loss) {
        super(parent, "gateway");
        this.end = end;
        this.loss = loss;
        dice = random("loss");
        end.attach(new EventPort(this, "line") {
            @Override
            protected void event(int kind, long a, long b, @Nullable Token token) {
                if (token instanceof RocePacket packet) {
                    leave(packet);
                }
            }
        });
    }

    private void leave(RocePacket packet) {
        if (isLost(packet)) {
            return;
        }
        byte[] frame = new byte[Math.max(SHORTEST, packet.wireBytes())];
        encoder.encode(packet, frame, 0);
        outgoing.add(ByteBuffer.wrap(frame));
    }

    private boolean isLost(RocePacket packet) {
        Opcode opcode = Opcode.find(packet.opcode);
        boolean drop = loss > 0 && opcode != null && opcode.service() == Service.RC && dice.chance(loss);
        lost += drop ? 1 : 0;
        return drop;
    }

    /** Puts a frame from outside on the line; what is no RoCE is counted and forgotten. */
    void arrive(ByteBuffer frame) {
        RocePacket packet = new RocePacket();
        FrameVerdict verdict = decoder.decode(frame.array(), frame.arrayOffset(), frame.limit(), packet);
        if (verdict == FrameVerdict.NOT_ROCE) {
            notRoce++;
        } else if (!isPacket(verdict) || Opcode.find(packet.opcode) == null) {
            damaged++; // no NIC would make a packet of it
        } else if (!isLost(packet)) {
            end.transmit(now(), packet);
        }
    }

    /** A wrong ICRC is for the NIC to find. */
    private static boolean isPacket(FrameVerdict verdict) {
        return verdict == FrameVerdict.OK || verdict == FrameVerdict.BAD_ICRC;
    }

    /** Returns the next frame for the outside, null if there is none. */
    @Nullable
    ByteBuffer next() {
        return outgoing.poll();
    }

    /** Returns the packets lost on purpose. */
    long lost() {
        return lost;
    }

    /** Returns the frames that were malformed, which a NIC drops unseen. */
    long damaged() {
        return damaged;
    }

    /** Returns the frames that had nothing to do with RoCE. */
    long notRoce() {
        return notRoce;
    }
}
