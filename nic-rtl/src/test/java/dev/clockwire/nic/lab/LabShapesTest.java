package dev.clockwire.nic.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.driver.EthernetSpec;
import dev.clockwire.nic.driver.NicEthernet;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.cm.CmTimes;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.verbs.Numbering;
import dev.clockwire.roce.wire.PortAddress;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.PacketFault;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.sim.state.Token;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which hosts, lines and switches each lab has, and what it refuses to build. */
class LabShapesTest {
    private static final Profile CX7 = Profiles.named("cx7-400g");
    private static final Profile SWITCHED = CX7.with("link.switch", "store-and-forward");
    private static final LabSpec SPEC = LabSpec.of(1);

    private static Gid address(int host) {
        return Gid.ofIpv4(10 << 24 | host);
    }

    @Test
    void aStarHasItsHostsAroundASwitch() {
        StarLab lab = StarLab.of(SWITCHED, SPEC, 3);
        assertThat(lab.size()).isEqualTo(3);
        for (int i = 0; i < 3; i++) {
            assertThat(lab.host(i).name()).isEqualTo("host" + i);
            assertThat(lab.host(i).gid()).isEqualTo(address(i + 1));
            assertThat(lab.host(i).gid6()).isNotEqualTo(lab.host((i + 1) % 3).gid6());
            assertThat(lab.link(i).a()).isNotSameAs(lab.link((i + 1) % 3).a());
        }
        assertThat(lab.hub()).isNotNull();
        assertThat(lab.await(lab.host(2).context().allocPd())).isNotNull();
        assertThat(lab.sim().now()).isEqualTo(1_000_000);
        assertThat(StarLab.of(SWITCHED, SPEC, 2).size()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1, 65})
    void aStarHasTwoHostsAtLeastAnd64AtMost(int hosts) {
        assertThatThrownBy(() -> StarLab.of(SWITCHED, SPEC, hosts))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("a star of " + hosts + " hosts: must be 2..64");
    }

    @Test
    void starsThatCannotBeBuilt() {
        assertThatThrownBy(() -> StarLab.of(CX7, SPEC, 2)).hasMessageContaining("link.switch=none");
        assertThatThrownBy(() -> StarLab.of(SWITCHED, SPEC.withNumbering(Numbering.counting(), null), 2))
                .hasMessageContaining("cannot be given");
        assertThatThrownBy(() -> StarLab.of(SWITCHED, SPEC.withNumbering(null, Numbering.counting()), 2))
                .hasMessageContaining("cannot be given");
    }

    @Test
    void twoHostsBackToBackOrWithASwitch() {
        Lab direct = Lab.twoHosts(CX7, SPEC);
        assertThat(direct.endOfA()).isSameAs(direct.link().a()).isSameAs(direct.facingB());
        assertThat(direct.endOfB()).isSameAs(direct.link().b()).isSameAs(direct.facingA());
        assertThat(direct.profile()).isSameAs(CX7);
        assertThat(direct.faults()).isEmpty();
        assertThat(direct.a().gid()).isEqualTo(address(1));
        assertThat(direct.b().gid()).isEqualTo(address(2));
        Lab switched = Lab.twoHosts(SWITCHED, SPEC);
        assertThat(switched.endOfA()).isSameAs(switched.link().a());
        assertThat(switched.facingA()).isSameAs(switched.link().b());
        assertThat(switched.endOfB()).isNotSameAs(switched.link().b());
        assertThat(switched.facingB()).isNotSameAs(switched.link().a());
        assertThat(switched.sim().stats().all())
                .hasSizeGreaterThan(direct.sim().stats().all().size());
    }

    @Test
    void journeysAreFollowedOnlyOnDemand() {
        assertThat(Lab.twoHosts(CX7, SPEC).sim().journeys()).isNull();
        assertThat(Lab.twoHosts(CX7, SPEC.withJourneys(8)).sim().journeys()).isNotNull();
        assertThat(StarLab.of(SWITCHED, SPEC, 2).sim().journeys()).isNull();
        assertThat(StarLab.of(SWITCHED, SPEC.withJourneys(8), 2).sim().journeys())
                .isNotNull();
    }

    @Test
    void twoNicsBehindOneSwitch() {
        Profile p = CX7.with("pcie.switch", "gen5");
        SharedLinkLab lab = SharedLinkLab.of(p, SPEC);
        assertThat(lab.pcieSwitch()).isSameAs(lab.function(1).pcieSwitch());
        assertThat(lab.function(0).host()).isSameAs(lab.function(1).host());
        assertThat(lab.function(0).core()).isNotSameAs(lab.function(1).core());
        assertThat(lab.function(0).device().name()).isEqualTo("mlx5_0");
        assertThat(lab.function(1).device().name()).isEqualTo("mlx5_1");
        for (int i = 0; i < 2; i++) {
            assertThat(lab.function(i).gid()).isEqualTo(address(1 + i));
            assertThat(lab.peer(i).gid()).isEqualTo(address(3 + i));
            assertThat(lab.peer(i).name()).isEqualTo("peer" + i);
        }
        assertThat(lab.link(0)).isNotSameAs(lab.link(1));
        assertThat(lab.sim().journeys()).isNull();
        assertThat(lab.await(lab.peer(1).context().allocPd())).isNotNull();
        assertThat(Lab.twoHosts(CX7, SPEC).a().pcieSwitch()).isNull();
        assertThat(Lab.twoHosts(p, SPEC).a().pcieSwitch()).isNotNull();
    }

