package dev.clockwire.nic.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.driver.RegistrationSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.pcie.fabric.PcieSwitchSpec;
import dev.clockwire.pcie.host.CpuSpec;
import dev.clockwire.pcie.host.DdioSpec;
import dev.clockwire.pcie.host.HostDepth;
import dev.clockwire.pcie.host.HostSpec;
import dev.clockwire.pcie.host.NumaSpec;
import dev.clockwire.pcie.host.SchedSpec;
import dev.clockwire.pcie.host.StallSpec;
import dev.clockwire.pcie.iommu.AtsSpec;
import dev.clockwire.pcie.iommu.HugePages;
import dev.clockwire.pcie.iommu.IommuSpec;
import dev.clockwire.pcie.link.DataLinkSpec;
import dev.clockwire.pcie.link.DllpMode;
import dev.clockwire.pcie.link.LinkTroubles;
import dev.clockwire.pcie.link.PcieLinkSpec;
import dev.clockwire.pcie.link.PcieOrdering;
import dev.clockwire.pcie.link.TlpFault;
import dev.clockwire.pcie.tlp.CompletionStatus;
import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.roce.fabric.Framing;
import dev.clockwire.roce.fabric.LinkSpec;
import dev.clockwire.roce.fabric.SwitchSpec;
import dev.clockwire.roce.verbs.Numbering;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.PacketFault;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a profile's values become: each parameter ends in its own place, and mistakes are named as they are typed. */
class LabPartsTest {
    private static final Profile CX7 = Profiles.named("cx7-400g");

    private static Profile with(String... settings) {
        Profile p = CX7;
        for (int i = 0; i < settings.length; i += 2) {
            p = p.with(settings[i], settings[i + 1]);
        }
        return p;
    }

