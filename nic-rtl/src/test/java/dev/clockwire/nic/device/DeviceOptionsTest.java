package dev.clockwire.nic.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.chip.ChipMemory;
import dev.clockwire.nic.doorbell.Uar;
import dev.clockwire.nic.doorbell.UarLayout;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nic.regs.NicRegisters;
import dev.clockwire.pcie.config.BarSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.stats.Stat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is built, and what counters there are, with each option of the hardware and without it. */
class DeviceOptionsTest {
    private static final String AT = "host0.nic.";

    private static Lab lab(String... settings) {
        Profile p = Profiles.named("cx7-400g");
        for (int i = 0; i < settings.length; i += 2) {
            p = p.with(settings[i], settings[i + 1]);
        }
        return Lab.twoHosts(p, LabSpec.of(1));
    }

    private static Set<String> names(Lab lab) {
        Set<String> names = new TreeSet<>();
        for (Stat stat : lab.sim().stats().all()) {
            if (stat.name().startsWith(AT)) {
                names.add(stat.name().substring(AT.length()));
            }
        }
        return names;
    }

    /** The names of hw_counters and ethtool, there whatever the options. */
    @Test
    void usualCounters() {
        assertThat(names(lab()))
                .contains(
                        "rx_icrc_encapsulated",
                        "rx_dropped",
                        "rx_discards_phy",
                        "tx_global_pause",
                        "out_of_sequence",
                        "duplicate_request",
                        "out_of_buffer",
                        "packet_seq_err",
                        "implied_nak_seq_err",
                        "local_ack_timeout_err",
                        "rnr_nak_retry_err",
                        "req_transport_retries_exceeded",
                        "req_rnr_retries_exceeded",
                        "req_remote_access_errors",
                        "req_remote_invalid_request",
                        "rp_cnp_handled",
                        "rp_cnp_ignored",
                        "req_cqe_error",
                        "req_cqe_flush_error",
                        "doorbell_errors")
                .doesNotContain(
                        "tx_sched_fetches_overtaken",
                        "tx_sched_packets_overtaken",
                        "eq_entries",
                        "eq_interrupts",
                        "eq_overruns",
                        "cqe_compress_blks",
                        "cqe_compress_pkts",
                        "ethernet.rx_out_of_buffer");
    }

    @ParameterizedTest
    @CsvSource({
        "nic.sched.policy,wrr,'tx_sched_fetches_overtaken,tx_sched_packets_overtaken'",
        "nic.sched.policy,strict,'tx_sched_fetches_overtaken,tx_sched_packets_overtaken'",
        "nic.int.moderation,true,'eq_entries,eq_interrupts,eq_overruns'",
        "nic.eq.log_entries,1,'eq_entries,eq_interrupts,eq_overruns'",
        "nic.cqe.compression,cq,'cqe_compress_blks,cqe_compress_pkts'",
        "nic.cqe.compression,all,'cqe_compress_blks,cqe_compress_pkts'"
    })
    void countersOfAnOption(String path, String value, String more) {
        Set<String> found = names(lab(path, value));
        found.removeAll(names(lab()));
        assertThat(found).containsExactlyInAnyOrder(more.split(",", -1));
    }

    @Test
    void countersOfEthernetQueues() {
        Set<String> found = names(lab("nic.eth.queues", "2"));
        assertThat(found)
                .contains("ethernet.rx_out_of_buffer", "ethernet.tx_cqe_err", "ethernet.rx_flow_rule_drops")
                .doesNotContain("ethernet.rx_csum_err");
        assertThat(names(lab("nic.eth.queues", "2", "nic.eth.checksums", "true")))
                .contains("ethernet.rx_csum_err", "ethernet.tx_csum_none");
    }

    /** Without a reaction point nobody takes notifications; those that one overlooked count too. */
    @Test
    void everyCounterBeginsAtZero() {
        Lab lab = lab("nic.eth.queues", "1", "nic.cqe.compression", "all", "nic.sched.policy", "wrr");
        for (String name : names(lab)) {
            assertThat(lab.sim().stats().value(AT + name)).as(name).isZero();
        }
        assertThat(lab.a().nic().ethernetPort()).isNotNull();
        assertThat(lab().a().nic().ethernetPort()).isNull();
    }

    private static List<BarSpec> bars(Lab lab) {
        return lab.a().nic().config().spec().bars();
    }

    @Test
    void windowsOfADevice() {
        Lab plain = lab("nic.dm.bytes", "0");
        assertThat(bars(plain).stream().map(BarSpec::number)).containsExactly(2, 0, 4);
        assertThat(bars(plain).get(0).bytes()).isEqualTo(64L << 20);
        assertThat(bars(plain).get(1).bytes()).isEqualTo(4L << 20);
        assertThat(bars(plain).get(2).bytes()).isEqualTo(64L << 10);
        assertThat(bars(plain)).allMatch(BarSpec::wide);
        assertThat(plain.a().nic().config().spec().device()).isEqualTo(0x1021);
        Lab memory = lab("nic.dm.bytes", "65536");
        assertThat(bars(memory).get(0).bytes())
                .as("device memory lies behind the doorbells")
                .isEqualTo(128L << 20);
        Lab narrow = lab("nic.bar32", "true");
        assertThat(bars(narrow).stream().map(BarSpec::number)).containsExactly(2, 0, 1, 4);
        assertThat(bars(narrow)).noneMatch(BarSpec::wide);
    }

    @Test
    void placesOnTheBus() {
        Lab lab = lab("nic.dm.bytes", "65536");
        NicDevice nic = lab.a().nic();
        long bar = nic.endpoint().barAddress(Uar.BAR);
        assertThat(nic.chipMemoryAddress(ChipMemory.BASE + 100)).isEqualTo(bar + UarLayout.WINDOW + 100);
        assertThat(nic.armRegister(5)).isEqualTo(bar + Uar.CQ_ARM_DB);
        assertThat(nic.registers().read(NicRegisters.BAR, 0, 4)).isEqualTo(0xC10C_0001L);
        assertThat(NicDevice.uarPages()).isEqualTo(16_384 - 0x11);
    }

    @Test
    void translationsNeedSomebodyWhoTranslates() {
        assertThatThrownBy(() -> lab("pcie.ats", "true"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("pcie.ats=true");
    }
}