    @Test
    void sharedLinksThatCannotBeBuilt() {
        Profile p = CX7.with("pcie.switch", "gen5");
        assertThatThrownBy(() -> SharedLinkLab.of(CX7, SPEC)).hasMessageContaining("pcie.switch=none");
        assertThatThrownBy(() -> SharedLinkLab.of(p.with("link.switch", "cut-through"), SPEC))
                .hasMessageContaining("link.switch=cut-through");
        assertThatThrownBy(() -> SharedLinkLab.of(p, SPEC.withSoft(SoftSpec.usual())))
                .hasMessageContaining("they are hardware");
        assertThatThrownBy(() -> SharedLinkLab.of(p, SPEC.withNumbering(Numbering.counting(), null)))
                .hasMessageContaining("cannot be given");
        assertThatThrownBy(() -> SharedLinkLab.of(p, SPEC.withNumbering(null, Numbering.counting())))
                .hasMessageContaining("cannot be given");
    }

    @Test
    void oneHostAndItsLine() {
        SoloLab lab = SoloLab.of(CX7, SPEC, new PortAddress(0x0200_0000_0005L, 10 << 24 | 5, 0, 5), (root, end) -> {
            end.attach(new EventPort(new SimNode(root, "peer") {}, "line") {
                @Override
                protected void event(int kind, long a, long b, @Nullable Token token) {}
            });
        });
        assertThat(lab.host().gid()).isEqualTo(address(5));
        assertThat(lab.link().a()).isNotNull();
        assertThat(lab.neighbours()).isNotNull();
        assertThat(lab.await(lab.host().context().allocPd())).isNotNull();
        assertThat(lab.sim().now()).isEqualTo(1_000_000);
    }

    @Test
    void aHostHasHardwareOrSoftware() {
        LabHost hard = Lab.twoHosts(CX7, SPEC).a();
        assertThat(hard.isHardware()).isTrue();
        assertThat(hard.nic().spec().coreMhz()).isEqualTo(CX7.integer("nic.core_mhz"));
        assertThatThrownBy(hard::soft)
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("mlx5_0 is hardware, no software device");
        LabHost soft = Lab.twoHosts(CX7, SPEC.withSoft(SoftSpec.usual())).a();
        assertThat(soft.isHardware()).isFalse();
        assertThat(soft.soft()).isNotNull();
        assertThatThrownBy(soft::nic)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("is a software device: there is no NIC");
        assertThatThrownBy(() -> soft.openEthernet(EthernetSpec.of(1), q -> {}))
                .hasMessageContaining("it has no Ethernet queues");
        hard.observeSends((qpn, index, ps) -> {});
        assertThat(hard.nic().parts().retireTap()).isNotNull();
        soft.observeSends((qpn, index, ps) -> {});
    }

    @Test
    void ethernetQueuesAreTheHostsOnceTheyAreOpen() {
        Lab lab = Lab.twoHosts(CX7.with("nic.eth.queues", "2"), SPEC);
        assertThat(lab.a().ethernet()).isNull();
        Completion<NicEthernet> opening = lab.a().openEthernet(EthernetSpec.of(2), q -> {});
        assertThat(lab.a().ethernet()).isNull();
        NicEthernet open = lab.await(opening);
        assertThat(lab.a().ethernet()).isSameAs(open);
        assertThat(open.queues()).isEqualTo(2);
        assertThat(open.sendSpace(1)).isEqualTo(256);
        assertThat(lab.b().ethernet()).isNull();
    }

    @Test
    void packetsOfSoftwareDevicesCannotBeHit() {
        FaultPlan plan = FaultPlan.of(FaultRule.of(
                new FaultAction.OnPacket(PacketFault.DROP, "host0", true, "CplD"),
                new FaultTrigger.Frames(List.of(1L))));
        assertThatThrownBy(
                        () -> Lab.twoHosts(CX7, SPEC.withSoft(SoftSpec.usual()).withFaults(plan)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("software devices have no link");
        assertThat(Lab.twoHosts(CX7, SPEC.withFaults(plan)).faults()).hasSize(1);
    }

    @Test
    void aVerbThatDoesNotEndIsAMistake() {
        Lab lab = Lab.twoHosts(CX7, SPEC);
        assertThatThrownBy(() -> lab.await(new Completion<Integer>()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("did not end within 1 s");
    }

    @Test
    void aConnectionManagerHasAProtectionDomainOfItsOwn() {
        Lab lab = Lab.twoHosts(CX7, SPEC);
        LabConnections connections = LabConnections.open(lab.sim(), lab.a(), CmTimes.LINUX);
        assertThat(Objects.requireNonNull(connections.manager()).cq()).isNotNull();
        assertThat(connections.pd()).isNotNull();
        int[] steps = {0};
        connections.run(core -> ++steps[0] < 5);
        lab.sim().run(lab.sim().now() + 10_000_000);
        assertThat(steps[0])
                .as("it is asked again as long as it finds something to do")
                .isEqualTo(5);
        connections.wake();
        lab.sim().run(lab.sim().now() + 10_000_000);
        assertThat(steps[0]).isEqualTo(6);
    }
}
