package dev.clockwire.roce.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clockwire.sim.capture.PcapngWriter;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LldpFrameTest {
    private static final EtsSettings ETS = new EtsSettings(
            true,
            false,
            8,
            List.of(0, 0, 0, 3, 0, 0, 6, 0),
            List.of(50, 0, 0, 50, 0, 0, 0, 0),
            List.of(2, 2, 2, 2, 2, 2, 0, 0));
    private static final DcbSettings SETTINGS = new DcbSettings(
            ETS,
            null,
            new PfcSettings(false, false, 8, 1 << 3),
            List.of(AppPriority.roce(3), new AppPriority(6, 5, 48)));

    /** Written down from the tables of IEEE 802.1AB and 802.1Qaz. */
    private static final String BYTES = "0180c200000e" + "020000000007" + "88cc"
            + "0207" + "04" + "020000000007"
            + "0405" + "05" + "65746830" // eth0
            + "0602" + "0078"
            + "fe19" + "0080c2" + "09" + "80" + "00030060" + "3200003200000000" + "0202020202020000"
            + "fe06" + "0080c2" + "0b" + "08" + "08"
            + "fe0b" + "0080c2" + "0c" + "00" + "6312b7" + "c50030"
            + "0000";

    @TempDir
    private Path folder;

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }

    @Test
    void theBytesAreThoseOfTheStandards() {
        LldpFrame frame = new LldpFrame(0x0200_0000_0007L, "eth0", 120, SETTINGS);
        assertThat(HexFormat.of().formatHex(frame.encode())).isEqualTo(BYTES);
        assertThat(LldpFrame.decode(hex(BYTES))).contains(frame);
        byte[] empty = new LldpFrame(7, "p", 0, DcbSettings.SILENT).encode();
        assertThat(empty).hasSize(60);
        assertThat(LldpFrame.decode(empty)).contains(new LldpFrame(7, "p", 0, DcbSettings.SILENT));
    }

    private static DcbSettings random(Random r) {
        List<Integer> classOf = r.ints(8, 0, 8).boxed().toList();
        EtsSettings ets = new EtsSettings(
                r.nextBoolean(),
                r.nextBoolean(),
                1 + r.nextInt(8),
                classOf,
                r.ints(8, 0, 101).boxed().toList(),
                IntStream.range(0, 8)
                        .mapToObj(i -> List.of(0, 1, 2, 255).get(r.nextInt(4)))
                        .toList());
        EtsSettings other = new EtsSettings(false, false, 8, classOf, ets.shares(), ets.algorithms());
        List<AppPriority> apps = new ArrayList<>();
        for (int i = r.nextInt(20); i > 0; i--) {
            apps.add(new AppPriority(r.nextInt(8), r.nextInt(8), r.nextInt(0x10000)));
        }
        return new DcbSettings(
                r.nextBoolean() ? ets : null,
                r.nextBoolean() ? other : null,
                r.nextBoolean()
                        ? new PfcSettings(r.nextBoolean(), r.nextBoolean(), r.nextInt(16), r.nextInt(256))
                        : null,
                apps);
    }

    @Test
    void whatIsWrittenIsRead() {
        Random r = new Random(3);
        for (int i = 0; i < 2000; i++) {
            LldpFrame frame = new LldpFrame(r.nextLong() >>> 16, "port" + i, r.nextInt(0x10000), random(r));
            assertThat(LldpFrame.decode(frame.encode())).contains(frame);
        }
    }

    /** More applications than a field can hold: as many as fit, and the frame stays whole. */
    @Test
    void applicationsThatDoNotFitAreLeftOut() {
        List<AppPriority> many =
                IntStream.range(0, 1000).mapToObj(i -> new AppPriority(3, 4, i)).toList();
        DcbSettings settings = new DcbSettings(ETS, ETS, null, many);
        byte[] bytes = new LldpFrame(1, "p".repeat(255), 1, settings).encode();
        LldpFrame back = LldpFrame.decode(bytes).orElseThrow();
        assertThat(back.settings().applications()).isEqualTo(many.subList(0, 168));
    }

    @Test
    void damagedFramesAreReadOrRefusedAndNeverMore() {
        Random r = new Random(4);
        byte[] good = hex(BYTES);
        for (int length = 0; length < good.length; length++) {
            assertThat(LldpFrame.decode(Arrays.copyOf(good, length))).isEmpty();
        }
        for (int i = 0; i < 50_000; i++) {
            byte[] bytes = good.clone();
            for (int flips = 1 + r.nextInt(4); flips > 0; flips--) {
                bytes[14 + r.nextInt(bytes.length - 14)] = (byte) r.nextInt(256);
            }
            LldpFrame.decode(bytes);
        }
        byte[] other = good.clone();
        other[14] = 4; // the port before the chassis
        assertThat(LldpFrame.decode(other)).isEmpty();
        byte[] unknown = hex(BYTES.replace("fe060080c20b0808", "fe060080c27f0808"));
        assertThat(LldpFrame.decode(unknown).orElseThrow().settings().pfc()).isNull();
    }

    @Test
    void valuesOutOfRangeAreRefused() {
        assertThatThrownBy(() -> new PfcSettings(false, false, 16, 0)).hasMessageContaining("16 is not in 0..15");
        assertThatThrownBy(() -> new EtsSettings(false, false, 9, ETS.classOf(), ETS.shares(), ETS.algorithms()))
                .hasMessageContaining("9 is not in 1..8");
        assertThatThrownBy(() -> new AppPriority(8, 0, 0)).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> new LldpFrame(1, "", 1, SETTINGS)).isInstanceOf(ConfigurationException.class);
    }

    /** What Wireshark reads in it; skipped where it is missing, but not in continuous integration. */
    @Test
    void tsharkReadsTheSame() throws Exception {
        Path file = folder.resolve("lldp.pcapng");
        byte[] bytes = hex(BYTES);
        try (PcapngWriter writer = PcapngWriter.create(file, "clockwire", "test")) {
            writer.addInterface("eth0");
            writer.write(0, 0, bytes, 0, bytes.length, bytes.length);
            writer.commit();
        }
        List<String> fields = List.of(
                "lldp.port.id",
                "lldp.dcbx.ieee.willing",
                "lldp.dcbx.ieee.ets.maxtcs",
                "lldp.dcbx.ieee.ets.tsa3",
                "lldp.dcbx.ieee.ets.tsa6",
                "lldp.dcbx.feature.pg.per0",
                "lldp.dcbx.feature.pg.per3",
                "lldp.dcbx.feature.pg.pgid_prio3",
                "lldp.dcbx.feature.pg.pgid_prio6",
                "lldp.dcbx.feature.pfc.prio2",
                "lldp.dcbx.feature.pfc.prio3",
                "lldp.dcbx.ieee.pfc.numtcs",
                "lldp.dcbx.ieee.app.prio",
                "lldp.dcbx.feature.app.proto",
                "_ws.malformed");
        List<String> command = new ArrayList<>(List.of("tshark", "-r", file.toString(), "-T", "fields"));
        fields.forEach(f -> command.addAll(List.of("-e", f)));
        String said = run(command);
        assertThat(said.strip().split("\t", -1))
                .containsExactly(
                        "eth0", "1,0", "0", "2", "0", "50", "50", "3", "6", "0", "1", "8", "3,6", "0x12b7,0x0030");
    }

    private static String run(List<String> command) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            assumeTrue("true".equals(System.getenv("CI")), "tshark is not installed: what it would say is not tested");
            throw new AssertionError("tshark must be installed when CI=true", e);
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return output;
    }
}
