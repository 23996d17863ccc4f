package dev.clockwire.roce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Internet checksum of RFC 1071, at lengths that no RoCE packet has, too. */
class ChecksumTest {
    @Test
    void theExampleOfTheRfc() {
        byte[] b = HexFormat.of().parseHex("0001f203f4f5f6f7");
        assertThat(Checksum.ofWords(b, 0, 8)).isEqualTo(0xDDF2);
        assertThat(Checksum.fold(0x2DDF0)).isEqualTo(0xDDF2);
    }

    /** Sums by hand; a byte alone at the end counts as the upper half of a word. */
    @ParameterizedTest
    @CsvSource({"0,0,0", "0,1,100", "0,2,102", "0,3,402", "0,4,406", "0,5,906", "1,1,200", "1,6,C0F", "3,5,120C"})
    void anyLengthFromAnywhere(int from, int length, String sum) {
        byte[] b = {1, 2, 3, 4, 5, 6, 7, 8};
        assertThat(Checksum.ofWords(b, from, length)).isEqualTo(Integer.parseInt(sum, 16));
    }
}
