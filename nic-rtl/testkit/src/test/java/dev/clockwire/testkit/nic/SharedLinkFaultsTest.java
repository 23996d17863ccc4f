package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.lab.PcieFaults;
import dev.clockwire.nic.lab.SharedLinkLab;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.pcie.link.TlpFault;
import dev.clockwire.pcie.link.TlpFault.What;
import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultAction.PacketFault;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whose packets faults hit where two NICs share a link, and what cannot happen there. */
class SharedLinkFaultsTest {
    private static Profile profile() {
        return Profiles.named("cx5-100g").with("pcie.switch", "gen5").with("pcie.completion_timeout_us", "100");
    }

    private static SharedLinkLab lab(LabSpec spec) {
        return SharedLinkLab.of(profile(), spec);
    }

    private static FaultPlan plan(FaultAction action) {
        return FaultPlan.of(FaultRule.of(action, new FaultTrigger.Frames(List.of(1L))));
    }

    private static LabSpec spec() {
        return LabSpec.of(1);
    }

    @Test
    void thereIsNoServer() {
        TlpFault fault = TlpFault.of(true, TlpType.MRD, 1, What.REFUSE);
        assertThatThrownBy(() -> lab(spec().withPcieFaults(PcieFaults.ofServer(fault))))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("PCIe faults of the server");
        FaultAction pause = new FaultAction.OnNode(NodeFault.RESET, "host0");
        assertThatThrownBy(() -> lab(spec().withFaults(plan(pause))))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("reset cannot happen");
        FaultAction nobody = new FaultAction.OnPacket(PacketFault.UR, "host1", true, "MRd");
        assertThatThrownBy(() -> lab(spec().withFaults(plan(nobody))))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("there is no host 'host1'");
    }

    /** A packet for a NIC is lost in front of the one whose link is meant, not of its neighbour or a peer. */
    @Test
    void faultsHitTheHostThatTheyName() {
        for (String name : List.of("host0", "peer0", "peer1")) {
            FaultAction lost = new FaultAction.OnPacket(PacketFault.DROP, name, false, "MWr");
            SharedLinkLab lab = lab(spec().withFaults(plan(lost)));
            List<LabHost> hosts = List.of(lab.function(0), lab.function(1), lab.peer(0), lab.peer(1));
            for (LabHost host : hosts) {
                long bar = host.nic().endpoint().barAddress(0);
                host.core().mmioWrite(bar + 0x3004, 1234, 4);
                host.core().mmioWrite(bar + 0x3014, 1234, 4);
            }
            lab.sim().run(10_000_000);
            for (LabHost host : hosts) {
                boolean meant = host.name().equals(name) && host != lab.function(1);
                assertThat(host.nic().registers().rates().burst(0))
                        .as("%s, fault of %s", host.name(), name)
                        .isEqualTo(meant ? 65_536 : 1234);
                assertThat(host.nic().registers().rates().burst(1)).isEqualTo(1234);
            }
        }
    }
}
