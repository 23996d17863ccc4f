package dev.clockwire.roce.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class QpTransitionsTest {
    /** The kernel's table: from, to, type, required, optional. */
    private static Map<String, String[]> rows() throws IOException {
        Map<String, String[]> rows = new TreeMap<>();
        try (InputStream in = QpTransitionsTest.class.getResourceAsStream("qp-state-machine.csv")) {
            String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            text.lines().skip(1).map(line -> line.split(",", -1)).forEach(f -> rows.put(f[2] + f[0] + f[1], f));
        }
        return rows;
    }

    private static int mask(String names) {
        int mask = 0;
        for (String name : names.isEmpty() ? new String[0] : names.split("\\|", -1)) {
            mask |= QpAttr.valueOf(name).bit();
        }
        return mask;
    }

    @Test
    void equalsTheTableOfTheKernel() throws IOException {
        Map<String, String[]> rows = rows();
        assertThat(rows).hasSize(66);
        for (QpType type : QpType.values()) {
            for (QpState from : QpState.values()) {
                for (QpState to : QpState.values()) {
                    String[] row = rows.get(type.name() + from + to);
                    String name = type + " " + from + " -> " + to;
                    assertThat(QpTransitions.allowed(type, from, to)).as(name).isEqualTo(row != null);
                    if (row != null) {
                        assertThat(QpTransitions.required(type, from, to))
                                .as(name)
                                .isEqualTo(mask(row[3]));
                        assertThat(QpTransitions.optional(type, from, to))
                                .as(name)
                                .isEqualTo(mask(row[4]));
                    }
                }
            }
        }
    }

    @Test
    void namesWhatIsMissingAndWhatIsTooMuch() {
        int given = QpAttr.mask(QpAttr.STATE, QpAttr.SQ_PSN, QpAttr.QKEY, QpAttr.CUR_STATE);
        int missing = QpTransitions.missing(QpType.RC, QpState.RTR, QpState.RTS, given);
        assertThat(QpAttr.names(missing)).isEqualTo("TIMEOUT|RETRY_CNT|RNR_RETRY|MAX_QP_RD_ATOMIC");
        int surplus = QpTransitions.surplus(QpType.RC, QpState.RTR, QpState.RTS, given);
        assertThat(QpAttr.names(surplus)).isEqualTo("QKEY");
        assertThat(QpAttr.names(0)).isEmpty();
    }

    @Test
    void bitsAreThoseOfC() {
        assertThat(QpAttr.STATE.bit()).isEqualTo(1);
        assertThat(QpAttr.DEST_QPN.bit()).isEqualTo(1 << 20);
        assertThat(QpAttr.RATE_LIMIT.bit()).isEqualTo(1 << 25);
    }

    @Test
    void whatAStateAccepts() {
        assertThat(QpState.RTR.acceptsRequests()).isTrue();
        assertThat(QpState.RTR.acceptsResponses()).isFalse();
        assertThat(QpState.SQD.acceptsResponses()).isTrue();
        assertThat(QpState.SQE.acceptsRequests()).isTrue();
        assertThat(QpState.SQE.acceptsResponses()).isFalse();
        assertThat(QpState.ERR.acceptsRequests()).isFalse();
        assertThat(QpState.INIT.acceptsRequests()).isFalse();
        assertThat(QpState.RTR.allowsPostSend()).isFalse();
        assertThat(QpState.ERR.allowsPostSend()).isTrue();
        assertThat(QpState.RESET.allowsPostReceive()).isFalse();
        assertThat(QpState.INIT.allowsPostReceive()).isTrue();
    }
}
