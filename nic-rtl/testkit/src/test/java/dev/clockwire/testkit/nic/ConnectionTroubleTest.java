package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.roce.cm.CmAttribute;
import dev.clockwire.roce.cm.CmEvent;
import dev.clockwire.roce.cm.CmEventType;
import dev.clockwire.roce.cm.CmId;
import dev.clockwire.roce.cm.CmMessage;
import dev.clockwire.roce.cm.CmMra;
import dev.clockwire.roce.cm.CmParameters;
import dev.clockwire.roce.cm.CmPhase;
import dev.clockwire.roce.cm.CmReason;
import dev.clockwire.roce.cm.CmRej;
import dev.clockwire.roce.cm.CmReq;
import dev.clockwire.roce.cm.Mad;
import dev.clockwire.roce.cm.PrivateData;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultDirection;
import dev.clockwire.sim.fault.FaultFilter;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections under trouble, on both devices: messages lost, doubled, late; a client that forgot its connection; answers that take time. */
class ConnectionTroubleTest {
    private static final long MS = 1_000_000_000L;

    private static Mad mad(RocePacket packet) {
        byte[] bytes = new byte[packet.payloadLength];
        packet.payload.copyTo(0, bytes, 0, bytes.length);
        return Objects.requireNonNull(Mad.decode(bytes, 0, bytes.length));
    }

    private static FaultFilter carries(CmAttribute attribute) {
        return thing -> thing instanceof RocePacket p
                && p.opcode == Opcode.UD_SEND_ONLY.code()
                && mad(p).message().attribute() == attribute;
    }

    private static FaultPlan first(FaultAction action, CmAttribute attribute, long... numbers) {
        List<Long> list = Arrays.stream(numbers).boxed().toList();
        return FaultPlan.of(FaultRule.of(action, new FaultTrigger.Frames(list)).where(carries(attribute)));
    }

