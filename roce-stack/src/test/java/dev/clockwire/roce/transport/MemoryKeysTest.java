package dev.clockwire.roce.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may touch which memory. */
class MemoryKeysTest {
    private static final int PD = 3;
    private static final int QPN = 0x12;
    private static final int REGION = 0x0501;
    private static final int WINDOW = 0x0602;
    private static final long IOVA = 0x10_0000;
    private static final long AT = 0x9000;
    private static final long LENGTH = 0x1000;
    private static final int LOCAL = AccessFlag.LOCAL_WRITE.code();
    private static final int WRITE = AccessFlag.REMOTE_WRITE.code();
    private static final int READ = AccessFlag.REMOTE_READ.code();
    private static final int ATOMIC = AccessFlag.REMOTE_ATOMIC.code();
    private static final int BIND = AccessFlag.MW_BIND.code();

    private final MemoryKeys keys = new MemoryKeys();
    private final MemoryKey region = keys.addRegion(REGION, PD, IOVA, LENGTH, AT, LOCAL | WRITE | BIND);

    @ParameterizedTest
    @CsvSource({
        "0, 1, true",
        "0, 4096, true",
        "4095, 1, true",
        "0, 4097, false",
        "4096, 1, false",
        "-1, 1, false",
        "-1, 4096, false",
        "1, -1, false", // 2^64 - 1 bytes: wraps
        "8, -8, false",
        "4095, 9223372036854775807, false"
    })
    void aRangeLiesInsideOrNot(long offset, long length, boolean inside) {
        assertThat(region.covers(IOVA + offset, length)).isEqualTo(inside);
        assertThat(keys.remote(PD, QPN, REGION, IOVA + offset, length, WRITE)).isEqualTo(inside ? region : null);
        assertThat(keys.local(PD, REGION, IOVA + offset, length, LOCAL)).isEqualTo(inside ? region : null);
    }

    @Test
    void aRegionAtTheEndOfTheAddressSpaceEndsThere() {
        MemoryKey last = keys.addRegion(0x900, PD, -LENGTH, LENGTH, AT, READ);
        assertThat(last.covers(-1, 1)).isTrue();
        assertThat(last.covers(-1, 2)).isFalse();
        assertThat(last.covers(0, 1)).isFalse();
        assertThat(last.translate(-1)).isEqualTo(AT + LENGTH - 1);
    }

    @Test
    void rightsDomainAndTheWholeKeyCount() {
        assertThat(keys.remote(PD, QPN, REGION, IOVA, 1, READ)).isNull();
        assertThat(keys.remote(PD, QPN, REGION, IOVA, 1, WRITE | READ)).isNull();
        assertThat(keys.remote(PD + 1, QPN, REGION, IOVA, 1, WRITE)).isNull();
        assertThat(keys.remote(PD, QPN, REGION ^ 1, IOVA, 1, WRITE)).isNull();
        assertThat(keys.remote(PD, QPN, REGION ^ 0x100, IOVA, 1, WRITE)).isNull();
        assertThat(keys.local(PD + 1, REGION, IOVA, 1, 0)).isNull();
        assertThat(keys.local(PD, REGION ^ 1, IOVA, 1, 0)).isNull();
        assertThat(keys.local(PD, REGION, IOVA, 1, 0)).isSameAs(region);
        MemoryKey readOnly = keys.addRegion(0x700, PD, IOVA, 10, AT, READ);
        assertThat(keys.local(PD, 0x700, IOVA, 10, 0)).isSameAs(readOnly);
        assertThat(keys.local(PD, 0x700, IOVA, 10, LOCAL)).isNull();
    }

    @Test
    void aRegionSaysWhatItIs() {
        assertThat(region.kind()).isEqualTo(MemoryKey.Kind.REGION);
        assertThat(region.key()).isEqualTo(REGION);
        assertThat(region.pd()).isEqualTo(PD);
        assertThat(region.access()).isEqualTo(LOCAL | WRITE | BIND);
        assertThat(region.isValid()).isTrue();
        assertThat(region.translate(IOVA + 5)).isEqualTo(AT + 5);
        assertThat(keys.find(REGION)).isSameAs(region);
        assertThat(keys.find(REGION ^ 1)).isNull();
        assertThat(keys.findIndex(REGION ^ 1)).isSameAs(region);
        assertThat(keys.taken(REGION ^ 1)).isTrue();
        assertThat(keys.taken(REGION ^ 0x100)).isFalse();
    }

