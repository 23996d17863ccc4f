package dev.clockwire.roce.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.wire.Opcode;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

class CodeTablesTest {
    // IBA volume 1, table of RNR NAK timer encodings, in microseconds.
    private static final long[] RNR_US = {
        655_360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 960, 1_280, 1_920, 2_560, 3_840, 5_120, 7_680,
        10_240, 15_360, 20_480, 30_720, 40_960, 61_440, 81_920, 122_880, 163_840, 245_760, 327_680, 491_520
    };

    @Test
    void rnrTimer() {
        for (int code = 0; code < 32; code++) {
            int syndrome = Syndrome.rnr(code);
            assertThat(syndrome).isEqualTo(0x20 + code);
            assertThat(Syndrome.rnrWaitPs(syndrome)).as("code %d", code).isEqualTo(RNR_US[code] * 1_000_000);
        }
    }

    @Test
    void credits() {
        assertThat(Syndrome.credits(0)).isZero();
        assertThat(Syndrome.credits(5)).isEqualTo(6);
        assertThat(Syndrome.credits(7)).isEqualTo(12);
        assertThat(Syndrome.credits(14)).isEqualTo(128);
        assertThat(Syndrome.credits(25)).isEqualTo(6144);
        assertThat(Syndrome.credits(30)).isEqualTo(32768);
        assertThat(Syndrome.credits(Syndrome.ACK)).isEqualTo(-1);
    }

    @Test
    void kindsOfSyndrome() {
        assertThat(Syndrome.isAck(0x1F)).isTrue();
        assertThat(Syndrome.isAck(0x20)).isFalse();
        assertThat(Syndrome.isAck(0x60)).isFalse();
        assertThat(Syndrome.isRnr(0x2C)).isTrue();
        assertThat(Syndrome.isRnr(0x60)).isFalse();
        assertThat(Syndrome.isRnr(0x40)).isFalse();
        assertThat(Syndrome.failure(0x60)).isNull();
        assertThat(Syndrome.failure(0x61)).isEqualTo(WcStatus.REM_INV_REQ_ERR);
        assertThat(Syndrome.failure(0x62)).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertThat(Syndrome.failure(0x63)).isEqualTo(WcStatus.REM_OP_ERR);
        assertThat(Syndrome.failure(0x64)).isEqualTo(WcStatus.GENERAL_ERR);
        assertThat(Syndrome.failure(0x65)).isNull();
    }

    @Test
    void ackTimeout() {
        assertThat(AckTimeout.ps(0)).isEqualTo(Long.MAX_VALUE);
        assertThat(AckTimeout.ps(1)).isEqualTo(8_192_000L);
        assertThat(AckTimeout.ps(14)).isEqualTo(67_108_864_000L);
        assertThat(AckTimeout.ps(31)).isEqualTo(8_796_093_022_208_000L);
    }

    @Test
    void partitionKeys() {
        assertThat(PartitionKey.matches(0xFFFF, 0xFFFF)).isTrue();
        assertThat(PartitionKey.matches(0x7FFF, 0xFFFF)).isTrue();
        assertThat(PartitionKey.matches(0x7FFF, 0x7FFF)).isFalse();
        assertThat(PartitionKey.matches(0x8001, 0x8002)).isFalse();
        assertThat(PartitionKey.matches(0x8000, 0x8000)).isFalse();
    }

    @Test
    void statusCodesAreThoseOfC() {
        assertThat(WcStatus.WR_FLUSH_ERR.code()).isEqualTo(5);
        assertThat(WcStatus.REM_ACCESS_ERR.code()).isEqualTo(10);
        assertThat(WcStatus.RNR_RETRY_EXC_ERR.code()).isEqualTo(13);
        assertThat(WcStatus.GENERAL_ERR.code()).isEqualTo(21);
        assertThat(WcStatus.TM_RNDV_INCOMPLETE.code()).isEqualTo(23);
        assertThat(WcStatus.of(12)).isEqualTo(WcStatus.RETRY_EXC_ERR);
        assertThat(WcStatus.of(24)).isEqualTo(WcStatus.GENERAL_ERR);
        assertThat(WcStatus.of(-1)).isEqualTo(WcStatus.GENERAL_ERR);
        assertThat(WcStatus.REM_ACCESS_ERR.text()).isEqualTo("remote access error");
    }

    @Test
    void accessFlagsAreThoseOfC() {
        int mask = AccessFlag.mask(
                EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.RELAXED_ORDERING));
        assertThat(mask).isEqualTo(0x10_0005);
        assertThat(AccessFlag.REMOTE_READ.in(mask)).isTrue();
        assertThat(AccessFlag.REMOTE_WRITE.in(mask)).isFalse();
    }

    @Test
    void operationsOfEachService() {
        assertThat(allowed(QpType.RC)).containsExactlyInAnyOrder(WrOpcode.values());
        assertThat(allowed(QpType.UC))
                .containsExactlyInAnyOrder(
                        WrOpcode.RDMA_WRITE,
                        WrOpcode.RDMA_WRITE_WITH_IMM,
                        WrOpcode.SEND,
                        WrOpcode.SEND_WITH_IMM,
                        WrOpcode.LOCAL_INV,
                        WrOpcode.BIND_MW);
        assertThat(allowed(QpType.UD)).containsExactlyInAnyOrder(WrOpcode.SEND, WrOpcode.SEND_WITH_IMM);
    }

    @Test
    void packetsOfAnOperation() {
        assertThat(WrOpcode.SEND_WITH_INV.packet(QpType.RC, true, false)).isEqualTo(Opcode.RC_SEND_FIRST);
        assertThat(WrOpcode.SEND_WITH_INV.packet(QpType.RC, false, true))
                .isEqualTo(Opcode.RC_SEND_LAST_WITH_INVALIDATE);
        assertThat(WrOpcode.RDMA_WRITE_WITH_IMM.packet(QpType.UC, true, true))
                .isEqualTo(Opcode.UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE);
        assertThat(WrOpcode.RDMA_WRITE.packet(QpType.UC, false, false)).isEqualTo(Opcode.UC_RDMA_WRITE_MIDDLE);
        assertThat(WrOpcode.SEND_WITH_INV.code()).isEqualTo(9);
        assertThat(WrOpcode.ATOMIC_FETCH_AND_ADD.code()).isEqualTo(6);
    }

    private static EnumSet<WrOpcode> allowed(QpType type) {
        EnumSet<WrOpcode> found = EnumSet.noneOf(WrOpcode.class);
        for (WrOpcode opcode : WrOpcode.values()) {
            if (opcode.allowedOn(type)) {
                found.add(opcode);
            }
        }
        return found;
    }
}
