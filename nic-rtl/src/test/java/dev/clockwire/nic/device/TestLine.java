package dev.clockwire.nic.device;

import dev.clockwire.nic.ether.EthFrame;
import dev.clockwire.nic.mac.Line;
import dev.clockwire.roce.wire.PauseFrame;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.Probe;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.List;

/** A line of 80 Gb/s to nowhere, which remembers what was sent. */
final class TestLine extends SimNode implements Line {
    private static final long BYTE_PS = 100;

    private final Probe probe = new Probe(this, "line");
    private final List<Long> packets = new ArrayList<>();
    private final List<Long> frames = new ArrayList<>();
    private final Free s = state(new Free());

    private static final class Free implements State {
        long at;

        @Override
        public void save(Snapshot out) {
            out.putLong(at);
        }

        @Override
        public void load(Snapshot in) {
            at = in.getLong();
        }
    }

    TestLine(Sim sim) {
        super(sim.root(), "line");
    }

    private long send(long earliestPs, int bytes) {
        long start = Math.max(earliestPs, s.at);
        s.at = start + bytes * BYTE_PS;
        probe.fold(now(), bytes, start);
        return start;
    }

    @Override
    public long send(long earliestPs, RocePacket packet) {
        packets.add((long) packet.psn);
        return send(earliestPs, packet.wireBytes());
    }

    @Override
    public long send(long earliestPs, EthFrame frame) {
        frames.add((long) frame.bytes[0]);
        return send(earliestPs, frame.length);
    }

    @Override
    public long send(long earliestPs, PauseFrame frame) {
        return send(earliestPs, frame.wireBytes());
    }

    @Override
    public long arrival() {
        return s.at;
    }

    List<Long> packets() {
        return packets;
    }

    List<Long> frames() {
        return frames;
    }
}
