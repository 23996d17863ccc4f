package dev.clockwire.nic.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.context.BehindWrites;
import dev.clockwire.nic.profile.CacheSpec;
import dev.clockwire.nic.stage.Journal;
import dev.clockwire.pcie.endpoint.DmaError;
import dev.clockwire.pcie.endpoint.DmaRead;
import dev.clockwire.sim.state.Snapshot;
import dev.clockwire.sim.state.State;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Caches, reads under way and failed writes, each alone. */
class CachePartsTest {
    private static <T extends State> T move(T from, T to) {
        Snapshot saved = new Snapshot();
        from.save(saved);
        saved.putLong(4711);
        saved.rewind();
        to.load(saved);
        assertThat(saved.getLong()).as("what stands behind it").isEqualTo(4711);
        return to;
    }

    @Test
    void aCacheCountsWhatItWasAsked() {
        SetCache cache = new SetCache(new CacheSpec(4, 2, 64, 1)); // two sets of two ways
        assertThat(cache.touch(0)).isFalse();
        cache.fill(0);
        cache.fill(2);
        assertThat(cache.touch(0)).isTrue();
        assertThat(cache.evictions()).isZero();
        cache.fill(4); // same set: 2 was not used for longest
        assertThat(cache.holds(2)).isFalse();
        assertThat(cache.holds(0)).isTrue();
        assertThat(cache.evictions()).isEqualTo(1);
        assertThat(cache.touch(1)).isFalse();
        assertThat(cache.touch(3)).isFalse();
        assertThat(cache.hits()).isEqualTo(1);
        assertThat(cache.misses()).isEqualTo(3);
        SetCache copy = move(cache, new SetCache(new CacheSpec(4, 2, 64, 1)));
        assertThat(copy.holds(4)).isTrue();
        assertThat(copy.hits()).isEqualTo(1);
        assertThat(copy.misses()).isEqualTo(3);
        assertThat(copy.evictions()).isEqualTo(1);
        copy.invalidate(4);
        assertThat(copy.holds(4)).isFalse();
        copy.invalidate(77);
        assertThat(copy.holds(0)).isTrue();
    }

    @Test
    void soManyReadsMayBeUnderWay() {
        MissTable misses = new MissTable(3);
        assertThat(misses.free()).isEqualTo(3);
        DmaRead a = misses.begin(10);
        a.into.appendZeros(8);
        DmaRead b = misses.begin(20);
        DmaRead c = misses.begin(30);
        assertThat(misses.free()).isZero();
        assertThat(List.of(misses.pending(10), misses.pending(20), misses.pending(30), misses.pending(0)))
                .containsExactly(true, true, true, false);
        assertThat(a).isNotSameAs(b).isNotSameAs(c);
        misses.end(a, 10);
        assertThat(misses.free()).isEqualTo(1);
        assertThat(misses.pending(10)).isFalse();
        assertThat(misses.pending(20)).isTrue();
        assertThat(misses.pending(30)).as("the last one moved up").isTrue();
        DmaRead again = misses.begin(40);
        assertThat(again).isSameAs(a);
        assertThat(again.into.length()).as("empty").isZero();
        MissTable copy = move(misses, new MissTable(3));
        assertThat(copy.free()).isZero();
        assertThat(copy.pending(40)).isTrue();
        copy.end(new DmaRead(), 20);
        copy.end(new DmaRead(), 40);
        copy.end(new DmaRead(), 30);
        assertThat(copy.free()).isEqualTo(3);
        assertThat(copy.pending(30)).isFalse();
        assertThat(copy.begin(50)).isNotNull();
        assertThat(move(misses, copy).free()).isZero();
    }

    @Test
    void aTableWithoutACacheIsAllOnTheChip() {
        IcmTable table = new IcmTable(null, null);
        assertThat(table.absent(5)).isFalse();
        assertThat(table.touch(5)).isTrue();
        assertThat(table.pending(5)).isFalse();
        assertThat(table.free()).isZero();
        assertThat(table.mayMiss(5)).isFalse();
        table.forget(5);
        assertThat(table.hits()).isZero();
        assertThat(table.missed()).isZero();
        move(table, new IcmTable(null, null));
    }

