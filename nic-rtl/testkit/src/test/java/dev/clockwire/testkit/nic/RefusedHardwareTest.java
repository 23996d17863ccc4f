package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.NicSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nic.regs.NicRegisters;
import dev.clockwire.pcie.config.BarSpec;
import dev.clockwire.pcie.host.Host;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.RateLimit;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Allocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hardware that cannot exist is refused with the value and the rule that it breaks. */
class RefusedHardwareTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nic.cache.qpc_ways | 0 | a whole number from 1 to",
                "nic.cache.mpt_ways | 0 | a whole number from 1 to",
                "nic.cache.mtt_ways | 0 | a whole number from 1 to",
                "nic.cache.ports | 0 | a whole number from 1 to 16",
                "nic.cache.mtt_page | 8192 | 4096, 65536, 2097152, 1073741824",
                "nic.cache.wqe_entries | 2000 | a whole number from 0 to 1024",
                "nic.rate.dcqcn | qcn | off, paper, vendor, article-literal",
                "pcie.mps | 8192 | 128, 256, 512, 1024, 2048, 4096",
                "pcie.lanes | 3 | 1, 2, 4, 8, 16",
                "nic.datapath_bytes | 48 | 32, 64, 128, 256, 512"
            })
    void aValueOutsideOfItsRange(String path, String value, String rule) {
        assertThatThrownBy(() -> Profiles.named("cx7-400g").with(path, value))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(path + "=" + value)
                .hasMessageContaining(rule);
    }

    @ParameterizedTest
    @CsvSource({"qpc, 10, 4", "mpt, 12, 4", "mtt, 7, 2", "mtt, 2, 4"})
    void entriesThatTheWaysDoNotDivide(String table, String entries, String ways) {
        assertThatThrownBy(() -> NicSpec.from(Profiles.named("cx7-400g")
                        .with("nic.cache." + table + "_entries", entries)
                        .with("nic.cache." + table + "_ways", ways)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("cache")
                .hasMessageContaining(entries);
    }

    @Test
    void windowsThatOverlap() {
        Lab lab = Lab.twoHosts(Profiles.named("cx7-400g"), LabSpec.of(1));
        Host host = lab.a().host();
        long registers = lab.a().nic().endpoint().barAddress(NicRegisters.BAR);
        assertThatThrownBy(() -> host.assign(host.port(0), 2, registers))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("overlaps window");
        assertThatThrownBy(() -> new BarSpec(0, 4096, false).requireApart(new BarSpec(1, 4096, false, false)))
                .hasMessageContaining("64-bit one");
    }

    @Test
    void aBucketSmallerThanAPacket() {
        Lab lab = Lab.twoHosts(Profiles.named("cx7-400g"), LabSpec.of(1));
        Pair p = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
        assertThatThrownBy(() -> lab.await(p.a.qp.limitRate(new RateLimit(1_000_000, 1105))))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("max_burst_sz 1105")
                .hasMessageContaining("1106 bytes");
        assertThat(lab.await(p.a.qp.limitRate(new RateLimit(1_000_000, 1106)))).isNotNull();
    }
}