    @Test
    void aHostHasItsTimes() {
        Profile p = with(
                "host.root_complex_ns",
                "11",
                "host.queue_read_ns",
                "22",
                "host.payload_read_ns",
                "33",
                "host.payload_translation_ns",
                "44",
                "host.numa.hop_ns",
                "55",
                "host.write_commit_ns",
                "66",
                "host.mmio_ns",
                "77",
                "host.numa.nodes",
                "4",
                "host.numa.memory_node",
                "3",
                "host.numa.core_node",
                "2");
        HostSpec h = HostParts.host(p);
        assertThat(h.requestPs()).isEqualTo(11_000);
        assertThat(h.responsePs()).isEqualTo(11_000);
        assertThat(h.translationPs()).isZero();
        assertThat(h.cacheReadPs()).isEqualTo(22_000);
        assertThat(h.dramReadPs()).as("memory, and the way through the IOMMU").isEqualTo(77_000);
        assertThat(h.nodeHopPs()).isEqualTo(55_000);
        assertThat(h.commitPs()).isEqualTo(66_000);
        assertThat(h.storePs()).as("a store passes the root complex too").isEqualTo(88_000);
        assertThat(h.nodes()).isEqualTo(4);
        assertThat(h.depth().numa()).isEqualTo(new NumaSpec(3, 2));
        HostSpec none = HostParts.host(with(
                "host.root_complex_ns",
                "0",
                "host.queue_read_ns",
                "0",
                "host.payload_read_ns",
                "0",
                "host.payload_translation_ns",
                "0",
                "host.write_commit_ns",
                "0",
                "host.mmio_ns",
                "0"));
        assertThat(new long[] {none.cacheReadPs(), none.dramReadPs(), none.commitPs(), none.storePs()})
                .as("every delay is a picosecond at least")
                .containsOnly(1);
        assertThatThrownBy(() -> HostParts.host(with("host.numa.nodes", "2", "host.numa.memory_node", "2")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("host.numa.memory_node=2");
    }

    @Test
    void aCoreHasItsCosts() {
        CpuSpec c = HostParts.cpu(with(
                "host.cpu.doorbell_ns",
                "1",
                "host.cpu.wc_flush_ns",
                "2",
                "host.cpu.poll_ns",
                "3",
                "host.cpu.interrupt_ns",
                "4",
                "host.cpu.post_ns",
                "5",
                "host.cpu.cqe_ns",
                "6"));
        assertThat(new long[] {
                    c.mmioStorePs(), c.combinedStorePs(), c.pollPs(), c.interruptPs(), c.postPs(), c.completionPs()
                })
                .containsExactly(1000, 2000, 3000, 4000, 5000, 6000);
    }

    @Test
    void aLinkHasItsSizes() {
        PcieLinkSpec l = HostParts.pcie(with(
                "pcie.generation",
                "3",
                "pcie.lanes",
                "8",
                "pcie.mps",
                "256",
                "pcie.mrrs",
                "1024",
                "pcie.rcb",
                "128",
                "pcie.propagation_ns",
                "12",
                "pcie.switch_hops",
                "2",
                "pcie.switch_hop_ns",
                "9",
                "pcie.tags",
                "77",
                "pcie.strict_write_ns",
                "5",
                "pcie.id_based_ordering",
                "true",
                "pcie.completion_timeout_us",
                "60",
                "pcie.credits.posted_headers",
                "31",
                "pcie.credits.posted_data",
                "40",
                "pcie.credits.nonposted_headers",
                "21"));
        assertThat(l.generation().number()).isEqualTo(3);
        assertThat(new long[] {
                    l.lanes(),
                    l.maxPayload(),
                    l.maxReadRequest(),
                    l.readBoundary(),
                    l.upDelayPs(),
                    l.downDelayPs(),
                    l.switchHops(),
                    l.hopPs(),
                    l.tags()
                })
                .containsExactly(8, 256, 1024, 128, 12_000, 12_000, 2, 9_000, 77);
        assertThat(l.joinCompletions()).isFalse();
        assertThat(l.ordering()).isEqualTo(new PcieOrdering(5_000, true));
        assertThat(l.upCredits().postedHeaders()).isEqualTo(31);
        assertThat(l.upCredits().postedData()).isEqualTo(40);
        assertThat(l.upCredits().nonPostedHeaders()).isEqualTo(21);
        assertThat(l.upCredits().nonPostedData()).isEqualTo(21);
        assertThat(l.troubles()).isEqualTo(new LinkTroubles(null, List.of(), 60_000_000));
        PcieLinkSpec joined = HostParts.pcie(
                with("pcie.rcb", "mps", "pcie.propagation_ns", "0", "pcie.credits.nonposted_headers", "1"));
        assertThat(joined.joinCompletions()).isTrue();
        assertThat(joined.readBoundary()).isEqualTo(64);
        assertThat(joined.upDelayPs()).isEqualTo(1);
        assertThat(joined.upCredits().nonPostedData())
                .as("the largest needs two")
                .isEqualTo(2);
        PcieLinkSpec bad = HostParts.pcie(with("pcie.ber", "1e-9", "pcie.retry_bytes", "5000", "pcie.retrain_ns", "8"));
        assertThat(bad.troubles().dataLink()).isEqualTo(new DataLinkSpec(1e-9, 5000, 8_000, List.of()));
    }

    @Test
    void creditsAreThoseOfAPacketAtLeast() {
        assertThatCode(() -> HostParts.pcie(with("pcie.mps", "512", "pcie.credits.posted_data", "32")))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> HostParts.pcie(with("pcie.mps", "512", "pcie.credits.posted_data", "31")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("pcie.credits.posted_data=31: with pcie.mps=512")
                .hasMessageContaining("from 32");
    }

    @ParameterizedTest
    @CsvSource({"exact,EXACT", "pcie-bench,PCIE_BENCH", "framing,FRAMING"})
    void waysToCountDllps(String text, DllpMode mode) {
        assertThat(HostParts.pcie(with("pcie.dllp", text)).dllpMode()).isEqualTo(mode);
    }

    /** A switch cuts the link's delay in two halves, of which neither is nothing. */
    @ParameterizedTest
    @CsvSource({"12,6000,6000", "0.003,1,2", "0.001,1,1", "0,1,1"})
    void aSwitchHalvesTheWay(String ns, long above, long below) {
        PcieLinkSpec whole = HostParts.pcie(with("pcie.propagation_ns", ns, "pcie.switch_hops", "3"));
        PcieLinkSpec up = HostParts.above(whole);
        PcieLinkSpec down = HostParts.below(whole);
        assertThat(up.upDelayPs()).isEqualTo(above);
        assertThat(up.downDelayPs()).isEqualTo(above);
        assertThat(down.upDelayPs()).isEqualTo(below);
        assertThat(down.downDelayPs()).isEqualTo(below);
        assertThat(up.switchHops()).isEqualTo(3);
        assertThat(down.switchHops()).as("they are in front of the switch").isZero();
    }

    @Test
    void switchesOfPcieAndOfTheFabric() {
        assertThat(HostParts.pcieSwitch(CX7)).isNull();
        assertThat(HostParts.pcieSwitch(with("pcie.switch", "gen5"))).isEqualTo(PcieSwitchSpec.GEN5);
        assertThat(HostParts.pcieSwitch(with("pcie.switch", "on_chip"))).isEqualTo(PcieSwitchSpec.ON_CHIP);
        assertThat(HostParts.between(with("link.switch", "none"))).isNull();
        assertThat(HostParts.between(with("link.switch", "cut-through", "link.switch_ns", "100")))
                .isEqualTo(new SwitchSpec(100_000, true));
        assertThat(HostParts.between(with("link.switch", "store-and-forward", "link.switch_ns", "0")))
                .isEqualTo(new SwitchSpec(1, false));
    }

    /** A pause frame of 84 bytes stands behind a frame of 4218, and travels. */
    @Test
    void aLineAndItsPauses() {
        LinkSpec line = HostParts.line(with("link.gbps", "80", "link.cable_ns", "15", "link.phy_ns", "7"));
        assertThat(line).isEqualTo(LinkSpec.ethernet(80, 15_000, 7_000));
        assertThat(HostParts.pauseDelay(line)).isEqualTo((4218 + 84) * 100 + 22_000);
        assertThat(HostParts.line(with("link.framing", "infiniband")).framing()).isEqualTo(Framing.INFINIBAND);
        assertThat(HostParts.line(with("link.cable_ns", "0", "link.phy_ns", "0"))
                        .flightPs())
                .isEqualTo(1);
    }

    @Test
    void whatAHostHasOnRequest() {
        HostDepth none = HostFeatures.of(CX7);
        assertThat(none.iommu()).isNull();
        assertThat(none.ddio()).isNull();
        assertThat(none.sched()).isNull();
        assertThat(none.pages()).isEqualTo(HugePages.NEVER);
        HostDepth all = HostFeatures.of(with(
                "host.iommu.enabled",
                "true",
                "host.iommu.iotlb_entries",
                "32",
                "host.iommu.iotlb_ways",
                "8",
                "host.iommu.hit_ns",
                "1",
                "host.iommu.walk_ns",
                "2",
                "host.iommu.walkers",
                "3",
                "host.iommu.fault",
                "ca",
                "host.ddio.modelled",
                "true",
                "host.ddio.ways",
                "3",
                "host.llc.ways",
                "12",
                "host.llc.kbytes",
                "24",
                "host.stall.period_ns",
                "4",
                "host.stall.duration_ns",
                "3",
                "host.stall.probability",
                "0.25",
                "host.stall.begins",
                "access",
                "host.jitter.median_ns",
                "5",
                "host.jitter.sigma",
                "0.5",
                "host.isolcpus",
                "false",
                "host.sched.tick_ns",
                "6000",
                "host.sched.tick_cost_ns",
                "7",
                "host.sched.load",
                "0.5",
                "host.sched.slice_ns",
                "8",
                "host.huge_pages",
                "1G"));
        assertThat(all.iommu()).isEqualTo(new IommuSpec(32, 8, 1000, 2000, 3, CompletionStatus.CA));
        assertThat(all.ddio()).isEqualTo(new DdioSpec(24 * 1024, 12, 3));
        assertThat(all.stalls()).isEqualTo(new StallSpec(4000, 3000, 0.25, true, 5000, 0.5));
        assertThat(all.sched()).isEqualTo(new SchedSpec(6_000_000, 7000, 0.5, 8000));
        assertThat(all.pages()).isEqualTo(HugePages.POOL_1G);
        assertThat(Objects.requireNonNull(HostFeatures.of(with("host.iommu.enabled", "true"))
                                .iommu())
                        .refusal())
                .isEqualTo(CompletionStatus.UR);
        assertThat(none.stalls().onAccess()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"never,NEVER", "transparent,TRANSPARENT", "2M,POOL_2M", "1G,POOL_1G"})
    void pagesThatBuffersGet(String text, HugePages pages) {
        assertThat(HostFeatures.of(with("host.huge_pages", text)).pages()).isEqualTo(pages);
    }

    /** Values are checked even where nothing is built from them. */
    @Test
    void valuesThatCannotBeAreNamed() {
        assertThatThrownBy(() -> HostFeatures.of(with("host.iommu.iotlb_entries", "60", "host.iommu.iotlb_ways", "7")))
                .hasMessageContaining("host.iommu.iotlb_entries=60 host.iommu.iotlb_ways=7");
        assertThatThrownBy(() -> HostFeatures.of(with("host.ddio.ways", "12", "host.llc.ways", "11")))
                .hasMessageContaining("host.ddio.ways=12");
        assertThatThrownBy(() -> HostFeatures.ats(with("pcie.atc_entries", "60", "pcie.atc_ways", "7")))
                .hasMessageContaining("pcie.atc_entries=60 pcie.atc_ways=7");
    }

    @Test
    void translationsAreKeptOnlyWhereSomebodyTranslates() {
        assertThat(HostFeatures.ats(CX7)).isNull();
        assertThat(HostFeatures.ats(with("host.iommu.enabled", "true"))).isNull();
        assertThat(HostFeatures.ats(with(
                        "host.iommu.enabled",
                        "true",
                        "pcie.ats",
                        "true",
                        "pcie.atc_entries",
                        "64",
                        "pcie.atc_ways",
                        "4")))
                .isEqualTo(new AtsSpec(64, 4));
        assertThatThrownBy(() -> HostFeatures.ats(with("pcie.ats", "true")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("pcie.ats=true: with host.iommu.enabled=false");
    }

    @Test
    void registrationHasItsCosts() {
        assertThat(HostFeatures.registration(
                        with("host.reg.pin_page_ns", "1", "host.reg.unpin_page_ns", "2", "host.reg.mtt_entry_ns", "3")))
                .isEqualTo(new RegistrationSpec(1000, 2000, 3000, 0));
    }

    @Test
    void aCopyOfALabDiffersInOneThing() {
        LabSpec spec = LabSpec.of(7);
        assertThat(spec).isEqualTo(new LabSpec(SimSpec.of(7), PayloadMode.BYTES, 0));
        Numbering one = Numbering.counting();
        FaultPlan plan = FaultPlan.of(FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Frames(List.of(1L))));
        PcieFaults pcie = PcieFaults.ofClient(new TlpFault(true, TlpType.MWR, 1, TlpFault.What.LOSE, 0));
        LabSpec all = spec.withMode(KernelMode.EXHAUSTIVE)
                .withPayload(PayloadMode.SIZES)
                .withFullHash(true)
                .withJourneys(9)
                .withNumbering(one, null)
                .withFaults(plan)
                .withPcieFaults(pcie);
        assertThat(all.kernel())
                .isEqualTo(SimSpec.of(7).withMode(KernelMode.EXHAUSTIVE).withFullHash(true));
        assertThat(all.payload()).isEqualTo(PayloadMode.SIZES);
        assertThat(all.journeys()).isEqualTo(9);
        assertThat(all.client()).isSameAs(one);
        assertThat(all.server()).isNull();
        assertThat(all.soft()).isNull();
        assertThat(all.faults()).isSameAs(plan);
        assertThat(all.pcie()).isSameAs(pcie);
        assertThat(all.withKernel(SimSpec.of(8)).kernel()).isEqualTo(SimSpec.of(8));
        assertThat(all.withSoft(null)).isEqualTo(all);
    }

    @Test
    void faultsOfPcieAreOfOneSide() {
        TlpFault fault = new TlpFault(true, TlpType.MWR, 1, TlpFault.What.LOSE, 0);
        assertThat(PcieFaults.ofClient(fault)).isEqualTo(new PcieFaults(List.of(fault), List.of()));
        assertThat(PcieFaults.ofServer(fault)).isEqualTo(new PcieFaults(List.of(), List.of(fault)));
        assertThat(PcieFaults.NONE).isEqualTo(new PcieFaults(List.of(), List.of()));
    }

    private static FaultRule packet(PacketFault what, String node, boolean toHost, String type, Long... numbers) {
        return FaultRule.of(
                new FaultAction.OnPacket(what, node, toHost, type), new FaultTrigger.Frames(List.of(numbers)));
    }

    @ParameterizedTest
    @CsvSource({"DROP,LOSE", "DELAY,DELAY", "POISON,POISON", "MALFORM,MALFORM", "UR,REFUSE", "CA,ABORT"})
    void rulesAboutPacketsAreFaultsOfTheLink(PacketFault what, TlpFault.What is) {
        LinkTroubles given = new LinkTroubles(null, List.of(), 60_000_000);
        String type = is == TlpFault.What.REFUSE || is == TlpFault.What.ABORT ? "MRd" : "CplD";
        FaultPlan plan =
                FaultPlan.of(packet(what, "host0", false, type, 3L, 5L), packet(what, "host1", false, type, 9L));
        LinkTroubles all = PacketFaults.planned(given, plan, "host0");
        assertThat(all.completionTimeoutPs()).isEqualTo(60_000_000);
        assertThat(all.dataLink()).isNull();
        assertThat(all.tlpFaults()).hasSize(2);
        TlpFault second = all.tlpFaults().get(1);
        assertThat(second.what()).isEqualTo(is);
        assertThat(second.number()).isEqualTo(5);
        assertThat(second.type().label()).isEqualTo(type);
        assertThat(second.delayPs())
                .as("10 us if the rule does not say")
                .isEqualTo(is == TlpFault.What.DELAY ? 10_000_000 : 0);
        assertThat(PacketFaults.planned(given, plan, "host2")).isEqualTo(given);
    }

    @Test
    void wrongBitsAreFaultsOfTheDataLinkLayer() {
        FaultPlan plan = FaultPlan.of(
                packet(PacketFault.CORRUPT_TLP, "host0", true, "", 3L),
                packet(PacketFault.CORRUPT_DLLP, "host0", false, "", 4L));
        LinkTroubles all = PacketFaults.planned(new LinkTroubles(null, List.of(), 0), plan, "host0");
        assertThat(all.tlpFaults()).isEmpty();
        DataLinkSpec layer = Objects.requireNonNull(all.dataLink());
        assertThat(layer.bitErrorRate()).isZero();
        assertThat(layer.damages())
                .containsExactly(new DataLinkSpec.Damage(true, false, 3), new DataLinkSpec.Damage(false, true, 4));
        DataLinkSpec own = new DataLinkSpec(1e-9, 5, 6, List.of());
        assertThat(Objects.requireNonNull(PacketFaults.planned(new LinkTroubles(own, List.of(), 0), plan, "host0")
                                .dataLink())
                        .bitErrorRate())
                .isEqualTo(1e-9);
    }

    @Test
    void rulesThatCannotHappenAreRefused() {
        FaultAction action = new FaultAction.OnPacket(PacketFault.DROP, "host0", true, "CplD");
        assertThatThrownBy(() -> PacketFaults.check(FaultRule.of(action, new FaultTrigger.At(5))))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("by their numbers only");
        FaultAction damage = new FaultAction.OnPacket(PacketFault.CORRUPT_TLP, "host0", true, "");
        assertThatThrownBy(() -> PacketFaults.check(FaultRule.of(damage, new FaultTrigger.At(5))))
                .hasMessageContaining("by their numbers only");
        assertThatThrownBy(() -> PacketFaults.check(packet(PacketFault.DROP, "host0", true, "ClpD", 1L)))
                .hasMessageContaining("unknown packet type 'ClpD'")
                .hasMessageContaining("CplD");
        assertThatCode(() -> PacketFaults.check(FaultRule.of(new FaultAction.Drop(), new FaultTrigger.At(5))))
                .as("not about packets")
                .doesNotThrowAnyException();
        assertThatCode(() -> PacketFaults.check(packet(PacketFault.DROP, "host0", true, "CplD", 1L)))
                .doesNotThrowAnyException();
    }

    @Test
    void aLabKeepsNoNegativeNumberOfStamps() {
        assertThatThrownBy(() -> LabSpec.of(1).withJourneys(-1))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("journeys -1");
    }
}
