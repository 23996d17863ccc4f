package dev.clockwire.nic.sched;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FetchWordTest {
    /** Each field is cut to its width, and marking a word as a second try changes none. */
    @ParameterizedTest
    @CsvSource({"0,0,0", "0xFFFFFF,0,0", "0,0xFFFF,0", "0,0,0xFFFF", "0xFFFFFF,0xFFFF,0xFFFF", "0x8ABCDE,0x1234,0x8001"
    })
    void fieldsComeBack(String qpn, String index, String blocks) {
        long word = FetchWord.of(Integer.decode(qpn), Integer.decode(index), Integer.decode(blocks));
        for (long w : new long[] {word, FetchWord.again(word)}) {
            assertThat(FetchWord.qpn(w)).isEqualTo(Integer.decode(qpn));
            assertThat(FetchWord.index(w)).isEqualTo(Integer.decode(index));
            assertThat(FetchWord.blocks(w)).isEqualTo(Integer.decode(blocks));
        }
        assertThat(FetchWord.isAgain(word)).isFalse();
        assertThat(FetchWord.isAgain(FetchWord.again(word))).isTrue();
        assertThat(FetchWord.again(FetchWord.again(word))).isEqualTo(FetchWord.again(word));
    }

    @Test
    void indicesAreCounters() {
        assertThat(FetchWord.of(1, 0x1_0002, 0x1_0003)).isEqualTo(FetchWord.of(1, 2, 3));
        assertThat(FetchWord.of(5, 2, 3)).isEqualTo(0x5_0002_0003L);
        assertThat(FetchWord.blocks(FetchWord.of(1, 2, FetchWord.RECORD))).isEqualTo(FetchWord.RECORD);
    }
}
