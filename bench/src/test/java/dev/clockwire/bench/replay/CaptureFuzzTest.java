package dev.clockwire.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.bench.perftest.Provider;
import dev.clockwire.roce.transport.Psn;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.wire.FrameDecoder;
import dev.clockwire.roce.wire.FrameEncoder;
import dev.clockwire.roce.wire.FrameVerdict;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.random.RandomStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Frames of a real stack, of all captures there are, thrown at a responder after random changes of their bytes: nothing throws,
 * nothing outside of the region changes, and afterwards a good request works. A frame is addressed to one of our queue pairs first, for
 * otherwise no change would get farther than the queue pair number; most get a good ICRC again.
 */
class CaptureFuzzTest {
    private static final int FRAMES = 100_000;
    private static final int OF_EACH_CAPTURE = 1500;
    private static final int PSNS_AROUND = 5;

    private final RandomStream random = RandomStream.named(11, "fuzz");
    private final FrameDecoder decoder = new FrameDecoder();
    private final FrameEncoder encoder = new FrameEncoder();
    private final RocePacket packet = new RocePacket();
    private final RocePacket copy = new RocePacket();

    /** Returns RoCE frames of every capture, evenly spread over each. */
    private List<byte[]> frames() {
        List<byte[]> all = new ArrayList<>();
        for (Path file : Captures.everywhere()) {
            List<byte[]> own = Mutation.of(file).frames().stream()
                    .filter(f -> decoder.decode(f, 0, f.length, packet).isWhole())
                    .toList();
            int step = Math.max(1, own.size() / OF_EACH_CAPTURE);
            for (int i = 0; i < own.size(); i += step) {
                all.add(own.get(i));
            }
        }
        return all;
    }

    @ParameterizedTest
    @EnumSource
    void nothingButTheRegionIsWritten(Provider provider) {
        FuzzTarget target = new FuzzTarget(provider.soft());
        List<byte[]> frames = frames();
        int reached = 0;
        for (int i = 0; i < FRAMES; i++) {
            byte[] frame = frames.get(random.below(frames.size()));
            boolean roce = decoder.decode(frame, 0, frame.length, packet).isWhole();
            assertThat(roce).isTrue();
            if (random.chance(0.9)) {
                address(target);
            }
            frame = new byte[packet.wireBytes()];
            encoder.encode(packet, frame, 0);
            byte[] changed = change(frame);
            FrameVerdict verdict = decoder.decode(changed, 0, changed.length, copy);
            // what a port gives its device: whole packets, with the verdict on their ICRC
            if (verdict == FrameVerdict.OK || (verdict == FrameVerdict.BAD_ICRC && Opcode.find(copy.opcode) != null)) {
                copy.icrcOk |= random.chance(0.9);
                target.feed(copy);
                reached++;
            }
            if (target.failed()) {
                target.reconnect(random.below(Psn.MASK + 1));
            }
        }
        assertThat(reached).as("frames that were whole").isGreaterThan(FRAMES / 2);
        assertThat(target.granted()).as("requests granted").isGreaterThan(FRAMES / 20);
        assertThat(target.refusals()).as("requests refused").isGreaterThan(FRAMES / 50);
        target.requireGuardUntouched();
        assertThat(target.regionWritten()).as("some of it was allowed").isTrue();
        target.reconnect(Psn.MASK - 1);
        target.requireGoodWrite();
    }

    /** Turns a packet of the capture into one for our queue pair of its service, most often the one that comes next. */
    private void address(FuzzTarget target) {
        QpType type = target.typeOf(packet.opcode);
        packet.flow.set(target.flow());
        packet.destQp = target.qpn(type);
        packet.qkey = FuzzTarget.QKEY;
        packet.psn = target.expectedPsn(type);
        if (random.chance(0.1)) {
            packet.psn = Psn.plus(packet.psn, random.below(2 * PSNS_AROUND) - PSNS_AROUND);
        }
        if (random.chance(0.9)) {
            packet.rkey = target.key();
            packet.va = target.address() + (packet.va & 0xFF8);
        }
    }

    private byte[] change(byte[] frame) {
        byte[] out = frame;
        for (int n = random.below(4); n > 0; n--) {
            int at = random.below(out.length);
            switch (random.below(6)) {
                case 0, 1 -> out[at] ^= (byte) (1 << random.below(8));
                case 2 -> out[at] = (byte) random.nextLong();
                case 3 -> fill(out, at, (byte) (random.chance(0.5) ? 0 : -1));
                case 4 -> out = Arrays.copyOf(out, Math.max(1, out.length - random.below(40)));
                default ->
                    System.arraycopy(
                            frame, random.below(frame.length / 2), out, at / 2, Math.min(8, out.length - at / 2));
            }
        }
        return out;
    }

    private void fill(byte[] out, int at, byte with) {
        for (int i = at; i < Math.min(out.length, at + 1 + random.below(8)); i++) {
            out[i] = with;
        }
    }
}
