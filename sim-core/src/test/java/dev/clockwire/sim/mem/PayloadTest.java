package dev.clockwire.sim.mem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.error.InvariantViolation;
import org.junit.jupiter.api.Test;

class PayloadTest {
    private static final byte[] TEXT = {'c', 'l', 'o', 'c', 'k', 'w', 'i', 'r', 'e'};

    @Test
    void bytesStayOnePieceHoweverTheyAreAppended() {
        Payload whole = new Payload();
        whole.appendBytes(TEXT, 0, 9);
        Payload parts = new Payload(2);
        parts.appendBytes(TEXT, 0, 5);
        parts.appendFrom(whole, 5, 4);

        assertThat(parts.isBytes()).isTrue();
        assertThat(parts.pieces()).isEqualTo(1);
        assertThat(parts.pieceLength(0)).isEqualTo(9);
        assertThat(parts.array()).startsWith(TEXT);
        assertThat(parts.sameContent(whole)).isTrue();
        assertThat(parts.digest()).isEqualTo(whole.digest()).isNotZero();
    }

    @Test
    void extentsThatContinueEachOtherAreOne() {
        Payload p = new Payload();
        p.appendExtent(3, 7, 0, 100);
        p.appendExtent(3, 7, 100, 50);
        p.appendExtent(3, 8, 150, 50);
        p.appendExtent(4, 8, 200, 50);

        assertThat(p.pieces()).isEqualTo(3);
        assertThat(p.pieceLength(0)).isEqualTo(150);
        assertThat(p.writer(2)).isEqualTo(4);
        assertThat(p.sequence(1)).isEqualTo(8);
        assertThat(p.offset(1)).isEqualTo(150);
        assertThat(p.length()).isEqualTo(250);
        assertThat(p)
                .hasToString("Payload[250: 150 of write 3/7 from 0, 50 of write 3/8 from 150, "
                        + "50 of write 4/8 from 200]");
    }

    @Test
    void neverWrittenMergesWhereverItCameFrom() {
        Payload p = new Payload();
        p.appendExtent(0, 5, 17, 10);
        p.appendExtent(0, 9, 3, 10);
        assertThat(p.pieces()).isEqualTo(1);
        assertThat(p.sequence(0)).isZero();
        assertThat(p.offset(0)).isZero();
    }

    @Test
    void aGatherOfRealAndBulkKeepsBothKinds() {
        Payload p = new Payload();
        p.appendBytes(TEXT, 0, 4);
        p.appendExtent(1, 2, 3, 8);
        p.appendBytes(TEXT, 4, 2);
        p.appendBytes(TEXT, 6, 3);

        assertThat(p.isBytes()).isFalse();
        assertThat(p.pieces()).isEqualTo(3);
        assertThat(p.isBytes(0)).isTrue();
        assertThat(p.isBytes(1)).isFalse();
        assertThat(p.offset(2)).isZero();
        assertThat(p.byteAt(12)).isEqualTo((byte) 'k');
        byte[] tail = new byte[6];
        p.copyTo(12, tail, 1, 5);
        assertThat(tail).containsExactly(0, 'k', 'w', 'i', 'r', 'e');
        assertThat(p.toString()).contains("4 bytes").contains("8 of write 1/2 from 3");
    }

    @Test
    void bytesCannotBeReadFromAnExtent() {
        Payload p = new Payload();
        p.appendBytes(TEXT, 0, 4);
        p.appendExtent(1, 2, 3, 8);
        assertThatThrownBy(p::array)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("8 of write 1/2 from 3");
        assertThatThrownBy(() -> p.byteAt(4)).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> p.copyTo(3, new byte[2], 0, 2)).isInstanceOf(ConfigurationException.class);
    }

    @Test
    void rangesAreChecked() {
        Payload p = new Payload();
        p.appendZeros(4);
        assertThat(p.array()).startsWith(0, 0, 0, 0);
        assertThatThrownBy(() -> p.appendFrom(p, 1, 4))
                .isInstanceOf(InvariantViolation.class)
                .hasMessage("[1, 5) of a payload of 4");
        assertThatThrownBy(() -> p.byteAt(-1)).isInstanceOf(InvariantViolation.class);
        assertThatThrownBy(() -> p.appendExtent(-1, 0, 0, 1)).isInstanceOf(InvariantViolation.class);
    }

    @Test
    void clearMakesItReusable() {
        Payload p = new Payload();
        p.appendExtent(1, 2, 3, 8);
        p.clear();
        assertThat(p.length()).isZero();
        assertThat(p.pieces()).isZero();
        assertThat(p.isBytes()).isTrue();
        assertThat(p.digest()).isZero();
        p.appendBytes(TEXT, 0, 9);
        assertThat(p.array()).startsWith(TEXT);
    }

    @Test
    void setCopiesContent() {
        Payload p = extent(1, 2, 3, 8);
        p.appendBytes(TEXT, 0, 2);
        Payload copy = extent(9, 9, 9, 9);
        copy.set(p);
        assertThat(copy.sameContent(p)).isTrue();
    }

    @Test
    void digestAndComparisonSeeEveryField() {
        Payload base = extent(1, 2, 3, 8);
        for (Payload other :
                new Payload[] {extent(2, 2, 3, 8), extent(1, 3, 3, 8), extent(1, 2, 4, 8), extent(1, 2, 3, 9)}) {
            assertThat(other.digest()).isNotEqualTo(base.digest());
            assertThat(other.sameContent(base)).isFalse();
        }
        Payload mixed = extent(1, 2, 3, 8);
        mixed.appendBytes(TEXT, 0, 2);
        Payload changed = extent(1, 2, 3, 8);
        changed.appendBytes(TEXT, 1, 2);
        assertThat(mixed.digest()).isNotEqualTo(changed.digest());
        assertThat(mixed.sameContent(changed)).isFalse();
        assertThat(mixed.sameContent(base)).isFalse();
        changed.clear();
        changed.appendFrom(mixed, 0, 10);
        assertThat(mixed.sameContent(changed)).isTrue();
        assertThat(mixed.digest()).isEqualTo(changed.digest());
    }

    private static Payload extent(int writer, long sequence, long offset, int len) {
        Payload p = new Payload();
        p.appendExtent(writer, sequence, offset, len);
        return p;
    }
}
