package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.lab.PcieFaults;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nic.regs.NicRegisters;
import dev.clockwire.pcie.link.LinkDirection;
import dev.clockwire.pcie.link.LinkError;
import dev.clockwire.pcie.link.TlpFault;
import dev.clockwire.pcie.link.TlpFault.What;
import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.stats.Stat;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a program sees when a NIC's request to its host is lost, refused or answered with wrong data. */
class PcieErrorsTest {
    private static final boolean UP = true;
    private static final boolean DOWN = false;
    /** The first read of a queue pair is its receive record; the WQE comes in the BlueFlame write, so payload is the second. */
    private static final int FIRST_PAYLOAD = 2;

    private static Pair pair(PcieFaults faults) {
        Lab lab = Lab.twoHosts(
                Profiles.named("cx7-400g").with("pcie.completion_timeout_us", "100"),
                LabSpec.of(1).withPcieFaults(faults));
        return new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
    }

    private static long errors(Pair.Side side) {
        return side.host.nic().registers().read(NicRegisters.BAR, NicRegisters.PCI_ERR_STS, 4);
    }

    private static List<WcStatus> post(Pair p, int count) {
        for (int i = 0; i < count; i++) {
            new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 400);
        }
        List<WcStatus> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(p.next(p.a).status);
        }
        return all;
    }

    @ParameterizedTest
    @CsvSource({"LOSE, 4", "REFUSE, 0", "ABORT, 0"})
    void payloadThatCannotBeReadFailsItsWorkRequestAndTheQueuePair(What what, int bits) {
        Pair p = pair(PcieFaults.ofClient(TlpFault.of(UP, TlpType.MRD, FIRST_PAYLOAD, what)));
        assertThat(post(p, 3)).containsExactly(WcStatus.LOC_QP_OP_ERR, WcStatus.WR_FLUSH_ERR, WcStatus.WR_FLUSH_ERR);
        assertThat(p.a.qp.state()).isEqualTo(QpState.ERR);
        assertThat(errors(p.a) & ~2).isEqualTo(bits);
        assertThat(errors(p.b)).isZero();
    }

    @Test
    void poisonedPayloadIsNotSent() {
        Pair p = pair(PcieFaults.ofClient(TlpFault.of(DOWN, TlpType.CPLD, FIRST_PAYLOAD, What.POISON)));
        assertThat(post(p, 2)).containsExactly(WcStatus.LOC_QP_OP_ERR, WcStatus.WR_FLUSH_ERR);
        assertThat(errors(p.a) & ~2).isEqualTo(1 << 6 | 1);
        assertThat(p.a.host.nic().endpoint().link().troubles().completionTimeoutPs())
                .isEqualTo(100_000_000);
    }

    @Test
    void memoryThatAPeerAsksForAndCannotBeReadIsRefusedWithARemoteOperationError() {
        Pair p = pair(PcieFaults.ofServer(TlpFault.of(UP, TlpType.MRD, FIRST_PAYLOAD, What.ABORT)));
        new Posts(p.a, p.b).post(WrOpcode.RDMA_READ, 400);
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.REM_OP_ERR);
        assertThat(p.a.qp.state()).isEqualTo(QpState.ERR);
        p.lab.sim().run(p.lab.sim().now() + 10_000_000);
        assertThat(p.b.qp.state()).isEqualTo(QpState.ERR);
    }

    @Test
    void anAtomicWhoseOperandCannotBeReadChangesNothing() {
        Pair p = pair(PcieFaults.ofServer(TlpFault.of(UP, TlpType.MRD, FIRST_PAYLOAD, What.ABORT)));
        byte[] before = p.b.read(0, 8);
        new Posts(p.a, p.b).post(WrOpcode.ATOMIC_FETCH_AND_ADD, 8);
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.REM_OP_ERR);
        assertThat(p.b.read(0, 8)).isEqualTo(before);
    }

    @Test
    void aPoisonedWriteOfThePeerDoesNotReachMemoryAndIsCountedByTheHost() {
        Pair p = pair(PcieFaults.ofServer(TlpFault.of(UP, TlpType.MWR, 1, What.POISON)));
        byte[] data = new byte[200];
        java.util.Arrays.fill(data, (byte) 5);
        p.a.write(0, data);
        assertThat(post(p, 1)).containsExactly(WcStatus.SUCCESS); // posted: nobody tells the device
        p.lab.sim().run(p.lab.sim().now() + 10_000_000);
        assertThat(p.b.read(0, 1)[0]).isZero();
        assertThat(p.b.host.host().port(0).errors().poisoned()).isEqualTo(1);
    }

    /** With a switch there are two links from host to NIC: what happens to a packet happens on one of them. */
    @ParameterizedTest
    @CsvSource({"none, true", "gen5, true", "none, false", "gen5, false"})
    void aPacketIsDamagedOnceHoweverManyLinksItTakes(String between, boolean toHost) {
        FaultAction damage = new FaultAction.OnPacket(FaultAction.PacketFault.CORRUPT_TLP, "host0", toHost, "");
        FaultRule rule = FaultRule.of(damage, new FaultTrigger.Frames(List.of(4L)));
        Lab lab = Lab.twoHosts(
                Profiles.named("cx7-400g").with("pcie.switch", between),
                LabSpec.of(1).withFaults(FaultPlan.of(rule)));
        Pair p = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
        assertThat(post(p, 20)).containsOnly(WcStatus.SUCCESS);
        assertThat(badPackets(lab, "host0")).isEqualTo(1);
        assertThat(badPackets(lab, "host1")).isZero();
        LinkDirection receiver = toHost
                ? lab.a().host().port(0).transmitter()
                : lab.a().nic().endpoint().transmitter();
        assertThat(Objects.requireNonNull(receiver.errors()).count(LinkError.BAD_TLP))
                .isEqualTo(1);
    }

    private static long badPackets(Lab lab, String host) {
        return lab.sim().stats().all().stream()
                .map(Stat::name)
                .filter(n -> n.startsWith(host + ".") && n.endsWith(".bad_tlps"))
                .mapToLong(lab.sim().stats()::value)
                .sum();
    }

    @Test
    void behindASwitchAFaultStrikesAtTheEndThatReceives() {
        TlpFault up = TlpFault.of(UP, TlpType.MWR, 1, What.POISON);
        TlpFault down = TlpFault.of(DOWN, TlpType.CPLD, FIRST_PAYLOAD, What.POISON);
        Lab lab = Lab.twoHosts(
                Profiles.named("cx7-400g").with("pcie.switch", "gen5"),
                LabSpec.of(1).withPcieFaults(new PcieFaults(List.of(down), List.of(up))));
        Pair p = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
        assertThat(post(p, 2)).containsExactly(WcStatus.LOC_QP_OP_ERR, WcStatus.WR_FLUSH_ERR);
        assertThat(lab.a().nic().endpoint().transmitter().struck(down)).isEqualTo(1);
        assertThat(Objects.requireNonNull(lab.a().pcieSwitch()).transmitter().struck(down))
                .isZero();
        p = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
        assertThat(post(p, 1)).containsExactly(WcStatus.SUCCESS);
        lab.sim().run(lab.sim().now() + 10_000_000);
        assertThat(lab.b().host().port(0).errors().poisoned()).isEqualTo(1);
    }

    @Test
    void otherQueuePairsGoOn() {
        Lab lab = Lab.twoHosts(
                Profiles.named("cx7-400g").with("pcie.completion_timeout_us", "100"),
                LabSpec.of(1)
                        .withPcieFaults(
                                PcieFaults.ofClient(TlpFault.of(UP, TlpType.MRD, FIRST_PAYLOAD + 1, What.LOSE))));
        Pair broken = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
        Pair other = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
        new Posts(broken.a, broken.b).post(WrOpcode.RDMA_WRITE, 400);
        assertThat(post(other, 5)).containsOnly(WcStatus.SUCCESS);
        assertThat(lab.sim().now()).isLessThan(100_000_000);
        assertThat(broken.next(broken.a).status).isEqualTo(WcStatus.LOC_QP_OP_ERR);
    }

    @Test
    void receivesThatCannotBeReadBreakTheirQueuePair() {
        Pair p = pair(PcieFaults.ofServer(TlpFault.of(UP, TlpType.MRD, 2, What.REFUSE)));
        p.lab.sim().run(p.lab.sim().now() + 10_000_000);
        new Posts(p.b, p.a).receive(0, 100);
        new Posts(p.a, p.b).post(WrOpcode.SEND, 50);
        p.lab.sim().run(p.lab.sim().now() + 20_000_000);
        assertThat(p.b.qp.state()).isEqualTo(QpState.ERR);
    }
}
