package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.lab.FabricLab;
import dev.clockwire.nic.lab.LabFlow;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.fabric.Framing;
import dev.clockwire.roce.fabric.bridge.BridgeSpec;
import dev.clockwire.roce.fabric.bridge.BufferSpec;
import dev.clockwire.roce.fabric.bridge.FabricSwitch;
import dev.clockwire.roce.fabric.bridge.MarkSpec;
import dev.clockwire.roce.fabric.bridge.PauseSpec;
import dev.clockwire.roce.fabric.bridge.PortSpec;
import dev.clockwire.roce.fabric.host.FlowSpec;
import dev.clockwire.roce.fabric.net.CableSpec;
import dev.clockwire.roce.fabric.net.FabricPlan;
import dev.clockwire.roce.fabric.net.Headroom;
import dev.clockwire.roce.fabric.net.NodeRules;
import dev.clockwire.roce.fabric.net.PortRule;
import dev.clockwire.roce.fabric.net.Topology;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.PayloadMode;
import dev.clockwire.testkit.Modes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole devices around the switches of a fabric. */
class FabricLabTest {
    private static final long KBPS = 100_000_000;
    private static final long US = 1_000_000;
    private static final FabricLab.FlowTerms TERMS = new FabricLab.FlowTerms(1024, 24, 10, 7);

    private static Profile hardware(boolean pauses) {
        return Profiles.named("cx7-400g")
                .with("link.gbps", "100")
                .with("link.mtu", "1024")
                .with("nic.pfc.classes", pauses ? "8" : "0");
    }

    private static Profile congested() {
        return hardware(true)
                .with("nic.rate.dcqcn", "vendor")
                .with("nic.ecn.capable", "true")
                .with("nic.ecn.notify", "qp");
    }

    private static FabricPlan star(int hosts, PortRule ports) {
        BridgeSpec bridge = BridgeSpec.of(BufferSpec.of(1 << 20)).withPause(PauseSpec.ofClass(3));
        return new FabricPlan(Topology.star(hosts, KBPS, US), Framing.ETHERNET, bridge, ports, NodeRules.NONE);
    }

    private static PortSpec port(CableSpec cable) {
        return PortSpec.of(Headroom.needed(cable, Framing.ETHERNET, 1102), -3);
    }

    private static PortSpec marking(CableSpec cable) {
        return port(cable).withMarks(3, MarkSpec.of(20_000, 100_000, 0.2));
    }

    private static List<FlowSpec> incast(int senders, long bytes) {
        List<FlowSpec> flows = new ArrayList<>();
        for (int i = 0; i < senders; i++) {
            flows.add(new FlowSpec("f" + i, i, senders, bytes, 0, -1));
        }
        return flows;
    }

    private static LabSpec spec(SimSpec kernel) {
        return new LabSpec(kernel.withWatchdogPs(0), PayloadMode.SIZES, 0);
    }

    private static FabricLab lab(Profile profile, LabSpec spec, FabricPlan plan, List<FlowSpec> flows) {
        return FabricLab.of(host -> profile, spec, plan, flows, host -> TERMS);
    }

    private static FabricLab run(FabricLab lab) {
        Sim sim = lab.sim();
        sim.runUntil(() -> lab.flows().stream().allMatch(f -> f.done() || f.failed()), sim.now() + 20_000 * US);
        return lab;
    }

    private static long drops(FabricLab lab) {
        FabricSwitch sw = lab.wiring().switches().get(0);
        long n = 0;
        for (int p = 0; p < sw.ports(); p++) {
            n += sw.counters(p).dropped(3);
        }
        return n;
    }

    private static String outcome(FabricLab lab) {
        StringBuilder out = new StringBuilder(Long.toHexString(lab.sim().traceHash()));
        for (LabFlow flow : lab.flows()) {
            out.append(' ')
                    .append(flow.done() ? flow.completionPs() : -1)
                    .append('/')
                    .append(flow.packetsSent());
        }
        return out.append(' ')
                .append(lab.notifications())
                .append(' ')
                .append(drops(lab))
                .toString();
    }

