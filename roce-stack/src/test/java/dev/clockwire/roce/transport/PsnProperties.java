package dev.clockwire.roce.transport;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class PsnProperties {
    @Property
    void comparesAcrossTheWrap(
            @ForAll @IntRange(max = Psn.MASK) int psn, @ForAll @IntRange(min = 1, max = Psn.WINDOW - 1) int steps) {
        int later = Psn.plus(psn, steps);
        assertThat(Psn.compare(psn, later)).isNegative();
        assertThat(Psn.compare(later, psn)).isPositive();
        assertThat(Psn.compare(psn, psn)).isZero();
        assertThat(Psn.distance(psn, later)).isEqualTo(steps);
        assertThat(Psn.plus(later, -steps)).isEqualTo(psn);
    }

    @Property
    void rangeHoldsItsMembersOnly(
            @ForAll @IntRange(max = Psn.MASK) int first,
            @ForAll @IntRange(min = 1, max = 1000) int count,
            @ForAll @IntRange(max = 2000) int step) {
        assertThat(Psn.inRange(Psn.plus(first, step), first, count)).isEqualTo(step < count);
        assertThat(Psn.inRange(Psn.plus(first, -1), first, count)).isFalse();
    }

    @Example
    void theFarthestDuplicateIsOldAndTheNextOneIsNew() {
        int expected = 5;
        assertThat(Psn.compare(Psn.plus(expected, -Psn.WINDOW), expected)).isNegative();
        assertThat(Psn.compare(Psn.plus(expected, Psn.WINDOW - 1), expected)).isPositive();
    }

    @Example
    void countsOnePsnForNothing() {
        assertThat(Psn.count(0, 1024)).isEqualTo(1);
        assertThat(Psn.count(1, 1024)).isEqualTo(1);
        assertThat(Psn.count(1024, 1024)).isEqualTo(1);
        assertThat(Psn.count(1025, 1024)).isEqualTo(2);
        assertThat(Psn.count(1L << 31, 256)).isEqualTo(1 << 23);
    }
}
