package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.cm.CmAttribute;
import dev.clockwire.roce.cm.CmEventType;
import dev.clockwire.roce.cm.CmId;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ScatterGather;
import dev.clockwire.roce.verbs.SendWorkRequest;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.sim.mem.Allocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults of other RDMA stacks, reported in public, that show only after a long time; docs/transport.md lists them all. */
class PublicLongRunFaultsTest {
    private static final long SECOND_PS = 1_000_000_000_000L;
    private static final int LENGTH = 20 * 1024;
    private static final int CONNECTIONS = 2000;

    private final WorkCompletion[] wc = WorkCompletion.array(16);

    /** Public fault 10, SoftRoCE/rxe-dev issue 28: lost packets led into a loop of repetitions without progress. */
    @ParameterizedTest
    @EnumSource
    void threeHundredSecondsOfLossesAreThreeHundredSecondsOfProgress(ConnectionRig.Provider provider) {
        FaultPlan losses = FaultPlan.of(FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Probability(0.01)));
        LabSpec spec = LabSpec.of(1)
                .withFaults(losses)
                .withSoft(provider == ConnectionRig.Provider.SOFTWARE ? SoftSpec.usual() : null);
        Pair p =
                new Pair(Lab.twoHosts(Profiles.named("cx7-400g"), spec), QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
        QueuePair[] senders = {p.a.qp, another(p, 1), another(p, 2)};
        long end = p.lab.sim().now() + 300 * SECOND_PS;
        long rounds = 0;
        while (p.lab.sim().now() < end) {
            for (QueuePair qp : senders) {
                qp.postSend(
                        SendWorkRequest.write(rounds, p.b.at(0), p.b.mr.rkey(), ScatterGather.of(p.a.mr, 0, LENGTH)));
            }
            for (int seen = 0; seen < senders.length; ) {
                assertThat(p.lab.sim()
                                .runUntil(p.a.cq::hasCompletion, p.lab.sim().now() + 5 * SECOND_PS))
                        .as("progress")
                        .isTrue();
                int n = p.a.cq.poll(wc);
                for (int i = 0; i < n; i++) {
                    assertThat(wc[i].status).isEqualTo(WcStatus.SUCCESS);
                    assertThat(wc[i].wrId).isEqualTo(rounds);
                }
                seen += n;
                p.lab.sim().run(p.lab.sim().now() + 1);
            }
            rounds++;
            p.lab.sim().run(p.lab.sim().now() + SECOND_PS / 4);
        }
        assertThat(rounds).isGreaterThan(900);
        long needed = rounds * senders.length * (LENGTH / 1024);
        assertThat(p.lab.link().a().framesSent()).isBetween(needed, needed * 3 / 2);
    }

    private static QueuePair another(Pair p, int number) {
        QpCapabilities size = new QpCapabilities(4, 4, 1, 1, 0);
        QueuePair a = p.lab.await(p.a.pd.createQp(QpInit.of(QpType.RC, p.a.cq, size)));
        QueuePair b = p.lab.await(p.b.pd.createQp(QpInit.of(QpType.RC, p.b.cq, size)));
        Connections.join(p.lab, a, p.b.host.gid(), b.qpn(), number, 7, Mtu.MTU_1024);
        Connections.join(p.lab, b, p.a.host.gid(), a.qpn(), 7, number, Mtu.MTU_1024);
        return a;
    }

    /** Public fault 16, SoftRoCE/librxe-dev issue 14: the connection manager leaked and stopped after about 1000 connections. */
    @ParameterizedTest
    @EnumSource
    void twoThousandConnectionsLeaveNothingBehind(ConnectionRig.Provider provider) {
        ConnectionRig rig = new ConnectionRig(provider, FaultPlan.NONE);
        for (int i = 0; i < CONNECTIONS; i++) {
            CmId id = rig.established();
            CmId other = rig.server.events.stream()
                    .filter(e -> e.type() == CmEventType.CONNECT_REQUEST)
                    .findFirst()
                    .orElseThrow()
                    .id();
            id.qp()
                    .postSend(SendWorkRequest.write(
                            i,
                            rig.server.memory.address(),
                            rig.server.mr.rkey(),
                            ScatterGather.of(rig.client.mr, 0, 64)));
            rig.until(rig.client.cq::hasCompletion);
            assertThat(rig.client.cq.poll(wc)).isEqualTo(1);
            assertThat(wc[0].status).as("write %d", i).isEqualTo(WcStatus.SUCCESS);
            assertThat(wc[0].wrId).isEqualTo(i);
            id.disconnect();
            rig.client.connections.wake();
            rig.until(() -> rig.client.saw(CmEventType.DISCONNECTED) && rig.server.saw(CmEventType.DISCONNECTED));
            assertThat(rig.count(CmAttribute.REQ)).as("nothing is sent twice").isEqualTo(1);
            rig.lab.await(id.qp().destroy());
            rig.lab.await(other.qp().destroy());
            rig.client.cq.poll(wc);
            rig.server.cq.poll(wc);
            rig.client.events.clear();
            rig.server.events.clear();
            rig.messages.clear();
            rig.packets.clear();
        }
        rig.run(SECOND_PS);
        assertThat(rig.client.connections.manager().connections()).isZero();
        assertThat(rig.server.connections.manager().connections()).isZero();
    }
}
