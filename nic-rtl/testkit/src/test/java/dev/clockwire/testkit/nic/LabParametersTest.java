package dev.clockwire.testkit.nic;

import static dev.clockwire.testkit.SimAssertions.assertThat;
import static dev.clockwire.testkit.SimAssertions.assertThatJourney;
import static dev.clockwire.testkit.nic.NicAssertions.assertThat;
import static dev.clockwire.testkit.nic.NicAssertions.assertThatMemory;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.StarLab;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.WcOpcode;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.testkit.Seed;
import dev.clockwire.testkit.SimTest;
import org.junit.jupiter.api.BeforeEach;

/** What a test may ask for. */
class LabParametersTest {
    private LabMaker before;

    @BeforeEach
    void prepare(LabMaker maker) {
        before = maker;
    }

    @SimTest
    void everythingIsAboutOneLab(Lab lab, Pair pair, Posts posts, FrameLog frames, LabMaker maker, @Seed long seed) {
        assertThat(maker).isSameAs(before);
        assertThat(lab).isSameAs(pair.lab);
        assertThat(lab.sim().spec().seed()).isEqualTo(seed);
        assertThat(lab.profile().name()).isEqualTo(Profiles.DEFAULT);
        pair.a.write(0, new byte[] {1, 2, 3});
        long id = posts.post(WrOpcode.RDMA_WRITE, 3);
        assertThat(pair.next(pair.a)).isSuccess().isOf(id).hasOpcode(WcOpcode.RDMA_WRITE);
        lab.sim().run(lab.sim().now() + 1_000_000);
        assertThat(pair.b).holds(0, new byte[] {1, 2, 3, 0}).hasNoCompletion();
        assertThatMemory(pair.b.host, pair.b.at(3), 100).isZero();
        assertThat(frames)
                .hasOpcodes(Opcode.RC_RDMA_WRITE_ONLY, Opcode.RC_ACKNOWLEDGE)
                .hasNoRetransmission();
        assertThat(lab.sim().stats()).hasZero("*.local_ack_timeout_err");
    }

    @SimTest(modes = KernelMode.ACTIVITY)
    @LabSetup(
            profile = "article-1",
            set = {"link.cable_ns=500", "nic.dma.payload_outstanding_reads=8"},
            journeys = 1 << 14,
            sanitizer = true,
            service = QpType.UC)
    void theSetupIsHeeded(LabMaker maker, Pair pair, Posts posts) {
        assertThat(maker.profile().name()).startsWith("article-1");
        assertThat(pair.a.qp.type()).isEqualTo(QpType.UC);
        posts.post(WrOpcode.RDMA_WRITE, 3000);
        assertThat(pair.next(pair.a)).isSuccess();
        pair.lab.sim().run(pair.lab.sim().now() + 10_000_000);
        assertThatMemory(pair.lab).hasNoLateAccess();
        long cable = 500_000;
        assertThatJourney(pair.lab.sim(), 0)
                .passes("wqe_fetch", "payload_dma", "wire")
                .spendsBetween("wire", cable, 2 * cable);
    }

    @SimTest(modes = KernelMode.ACTIVITY)
    @LabSetup(software = true)
    void softwareDevicesAreLabsToo(Lab lab, LabMaker maker) {
        assertThat(lab.a().isHardware()).isFalse();
        assertThat(maker.pair(spec -> spec.withSoft(null)).lab.a().isHardware()).isTrue();
    }

    @SimTest(modes = KernelMode.ACTIVITY)
    @LabSetup(set = "link.switch=store-and-forward")
    void starsAreListenedTo(LabMaker maker) {
        StarLab star = maker.star(3, spec -> spec);
        FrameLog frames = FrameLog.of(star);
        Pair.Side[] sides = new Pair.Side[3];
        for (int i = 0; i < sides.length; i++) {
            sides[i] = new Pair.Side(star, star.host(i), QpType.RC, Allocation.Kind.REAL, 16);
        }
        Connections.join(star, sides[2].qp, star.host(0).gid(), sides[0].qp.qpn(), 5, 9, Mtu.MTU_1024);
        Connections.join(star, sides[0].qp, star.host(2).gid(), sides[2].qp.qpn(), 9, 5, Mtu.MTU_1024);
        new Posts(sides[2], sides[0]).post(WrOpcode.RDMA_WRITE, 100);
        star.sim().runUntil(sides[2].cq::hasCompletion, star.sim().now() + 1_000_000_000);
        assertThat(sides[2]).isIn(QpState.RTS).nextCompletion().isSuccess();
        assertThat(frames).from("host2").hasOpcodes(Opcode.RC_RDMA_WRITE_ONLY);
        assertThat(frames).from("host0").hasOpcodes(Opcode.RC_ACKNOWLEDGE);
        assertThat(frames).from("host1").isEmpty();
    }

    @SimTest(modes = KernelMode.ACTIVITY)
    @LabSetup(set = "link.cable_ns")
    void aChangeWithoutAValueIsRefused(LabMaker maker) {
        assertThatThrownBy(maker::profile)
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("@LabSetup(set = \"link.cable_ns\"): must be path=value");
    }
}