    @Test
    void whatIsRemovedGrantsNothing() {
        keys.remove(region);
        assertThat(region.isValid()).isFalse();
        assertThat(keys.remote(PD, QPN, REGION, IOVA, 1, WRITE)).isNull();
        assertThat(keys.taken(REGION)).isFalse();
        MemoryKey next = keys.addRegion(REGION, PD, IOVA, 1, AT, WRITE);
        keys.remove(region);
        assertThat(keys.find(REGION)).as("the key of another by now").isSameAs(next);
    }

    private boolean bind(MemoryKey window, int key, long offset, long length, int access) {
        return keys.bind(window, key, region, IOVA + offset, length, QPN, access);
    }

    @Test
    void aWindowOfType2OpensItsPartToItsQueuePair() {
        MemoryKey window = keys.addWindow(MemoryKey.Kind.WINDOW_2, WINDOW, PD);
        assertThat(window.isValid()).isFalse();
        assertThat(keys.remote(PD, QPN, WINDOW, 0, 0, 0)).isNull();
        assertThat(bind(window, WINDOW + 1, 16, 32, READ)).isTrue();
        assertThat(region.windows()).isEqualTo(1);
        assertThat(keys.remote(PD, QPN, WINDOW + 1, IOVA + 16, 32, READ)).isSameAs(window);
        assertThat(window.translate(IOVA + 17)).isEqualTo(AT + 17);
        assertThat(keys.remote(PD, QPN, WINDOW, IOVA + 16, 32, READ)).isNull();
        assertThat(keys.remote(PD, QPN + 1, WINDOW + 1, IOVA + 16, 32, READ)).isNull();
        assertThat(keys.remote(PD, QPN, WINDOW + 1, IOVA + 15, 1, READ)).isNull();
        assertThat(keys.remote(PD, QPN, WINDOW + 1, IOVA + 16, 33, READ)).isNull();
        assertThat(keys.local(PD, WINDOW + 1, IOVA + 16, 1, 0))
                .as("windows have no local key")
                .isNull();
        assertThat(bind(window, WINDOW + 2, 0, 8, READ)).as("bound already").isFalse();
        assertThat(window.key()).isEqualTo(WINDOW + 1);
    }

    @Test
    void onlyItsQueuePairInvalidatesAWindowAndOnlyOnce() {
        MemoryKey window = keys.addWindow(MemoryKey.Kind.WINDOW_2, WINDOW, PD);
        assertThat(keys.invalidate(PD, QPN, WINDOW)).as("not bound").isFalse();
        bind(window, WINDOW, 0, 8, READ);
        assertThat(keys.invalidate(PD, QPN + 1, WINDOW)).isFalse();
        assertThat(keys.invalidate(PD + 1, QPN, WINDOW)).isFalse();
        assertThat(keys.invalidate(PD, QPN, WINDOW + 1)).isFalse();
        assertThat(keys.mayInvalidate(PD, QPN, WINDOW)).isTrue();
        assertThat(window.isValid()).isTrue();
        assertThat(keys.invalidate(PD, QPN, WINDOW)).isTrue();
        assertThat(window.isValid()).isFalse();
        assertThat(region.windows()).isZero();
        assertThat(keys.invalidate(PD, QPN, WINDOW)).isFalse();
        assertThat(keys.remote(PD, QPN, WINDOW, IOVA, 8, READ)).isNull();
        assertThat(bind(window, WINDOW + 3, 0, 8, READ)).as("free again").isTrue();
    }

    @Test
    void regionsAndWindowsOfType1KeepTheirKeys() {
        MemoryKey window = keys.addWindow(MemoryKey.Kind.WINDOW_1, WINDOW, PD);
        bind(window, WINDOW, 0, 8, READ);
        assertThat(keys.invalidate(PD, QPN, WINDOW)).isFalse();
        assertThat(keys.invalidate(PD, QPN, REGION)).isFalse();
        assertThat(keys.remote(PD, QPN + 7, WINDOW, IOVA, 8, READ))
                .as("any queue pair")
                .isSameAs(window);
    }

