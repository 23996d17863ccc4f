package dev.clockwire.roce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Mutated frames of real stacks: each gets a verdict and none an exception. Half of them get a fitting ICRC afterwards, else
 * the fuzzer would never come past it. 100,000 mutations, with the profile {@code full} ten million.
 */
class FrameFuzzTest {
    private static final int LONGEST = 9_200;

    private final FrameDecoder decoder = new FrameDecoder();
    private final FrameEncoder encoder = new FrameEncoder();
    private final Icrc icrc = new Icrc();
    private final RocePacket packet = new RocePacket();
    private final byte[] frame = new byte[LONGEST];
    private final byte[] again = new byte[2 * LONGEST];
    private int length;

    private static List<byte[]> seeds() throws IOException {
        List<byte[]> seeds = new ArrayList<>();
        for (Path file : SampleCaptures.files()) {
            for (byte[] frame : SampleCaptures.frames(file)) {
                if (new FrameDecoder()
                        .decode(frame, 0, frame.length, new RocePacket())
                        .isRoce()) {
                    seeds.add(frame);
                }
            }
        }
        Vectors.all().forEach(vector -> seeds.add(vector.frame()));
        return seeds;
    }

    @Test
    void everyMutationGetsAVerdict() throws IOException {
        int mutations = Boolean.getBoolean("clockwire.full") ? 10_000_000 : 100_000;
        SplittableRandom random = new SplittableRandom(4791);
        List<byte[]> seeds = seeds();
        Map<FrameVerdict, Integer> counts = new EnumMap<>(FrameVerdict.class);
        for (int i = 0; i < mutations; i++) {
            byte[] seed = seeds.get(random.nextInt(seeds.size()));
            System.arraycopy(seed, 0, frame, 0, seed.length);
            length = seed.length;
            for (int n = random.nextInt(3); n >= 0; n--) {
                mutate(random, seeds);
            }
            if (random.nextBoolean()) {
                repair(random.nextBoolean());
            }
            FrameVerdict verdict = decoder.decode(frame, 0, length, packet);
            counts.merge(verdict, 1, Integer::sum);
            judge(verdict);
        }
        assertThat(counts.values().stream().mapToInt(n -> n).sum()).isEqualTo(mutations);
        assertThat(counts).as("the fuzzer reaches every verdict").containsOnlyKeys(FrameVerdict.values());
    }

    /** What a verdict promises must hold, whatever the bytes are. */
    private void judge(FrameVerdict verdict) {
        if (verdict == FrameVerdict.BAD_ICRC || !verdict.isWhole()) {
            assertThat(packet.icrcOk).isFalse();
        } else {
            assertThat(packet.icrcOk).isTrue();
        }
        if (verdict == FrameVerdict.OK) {
            assertThat(packet.payload.length()).isEqualTo(packet.payloadLength);
            assertThat(packet.wireBytes()).isLessThanOrEqualTo(length);
            int bytes = encoder.encode(packet, again, 0);
            assertThat(decoder.decode(again, 0, bytes, packet)).isEqualTo(FrameVerdict.OK);
        }
    }

    private void mutate(SplittableRandom random, List<byte[]> seeds) {
        if (length == 0) {
            return;
        }
        int at = random.nextInt(Math.min(length, random.nextBoolean() ? 110 : length));
        switch (random.nextInt(10)) {
            case 0, 1 -> frame[at] ^= (byte) (1 << random.nextInt(8));
            case 2 -> frame[at] = (byte) random.nextInt(256);
            case 3 -> frame[at] = (byte) (random.nextBoolean() ? 0xFF : 0);
            case 4 -> length = random.nextInt(length + 1);
            case 5 -> length = Math.min(LONGEST, length + random.nextInt(50));
            case 6 -> {
                byte[] other = seeds.get(random.nextInt(seeds.size()));
                int n = Math.min(other.length, length) - at;
                if (n > 0) {
                    System.arraycopy(other, at, frame, at, n);
                }
            }
            case 7 -> lengths(random);
            case 8 -> options(random);
            default -> field(random);
        }
    }

    /** A new length in the IPv4 header and mostly the same one in the UDP header. */
    private void lengths(SplittableRandom random) {
        if (length >= 42) {
            int transport = random.nextInt(80);
            Bytes.put16(frame, 16, 28 + transport);
            Bytes.put16(frame, 38, 8 + transport + (random.nextInt(8) == 0 ? 1 : 0));
        }
    }

    /** Room for up to ten words of IPv4 options, and mostly a header length that says so. */
    private void options(SplittableRandom random) {
        int bytes = 4 * (1 + random.nextInt(10));
        if (length >= 58 && length + bytes <= LONGEST) {
            System.arraycopy(frame, 34, frame, 34 + bytes, length - 34);
            length += bytes;
            frame[14] = (byte) (0x45 + bytes / 4 - (random.nextInt(8) == 0 ? 1 : 0));
            Bytes.put16(frame, 16, Bytes.get16(frame, 16) + bytes);
        }
    }

    /** A field whose value decides how the rest is read: version and IHL, fragment, checksum, opcode, pad and version. */
    private void field(SplittableRandom random) {
        int[] fields = {14, 20, 21, 24, 40, 42, 42, 43};
        int at = fields[random.nextInt(fields.length)];
        if (at < length) {
            frame[at] = (byte) random.nextInt(256);
        }
    }

    /** Gives an untagged IPv4 frame, options or not, a fitting ICRC where its length says that the ICRC is. */
    private void repair(boolean checksumToo) {
        if (length < 58 || Bytes.get16(frame, 12) != 0x0800) {
            return;
        }
        int bth = 14 + (frame[14] & 0xF) * 4 + 8;
        int end = 14 + Bytes.get16(frame, 16);
        if (end <= length && end >= bth + 16 && bth >= 42) {
            if (checksumToo) {
                Bytes.put16(frame, 24, 0);
                Bytes.put16(frame, 24, ~Checksum.ofWords(frame, 14, (frame[14] & 0xF) * 4));
            }
            int crc = icrc.of(frame, 14, bth, end - 4, Encapsulation.IPV4);
            Bytes.put32(frame, end - 4, Integer.reverseBytes(crc));
        }
    }
}
