package dev.clockwire.nvme.fabrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nvme.format.LittleEndian;
import dev.clockwire.nvme.format.SglDescriptor;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.sim.error.ConfigurationException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Formats against bytes that a Linux host and target have sent, both ways, and against any bytes. */
class FabricsFormatsTest {
    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    private static byte[] zeros(byte[] first, int length) {
        return Arrays.copyOf(first, length);
    }

    /** Frames 1, 2, 80 and 82 of the reference dialogue: sends are told one less, receives are not. */
    @Test
    void connectionsSayWhatLinuxSays() {
        byte[] admin = zeros(hex("0000 0000 2000 1F00"), 32);
        assertThat(RdmaPrivateData.refusal(admin, 0, 32)).isZero();
        RdmaPrivateData.Request r = RdmaPrivateData.request(admin, 0);
        assertThat(r).isEqualTo(new RdmaPrivateData.Request(0, 32, 32, 0));
        assertThat(r.bytes()).isEqualTo(admin);
        assertThat(new RdmaPrivateData.Request(1, 16, 16, 0).bytes()).isEqualTo(zeros(hex("0000 0100 1000 0F00"), 32));
        assertThat(RdmaPrivateData.reply(32)).isEqualTo(zeros(hex("0000 2000"), 32));
        assertThat(RdmaPrivateData.replied(hex("0000 1000"), 0, 4)).contains(16);
        assertThat(RdmaPrivateData.replied(hex("0000"), 0, 2)).isEmpty();
        assertThat(RdmaPrivateData.refusal(admin, 0, 31)).isEqualTo(RdmaPrivateData.BAD_LENGTH);
        admin[0] = 1;
        assertThat(RdmaPrivateData.refusal(admin, 0, 32)).isEqualTo(RdmaPrivateData.BAD_FORMAT);
        assertThat(RdmaPrivateData.reject(RdmaPrivateData.BAD_READS)).isEqualTo(hex("0000 0700"));
    }

    /** Frame 4: Connect of the admin queue with 1024 bytes behind a key that is to be invalidated. */
    @Test
    void aConnectIsWhatLinuxSends() {
        byte[] wire = new byte[64];
        System.arraycopy(hex("7F 40 0000 01"), 0, wire, 0, 5);
        System.arraycopy(hex("00E00D0600 0011FF 000400 C4E40000 4F"), 0, wire, 24, 16);
        System.arraycopy(hex("0000 0000 1F00 0000 88130000"), 0, wire, 40, 12);
        SqEntry e = new SqEntry().load(wire, 0);
        assertThat(FabricsCommand.type(e)).isEqualTo(FabricsCommand.CONNECT);
        assertThat(FabricsCommand.queue(e)).isZero();
        assertThat(FabricsCommand.entries(e)).isEqualTo(32);
        assertThat(FabricsCommand.flowControl(e)).isTrue();
        assertThat(FabricsCommand.keepAliveMs(e)).isEqualTo(5000);
        assertThat(FabricsCommand.format(e)).isZero();
        assertThat(SglDescriptor.type(wire, 24)).isEqualTo(SglDescriptor.KEYED_DATA_BLOCK);
        assertThat(SglDescriptor.subtype(wire, 24)).isEqualTo(SglDescriptor.INVALIDATE_KEY);
        assertThat(SglDescriptor.address(wire, 24)).isEqualTo(0xFF11_0000_060D_E000L);
        assertThat(SglDescriptor.keyedLength(wire, 24)).isEqualTo(1024);
        assertThat(SglDescriptor.key(wire, 24)).isEqualTo(0xE4C4);
        SqEntry same = new SqEntry();
        FabricsCommand.connect(same, 0, 0, 32, true, 5000);
        SglDescriptor.putKeyed(
                same.bytes(), SqEntry.DATA, SglDescriptor.INVALIDATE_KEY, 0xFF11_0000_060D_E000L, 1024, 0xE4C4);
        assertThat(same.bytes()).isEqualTo(wire);
        FabricsCommand.connect(same, 0, 3, 16, false, 0);
        assertThat(FabricsCommand.flowControl(same)).isFalse();
        assertThat(FabricsCommand.queue(same)).isEqualTo(3);
    }