    @Test
    void aWindowOfType1MovesAndCloses() {
        MemoryKey window = keys.addWindow(MemoryKey.Kind.WINDOW_1, WINDOW, PD);
        assertThat(bind(window, WINDOW + 1, 0, 8, READ)).isTrue();
        assertThat(bind(window, WINDOW + 2, 64, 8, WRITE)).isTrue();
        assertThat(region.windows()).isEqualTo(1);
        assertThat(keys.remote(PD, QPN, WINDOW + 2, IOVA, 8, WRITE)).isNull();
        assertThat(keys.remote(PD, QPN, WINDOW + 2, IOVA + 64, 8, READ)).isNull();
        assertThat(keys.remote(PD, QPN, WINDOW + 2, IOVA + 64, 8, WRITE)).isSameAs(window);
        assertThat(bind(window, WINDOW + 3, 0, 0, 0)).isTrue();
        assertThat(region.windows()).isZero();
        assertThat(window.isValid()).isFalse();
        assertThat(Objects.requireNonNull(keys.find(WINDOW + 3))).isSameAs(window);
    }

    @Test
    void aZeroBasedWindowCountsFromItsStart() {
        MemoryKey window = keys.addWindow(MemoryKey.Kind.WINDOW_2, WINDOW, PD);
        assertThat(bind(window, WINDOW, 100, 8, READ | AccessFlag.ZERO_BASED.code()))
                .isTrue();
        assertThat(keys.remote(PD, QPN, WINDOW, 0, 8, READ)).isSameAs(window);
        assertThat(window.translate(3)).isEqualTo(AT + 103);
    }

    @Test
    void aWindowThatCannotBeBoundStaysAsItWas() {
        MemoryKey window = keys.addWindow(MemoryKey.Kind.WINDOW_2, WINDOW, PD);
        assertThat(bind(window, WINDOW + 0x100, 0, 8, READ))
                .as("key of other memory")
                .isFalse();
        assertThat(bind(window, WINDOW, 4090, 8, READ)).as("beyond the region").isFalse();
        assertThat(bind(window, WINDOW, 0, 8, LOCAL)).as("a local right").isFalse();
        assertThat(bind(region, REGION, 0, 8, READ)).as("no window").isFalse();
        MemoryKey foreign = keys.addWindow(MemoryKey.Kind.WINDOW_2, 0x800, PD + 1);
        assertThat(bind(foreign, 0x800, 0, 8, READ)).as("another domain").isFalse();
        MemoryKey closed = keys.addRegion(0xA00, PD, IOVA, 8, AT, LOCAL | WRITE);
        assertThat(keys.bind(window, WINDOW, closed, IOVA, 8, QPN, READ))
                .as("not for windows")
                .isFalse();
        assertThat(keys.bind(window, WINDOW, foreign, IOVA, 8, QPN, READ))
                .as("no region")
                .isFalse();
        MemoryKey readOnly = keys.addRegion(0xB00, PD, IOVA, 8, AT, READ | BIND);
        assertThat(keys.bind(window, WINDOW, readOnly, IOVA, 8, QPN, WRITE)).isFalse();
        assertThat(keys.bind(window, WINDOW, readOnly, IOVA, 8, QPN, ATOMIC)).isFalse();
        assertThat(keys.bind(window, WINDOW, readOnly, IOVA, 8, QPN, READ)).isTrue();
        MemoryKey gone = keys.addRegion(0xC00, PD, IOVA, 8, AT, LOCAL | BIND);
        keys.remove(gone);
        MemoryKey other = keys.addWindow(MemoryKey.Kind.WINDOW_1, 0xD00, PD);
        assertThat(keys.bind(other, 0xD00, gone, IOVA, 8, QPN, READ))
                .as("removed")
                .isFalse();
        assertThat(other.isValid()).isFalse();
    }

    @Test
    void aWindowThatIsRemovedLeavesItsRegion() {
        MemoryKey window = keys.addWindow(MemoryKey.Kind.WINDOW_2, WINDOW, PD);
        bind(window, WINDOW, 0, 8, READ);
        keys.remove(window);
        assertThat(region.windows()).isZero();
        assertThat(keys.remote(PD, QPN, WINDOW, IOVA, 8, READ)).isNull();
    }
}
