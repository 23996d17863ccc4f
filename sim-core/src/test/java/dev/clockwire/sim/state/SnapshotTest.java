package dev.clockwire.sim.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.InvariantViolation;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SnapshotTest {
    private static final class Box extends Token {
        private int value;

        Box(int value) {
            this.value = value;
        }

        @Override
        protected Box copy() {
            return new Box(value);
        }

        @Override
        public long digest() {
            return value;
        }
    }

    @Test
    void valuesComeBackInOrder() {
        Snapshot s = new Snapshot();
        for (int i = 0; i < 1000; i++) {
            s.putLong(i);
        }
        s.putBoolean(true);
        s.putInt(-5);
        s.putString("host0.nic");
        s.putLongs(new long[] {7, 8});
        for (int round = 0; round < 2; round++) {
            s.rewind();
            for (int i = 0; i < 1000; i++) {
                assertThat(s.getLong()).isEqualTo(i);
            }
            assertThat(s.getBoolean()).isTrue();
            assertThat(s.getInt()).isEqualTo(-5);
            assertThat(s.getString()).isEqualTo("host0.nic");
            long[] two = new long[2];
            s.getLongs(two);
            assertThat(two).containsExactly(7, 8);
            assertThatThrownBy(s::getLong)
                    .isInstanceOf(InvariantViolation.class)
                    .hasMessageContaining("more than it saved");
        }
        assertThat(s.size()).isEqualTo(1000 + 2 + 10 + 2);
    }

    @Property(tries = 100)
    void bytesComeBack(@ForAll @Size(max = 40) byte[] bytes) {
        Snapshot s = new Snapshot();
        s.putBytes(bytes, 0, bytes.length);
        byte[] back = new byte[bytes.length + 2];
        s.getBytes(back, 1, bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            assertThat(back[i + 1]).isEqualTo(bytes[i]);
        }
    }

    @Test
    void tokensAreCopiedBothWays() {
        Snapshot s = new Snapshot();
        Box box = new Box(5);
        box.journey = 9;
        for (int i = 0; i < 20; i++) {
            s.putToken(box);
        }
        s.putToken(null);
        box.value = 6;
        Box first = (Box) Objects.requireNonNull(s.getToken());
        Box second = (Box) Objects.requireNonNull(s.getToken());
        assertThat(first.value).isEqualTo(5);
        assertThat(first.journey).isEqualTo(9);
        assertThat(first).isNotSameAs(second);
        for (int i = 2; i < 20; i++) {
            s.getToken();
        }
        assertThat(s.getToken()).isNull();
        assertThatThrownBy(s::getToken).hasMessageContaining("more tokens");
    }

    @Test
    void aDigestSeesEveryChange() {
        Snapshot s = Snapshot.forDigest();
        Box box = new Box(1);
        s.putLong(1);
        s.putToken(box);
        s.putToken(null);
        long before = s.digest();
        box.value = 2;
        assertThat(s.digest()).isNotEqualTo(before);
        box.value = 1;
        assertThat(s.digest()).isEqualTo(before);
        s.clear();
        s.putLong(2);
        s.putToken(box);
        s.putToken(null);
        assertThat(s.digest()).isNotEqualTo(before);
    }

    @Test
    void marksFindAStateThatReadsAnotherLength() {
        Snapshot s = new Snapshot();
        s.putLong(1);
        s.mark("a");
        assertThatThrownBy(() -> s.expectMark("a"))
                .isInstanceOf(InvariantViolation.class)
                .hasMessageContaining("a: load reads another length");
        s.rewind();
        s.getLong();
        s.expectMark("a");
    }
}
