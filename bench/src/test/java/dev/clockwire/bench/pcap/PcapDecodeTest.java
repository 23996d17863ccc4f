package dev.clockwire.bench.pcap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.clockwire.roce.cm.CmRej;
import dev.clockwire.roce.cm.CmRep;
import dev.clockwire.roce.cm.Mad;
import dev.clockwire.roce.cm.PrivateData;
import dev.clockwire.roce.wire.FrameEncoder;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.capture.PcapngWriter;
import dev.clockwire.sim.error.ConfigurationException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PcapDecodeTest {
    @TempDir
    Path folder;

    private PcapngWriter writer = unopened();

    @SuppressWarnings("NullAway") // opened before each test
    private static PcapngWriter unopened() {
        return null;
    }

    @BeforeEach
    void open() {
        writer = PcapngWriter.create(folder.resolve("x.pcapng"), "test", "");
        writer.addInterface("p");
    }

    @AfterEach
    void close() {
        writer.close();
    }

    private static RocePacket packet(Opcode opcode) {
        RocePacket p = new RocePacket();
        p.opcode = opcode.code();
        p.flow.setIpv4(0x0A000001, 0x0A000002);
        p.destQp = 0x12;
        p.psn = 0xABC;
        return p;
    }

    private static byte[] frame(RocePacket packet) {
        byte[] frame = new byte[packet.wireBytes()];
        new FrameEncoder().encode(packet, frame, 0);
        return frame;
    }

    private void write(long ps, byte[] frame) {
        writer.write(0, ps, frame, 0, frame.length, frame.length);
    }

    private CaptureReport decoded() {
        writer.commit();
        return PcapDecode.decode(folder.resolve("x.pcapng"));
    }

    private JsonNode onlyPacket() {
        JsonNode document = JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .build()
                .valueToTree(decoded());
        assertThat(names(document))
                .containsExactly("file", "frames", "roce_frames", "icrc_good", "icrc_bad", "malformed", "packets");
        return document.get("packets").get(0);
    }

    private static List<String> names(JsonNode node) {
        List<String> names = new ArrayList<>();
        for (Iterator<String> i = node.fieldNames(); i.hasNext(); ) {
            names.add(i.next());
        }
        return names;
    }

    @Test
    void aWriteWithImmediate() {
        RocePacket p = packet(Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE);
        p.ackReq = true;
        p.solicited = true;
        p.va = 0x7F0000001000L;
        p.rkey = 0x80001234;
        p.dmaLen = 0xFFFFFFFFL;
        p.imm = 0xCAFE;
        p.payload.appendBytes(new byte[5], 0, 5);
        p.setPayloadLength(5);
        write(1_234_000, frame(p));
        JsonNode json = onlyPacket();
        assertThat(json.toString())
                .isEqualTo("{\"frame\":1,\"time_ns\":1234,\"src\":\"10.0.0.1\",\"dst\":\"10.0.0.2\",\"length\":86,"
                        + "\"opcode\":\"RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE\",\"dest_qp\":\"0x000012\",\"psn\":\"0x000abc\","
                        + "\"ack_req\":true,\"solicited\":true,\"pad\":3,\"pkey\":\"0xffff\",\"icrc\":\"good\","
                        + "\"payload_len\":5,\"reth\":{\"va\":\"0x00007f0000001000\",\"rkey\":\"0x80001234\","
                        + "\"dma_len\":4294967295},\"imm\":\"0x0000cafe\"}");
    }

    @Test
    void atomicsAndTheirAnswers() {
        RocePacket p = packet(Opcode.RC_COMPARE_SWAP);
        p.va = -8;
        p.rkey = 1;
        p.swapAdd = 2;
        p.compare = -1;
        write(0, frame(p));
        RocePacket answer = packet(Opcode.RC_ATOMIC_ACKNOWLEDGE);
        answer.syndrome = 0x1F;
        answer.msn = 77;
        answer.original = 3;
        write(0, frame(answer));
        CaptureReport report = decoded();
        assertThat(report.packets().get(0).atomicEth())
                .isEqualTo(new PacketReport.AtomicEth(
                        "0xfffffffffffffff8", "0x00000001", "0x0000000000000002", "0xffffffffffffffff"));
        assertThat(report.packets().get(0).reth()).isNull();
        assertThat(report.packets().get(1).aeth()).isEqualTo(new PacketReport.Aeth("0x1f", 77));
        assertThat(report.packets().get(1).atomicAck()).isEqualTo(new PacketReport.AtomicAck("0x0000000000000003"));
        assertThat(text(report)).anyMatch(line -> line.contains("ACK MSN 77  was 0x0000000000000003  ICRC good"));
    }

    @Test
    void datagramAndInvalidate() {
        RocePacket p = packet(Opcode.UD_SEND_ONLY);
        p.flow.setIpv6(0xFD00_0000_0000_0000L, 1, 0xFD00_0000_0000_0000L, 2);
        p.qkey = 0x11111111;
        p.srcQp = 0x44;
        write(0, frame(p));
        RocePacket send = packet(Opcode.RC_SEND_ONLY_WITH_INVALIDATE);
        send.invalidateKey = 0x99;
        write(0, frame(send));
        CaptureReport report = decoded();
        assertThat(report.packets().get(0).deth()).isEqualTo(new PacketReport.Deth("0x11111111", "0x000044"));
        assertThat(report.packets().get(0).src()).isEqualTo("fd00::1");
        assertThat(report.packets().get(1).ieth()).isEqualTo("0x00000099");
        assertThat(text(report))
                .anyMatch(line -> line.contains("fd00::1 -> fd00::2") && line.contains("from QP 0x000044"))
                .anyMatch(line -> line.contains("invalidate 0x00000099"));
    }

    @Test
    void countsSeparateGoodBadAndMalformed() {
        byte[] good = frame(packet(Opcode.RC_ACKNOWLEDGE));
        write(1_000_000, good);
        byte[] bad = good.clone();
        bad[bad.length - 1] ^= 1;
        write(3_500_000, bad);
        write(0, Arrays.copyOf(good, good.length - 7));
        byte[] checksum = good.clone();
        checksum[24] ^= 1;
        write(0, checksum);
        write(0, new byte[60]);
        CaptureReport report = decoded();
        assertThat(List.of(
                        report.frames(), report.roceFrames(), report.icrcGood(), report.icrcBad(), report.malformed()))
                .containsExactly(5L, 4L, 2L, 1L, 2L);
        assertThat(report.packets()).extracting(PacketReport::icrc).containsExactly("good", "bad", null, "good");
        assertThat(report.packets().get(2).error()).startsWith("truncated");
        assertThat(report.packets().get(2).opcode()).isNull();
        assertThat(report.packets().get(3).error()).contains("checksum");
        List<String> text = text(report);
        assertThat(text.get(0)).endsWith("x.pcapng");
        assertThat(text.get(1))
                .contains("0.000 us", "ACK credit code 0 MSN 0", "ICRC good")
                .doesNotContain("[");
        assertThat(text.get(2)).contains("2.500 us", "ICRC bad").doesNotContain("[");
        assertThat(text.get(3)).contains("[truncated");
        assertThat(text).endsWith("5 frames, 4 RoCE: 2 ICRC good, 1 bad, 2 malformed");
    }

    @Test
    void aRecordOfHeadersOnlyShowsThem() {
        RocePacket p = packet(Opcode.RC_RDMA_WRITE_FIRST);
        p.setPayloadLength(4096);
        p.dmaLen = 65536;
        byte[] headers = new byte[100];
        int length = new FrameEncoder().encodeHeaders(p, headers, 0);
        writer.write(0, 0, headers, 0, length, p.wireBytes());
        JsonNode json = onlyPacket();
        assertThat(json.get("opcode").asText()).isEqualTo("RC_RDMA_WRITE_FIRST");
        assertThat(json.get("payload_len").asInt()).isEqualTo(4096);
        assertThat(json.get("reth").get("dma_len").asLong()).isEqualTo(65536);
        assertThat(json.get("length").asInt()).isEqualTo(p.wireBytes());
        assertThat(json.has("icrc")).isFalse();
        assertThat(json.get("error").asText()).isEqualTo("truncated: 70 of 4170 bytes were captured");
    }

    @Test
    void anOpcodeWithoutNameIsItsNumber() {
        byte[] frame = frame(packet(Opcode.RC_ACKNOWLEDGE));
        frame[42] = 0x15;
        write(0, frame);
        JsonNode json = onlyPacket();
        assertThat(json.get("opcode").asText()).isEqualTo("0x15");
        assertThat(json.get("icrc").asText()).isEqualTo("bad");
        assertThat(json.has("aeth")).isFalse();
        assertThat(json.has("payload_len")).isFalse();
    }

    @Test
    void otherLinksThanEthernetAreRefused() throws IOException {
        Path file = folder.resolve("linux-cooked.pcap");
        ByteBuffer content = ByteBuffer.allocate(40).putInt(0xA1B2C3D4).putShort((short) 2);
        content.putInt(20, 113);
        Files.write(file, content.array());
        assertThatThrownBy(() -> PcapDecode.decode(file))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("linux-cooked.pcap", "offset 24", "link type 113", "Ethernet");
    }

    @Test
    void refusalsAreNamedInText() {
        int[] syndromes = {0x1F, 0x2C, 0x60, 0x62, 0x7F, 0x41};
        for (int syndrome : syndromes) {
            RocePacket p = packet(Opcode.RC_ACKNOWLEDGE);
            p.syndrome = syndrome;
            write(0, frame(p));
        }
        assertThat(String.join("\n", text(decoded())))
                .contains(
                        "ACK MSN",
                        "RNR NAK timer code 12",
                        "NAK PSN sequence error",
                        "NAK remote access error",
                        "NAK code 31",
                        "reserved syndrome 65");
    }

    private static List<String> text(CaptureReport report) {
        List<String> lines = new ArrayList<>();
        PcapText.print(report, lines::add);
        return lines;
    }

    @Test
    void messagesOfTheConnectionManagerAreShownFieldByField() {
        RocePacket p = packet(Opcode.UD_SEND_ONLY);
        p.destQp = 1;
        p.srcQp = 1;
        p.qkey = Mad.QKEY;
        byte[] mad = new byte[Mad.BYTES];
        PrivateData text = PrivateData.of((byte) 0xAB, (byte) 0xCD);
        new Mad(0x1234, new CmRep(0x90000001, 7, 0, 0x22, 0x25A839, 3, 4, 15, 0, true, 7, false, 0, 5, text))
                .encode(mad, 0);
        p.setPayloadLength(Mad.BYTES);
        p.payload.appendBytes(mad, 0, mad.length);
        write(0, frame(p));
        new Mad(0x1234, new CmRej(0, 7, 0, 8, PrivateData.NONE, PrivateData.NONE)).encode(mad, 0);
        p.payload.clear();
        p.payload.appendBytes(mad, 0, mad.length);
        write(0, frame(p));
        p.qkey = 0x11;
        write(0, frame(p));
        CaptureReport report = decoded();
        assertThat(report.packets().get(0).cm())
                .containsEntry("attribute", "REP")
                .containsEntry("transaction_id", "0x0000000000001234")
                .containsEntry("local_comm_id", "0x90000001")
                .containsEntry("qpn", "0x000022")
                .containsEntry("starting_psn", "0x25a839")
                .containsEntry("responder_resources", 3)
                .containsEntry("initiator_depth", 4)
                .containsEntry("flow_control", true)
                .containsEntry("private_data", "abcd");
        assertThat(report.packets().get(1).cm())
                .containsEntry("reason", 8)
                .containsEntry("reason_text", "invalid service id")
                .doesNotContainKey("private_data");
        assertThat(report.packets().get(2).cm()).isNull();
        List<String> lines = new ArrayList<>();
        PcapText.print(report, lines::add);
        assertThat(lines.get(1)).contains("CM REP qpn 0x000022 starting_psn 0x25a839 responder_resources 3");
        assertThat(lines.get(2)).contains("CM REJ").contains("invalid service id");
    }
}
