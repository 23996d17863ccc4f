package dev.clockwire.sim.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

/** Whatever a file holds, reading it ends, with records that lie inside the file or one error that names the file. */
class CaptureFuzzProperties {
    private Path file = Path.of("");

    @BeforeProperty
    void makeFile() throws IOException {
        file = Files.createTempFile(Path.of("target"), "fuzz", ".pcap");
    }

    @AfterProperty
    void removeFile() throws IOException {
        Files.deleteIfExists(file);
    }

    private static byte[] seed(int kind) {
        ByteOrder order = (kind & 1) == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        Captures made = new Captures(order);
        if (kind < 2) {
            made.pcap(0xA1B2C3D4L);
            for (int i = 0; i < 5; i++) {
                made.u32(i, i, 8, 8).u32(i, ~i);
            }
            return made.toBytes();
        }
        made.section();
        made.block(
                1,
                new Captures(order)
                        .u16(1, 0)
                        .u32(0)
                        .u16(9, 1)
                        .bytes(9, 0, 0, 0)
                        .u16(0, 0)
                        .toBytes());
        for (int i = 0; i < 5; i++) {
            made.block(6, new Captures(order).u32(0, 0, i, 4, 4, i).toBytes());
            made.block(3, new Captures(order).u32(4, i).toBytes());
            made.block(5, new byte[8]);
        }
        return made.toBytes();
    }

    @Property(tries = 1200)
    void mutatedFilesAreReadOrRefused(@ForAll long seed) throws IOException {
        Random random = new Random(seed);
        byte[] content = seed(random.nextInt(4));
        for (int i = random.nextInt(4); i >= 0; i--) {
            content[random.nextInt(content.length)] = (byte)
                    switch (random.nextInt(4)) {
                        case 0 -> 0xFF;
                        case 1 -> 0;
                        default -> random.nextInt(256);
                    };
        }
        if (random.nextInt(3) == 0) {
            content = Arrays.copyOf(content, random.nextInt(content.length + 8));
        }
        Files.write(file, content);
        readAll(content.length);
    }

    @Property(tries = 300)
    void noiseBehindAMagicNumber(@ForAll long seed) throws IOException {
        Random random = new Random(seed);
        byte[] content = new byte[random.nextInt(300)];
        random.nextBytes(content);
        byte[] head = Arrays.copyOf(seed(random.nextInt(4)), random.nextInt(40));
        System.arraycopy(head, 0, content, 0, Math.min(head.length, content.length));
        Files.write(file, content);
        readAll(content.length);
    }

    private void readAll(int fileLength) {
        int records = 0;
        try (CaptureReader reader = CaptureReader.open(file)) {
            while (reader.next()) {
                records++;
                assertThat(reader.length()).isBetween(0, fileLength);
                assertThat(reader.dataOffset() + reader.length()).isLessThanOrEqualTo(reader.data().length);
                assertThat(reader.recordOffset() + reader.length()).isLessThanOrEqualTo(fileLength);
            }
        } catch (ConfigurationException e) {
            assertThat(e).hasMessageStartingWith(file + ": offset ").hasMessageNotContaining("\n");
        }
        assertThat(records).isLessThanOrEqualTo(fileLength / 12);
    }
}
