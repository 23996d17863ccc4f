package dev.clockwire.storage.hoststack.nvmetcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.storage.hoststack.tcp.TcpConnection;
import dev.clockwire.storage.hoststack.tcp.TcpFlow;
import dev.clockwire.storage.hoststack.tcp.TcpSegment;
import dev.clockwire.storage.hoststack.tcp.TcpSpec;
import dev.clockwire.storage.hoststack.tcp.TcpUser;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bytes of PDUs as the specification draws them, and streams that are cut anywhere or make no sense. */
class PduTest {
    private final byte[] b = new byte[Pdu.IC_BYTES];

    private String hex(int n) {
        return HexFormat.of().formatHex(b, 0, n);
    }

    @Test
    void headersAreThoseOfTheSpecification() {
        assertThat(Pdu.icReq(b, 1)).isEqualTo(128);
        assertThat(hex(20)).isEqualTo("00008000800000000000000000000000" + "00000000");
        assertThat(Pdu.icResp(b, 0x20000)).isEqualTo(128);
        assertThat(hex(16)).isEqualTo("01008000800000000000000000000200");
        assertThat(Pdu.command(b, new SqEntry().command(2, 7, 1), 0)).isEqualTo(72);
        assertThat(hex(16)).isEqualTo("0400480048000000" + "0200070001000000");
        Pdu.command(b, new SqEntry(), 4096);
        assertThat(hex(8)).as("data behind the command").isEqualTo("0400484848100000");
        assertThat(Pdu.response(b, new CqEntry().set(0, 5, 1, 7, 0, 0))).isEqualTo(24);
        assertThat(hex(24)).isEqualTo("0500180018000000" + "00000000000000000500010007000000");
        assertThat(Pdu.data(b, Pdu.C2H_DATA, Pdu.LAST, 7, 0, 0x1000, 0x2000)).isEqualTo(24);
        assertThat(hex(24)).isEqualTo("0704181818200000" + "07000000001000000020000000000000");
        assertThat(Pdu.r2t(b, 7, 3, 0, 512)).isEqualTo(24);
        assertThat(hex(24)).isEqualTo("0900180018000000" + "07000300000000000002000000000000");
        assertThat(Pdu.term(b, Pdu.C2H_TERM, Pdu.BAD_FIELD, 2)).isEqualTo(24);
        assertThat(hex(24)).isEqualTo("0300180018000000" + "01000200000000000000000000000000");
    }

    /** Hears of what a reader finds. */
    private static final class Log implements PduReader.Handler {
        final List<String> lines = new ArrayList<>();

        @Override
        public int header(byte[] pdu, int data) {
            lines.add(Pdu.type(pdu) + "+" + data);
            return 0;
        }

        @Override
        public void data(byte[] bytes, int n, int left) {
            String last = lines.remove(lines.size() - 1);
            lines.add(last + "." + n + (left == 0 ? ";" : ""));
        }

        @Override
        public void broken(int why, int where) {
            lines.add("broken " + why + " at " + where);
        }
    }

    /** A connection that has received a stream in pieces. */
    private static final class Feed {
        private final TcpConnection c;
        private final TcpSegment s = new TcpSegment();
        private final Log log = new Log();
        private final PduReader reader = new PduReader(log);
        private int seq = 101;

        Feed() {
            TcpFlow flow = new TcpFlow(1, 2, 3, 4, 5, 6);
            c = new TcpConnection(TcpSpec.linux(), flow, (h, d, n) -> {}, new TcpUser() {
                @Override
                public void connected() {}

                @Override
                public void readable() {}

                @Override
                public void writable() {}

                @Override
                public void failed(String why) {}
            });
            s.flow(new TcpFlow(2, 1, 4, 3, 6, 5));
            s.seq = 100;
            s.window = 1000;
            s.flags = TcpSegment.SYN;
            c.accept(s, 500, 0);
        }

        Feed take(byte[] bytes, int piece) {
            for (int at = 0; at < bytes.length; at += piece) {
                int n = Math.min(piece, bytes.length - at);
                s.seq = seq;
                s.ack = 501;
                s.flags = TcpSegment.ACK;
                s.dataAt = 0;
                s.dataBytes = n;
                c.arrived(s, Arrays.copyOfRange(bytes, at, at + n), 0);
                seq += n;
                reader.read(c);
            }
            return this;
        }
    }

    private static byte[] stream() {
        byte[] all = new byte[128 + 24 + 500 + 72 + 24];
        byte[] b = new byte[128];
        Pdu.icReq(b, 1);
        System.arraycopy(b, 0, all, 0, 128);
        Pdu.data(b, Pdu.H2C_DATA, Pdu.LAST, 1, 1, 0, 500);
        System.arraycopy(b, 0, all, 128, 24);
        Pdu.command(b, new SqEntry(), 0);
        System.arraycopy(b, 0, all, 652, 72);
        Pdu.response(b, new CqEntry());
        System.arraycopy(b, 0, all, 724, 24);
        return all;
    }

    @Test
    void aStreamMayBeCutAnywhere() {
        for (int piece = 1; piece < 748; piece += 7) {
            Feed f = new Feed().take(stream(), piece);
            assertThat(f.log.lines).as("pieces of " + piece).hasSize(4);
            assertThat(f.log.lines.get(0)).isEqualTo("0+0");
            assertThat(f.log.lines.get(1)).startsWith("6+500").endsWith(";");
            assertThat(f.log.lines.get(2)).isEqualTo("4+0");
            assertThat(f.log.lines.get(3)).isEqualTo("5+0");
        }
    }

    @Test
    void paddingInFrontOfDataIsSkipped() {
        byte[] padded = new byte[32 + 16];
        Pdu.data(padded, Pdu.C2H_DATA, Pdu.LAST, 1, 1, 0, 16);
        padded[3] = 32;
        padded[4] = 48;
        assertThat(new Feed().take(padded, 5).log.lines)
                .hasSize(1)
                .allMatch(l -> l.startsWith("7+16") && l.endsWith(";"));
    }

    /** An unknown type, a header of a wrong length, data where none may be, a PDU shorter than its header. */
    @Test
    void headersThatMakeNoSenseEndTheStream() {
        byte[] bad = stream();
        bad[0] = 8;
        assertThat(new Feed().take(bad, 100).log.lines).containsExactly("broken 1 at 0");
        bad = stream();
        bad[2] = 127;
        assertThat(new Feed().take(bad, 100).log.lines).containsExactly("broken 1 at 2");
        bad = stream();
        bad[4] = 127;
        bad[5] = 0;
        assertThat(new Feed().take(bad, 100).log.lines).containsExactly("broken 1 at 4");
        bad = stream();
        bad[5] = 1;
        assertThat(new Feed().take(bad, 100).log.lines).containsExactly("broken 1 at 4");
    }
}
