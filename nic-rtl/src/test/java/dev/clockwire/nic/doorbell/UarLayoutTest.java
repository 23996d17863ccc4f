package dev.clockwire.nic.doorbell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.doorbell.UarLayout.Target;
import dev.clockwire.roce.verbs.Numbering;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Both maps of the user access region, at the edges of each piece; the numbers are those of docs/registers.md. */
class UarLayoutTest {
    @ParameterizedTest
    @EnumSource
    void aDoorbellIsWhereItSaysForEveryPlace(UarLayout layout) {
        int last = layout.places() - 1;
        for (int uar : new int[] {0, 1, 2, 255, 256, last}) {
            long at = layout.doorbell(uar);
            assertThat(layout.target(at)).isEqualTo(Target.DOORBELL);
            assertThat(layout.target(at + 4)).isEqualTo(Target.INDEX);
            assertThat(layout.target(at + 1)).isNotEqualTo(Target.DOORBELL);
            assertThat(layout.uar(at)).isEqualTo(uar);
            assertThat(layout.uar(at + 4)).isEqualTo(uar);
            assertThat(layout.target(layout.blueflame(uar, 0))).isEqualTo(Target.BLUEFLAME);
            assertThat(layout.target(layout.blueflame(uar, 1) + 255)).isEqualTo(Target.BLUEFLAME);
            assertThat(at).isBetween(0L, UarLayout.WINDOW - 8);
            assertThat(layout.blueflame(uar, 1)).isBetween(0L, UarLayout.WINDOW - Uar.BLUEFLAME_BYTES);
        }
        assertThat(layout.target(layout.arm(0))).isEqualTo(Target.ARM);
    }

    /** Queue pair n has page n, the first being 0x11: the window's 16384 pages less those of the numbers in front. */
    @Test
    void pagesAreNumberedByQueuePairs() {
        assertThat(UarLayout.PAGE.places()).isEqualTo(16_384 - Numbering.FIRST_QPN);
        assertThat(UarLayout.PAGE.doorbell(0)).isEqualTo(0x11 * 0x1000);
        assertThat(UarLayout.PAGE.blueflame(3, 0)).isEqualTo(0x14 * 0x1000 + 0x800);
        assertThat(UarLayout.PAGE.blueflame(3, 1)).isEqualTo(0x14 * 0x1000 + 0x900);
        assertThat(UarLayout.PAGE.blueflame(3, 2)).isEqualTo(UarLayout.PAGE.blueflame(3, 1));
        assertThat(UarLayout.PAGE.arm(0)).isEqualTo(0x100);
        assertThat(UarLayout.PAGE.arm(77)).as("one register for all queues").isEqualTo(0x100);
        assertThat(UarLayout.PAGE.uar(0x10FFF)).as("in front of the first").isEqualTo(-1);
        assertThat(UarLayout.PAGE.uar(0x11000)).isZero();
        assertThat(UarLayout.PAGE.uar(0x11FFF)).isZero();
        assertThat(UarLayout.PAGE.uar(0x12000)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "0,DOORBELL",
        "1,NONE",
        "4,INDEX",
        "5,NONE",
        "8,NONE",
        "0xFC,NONE",
        "0x100,ARM",
        "0x101,NONE",
        "0x104,NONE",
        "0x7FF,NONE",
        "0x800,BLUEFLAME",
        "0x8FF,BLUEFLAME",
        "0x900,BLUEFLAME",
        "0x9FF,BLUEFLAME",
        "0xA00,NONE",
        "0xFFF,NONE"
    })
    void aPageHasARegisterTwoBuffersAndTheArm(String offset, Target target) {
        long at = Long.decode(offset);
        assertThat(UarLayout.PAGE.target(at)).isEqualTo(target);
        assertThat(UarLayout.PAGE.target(0x15000 + at)).isEqualTo(target);
    }

    @ParameterizedTest
    @CsvSource({
        "0,DOORBELL",
        "1,NONE",
        "2,NONE",
        "4,INDEX",
        "6,NONE",
        "8,DOORBELL",
        "0x7FFFF8,DOORBELL",
        "0x7FFFFC,INDEX",
        "0x800000,BLUEFLAME",
        "0x800001,BLUEFLAME",
        "0x80FFFF,BLUEFLAME",
        "0x810000,NONE",
        "0x9FFFF8,NONE",
        "0xA00000,ARM",
        "0xA00004,NONE",
        "0xA00008,ARM",
        "0xFFFFF8,ARM",
        "0x1000000,NONE",
        "0x3FFFFF8,NONE"
    })
    void thePackedMapHasThreePieces(String offset, Target target) {
        assertThat(UarLayout.PACKED.target(Long.decode(offset))).isEqualTo(target);
    }

    @Test
    void packedQueuesHaveEightBytesEach() {
        assertThat(UarLayout.PACKED.places()).isEqualTo(0x80_0000 / 8 - 0x11);
        assertThat(UarLayout.PACKED.doorbell(0)).isEqualTo(0x88);
        assertThat(UarLayout.PACKED.doorbell(5)).isEqualTo(0xB0);
        assertThat(UarLayout.PACKED.uar(0x88)).isZero();
        assertThat(UarLayout.PACKED.uar(0x8F)).isZero();
        assertThat(UarLayout.PACKED.uar(0x87)).isEqualTo(-1);
        assertThat(UarLayout.PACKED.arm(0)).isEqualTo(0xA0_0000);
        assertThat(UarLayout.PACKED.arm(3)).isEqualTo(0xA0_0018);
    }

    /** 256 buffers are shared: queue pair n has buffer n modulo 256, and one only. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 255, 256, 300, 513})
    void packedBuffersAreShared(int uar) {
        long at = UarLayout.PACKED.blueflame(uar, 0);
        assertThat(at).isEqualTo(0x80_0000 + uar % 256 * 0x100L);
        assertThat(UarLayout.PACKED.blueflame(uar, 1)).isEqualTo(at);
        assertThat(UarLayout.slot(at)).isEqualTo(uar % 256);
        assertThat(UarLayout.slot(at + 0xFF)).isEqualTo(uar % 256);
    }
}
