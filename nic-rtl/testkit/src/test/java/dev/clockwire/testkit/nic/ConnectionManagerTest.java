package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.roce.cm.CmAttribute;
import dev.clockwire.roce.cm.CmEvent;
import dev.clockwire.roce.cm.CmEventType;
import dev.clockwire.roce.cm.CmId;
import dev.clockwire.roce.cm.CmMessage;
import dev.clockwire.roce.cm.CmParameters;
import dev.clockwire.roce.cm.CmReason;
import dev.clockwire.roce.cm.CmRep;
import dev.clockwire.roce.cm.CmReq;
import dev.clockwire.roce.cm.IpCmHeader;
import dev.clockwire.roce.cm.PrivateData;
import dev.clockwire.roce.fabric.FrameMatch;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.verbs.ScatterGather;
import dev.clockwire.roce.verbs.SendWorkRequest;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultDirection;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ConnectionManagerTest {
    private static FaultPlan lost(FaultDirection direction, long... datagrams) {
        List<Long> numbers = Arrays.stream(datagrams).boxed().toList();
        return FaultPlan.of(FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Frames(numbers))
                .where(FrameMatch.opcode(Opcode.UD_SEND_ONLY))
                .in(direction));
    }

    @ParameterizedTest
    @EnumSource
    void connectsAsLinuxDoes(ConnectionRig.Provider provider) {
        ConnectionRig rig = new ConnectionRig(provider, FaultPlan.NONE);
        rig.established();
        assertThat(rig.messages)
                .extracting(CmMessage::attribute)
                .containsExactly(CmAttribute.REQ, CmAttribute.REP, CmAttribute.RTU);
        CmReq req = (CmReq) rig.messages.get(0);
        assertThat(req.serviceId()).isEqualTo(0x0000_0000_0106_1C06L);
        assertThat(req.retryCount()).isEqualTo(7);
        assertThat(req.primary().ackTimeout()).isEqualTo(19);
        IpCmHeader ip = IpCmHeader.read(req.privateData());
        assertThat(ip).isEqualTo(new IpCmHeader(0x8000, rig.client.host.gid(), rig.server.host.gid()));
        assertThat(req.primary().flowLabel()).isEqualTo((31 * 0x8000 + 7174) & 0xF_FFFF);
        for (RocePacket packet : rig.packets) {
            assertThat(packet.wireBytes()).isEqualTo(322);
            assertThat(packet.qkey).isEqualTo(0x8001_0000);
            assertThat(packet.srcQp).isEqualTo(1);
        }
        assertThat(rig.client.types()).containsExactly(CmEventType.CONNECT_RESPONSE, CmEventType.ESTABLISHED);
        assertThat(rig.server.types()).containsExactly(CmEventType.CONNECT_REQUEST, CmEventType.ESTABLISHED);
    }

    @ParameterizedTest
    @EnumSource
    void eachSideSendsFromTheOthersStartingPsn(ConnectionRig.Provider provider) {
        ConnectionRig rig = new ConnectionRig(provider, FaultPlan.NONE);
        CmId id = rig.established();
        CmId other = rig.server.events.get(0).id();
        CmReq req = (CmReq) rig.messages.get(0);
        CmRep rep = (CmRep) rig.messages.get(1);
        rig.packets.clear();
        send(rig.client, id);
        send(rig.server, other);
        rig.until(() -> rig.packets.stream()
                        .filter(p -> p.opcode == Opcode.RC_ACKNOWLEDGE.code())
                        .count()
                == 2);
        RocePacket there = first(rig, rep.qpn(), rig.client);
        RocePacket back = first(rig, req.qpn(), rig.server);
        assertThat(there.psn).isEqualTo(rep.startingPsn());
        assertThat(back.psn).isEqualTo(req.startingPsn());
        int label = req.primary().flowLabel();
        int port = 0xC000 | ((label ^ (label >>> 14)) & 0x3FFF);
        assertThat(there.flow.udpSourcePort).isEqualTo(port);
        assertThat(back.flow.udpSourcePort).isEqualTo(port);
        WorkCompletion[] wc = WorkCompletion.array(4);
        rig.run(100_000_000);
        assertThat(rig.client.cq.poll(wc)).isEqualTo(2);
        assertThat(wc[0].status).isEqualTo(WcStatus.SUCCESS);
        assertThat(wc[1].status).isEqualTo(WcStatus.SUCCESS);
    }

    private static RocePacket first(ConnectionRig rig, int qpn, ConnectionRig.Side from) {
        return rig.packets.stream()
                .filter(p -> p.opcode == Opcode.RC_SEND_ONLY.code() && p.destQp == qpn)
                .filter(p -> p.flow.srcLo == from.host.gid().lo())
                .findFirst()
                .orElseThrow();
    }

    private static void send(ConnectionRig.Side side, CmId id) {
        id.qp().postSend(SendWorkRequest.send(1, ScatterGather.of(side.mr, 0, 16)));
    }

    @ParameterizedTest
    @EnumSource
    void depthsAreTheSmallerOfBothWishes(ConnectionRig.Provider provider) {
        ConnectionRig rig = new ConnectionRig(provider, FaultPlan.NONE);
        rig.server.answer = CmParameters.usual().withDepths(4, 200);
        rig.connect(ConnectionRig.PORT, CmParameters.usual().withDepths(6, 3));
        rig.until(() -> rig.server.saw(CmEventType.ESTABLISHED));
        CmRep rep = (CmRep) rig.messages.get(1);
        assertThat(rep.responderResources()).isEqualTo(3);
        assertThat(rep.initiatorDepth()).isEqualTo(6);
        assertThat(rig.client.events.get(0).id().qp().query().maxRdAtomic()).isEqualTo(3);
        assertThat(rig.client.events.get(0).id().qp().query().maxDestRdAtomic()).isEqualTo(6);
        assertThat(rig.server.events.get(0).id().qp().query().maxRdAtomic()).isEqualTo(6);
        assertThat(rig.server.events.get(0).id().qp().query().maxDestRdAtomic()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource
    void lostMessagesAreSentAgain(ConnectionRig.Provider provider) {
        for (FaultDirection direction : List.of(FaultDirection.FORWARD, FaultDirection.BACKWARD)) {
            ConnectionRig rig = new ConnectionRig(provider, lost(direction, 1));
            rig.established();
            assertThat(rig.count(CmAttribute.REQ)).as("REQ or REP lost").isEqualTo(2);
            assertThat(rig.count(CmAttribute.REP)).isEqualTo(direction == FaultDirection.FORWARD ? 1 : 2);
            assertThat(rig.server.types()).containsOnlyOnce(CmEventType.CONNECT_REQUEST);
            List<CmMessage> replies = rig.messages.stream()
                    .filter(m -> m.attribute() == CmAttribute.REP)
                    .distinct()
                    .toList();
            assertThat(replies).as("the same reply").hasSize(1);
        }
        ConnectionRig rig = new ConnectionRig(provider, lost(FaultDirection.FORWARD, 2));
        rig.established();
        assertThat(rig.count(CmAttribute.REP))
                .as("RTU lost: the reply comes again")
                .isEqualTo(2);
        assertThat(rig.count(CmAttribute.RTU)).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void endsBothSidesAndFreesTheNumbers(ConnectionRig.Provider provider) {
        ConnectionRig rig = new ConnectionRig(provider, FaultPlan.NONE);
        CmId id = rig.established();
        id.disconnect();
        rig.client.connections.wake();
        rig.until(() -> rig.client.saw(CmEventType.DISCONNECTED) && rig.server.saw(CmEventType.DISCONNECTED));
        assertThat(rig.messages.get(3).attribute()).isEqualTo(CmAttribute.DREQ);
        assertThat(rig.messages.get(4).attribute()).isEqualTo(CmAttribute.DREP);
        assertThat(id.qp().state()).isEqualTo(QpState.ERR);
        assertThat(rig.server.events.get(0).id().qp().state()).isEqualTo(QpState.ERR);
        rig.until(() -> rig.client.saw(CmEventType.TIMEWAIT_EXIT) && rig.server.saw(CmEventType.TIMEWAIT_EXIT));
        assertThat(rig.client.connections.manager().connections()).isZero();
        assertThat(rig.server.connections.manager().connections()).isZero();
        WorkCompletion[] wc = WorkCompletion.array(4);
        assertThat(rig.client.cq.poll(wc)).isEqualTo(1);
        assertThat(wc[0].status).isEqualTo(WcStatus.WR_FLUSH_ERR);
    }

    @ParameterizedTest
    @EnumSource
    void aLostDrepIsAnsweredAgain(ConnectionRig.Provider provider) {
        ConnectionRig rig = new ConnectionRig(provider, lost(FaultDirection.BACKWARD, 2));
        rig.established().disconnect();
        rig.client.connections.wake();
        rig.until(() -> rig.client.saw(CmEventType.DISCONNECTED));
        assertThat(rig.count(CmAttribute.DREQ)).isEqualTo(2);
        assertThat(rig.count(CmAttribute.DREP)).isEqualTo(2);
        assertThat(rig.server.types()).containsOnlyOnce(CmEventType.DISCONNECTED);
    }

    @ParameterizedTest
    @EnumSource
    void nobodyListens(ConnectionRig.Provider provider) {
        ConnectionRig rig = new ConnectionRig(provider, FaultPlan.NONE);
        rig.connect(ConnectionRig.PORT + 1, CmParameters.usual());
        rig.until(() -> rig.client.saw(CmEventType.REJECTED));
        assertThat(rig.client.events.get(0).reason()).isEqualTo(CmReason.INVALID_SERVICE_ID.code());
        assertThat(rig.server.events).isEmpty();
        assertThat(rig.client.connections.manager().connections()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void theApplicationSaysNo(ConnectionRig.Provider provider) {
        ConnectionRig rig = new ConnectionRig(provider, lost(FaultDirection.BACKWARD, 1));
        rig.server.refuses = true;
        rig.server.answer = CmParameters.usual().with(PrivateData.of((byte) 1, (byte) 2));
        rig.connect(ConnectionRig.PORT, CmParameters.usual().with(PrivateData.of((byte) 9)));
        rig.until(() -> rig.client.saw(CmEventType.REJECTED));
        CmEvent refusal = rig.client.events.get(0);
        assertThat(refusal.reason()).isEqualTo(28);
        assertThat(refusal.privateData()).isEqualTo(PrivateData.of((byte) 1, (byte) 2));
        assertThat(rig.server.events).hasSize(1);
        assertThat(rig.server.events.get(0).privateData()).isEqualTo(PrivateData.of((byte) 9));
        assertThat(rig.count(CmAttribute.REJ)).as("lost once").isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void nobodyAnswers(ConnectionRig.Provider provider) {
        FaultRule rule =
                FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Always()).in(FaultDirection.FORWARD);
        ConnectionRig rig = new ConnectionRig(provider, FaultPlan.of(rule));
        rig.connect(ConnectionRig.PORT, CmParameters.usual());
        rig.until(() -> rig.client.saw(CmEventType.UNREACHABLE));
        assertThat(rig.count(CmAttribute.REQ)).as("once and three times more").isEqualTo(4);
        // four waits of 4.096 us * 2^14
        assertThat(rig.lab.sim().now()).isBetween(4 * 67_100_000_000L, 4 * 67_200_000_000L);
    }

    @ParameterizedTest
    @EnumSource
    void endsInTheMiddleOfAHandshake(ConnectionRig.Provider provider) {
        ConnectionRig rig = new ConnectionRig(provider, FaultPlan.NONE);
        rig.connect(ConnectionRig.PORT, CmParameters.usual());
        rig.until(() -> rig.client.saw(CmEventType.CONNECT_RESPONSE));
        CmId id = rig.client.events.get(0).id();
        assertThat(id.qp().state()).isEqualTo(QpState.INIT);
        id.disconnect(); // the queue pair is on its way to RTR
        rig.until(() -> id.qp().state() == QpState.ERR);
        rig.until(() -> rig.server.saw(CmEventType.UNREACHABLE)); // its reply is never confirmed
        assertThat(rig.client.types()).doesNotContain(CmEventType.ESTABLISHED);
    }
}
