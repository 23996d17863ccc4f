package dev.clockwire.pcie.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.pcie.link.OrderingRules.Rule;
import dev.clockwire.pcie.tlp.FlowClass;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The ordering table of the base specification, and that what is done obeys it. */
class OrderingRulesTest {
    /** Columns: strict, relaxed, ID-based of another requester, both. */
    @ParameterizedTest
    @CsvSource({
        "POSTED, POSTED, NEVER, MAY, MAY, MAY",
        "POSTED, NON_POSTED, MUST, MUST, MUST, MUST",
        "POSTED, COMPLETION, MAY, MAY, MAY, MAY",
        "NON_POSTED, POSTED, NEVER, NEVER, MAY, MAY",
        "NON_POSTED, NON_POSTED, MAY, MAY, MAY, MAY",
        "NON_POSTED, COMPLETION, MAY, MAY, MAY, MAY",
        "COMPLETION, POSTED, NEVER, MAY, MAY, MAY",
        "COMPLETION, NON_POSTED, MUST, MUST, MUST, MUST",
        "COMPLETION, COMPLETION, MAY, MAY, MAY, MAY"
    })
    void table(FlowClass later, FlowClass earlier, Rule strict, Rule relaxed, Rule other, Rule both) {
        assertThat(OrderingRules.rule(later, earlier, false, false)).isEqualTo(strict);
        assertThat(OrderingRules.rule(later, earlier, true, false)).isEqualTo(relaxed);
        assertThat(OrderingRules.rule(later, earlier, false, true)).isEqualTo(other);
        assertThat(OrderingRules.rule(later, earlier, true, true)).isEqualTo(both);
    }

    @Property
    void whatIsDoneObeysTheTable(
            @ForAll FlowClass later, @ForAll FlowClass earlier, @ForAll boolean relaxed, @ForAll boolean other) {
        boolean passes = OrderingRules.mayPass(later, earlier, relaxed, other);
        switch (OrderingRules.rule(later, earlier, relaxed, other)) {
            case MUST -> assertThat(passes).isTrue();
            case NEVER -> assertThat(passes).isFalse();
            default -> assertThat(passes).isEqualTo(later != earlier);
        }
    }
}
