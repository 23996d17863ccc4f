package dev.clockwire.pcie.link;

import static dev.clockwire.pcie.tlp.FlowClass.COMPLETION;
import static dev.clockwire.pcie.tlp.FlowClass.NON_POSTED;
import static dev.clockwire.pcie.tlp.FlowClass.POSTED;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The ordering table: what must pass passes, what must not does not. */
class OrderingRulesTest {
    @Test
    void whatMustPassToAvoidDeadlocks() {
        assertThat(OrderingRules.mayPass(POSTED, NON_POSTED, false)).isTrue();
        assertThat(OrderingRules.mayPass(COMPLETION, NON_POSTED, false)).isTrue();
    }

    @Test
    void whatMustNotPassAPostedWrite() {
        assertThat(OrderingRules.mayPass(NON_POSTED, POSTED, false)).isFalse();
        assertThat(OrderingRules.mayPass(NON_POSTED, POSTED, true)).isFalse();
        assertThat(OrderingRules.mayPass(COMPLETION, POSTED, false)).isFalse();
        assertThat(OrderingRules.mayPass(POSTED, POSTED, false)).isFalse();
    }

    @Test
    void choices() {
        assertThat(OrderingRules.mayPass(COMPLETION, POSTED, true)).isTrue();
        assertThat(OrderingRules.mayPass(POSTED, COMPLETION, false)).isTrue();
        assertThat(OrderingRules.mayPass(NON_POSTED, COMPLETION, false)).isTrue();
        assertThat(OrderingRules.mayPass(POSTED, POSTED, true)).isFalse();
        assertThat(OrderingRules.mayPass(NON_POSTED, NON_POSTED, false)).isFalse();
        assertThat(OrderingRules.mayPass(COMPLETION, COMPLETION, true)).isFalse();
    }
}
