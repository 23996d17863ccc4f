package dev.clockwire.roce.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class OpcodeTest {
    /** The columns in front of the first quoted one; none of them contains a comma. */
    private static List<String[]> published() throws Exception {
        try (InputStream in = OpcodeTest.class.getResourceAsStream("opcodes.csv")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .skip(1)
                    .map(line -> line.split(",", 14))
                    .toList();
        }
    }

    @Test
    void agreesWithThePublishedTable() throws Exception {
        assertThat(published()).hasSize(40);
        for (String[] row : published()) {
            Opcode opcode = Opcode.of(Integer.decode(row[2]));
            assertThat(opcode.name()).isEqualTo(row[1]);
            assertThat(opcode.service()).isEqualTo(Service.valueOf(row[0]));
            assertThat(names(opcode)).as(row[1]).isEqualTo(row[3].replace("_RSVD16", "RESERVED"));
            assertThat(opcode.headerBytes()).as(row[1]).isEqualTo(Integer.parseInt(row[4]));
            assertThat(flags(opcode))
                    .as(row[1])
                    .isEqualTo(String.join("", List.of(row).subList(5, 12)));
            assertThat(opcode.payloadRule()).as(row[1]).isEqualTo(rule(row[12]));
        }
    }

    private static String names(Opcode opcode) {
        List<String> names = new ArrayList<>();
        for (Header header : opcode.headers()) {
            names.add(
                    switch (header) {
                        case ATOMIC_ETH -> "AtomicETH";
                        case ATOMIC_ACK_ETH -> "AtomicAckETH";
                        case IMM_DT -> "ImmDt";
                        default -> header.name().replace("_", "").toUpperCase(Locale.ROOT);
                    });
        }
        return String.join(";", names);
    }

    private static String flags(Opcode o) {
        boolean[] flags = {
            o.hasPayload(),
            o.isRequest(),
            o.isResponse(),
            o.startsMessage(),
            o.endsMessage(),
            o.consumesRecv(),
            o.makesRecvCqe()
        };
        StringBuilder text = new StringBuilder();
        for (boolean flag : flags) {
            text.append(flag ? 'Y' : 'N');
        }
        return text.toString();
    }

    private static PayloadRule rule(String text) {
        return switch (text) {
            case "= PMTU" -> PayloadRule.FULL;
            case "1..PMTU" -> PayloadRule.NONEMPTY;
            case "0..PMTU", "0..PMTU (port MTU)" -> PayloadRule.ANY;
            case "= 8 bytes" -> PayloadRule.EIGHT;
            default -> PayloadRule.NONE;
        };
    }

    @Test
    void reservedCodesHaveNoRow() {
        int known = 0;
        for (int code = 0; code < 256; code++) {
            Opcode found = Opcode.find(code);
            if (found != null) {
                known++;
                assertThat(found.code()).isEqualTo(code);
            }
        }
        assertThat(known).isEqualTo(Opcode.values().length);
        assertThat(Opcode.find(0x15)).isNull();
        assertThat(Opcode.find(0x80)).isNull();
        assertThat(Opcode.find(0xFF)).isNull();
        assertThatThrownBy(() -> Opcode.of(0x15)).hasMessageContaining("0x15");
    }

    @Test
    void knowsTheSameOperationOfAnotherService() {
        assertThat(Opcode.RC_RDMA_WRITE_LAST.with(Service.UC)).isEqualTo(Opcode.UC_RDMA_WRITE_LAST);
        assertThat(Opcode.UC_SEND_ONLY.with(Service.UD)).isEqualTo(Opcode.UD_SEND_ONLY);
        assertThat(Opcode.RC_RDMA_READ_REQUEST.with(Service.UC)).isNull();
    }

    @Test
    void foreignServicesCarryTheirOwnHeaders() {
        assertThat(Opcode.XRC_RDMA_WRITE_ONLY.headers()).containsExactly(Header.BTH, Header.XRC_ETH, Header.RETH);
        assertThat(Opcode.XRC_ACKNOWLEDGE.headers()).containsExactly(Header.BTH, Header.AETH);
        assertThat(Opcode.RD_SEND_ONLY.headers()).containsExactly(Header.BTH, Header.RDETH, Header.DETH);
        assertThat(Opcode.RD_ACKNOWLEDGE.headers()).containsExactly(Header.BTH, Header.RDETH, Header.AETH);
    }

    @Test
    void shortcutsAskTheHeaders() {
        for (Opcode opcode : Opcode.values()) {
            assertThat(opcode.hasImm()).isEqualTo(opcode.headers().contains(Header.IMM_DT));
            assertThat(opcode.hasReth()).isEqualTo(opcode.headers().contains(Header.RETH));
            assertThat(opcode.hasAeth()).isEqualTo(opcode.headers().contains(Header.AETH));
            assertThat(opcode.hasAtomicEth()).isEqualTo(opcode.headers().contains(Header.ATOMIC_ETH));
            assertThat(opcode.hasIeth()).isEqualTo(opcode.headers().contains(Header.IETH));
            assertThat(opcode.hasDeth()).isEqualTo(opcode.headers().contains(Header.DETH));
        }
    }

    @Test
    void payloadRulesHoldAtTheirEdges() {
        assertThat(PayloadRule.FULL.allows(1024, 1024)).isTrue();
        assertThat(PayloadRule.FULL.allows(1023, 1024)).isFalse();
        assertThat(PayloadRule.NONEMPTY.allows(0, 1024)).isFalse();
        assertThat(PayloadRule.NONEMPTY.allows(1, 1024)).isTrue();
        assertThat(PayloadRule.NONEMPTY.allows(1025, 1024)).isFalse();
        assertThat(PayloadRule.ANY.allows(0, 1024)).isTrue();
        assertThat(PayloadRule.ANY.allows(1024, 1024)).isTrue();
        assertThat(PayloadRule.ANY.allows(1025, 1024)).isFalse();
        assertThat(PayloadRule.ANY.allows(-1, 1024)).isFalse();
        assertThat(PayloadRule.NONE.allows(1, 1024)).isFalse();
        assertThat(PayloadRule.NONE.allows(0, 1024)).isTrue();
        assertThat(PayloadRule.EIGHT.allows(8, 256)).isTrue();
        assertThat(PayloadRule.EIGHT.allows(7, 256)).isFalse();
    }
}
