package dev.clockwire.pcie.tlp;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class TlpSplitProperties {
    @Provide
    Arbitrary<Integer> sizes() {
        return Arbitraries.of(128, 256, 512, 1024, 2048, 4096);
    }

    @Provide
    Arbitrary<Integer> chunks() {
        return Arbitraries.of(64, 128, 256, 512, 4096);
    }

    @Property(tries = 2000)
    void requestsCoverTheRangeAndObeyTheRules(
            @ForAll @LongRange(min = 0, max = 1L << 40) long address,
            @ForAll @IntRange(min = 1, max = 20_000) int length,
            @ForAll("sizes") int max) {
        for (int kind = 0; kind < 2; kind++) {
            long at = address;
            int left = length;
            boolean first = true;
            while (left > 0) {
                int n = kind == 0 ? TlpSplit.write(at, left, max) : TlpSplit.read(at, left, max);
                assertThat(n).isBetween(1, left);
                assertThat((at & 4095) + n).isLessThanOrEqualTo(4096);
                assertThat(ByteEnables.lengthDw(at, n) * 4).isLessThanOrEqualTo(max);
                if (!first && n < left) {
                    assertThat(at % (kind == 0 ? 64 : 128))
                            .as("a later piece starts aligned")
                            .isZero();
                }
                first = false;
                at += n;
                left -= n;
            }
            assertThat(at).isEqualTo(address + length);
        }
    }

    @Property(tries = 2000)
    void completionsEndAtBoundariesOrAtTheEnd(
            @ForAll @LongRange(min = 0, max = 1L << 40) long address,
            @ForAll @IntRange(min = 1, max = 4096) int length,
            @ForAll("chunks") int chunk) {
        long at = address;
        int left = length;
        int n = 0;
        while (left > 0) {
            int bytes = TlpSplit.completion(at, left, chunk);
            assertThat(ByteEnables.lengthDw(at, bytes) * 4).isLessThanOrEqualTo(chunk);
            at += bytes;
            left -= bytes;
            n++;
            if (left > 0) {
                assertThat(at % chunk).isZero();
                assertThat(at & 0x7f).as("lower address of a later completion").isIn(0L, 0x40L);
            }
        }
        assertThat(at).isEqualTo(address + length);
        assertThat(n).isEqualTo(TlpSplit.completions(address, length, chunk));
    }

    @Test
    void knownSplits() {
        assertThat(TlpSplit.write(0x1000, 4096, 256)).isEqualTo(256);
        assertThat(TlpSplit.write(0x1004, 256, 256)).isEqualTo(256);
        assertThat(TlpSplit.write(0x1005, 256, 256)).isEqualTo(256 - 5);
        assertThat(TlpSplit.write(0x1ff0, 256, 256)).isEqualTo(16);
        assertThat(TlpSplit.read(0x1010, 4096, 512)).isEqualTo(512 - 16);
        assertThat(TlpSplit.read(0x1003, 509, 512)).isEqualTo(509);
        assertThat(TlpSplit.completions(0x1004, 64, 64)).isEqualTo(2);
        assertThat(TlpSplit.completions(0x1000, 0, 64)).isEqualTo(1);
        assertThat(TlpSplit.dataCredits(1)).isEqualTo(1);
        assertThat(TlpSplit.dataCredits(4)).isEqualTo(1);
        assertThat(TlpSplit.dataCredits(5)).isEqualTo(2);
        assertThat(TlpSplit.dataCredits(64)).isEqualTo(16);
    }
}
