package dev.clockwire.storage.daos;

import dev.clockwire.storage.load.LoadSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every single fault at every step of writes and reads, and pairs: nothing acknowledged is lost, what clients see is linearizable, invariants hold, and nobody touches memory that
 * is not his. What fails is printed as the line that repeats it. All of them run in the full suite, a sample in the fast one.
 */
class DaosSingleFaultsTest {
    @ParameterizedTest
    @ValueSource(ints = {2048, 4096, 65_536})
    void sampledFaultsLoseNothing(int size) {
        DaosTrial.assertSafe(DaosTrial.of(size).sample(6, 1, size));
    }

    @Test
    void sampledPairsLoseNothing() {
        DaosTrial.assertSafe(DaosTrial.of(65_536).sample(4, 2, 5));
    }

    /** The leader stands still, and completes by its old pool map what a replica has dropped that was reset meanwhile: it copies that before it serves. */
    @Test
    void aLeaderThatStoodStillCompletesWhatAReplicaHasDropped() {
        LoadSpec few = new LoadSpec(LoadSpec.Op.MIX, 2048, 8, 1, 1, 50);
        DaosTrial.assertSafe(List.of(DaosTrial.of(2048)
                .with(few)
                .with("node0:committable#1 pause for=5ms; node2:commit#1 reset restart=3ms")));
    }

    /** The disk refuses the copy of a value that an engine lacks which comes back: it is not in service before it has it. */
    @ParameterizedTest
    @CsvSource({
        "4096, node0:received#3 disk-error for=5ms; node0:committable#1 exit",
        "65536, node2:commit#3 power restart=3ms; node2:put#1 disk-error for=5ms"
    })
    void anEngineWhoseDiskRefusesACopyCopiesItAgain(int size, String schedule) {
        DaosTrial.assertSafe(List.of(DaosTrial.of(size).with(schedule)));
    }

    /** A slow disk writes the copy of a version while a newer one is committed: the newer one is what the engine has, in the eyes of AGR-1 too. */
    @ParameterizedTest
    @CsvSource({
        "4096, node1:persist#3 disk-slow for=5ms; node1:persist#3 power restart=3ms",
        "65536, node0:forward#6 power restart=3ms; node0:pulled#1 disk-slow for=5ms"
    })
    void aCopyThatComesBehindANewerVersionIsNotTheNewest(int size, String schedule) {
        DaosTrial.assertSafe(List.of(DaosTrial.of(size).with(schedule)));
    }

    @EnabledIfSystemProperty(named = "clockwire.full", matches = "true")
    @ParameterizedTest
    @ValueSource(ints = {2048, 4096, 65_536})
    void allSingleFaultsLoseNothing(int size) {
        DaosTrial mix = DaosTrial.of(size);
        DaosTrial.assertSafe(mix.singles());
        DaosTrial.assertSafe(
                mix.with(new LoadSpec(LoadSpec.Op.WRITE, size, 3, 1, 1, 0)).singles());
    }

    @EnabledIfSystemProperty(named = "clockwire.full", matches = "true")
    @ParameterizedTest
    @ValueSource(ints = {2048, 4096, 65_536})
    void manyPairsLoseNothing(int size) {
        DaosTrial.assertSafe(DaosTrial.of(size).sample(200, 2, 77));
    }
}
