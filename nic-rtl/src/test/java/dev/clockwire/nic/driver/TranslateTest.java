package dev.clockwire.nic.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.format.Cqe;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.WcFlag;
import dev.clockwire.roce.verbs.WcOpcode;
import dev.clockwire.sim.error.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of the verbs and numbers of the device; what a program may ask of Ethernet queues and registration. */
class TranslateTest {
    @ParameterizedTest
    @CsvSource({
        "RDMA_WRITE,8,RDMA_WRITE",
        "RDMA_WRITE_WITH_IMM,9,RDMA_WRITE",
        "SEND,10,SEND",
        "SEND_WITH_IMM,11,SEND",
        "SEND_WITH_INV,1,SEND",
        "RDMA_READ,16,RDMA_READ",
        "ATOMIC_CMP_AND_SWP,17,COMP_SWAP",
        "ATOMIC_FETCH_AND_ADD,18,FETCH_ADD",
        "LOCAL_INV,27,LOCAL_INV",
        "BIND_MW,37,BIND_MW"
    })
    void sends(WrOpcode verb, int number, WcOpcode done) {
        assertThat(Translate.wqeOpcode(verb)).isEqualTo(number);
        assertThat(Translate.sendOpcode(number)).isEqualTo(done);
    }

    @Test
    void receives() {
        assertThat(Translate.receiveOpcode(Cqe.RESP_WR_IMM)).isEqualTo(WcOpcode.RECV_RDMA_WITH_IMM);
        assertThat(Translate.receiveOpcode(Cqe.RESP_SEND)).isEqualTo(WcOpcode.RECV);
        assertThat(Translate.receiveFlags(Cqe.RESP_WR_IMM)).isEqualTo(WcFlag.WITH_IMM.code());
        assertThat(Translate.receiveFlags(Cqe.RESP_SEND_IMM)).isEqualTo(WcFlag.WITH_IMM.code());
        assertThat(Translate.receiveFlags(Cqe.RESP_SEND_INV)).isEqualTo(WcFlag.WITH_INV.code());
        assertThat(Translate.receiveFlags(Cqe.RESP_SEND)).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "1,1,1,46,",
        "64,14,14,9978,",
        "0,1,1,46,queues 0 is not in 1..64",
        "65,1,1,46,queues 65",
        "1,0,1,46,log2 of sends 0 is not in 1..14",
        "1,15,1,46,log2 of sends 15",
        "1,1,0,46,log2 of receives 0",
        "1,1,15,46,log2 of receives 15",
        "1,1,1,45,MTU 45 is not in 46..9978",
        "1,1,1,9979,MTU 9979"
    })
    void ethernetQueues(int queues, int sends, int receives, int mtu, String mistake) {
        if (mistake == null) {
            assertThatCode(() -> new EthernetSpec(queues, sends, receives, mtu)).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(() -> new EthernetSpec(queues, sends, receives, mtu))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining(mistake);
        }
    }

    @Test
    void usualEthernetQueues() {
        assertThat(EthernetSpec.of(3)).isEqualTo(new EthernetSpec(3, 8, 8, 1500));
    }

    @ParameterizedTest
    @CsvSource({"0,0,0,true", "1,0,0,false", "0,1,0,false", "0,0,1,false", "1000000000,1000000000,1000000000,false"})
    void registrationIsFreeWithoutAnyCost(long pin, long unpin, long mtt, boolean free) {
        assertThat(new RegistrationSpec(pin, unpin, mtt, 0).isFree()).isEqualTo(free);
    }

    @Test
    void registrationHasRanges() {
        assertThatThrownBy(() -> new RegistrationSpec(-1, 0, 0, 0))
                .hasMessageContaining("pin ps -1 is not in 0..1000000000");
        assertThatThrownBy(() -> new RegistrationSpec(0, 1_000_000_001L, 0, 0))
                .hasMessageContaining("unpin ps 1000000001");
        assertThatThrownBy(() -> new RegistrationSpec(0, 0, -5, 0)).hasMessageContaining("translation ps -5");
    }

    /** log2 of the next power of two. */
    @ParameterizedTest
    @CsvSource({"0,0", "1,0", "2,1", "3,2", "4,2", "5,3", "1024,10", "1025,11"})
    void sizesAreRoundedUp(int atLeast, int log) {
        assertThat(HwContext.log2(atLeast)).isEqualTo(log);
    }
}
