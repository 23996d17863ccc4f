package dev.clockwire.roce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PauseFrameTest {
    private static final String PFC = "0180c2000001" + "020000000007" + "8808" + "0101" + "0088" // classes 3 and 7
            + "0000000000001388000000000000ffff" + "00".repeat(26);
    private static final String PAUSE = "0180c2000001" + "020000000007" + "8808" + "0001" + "00ff" + "00".repeat(42);

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }

    @Test
    void theBytesAreThoseOfTheStandards() {
        PauseFrame frame = new PauseFrame();
        frame.source = 0x0200_0000_0007L;
        frame.set(3, 5000);
        frame.set(7, 0xFFFF);
        byte[] out = new byte[PauseFrame.BYTES];
        frame.encode(out, 0);
        assertThat(out).isEqualTo(hex(PFC));
        frame.reset();
        frame.source = 0x0200_0000_0007L;
        frame.wholeLink = true;
        frame.quanta[0] = 255;
        frame.encode(out, 0);
        assertThat(out).isEqualTo(hex(PAUSE));
    }

    @Test
    void whatIsWrittenIsRead() {
        Random random = new Random(1);
        PauseFrame frame = new PauseFrame();
        PauseFrame back = new PauseFrame();
        byte[] bytes = new byte[PauseFrame.BYTES];
        for (int i = 0; i < 1000; i++) {
            frame.reset();
            frame.source = random.nextLong() >>> 16;
            frame.wholeLink = random.nextInt(5) == 0;
            frame.quanta[0] = random.nextInt(0x10000);
            for (int c = 0; c < PauseFrame.CLASSES && !frame.wholeLink; c++) {
                if (random.nextBoolean()) {
                    frame.set(c, random.nextInt(0x10000));
                }
            }
            frame.encode(bytes, 0);
            assertThat(back.decode(bytes, 0, bytes.length)).isTrue();
            assertThat(back.wholeLink).isEqualTo(frame.wholeLink);
            for (int c = 0; c < PauseFrame.CLASSES; c++) {
                assertThat(back.of(c)).isEqualTo(frame.of(c));
            }
        }
    }

    @Test
    void anythingElseIsRefused() {
        PauseFrame frame = new PauseFrame();
        byte[] good = hex(PFC);
        for (int i = 0; i < 16; i++) {
            byte[] bad = good.clone();
            bad[i] ^= 0x40;
            boolean addressed = i < 6 || i > 11;
            assertThat(frame.decode(bad, 0, bad.length)).as("byte %d", i).isEqualTo(!addressed);
        }
        for (int length = 0; length < 34; length++) {
            assertThat(frame.decode(Arrays.copyOf(good, length), 0, length))
                    .as("%d bytes", length)
                    .isFalse();
        }
        byte[] vector = good.clone();
        vector[16] = 0x7F; // the upper byte of the vector is reserved
        assertThat(frame.decode(vector, 0, vector.length)).isTrue();
        assertThat(frame.classes).isEqualTo(0x88);
    }
}
