package dev.clockwire.roce.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.wire.FrameDecoder;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.capture.CaptureReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Every message of the connection manager in captures of Linux 6.1 (rping, ucmatose, an NVMe host). What stands beside the file is tshark 4.0's
 * reading of it, but for the flow label, which that version takes from the wrong byte.
 */
class MadCapturesTest {
    private static final class Captured {
        final byte[] bytes;
        final Mad mad;

        Captured(byte[] bytes) {
            this.bytes = bytes;
            mad = Objects.requireNonNull(Mad.decode(bytes, 0, bytes.length));
        }
    }

    private static Path capture() {
        try {
            return Path.of(Objects.requireNonNull(MadCapturesTest.class.getResource("linux-cm.pcap"))
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Captured> captured() {
        List<Captured> all = new ArrayList<>();
        FrameDecoder decoder = new FrameDecoder();
        RocePacket packet = new RocePacket();
        try (CaptureReader reader = CaptureReader.open(capture())) {
            while (reader.next()) {
                decoder.decode(reader.data(), reader.dataOffset(), reader.length(), packet);
                byte[] payload = new byte[packet.payloadLength];
                packet.payload.copyTo(0, payload, 0, payload.length);
                all.add(new Captured(payload));
            }
        }
        return all;
    }

    @Test
    void tsharkReadsTheSame() throws IOException {
        List<Captured> all = captured();
        assertThat(all).hasSize(30);
        int compared = 0;
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(MadCapturesTest.class.getResourceAsStream("linux-cm.tshark.csv")),
                StandardCharsets.US_ASCII))) {
            lines.readLine();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] cells = line.split(",", 3);
                Mad mad = all.get(Integer.parseInt(cells[0]) - 1).mad;
                compare(line, cells[2], value(mad, cells[1]));
                compared++;
            }
        }
        assertThat(compared).isEqualTo(420);
    }

    private static void compare(String line, String expected, Object ours) {
        if (ours instanceof Number number) {
            int bits = ours instanceof Long ? 64 : 32;
            long mask = bits == 64 ? -1 : 0xFFFF_FFFFL;
            long read = expected.startsWith("0x")
                    ? Long.parseUnsignedLong(expected.substring(2), 16)
                    : Long.parseLong(expected);
            assertThat(number.longValue() & mask).as(line).isEqualTo(read);
        } else if (ours instanceof Boolean flag) {
            assertThat(flag).as(line).isEqualTo(Integer.decode(expected) != 0);
        } else if (ours instanceof Gid gid) {
            assertThat(gid.toString()).as(line).isEqualTo("::ffff:" + expected);
        } else if (ours instanceof PrivateData data) {
            assertThat(HexFormat.of().formatHex(data.bytes(expected.length() / 2)))
                    .as(line)
                    .isEqualTo(expected);
        }
    }

    private static Object value(Mad mad, String field) {
        CmMessage m = mad.message();
        String name = field.substring(field.lastIndexOf('.') + 1);
        if (field.equals("mad.transactionid")) {
            return mad.transactionId();
        }
        if (field.equals("mad.attributeid")) {
            return m.attribute().id();
        }
        if (name.equals("localcommid") || field.equals("cm.req") || field.equals("cm.rep")) {
            return m.localCommId();
        }
        if (name.equals("remotecommid")) {
            return m.remoteCommId();
        }
        if (field.contains("ip_cm")) {
            return ofIpCm((CmReq) m, name);
        }
        if (m instanceof CmReq req) {
            return name.startsWith("prim_") ? ofPath(req.primary(), name) : ofRequest(req, name);
        }
        return m instanceof CmRep rep ? ofReply(rep, name) : ((CmDreq) m).remoteQpn();
    }

    private static Object ofIpCm(CmReq req, String name) {
        IpCmHeader ip = Objects.requireNonNull(IpCmHeader.read(req.privateData()));
        return switch (name) {
            case "majv" -> 0;
            case "ipv" -> ip.source().isIpv4() ? 4 : 6;
            case "sport" -> ip.sourcePort();
            case "sip4" -> ip.source();
            case "dip4" -> ip.destination();
            case "private" -> IpCmHeader.application(req.privateData());
            default -> unknown(name);
        };
    }

    private static Object ofRequest(CmReq req, String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "protocol" -> (int) (req.serviceId() >> 16) & 0xFF;
            case "dport" -> ServiceId.port(req.serviceId());
            case "localcaguid" -> req.caGuid();
            case "localqkey" -> req.qkey();
            case "localqpn" -> req.qpn();
            case "responderres" -> req.responderResources();
            case "localeecn" -> req.localEecn();
            case "initdepth" -> req.initiatorDepth();
            case "remoteeecn" -> req.remoteEecn();
            case "remoteresptout" -> req.remoteResponseTimeout();
            case "transpsvctype" -> req.transport();
            case "e2eflowctrl" -> req.flowControl();
            case "startpsn" -> req.startingPsn();
            case "localresptout" -> req.localResponseTimeout();
            case "retrcount" -> req.retryCount();
            case "pkey" -> req.pkey();
            case "pppmtu" -> req.mtu();
            case "rdcexist" -> req.rdcExists();
            case "rnrretrcount" -> req.rnrRetry();
            case "maxcmretr" -> req.maxCmRetries();
            case "srq" -> req.srq();
            case "ext_transport" -> req.extendedTransport();
            default -> unknown(name);
        };
    }

    private static Object ofPath(CmPath path, String name) {
        return switch (name) {
            case "prim_locallid" -> path.localLid();
            case "prim_remotelid" -> path.remoteLid();
            case "prim_localgid_ipv4" -> path.localGid();
            case "prim_remotegid_ipv4" -> path.remoteGid();
            case "prim_tfcclass" -> path.trafficClass();
            case "prim_hoplim" -> path.hopLimit();
            case "prim_sl" -> path.serviceLevel();
            case "prim_subnetlocal" -> path.subnetLocal();
            case "prim_localacktout" -> path.ackTimeout();
            default -> unknown(name);
        };
    }

    private static Object ofReply(CmRep rep, String name) {
        return switch (name) {
            case "localqkey" -> rep.qkey();
            case "localqpn" -> rep.qpn();
            case "localeecn" -> rep.eecn();
            case "startpsn" -> rep.startingPsn();
            case "respres" -> rep.responderResources();
            case "initdepth" -> rep.initiatorDepth();
            case "tgtackdelay" -> rep.targetAckDelay();
            case "failoveracc" -> rep.failover();
            case "e2eflowctrl" -> rep.flowControl();
            case "rnrretrcount" -> rep.rnrRetry();
            case "srq" -> rep.srq();
            case "localcaguid" -> rep.caGuid();
            case "private" -> rep.privateData();
            default -> unknown(name);
        };
    }

    private static Object unknown(String name) {
        return fail("no field " + name);
    }

    @Test
    void writtenAgainTheyAreTheSameBytes() {
        for (Captured c : captured()) {
            byte[] again = new byte[Mad.BYTES];
            c.mad.encode(again, 0);
            assertThat(again).isEqualTo(c.bytes);
        }
    }

    @Test
    void theFlowLabelGivesTheUdpPortOfTheCapture() {
        // 0x47AED -> port 0xFAFC, as the client's later frames have; and from the ports: 31 * 0xA839 + 7174
        CmReq req = (CmReq) captured().get(0).mad.message();
        int label = req.primary().flowLabel();
        assertThat(label).isEqualTo(0x47AED).isEqualTo((31 * 0xA839 + 7174) & 0xF_FFFF);
        assertThat(req.primary().packetRate()).isZero();
        assertThat(req.serviceId()).isEqualTo(0x0000_0000_0106_1C06L).isEqualTo(ServiceId.tcp(7174));
        assertThat(ServiceId.isTcp(req.serviceId())).isTrue();
    }
}