    /** Frames 10 and 14: CAP is asked for with 8 bytes, CC is set. */
    @Test
    void propertiesAreWhatLinuxAsksFor() {
        SqEntry e = new SqEntry();
        FabricsCommand.propertyGet(e, 1, 0, 8);
        byte[] get = new byte[64];
        System.arraycopy(hex("7F 40 0100 04"), 0, get, 0, 5);
        get[39] = 0x40;
        get[40] = 1;
        assertThat(e.bytes()).isEqualTo(get);
        assertThat(FabricsCommand.propertyBytes(e)).isEqualTo(8);
        FabricsCommand.propertySet(e, 2, 0x14, 4, 0x0046_0060);
        assertThat(Arrays.copyOfRange(e.bytes(), 48, 52)).isEqualTo(hex("60004600"));
        assertThat(FabricsCommand.type(e)).isEqualTo(FabricsCommand.PROPERTY_SET);
        assertThat(FabricsCommand.propertyOffset(e)).isEqualTo(0x14);
        assertThat(FabricsCommand.propertyValue(e)).isEqualTo(0x0046_0060);
        assertThat(FabricsCommand.propertyBytes(e)).isEqualTo(4);
        e.bytes()[40] = 5;
        assertThat(FabricsCommand.propertyBytes(e)).as("neither 4 nor 8").isZero();
    }

    @Test
    void connectDataGoBothWays() {
        ConnectData data =
                new ConnectData(0x0102_0304_0506_0708L, -2, ConnectData.ANY, "nqn.2026-11.dev:a", "nqn.2026-11.dev:h");
        byte[] b = new byte[1100];
        data.store(b, 50);
        assertThat(ConnectData.load(b, 50, 1024)).contains(data);
        assertThat(LittleEndian.get16(b, 50 + 16)).isEqualTo(0xFFFF);
        assertThat(new String(b, 50 + 256, 17, StandardCharsets.US_ASCII)).isEqualTo("nqn.2026-11.dev:a");
        assertThat(ConnectData.load(b, 50, 1023)).isEmpty();
        Arrays.fill(b, 50 + 512, 50 + 768, (byte) 'x');
        assertThat(ConnectData.load(b, 50, 1024)).as("a name without an end").isEmpty();
        Arrays.fill(b, 50 + 512, 50 + 512 + 223, (byte) 0xE9);
        b[50 + 512 + 223] = 0;
        assertThat(ConnectData.load(b, 50, 1024).orElseThrow().host()).hasSize(223);
        String longName = "n".repeat(224);
        assertThatThrownBy(() -> new ConnectData(0, 0, 0, longName, "h"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("NQN of a subsystem of 224 bytes: at most 223");
    }

    @Test
    void theDiscoveryLogGoesBothWays() {
        DiscoveryLog log = new DiscoveryLog(
                7,
                List.of(
                        new DiscoveryLog.Entry(DiscoveryLog.CURRENT, 1, 32, "4420", DiscoveryLog.NQN, "10.0.0.2"),
                        new DiscoveryLog.Entry(DiscoveryLog.NVM, 1, 32, "4420", "nqn.2026-11.dev:a", "fe80::2")));
        byte[] page = log.page();
        assertThat(page).hasSize(3 * 1024);
        assertThat(DiscoveryLog.load(page, page.length)).contains(log);
        assertThat(DiscoveryLog.load(page, 2048).orElseThrow().entries()).hasSize(1);
        assertThat(DiscoveryLog.load(page, 1000)).isEmpty();
        assertThat(Arrays.copyOfRange(page, 1024, 1028)).isEqualTo(new byte[] {1, 1, 3, 0});
        assertThat(page[2048 + 1]).as("IPv6").isEqualTo((byte) 2);
        assertThat(Arrays.copyOfRange(page, 1024 + 768, 1024 + 771)).isEqualTo(new byte[] {1, 4, 1});
        assertThat(new String(page, 1024 + 512, 10, StandardCharsets.US_ASCII)).isEqualTo("10.0.0.2  ");
    }

    @Property(tries = 200)
    void anyBytesAreRead(@ForAll @Size(2048) byte[] bytes, @ForAll @IntRange(max = 2048) int length) {
        ConnectData.load(bytes, 0, Math.min(length, 1024));
        assertThat(DiscoveryLog.load(bytes, length).isPresent()).isEqualTo(length >= 1024);
        assertThat(RdmaPrivateData.refusal(bytes, 0, length)).isBetween(0, 2);
        SqEntry e = new SqEntry().load(bytes, 0);
        assertThat(FabricsCommand.propertyBytes(e)).isIn(0, 4, 8);
        assertThat(FabricsCommand.entries(e)).isBetween(1, 65536);
    }
}
