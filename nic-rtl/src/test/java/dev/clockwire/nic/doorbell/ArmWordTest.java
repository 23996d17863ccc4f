package dev.clockwire.nic.doorbell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArmWordTest {
    /** Each field is cut to its width and touches no other one. */
    @ParameterizedTest
    @CsvSource({
        "0,0,0,false",
        "0xFFFFFF,0,0,false",
        "0,0xFFFFFF,0,false",
        "0,0,3,false",
        "0,0,0,true",
        "0xFFFFFF,0xFFFFFF,3,true",
        "0xABCDEF,0x123456,2,true",
        "0x800000,0x800000,1,false"
    })
    void fieldsComeBack(String cqn, String seen, int sequence, boolean only) {
        long word = ArmWord.of(Integer.decode(cqn), Integer.decode(seen), sequence, only);
        assertThat(ArmWord.cqn(word)).isEqualTo(Integer.decode(cqn));
        assertThat(ArmWord.seen(word)).isEqualTo(Integer.decode(seen));
        assertThat(ArmWord.sequence(word)).isEqualTo(sequence);
        assertThat(ArmWord.solicitedOnly(word)).isEqualTo(only);
        assertThat(ArmWord.known(word)).isEqualTo(0xFFFFFF);
        assertThat(word >>> 51).as("nothing above").isZero();
        long wide =
                ArmWord.of(Integer.decode(cqn) | 0xFF00_0000, Integer.decode(seen) | 0xFF00_0000, sequence + 4, only);
        assertThat(wide).as("what is too wide is cut off").isEqualTo(word);
    }

    @ParameterizedTest
    @CsvSource({"0,0,0", "7,255,255", "0xFFFFFF,256,0", "1,0x1FE,0xFE"})
    void theArticlesWordHasEightBitsOfWhatWasSeen(String cqn, String seen, String known) {
        long word = ArmWord.ofShort(Integer.decode(cqn), Integer.decode(seen));
        assertThat(ArmWord.cqn(word)).isEqualTo(Integer.decode(cqn));
        assertThat(ArmWord.seen(word)).isEqualTo(Integer.decode(known));
        assertThat(ArmWord.known(word)).isEqualTo(0xFF);
        assertThat(ArmWord.sequence(word)).isEqualTo(-1);
        assertThat(ArmWord.solicitedOnly(word)).isFalse();
    }
}