    /** The bottleneck sends without a gap: 4 x 489 packets of 1,082 bytes with frame check sequence, preamble and gap. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void pausesLoseNothing(boolean software) {
        LabSpec spec = spec(SimSpec.of(1)).withSoft(software ? SoftSpec.usual() : null);
        FabricLab lab = run(lab(hardware(true), spec, star(5, FabricLabTest::port), incast(4, 500_000)));
        assertThat(drops(lab)).isZero();
        assertThat(lab.flows()).allMatch(f -> f.done() && f.retransmissions() == 0);
        double bytes = 4 * (500_000 + 489 * 82.0);
        double ideal = bytes * 80; // ps at 100 Gb/s
        long last = lab.flows().stream().mapToLong(LabFlow::completionPs).max().orElse(0);
        assertThat((double) last).isBetween(ideal, ideal + 12 * US);
        FabricSwitch sw = lab.wiring().switches().get(0);
        assertThat(sw.counters(0).xoffFrames()).isPositive();
        if (!software) {
            assertThat(lab.hosts().get(0).nic().mac().pausedPs(3)).isPositive();
        }
    }

    /** Large packets, and a buffer that is mostly headroom: what a device has given to the line may not be more than the headroom allows for. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPauseIsObeyedWithinTheTimeOfTheStandard(boolean software) {
        LabSpec spec = spec(SimSpec.of(1)).withSoft(software ? SoftSpec.usual() : null);
        FabricPlan plan = star(5, cable -> PortSpec.of(Headroom.needed(cable, Framing.ETHERNET, 4174), -3));
        FabricLab.FlowTerms large = new FabricLab.FlowTerms(4096, 24, 10, 7);
        Profile profile = hardware(true).with("link.mtu", "4096");
        FabricLab lab = run(FabricLab.of(host -> profile, spec, plan, incast(4, 2_000_000), host -> large));
        assertThat(drops(lab)).isZero();
        assertThat(lab.flows()).allMatch(LabFlow::done);
    }

    /** The switch pauses, the NICs do not listen: frames are lost, and sent again. */
    @Test
    void oneEndWithoutFlowControlLoses() {
        FabricLab lab =
                run(lab(hardware(false), spec(SimSpec.of(1)), star(5, FabricLabTest::port), incast(4, 500_000)));
        assertThat(drops(lab)).isPositive();
        assertThat(lab.flows().stream().mapToLong(LabFlow::retransmissions).sum())
                .isPositive();
    }

    @Test
    void marksAreAnsweredAndCutRates() {
        FabricLab without =
                run(lab(hardware(true), spec(SimSpec.of(1)), star(3, FabricLabTest::marking), incast(2, 2_000_000)));
        FabricLab with =
                run(lab(congested(), spec(SimSpec.of(1)), star(3, FabricLabTest::marking), incast(2, 2_000_000)));
        assertThat(without.notifications()).isZero();
        assertThat(with.notifications()).isPositive();
        long handled = with.hosts().stream()
                .mapToLong(h -> h.nic().sendCounters().cnpHandled())
                .sum();
        assertThat(handled).isEqualTo(with.notifications());
        long queued = with.wiring().switches().get(0).counters(0).xoffFrames();
        assertThat(queued)
                .isLessThan(without.wiring().switches().get(0).counters(0).xoffFrames());
    }

    @Test
    void howItIsSimulatedIsInvisible() {
        List<FlowSpec> flows = new ArrayList<>(incast(3, 150_000));
        flows.add(new FlowSpec("other", 0, 1, 100_000, 3 * US, 0));
        FabricPlan plan = star(4, FabricLabTest::marking);
        String expected = null;
        for (Map.Entry<String, SimSpec> mode : Modes.all(5).entrySet()) {
            String found = outcome(run(lab(congested(), spec(mode.getValue()), plan, flows)));
            expected = expected == null ? found : expected;
            assertThat(found).as(mode.getKey()).isEqualTo(expected);
        }
        LabSpec bytes = spec(SimSpec.of(5)).withPayload(PayloadMode.BYTES);
        String whole = outcome(run(lab(congested(), bytes, plan, flows)));
        String sizes = outcome(run(lab(congested(), spec(SimSpec.of(5)), plan, flows)));
        assertThat(whole).isEqualTo(sizes);
    }

    @Test
    void aFlowWithoutAWayIsRefused() {
        Topology apart = new Topology(
                List.of("a", "b", "c", "d"),
                List.of("s", "t"),
                List.of(
                        new CableSpec("a", "s", KBPS, US, 0),
                        new CableSpec("b", "s", KBPS, US, 0),
                        new CableSpec("c", "t", KBPS, US, 0),
                        new CableSpec("d", "t", KBPS, US, 0)));
        FabricPlan plan = new FabricPlan(
                apart, Framing.ETHERNET, BridgeSpec.of(BufferSpec.of(1 << 20)), FabricLabTest::port, NodeRules.NONE);
        List<FlowSpec> flows = List.of(new FlowSpec("f", 0, 2, 1000, 0, -1));
        assertThatThrownBy(() -> lab(hardware(true), spec(SimSpec.of(1)), plan, flows))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("flow f: no way from a to c");
    }
}
