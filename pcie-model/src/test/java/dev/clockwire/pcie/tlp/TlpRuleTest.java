package dev.clockwire.pcie.tlp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TlpRuleTest {
    private final TlpHeader h = new TlpHeader();

    private TlpHeader write(long address, int bytes) {
        return h.memory(TlpType.MWR, address, bytes, 0, 0);
    }

    @Test
    void whatASplitterProducesBreaksNoRule() {
        assertThat(TlpRule.broken(write(0x1000, 256), 256)).isNull();
        assertThat(TlpRule.broken(write(0x1ffc, 4), 256)).isNull();
        assertThat(TlpRule.broken(write(0x1003, 1), 256)).isNull();
        assertThat(TlpRule.broken(write(0x1_0000_1003L, 9), 256)).isNull();
        assertThat(TlpRule.broken(h.memory(TlpType.MRD, 0x1000, 4096, 0, 0), 128))
                .isNull();
    }

    @Test
    void payloadAndPages() {
        assertThat(TlpRule.broken(write(0x1000, 260), 256)).isEqualTo(TlpRule.PAYLOAD_SIZE);
        assertThat(TlpRule.broken(write(0x1ffc, 8), 256)).isEqualTo(TlpRule.BOUNDARY_4K);
    }

    @Test
    void forms() {
        write(0x1000, 4).fourDw = true;
        assertThat(TlpRule.broken(h, 256)).isEqualTo(TlpRule.ADDRESS_FORM);
        h.clear();
        h.type = TlpType.CFGRD0;
        h.lengthDw = 2;
        assertThat(TlpRule.broken(h, 256)).isEqualTo(TlpRule.ONE_DW);
        h.lengthDw = 1;
        assertThat(TlpRule.broken(h, 256)).isNull();
        h.type = TlpType.IORD;
        h.lastBe = 1;
        assertThat(TlpRule.broken(h, 256)).isEqualTo(TlpRule.ONE_DW);
    }

    @Test
    void enables() {
        write(0x1000, 4).lastBe = 1;
        assertThat(TlpRule.broken(h, 256)).isEqualTo(TlpRule.BYTE_ENABLES);
        write(0x1000, 12).lastBe = 0;
        assertThat(TlpRule.broken(h, 256)).isEqualTo(TlpRule.BYTE_ENABLES);
        write(0x1000, 12).firstBe = 0;
        assertThat(TlpRule.broken(h, 256)).isEqualTo(TlpRule.BYTE_ENABLES);
        write(0x1000, 12).firstBe = 0b0101;
        assertThat(TlpRule.broken(h, 256)).isEqualTo(TlpRule.CONTIGUOUS_ENABLES);
        write(0x1000, 12).lastBe = 0b1000;
        assertThat(TlpRule.broken(h, 256)).isEqualTo(TlpRule.CONTIGUOUS_ENABLES);
        write(0x1000, 4).firstBe = 0b0101;
        assertThat(TlpRule.broken(h, 256)).isNull();
        write(0x1008, 8).firstBe = 0b0101;
        assertThat(TlpRule.broken(h, 256)).isNull();
        write(0x1004, 8).firstBe = 0b0101;
        assertThat(TlpRule.broken(h, 256)).isEqualTo(TlpRule.CONTIGUOUS_ENABLES);
    }

    @Test
    void othersAreNotAskedAboutAddresses() {
        h.completion(0x1fff, 8, 8, 0, 0, 0);
        assertThat(TlpRule.broken(h, 256)).isNull();
        h.clear();
        h.type = TlpType.FETCH_ADD;
        h.lengthDw = 2;
        assertThat(TlpRule.broken(h, 256)).isNull();
    }
}