    @Test
    void whatIsReadIsThereUnlessTheReadFailed() {
        IcmTable table = new IcmTable(new CacheSpec(4, 4, 64, 2), null);
        assertThat(table.absent(5)).isTrue();
        assertThat(table.touch(5)).isFalse();
        assertThat(table.missed()).isEqualTo(1);
        assertThat(table.mayMiss(5)).isTrue();
        DmaRead five = table.begin(5);
        DmaRead six = table.begin(6);
        assertThat(table.free()).isZero();
        assertThat(table.pending(5)).isTrue();
        assertThat(table.mayMiss(5)).as("is waited for").isTrue();
        assertThat(table.mayMiss(7)).as("no read is free").isFalse();
        table.end(five, 5);
        six.error = DmaError.POISONED;
        table.end(six, 6);
        assertThat(table.absent(5)).isFalse();
        assertThat(table.absent(6)).isTrue();
        assertThat(table.touch(5)).isTrue();
        assertThat(table.hits()).isEqualTo(1);
        IcmTable copy = move(table, new IcmTable(new CacheSpec(4, 4, 64, 2), null));
        assertThat(copy.absent(5)).isFalse();
        assertThat(copy.hits()).isEqualTo(1);
        assertThat(copy.free()).isEqualTo(2);
        copy.forget(5);
        assertThat(copy.absent(5)).isTrue();
        assertThat(table.absent(5)).isFalse();
    }

    /** Remembers what it was told. */
    private record Word(int queuePair, boolean isEnd, List<String> told) implements BehindWrites {
        @Override
        public int stage(Journal journal) {
            return journal.ack;
        }

        Word(int queuePair, boolean isEnd) {
            this(queuePair, isEnd, new ArrayList<>());
        }

        @Override
        public void unplaced(boolean first, int part) {
            told.add(first + " " + part);
        }
    }

    private static List<String> pass(Unplaced u, int qpn) {
        Word w = new Word(qpn, false);
        u.pass(w);
        return w.told;
    }

    /** The first failed write counts; all words behind it hear of it, until the queue pair has ended. */
    @Test
    void wordsBehindAFailedWriteHearOfIt() {
        Unplaced u = new Unplaced();
        assertThat(pass(u, 7)).isEmpty();
        for (int qpn = 1; qpn <= 9; qpn++) {
            assertThat(u.add(qpn, 100 + qpn)).isTrue();
        }
        assertThat(u.add(7, 555)).isFalse();
        assertThat(pass(u, 7)).containsExactly("true 107");
        assertThat(pass(u, 7)).containsExactly("false 107");
        assertThat(pass(u, 10)).isEmpty();
        Unplaced copy = new Unplaced();
        copy.add(33, 1);
        move(u, copy);
        assertThat(pass(copy, 33)).isEmpty();
        assertThat(pass(copy, 7)).containsExactly("false 107");
        assertThat(pass(copy, 8)).containsExactly("true 108");
        Word end = new Word(7, true);
        u.pass(end);
        assertThat(end.told).isEmpty();
        assertThat(pass(u, 7)).isEmpty();
        for (int qpn : new int[] {1, 2, 3, 4, 5, 6, 8, 9}) {
            assertThat(pass(u, qpn)).containsExactly("true " + (100 + qpn));
        }
        for (int qpn : new int[] {9, 1, 5}) {
            u.pass(new Word(qpn, true));
            assertThat(pass(u, qpn)).isEmpty();
        }
        assertThat(pass(u, 8)).containsExactly("false 108");
        assertThat(u.add(5, 7)).isTrue();
        assertThat(pass(u, 5)).as("begins anew").containsExactly("true 7");
    }
}
