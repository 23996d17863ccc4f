package dev.clockwire.sim.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.state.Snapshot;
import java.math.BigInteger;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

/** Exactness against BigInteger, with many carries. */
class WideSumProperties {
    @Provide
    Arbitrary<Long> edgy() {
        return Arbitraries.oneOf(
                Arbitraries.longs(),
                Arbitraries.of(0L, 1L, -1L, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32, -1L << 32, 0xFFFF_FFFFL));
    }

    @Property
    void productsAddUpExactly(@ForAll @Size(min = 2, max = 40) List<@net.jqwik.api.From("edgy") Long> xs) {
        WideSum sum = new WideSum();
        BigInteger expected = BigInteger.ZERO;
        for (int i = 1; i < xs.size(); i++) {
            sum.addProduct(xs.get(i - 1), xs.get(i));
            expected = expected.add(BigInteger.valueOf(xs.get(i - 1)).multiply(BigInteger.valueOf(xs.get(i))));
        }
        assertThat(sum.value()).isEqualTo(expected);
        WideSum twice = new WideSum();
        twice.add(sum);
        twice.add(sum);
        assertThat(twice.value()).isEqualTo(expected.add(expected));

        Snapshot s = new Snapshot();
        sum.save(s);
        WideSum restored = new WideSum();
        restored.load(s);
        assertThat(restored.value()).isEqualTo(expected);
        restored.clear();
        assertThat(restored.value()).isZero();
    }

    @Property
    void squaresAddUpExactly(@ForAll("edgy") long value, @ForAll("edgy") long times) {
        long v = value & Long.MAX_VALUE;
        long t = times & Long.MAX_VALUE;
        WideSum sum = new WideSum();
        sum.addSquares(v, t);
        sum.addSquares(v, 3);
        BigInteger square = BigInteger.valueOf(v).pow(2);
        assertThat(sum.value())
                .isEqualTo(square.multiply(BigInteger.valueOf(t)).add(square.multiply(BigInteger.valueOf(3))));
    }
}