    @ParameterizedTest
    @EnumSource
    void everyMessageMayBeLostOrDoubledOrLate(ConnectionRig.Provider provider) {
        for (CmAttribute attribute :
                List.of(CmAttribute.REQ, CmAttribute.REP, CmAttribute.RTU, CmAttribute.DREQ, CmAttribute.DREP)) {
            for (FaultAction action :
                    List.of(new FaultAction.Drop(), new FaultAction.Duplicate(), new FaultAction.Delay())) {
                ConnectionRig rig = new ConnectionRig(provider, first(action, attribute, 1));
                rig.established().disconnect();
                rig.client.connections.wake();
                rig.until(() -> rig.client.saw(CmEventType.TIMEWAIT_EXIT) && rig.server.saw(CmEventType.TIMEWAIT_EXIT));
                assertThat(rig.client.types())
                        .as(attribute + " " + action)
                        .containsExactly(
                                CmEventType.CONNECT_RESPONSE,
                                CmEventType.ESTABLISHED,
                                CmEventType.DISCONNECTED,
                                CmEventType.TIMEWAIT_EXIT);
                assertThat(rig.server.types())
                        .as(attribute + " " + action)
                        .containsExactly(
                                CmEventType.CONNECT_REQUEST,
                                CmEventType.ESTABLISHED,
                                CmEventType.DISCONNECTED,
                                CmEventType.TIMEWAIT_EXIT);
                assertThat(rig.client.connections.manager().connections()).isZero();
                assertThat(rig.server.connections.manager().connections()).isZero();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aReplyThatNobodyTakesIsGivenUp(ConnectionRig.Provider provider) {
        FaultRule rule = FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Always())
                .where(carries(CmAttribute.REP))
                .in(FaultDirection.BACKWARD);
        ConnectionRig rig = new ConnectionRig(provider, FaultPlan.of(rule));
        rig.connect(ConnectionRig.PORT, CmParameters.usual());
        rig.until(() -> rig.client.saw(CmEventType.UNREACHABLE) || rig.client.saw(CmEventType.REJECTED));
        rig.until(() -> rig.server.saw(CmEventType.UNREACHABLE) || rig.server.saw(CmEventType.REJECTED));
        List<CmRej> refusals = rig.messages.stream()
                .filter(m -> m instanceof CmRej)
                .map(m -> (CmRej) m)
                .toList();
        assertThat(refusals).isNotEmpty().allMatch(rej -> rej.reason() == CmReason.TIMEOUT.code());
        assertThat(rig.count(CmAttribute.RTU)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aDisconnectThatNobodyAnswersEndsAnyway(ConnectionRig.Provider provider) {
        FaultRule rule =
                FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Always()).where(carries(CmAttribute.DREQ));
        ConnectionRig rig = new ConnectionRig(provider, FaultPlan.of(rule));
        CmId id = rig.established();
        id.disconnect();
        rig.client.connections.wake();
        rig.until(() -> rig.client.saw(CmEventType.TIMEWAIT_EXIT));
        assertThat(rig.count(CmAttribute.DREQ)).as("once and three times more").isEqualTo(4);
        assertThat(rig.client.types()).contains(CmEventType.DISCONNECTED);
        assertThat(id.qp().state()).isEqualTo(QpState.ERR);
    }

    @ParameterizedTest
    @EnumSource
    void aSlowServerAsksForTime(ConnectionRig.Provider provider) {
        ConnectionRig rig = new ConnectionRig(provider, first(new FaultAction.Drop(), CmAttribute.MRA, 1));
        rig.server.waits = true;
        rig.connect(ConnectionRig.PORT, CmParameters.usual());
        rig.until(() -> rig.server.saw(CmEventType.CONNECT_REQUEST));
        CmId there = rig.server.events.get(0).id();
        there.delay(18, PrivateData.of((byte) 5)); // 1.07 s; lost, and told again when the client asks again
        rig.run(900 * MS);
        assertThat(rig.count(CmAttribute.REQ))
                .as("would have given up after four of them and 268 ms")
                .isEqualTo(2);
        assertThat(rig.count(CmAttribute.MRA)).isEqualTo(2);
        CmMra mra = (CmMra) rig.messages.stream()
                .filter(m -> m instanceof CmMra)
                .findFirst()
                .orElseThrow();
        assertThat(mra.serviceTimeout()).isEqualTo(18);
        assertThat(mra.message()).isZero();
        assertThat(rig.client.events).isEmpty();
        rig.server.accept(there);
        rig.server.connections.wake();
        rig.until(() -> rig.client.saw(CmEventType.ESTABLISHED) && rig.server.saw(CmEventType.ESTABLISHED));
        assertThat(rig.server.types()).containsOnlyOnce(CmEventType.CONNECT_REQUEST);
        assertThatThrownBy(() -> there.delay(32, PrivateData.NONE)).isInstanceOf(ConfigurationException.class);
    }

    @ParameterizedTest
    @EnumSource
    void withoutThatTheClientGivesUp(ConnectionRig.Provider provider) {
        ConnectionRig rig = new ConnectionRig(provider, FaultPlan.NONE);
        rig.server.waits = true;
        rig.connect(ConnectionRig.PORT, CmParameters.usual());
        rig.run(900 * MS);
        assertThat(rig.client.types()).containsExactly(CmEventType.UNREACHABLE, CmEventType.TIMEWAIT_EXIT);
        assertThat(rig.server.types()).containsExactly(CmEventType.CONNECT_REQUEST, CmEventType.REJECTED);
    }

    @ParameterizedTest
    @EnumSource
    void theLastMessageCarriesData(ConnectionRig.Provider provider) {
        ConnectionRig rig = new ConnectionRig(provider, FaultPlan.NONE);
        rig.client.lastWord = PrivateData.of((byte) 7, (byte) 8, (byte) 9);
        rig.established();
        CmEvent ready = rig.server.events.get(1);
        assertThat(ready.type()).isEqualTo(CmEventType.ESTABLISHED);
        assertThat(ready.privateData()).isEqualTo(PrivateData.of((byte) 7, (byte) 8, (byte) 9));
        CmId id = rig.client.events.get(0).id();
        PrivateData tooMuch = PrivateData.of(filled(225));
        assertThatThrownBy(() -> id.readyWith(tooMuch)).isInstanceOf(ConfigurationException.class);
    }

    private static byte[] filled(int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) 1);
        return bytes;
    }

    @ParameterizedTest
    @EnumSource
    void aClientThatForgotItsConnectionIsToldSo(ConnectionRig.Provider provider) {
        ConnectionRig rig = new ConnectionRig(provider, FaultPlan.NONE);
        CmId id = rig.established();
        CmId there = rig.server.events.get(0).id();
        RocePacket again = new RocePacket();
        again.set(rig.packets.get(0));
        Mad old = mad(again);
        // as after a restart: the same queue pair, another communication id
        byte[] bytes = new byte[Mad.BYTES];
        old.encode(bytes, 0);
        bytes[24] ^= 0x55;
        again.payload.clear();
        again.payload.appendBytes(bytes, 0, bytes.length);
        RocePacket third = new RocePacket();
        third.set(again);
        int before = rig.messages.size();
        rig.lab.link().a().transmit(rig.lab.sim().now(), again);
        rig.run(20 * MS);
        List<CmAttribute> seen = rig.messages.subList(before, rig.messages.size()).stream()
                .map(CmMessage::attribute)
                .toList();
        assertThat(seen).containsExactly(CmAttribute.REQ, CmAttribute.REJ, CmAttribute.DREQ, CmAttribute.DREP);
        CmRej rej = (CmRej) rig.messages.get(before + 1);
        assertThat(rej.reason()).isEqualTo(CmReason.STALE_CONNECTION.code());
        assertThat(rej.remoteCommId()).isEqualTo(((CmReq) rig.messages.get(before)).localCommId());
        assertThat(there.phase()).isEqualTo(CmPhase.TIMEWAIT);
        assertThat(id.phase()).isEqualTo(CmPhase.TIMEWAIT);
        assertThat(rig.server.types()).containsOnlyOnce(CmEventType.CONNECT_REQUEST);
        rig.until(() -> rig.server.saw(CmEventType.TIMEWAIT_EXIT));
        rig.lab.link().a().transmit(rig.lab.sim().now(), third);
        rig.run(20 * MS);
        assertThat(rig.server.types().stream().filter(t -> t == CmEventType.CONNECT_REQUEST))
                .as("nothing is in its way any more")
                .hasSize(2);
    }
}
