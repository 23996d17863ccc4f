package dev.clockwire.bench.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many operations a row of the comparison has. */
class CompareLoadTest {
    @ParameterizedTest
    @CsvSource({
        "4096, 1, 64",
        "4096, 64, 1024",
        "65536, 64, 1024",
        "1048576, 16, 256",
        "1048576, 64, 512",
        "4194304, 1, 64",
        "4194304, 16, 128",
        "4194304, 64, 128",
        "67108864, 64, 128"
    })
    void largeValuesAreFewer(int size, int underWay, int ops) {
        assertThat(StorageCompare.ops(size, underWay)).isEqualTo(ops);
    }
}
