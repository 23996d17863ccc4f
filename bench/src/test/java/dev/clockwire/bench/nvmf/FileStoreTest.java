package dev.clockwire.bench.nvmf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Payload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileStoreTest {
    @TempDir
    Path folder = Path.of("");

    /** Writes, zeroes and reads at random against an array, and once more when it is opened again. */
    @Test
    void itKeepsWhatIsWritten() {
        Path image = folder.resolve("image");
        byte[] oracle = new byte[512 * 300];
        Random random = new Random(3);
        for (int opened = 0; opened < 3; opened++) {
            try (FileStore store = new FileStore(image, 512, 300)) {
                for (int i = 0; i < 200; i++) {
                    int n = 1 + random.nextInt(i % 50 == 0 ? 200 : 9);
                    int at = random.nextInt(300 - n + 1);
                    byte[] data = new byte[512 * n + 3];
                    random.nextBytes(data);
                    Payload p = new Payload();
                    switch (random.nextInt(3)) {
                        case 0 -> {
                            p.appendBytes(data, 0, data.length);
                            store.write(at, n, p, 3);
                            System.arraycopy(data, 3, oracle, at * 512, n * 512);
                        }
                        case 1 -> {
                            store.zero(at, n);
                            Arrays.fill(oracle, at * 512, (at + n) * 512, (byte) 0);
                        }
                        default -> {
                            store.read(at, n, p);
                            assertThat(Arrays.copyOf(p.array(), p.length()))
                                    .isEqualTo(Arrays.copyOfRange(oracle, at * 512, (at + n) * 512));
                        }
                    }
                }
            }
        }
    }

    /** A file of any other length is somebody's, and stays byte for byte as it is; an empty one is as good as none. */
    @ParameterizedTest
    @ValueSource(ints = {1, 511, 512, 1023, 1025, 4096})
    void filesThatCannotBeImagesAreRefused(int length) throws IOException {
        Path image = folder.resolve("image");
        byte[] precious = new byte[length];
        Arrays.fill(precious, (byte) 'x');
        Files.write(image, precious);
        assertThatThrownBy(() -> new FileStore(image, 512, 2))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("has " + length + " B, the namespace 1024");
        assertThat(Files.readAllBytes(image)).isEqualTo(precious);
        assertThatThrownBy(() -> new FileStore(folder, 512, 2)).hasMessageContaining("no regular file");
        Files.write(image, new byte[0]);
        new FileStore(image, 512, 2).close();
        assertThat(Files.size(image)).isEqualTo(1024);
    }

    @Test
    void sizesAreNoBytes() {
        try (FileStore store = new FileStore(folder.resolve("image"), 512, 8)) {
            Payload p = new Payload();
            p.appendExtent(1, 1, 0, 512);
            assertThatThrownBy(() -> store.write(0, 1, p, 0)).hasMessageContaining("--payload bytes");
            assertThat(store.blocks()).isEqualTo(8);
            assertThat(store.blockBytes()).isEqualTo(512);
        }
    }
}
