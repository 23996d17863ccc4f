package dev.clockwire.bench.replay;

import dev.clockwire.roce.wire.FrameDecoder;
import dev.clockwire.roce.wire.FrameEncoder;
import dev.clockwire.roce.wire.FrameVerdict;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.capture.CaptureReader;
import dev.clockwire.sim.capture.PcapngWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A capture that is changed: packets are dropped, or changed and given a good ICRC again. */
final class Mutation {
    private static final int US = 1_000_000;

    private final List<byte[]> frames = new ArrayList<>();

    private Mutation() {}

    static Mutation of(Path capture) {
        Mutation m = new Mutation();
        try (CaptureReader reader = CaptureReader.open(capture)) {
            while (reader.next()) {
                m.frames.add(
                        Arrays.copyOfRange(reader.data(), reader.dataOffset(), reader.dataOffset() + reader.length()));
            }
        }
        return m;
    }

    private static boolean decode(byte[] frame, RocePacket into) {
        return new FrameDecoder().decode(frame, 0, frame.length, into) == FrameVerdict.OK && into.opcode >> 5 < 2;
    }

    /** Drops RC and UC packets. */
    Mutation drop(Predicate<RocePacket> which) {
        frames.removeIf(f -> {
            RocePacket p = new RocePacket();
            return decode(f, p) && which.test(p);
        });
        return this;
    }

    /** Changes RC and UC packets. */
    Mutation change(Predicate<RocePacket> which, Consumer<RocePacket> how) {
        for (int i = 0; i < frames.size(); i++) {
            RocePacket p = new RocePacket();
            if (decode(frames.get(i), p) && which.test(p)) {
                how.accept(p);
                byte[] changed = new byte[p.wireBytes()];
                new FrameEncoder().encode(p, changed, 0);
                frames.set(i, changed);
            }
        }
        return this;
    }

    /** Changes one frame; the first is 1. */
    Mutation change(long frame, Consumer<RocePacket> how) {
        RocePacket p = new RocePacket();
        decode(frames.get((int) frame - 1), p);
        how.accept(p);
        byte[] changed = new byte[p.wireBytes()];
        new FrameEncoder().encode(p, changed, 0);
        frames.set((int) frame - 1, changed);
        return this;
    }

    /** Keeps the first frames only. */
    Mutation cut(int count) {
        frames.subList(count, frames.size()).clear();
        return this;
    }

    /** Returns the frames as they are now. */
    List<byte[]> frames() {
        return frames;
    }

    int size() {
        return frames.size();
    }

    void write(Path to) {
        try (PcapngWriter writer = PcapngWriter.create(to, "test", "")) {
            int port = writer.addInterface("eth0");
            for (int i = 0; i < frames.size(); i++) {
                writer.write(port, (long) i * US, frames.get(i), 0, frames.get(i).length, frames.get(i).length);
            }
            writer.commit();
        }
    }
}
