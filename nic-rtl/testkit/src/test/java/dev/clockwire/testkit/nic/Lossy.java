package dev.clockwire.testkit.nic;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.roce.fabric.FrameTap;
import dev.clockwire.roce.fabric.LinkEnd;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.state.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A line that loses what a test names: it spoils the ICRC, and the receiver drops the packet without a word. */
final class Lossy implements FrameTap {
    /** What was sent, lost frames included. */
    static final class Frame {
        final long ps;
        final LinkEnd from;
        final Opcode opcode;
        final int psn;
        final int syndrome;
        final long va;

        Frame(long ps, LinkEnd from, RocePacket p) {
            this.ps = ps;
            this.from = from;
            opcode = Opcode.of(p.opcode);
            psn = p.psn;
            syndrome = p.syndrome;
            va = p.va;
        }

        @Override
        public String toString() {
            return opcode + " " + psn;
        }
    }

    final List<Frame> frames = new ArrayList<>();
    private Predicate<RocePacket> loses = packet -> false;
    private int left;

    Lossy(Lab lab) {
        lab.tapFrames(this);
    }

    /** The next {@code count} packets that fit are lost. */
    void lose(int count, Predicate<RocePacket> which) {
        left = count;
        loses = which;
    }

    List<Frame> sent(Opcode opcode) {
        return frames.stream().filter(f -> f.opcode == opcode).toList();
    }

    @Override
    public void frame(long ps, LinkEnd end, Token frame) {
        if (frame instanceof RocePacket packet) {
            frames.add(new Frame(ps, end, packet));
            if (left > 0 && loses.test(packet)) {
                left--;
                packet.icrcOk = false;
            }
        }
    }
}
