package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.roce.cm.CmAttribute;
import dev.clockwire.roce.cm.CmSidrRep;
import dev.clockwire.roce.cm.CmSidrReq;
import dev.clockwire.roce.cm.IpCmHeader;
import dev.clockwire.roce.cm.PrivateData;
import dev.clockwire.roce.cm.SidrAnswer;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultDirection;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Datagram services are found by their port on both devices, also when questions or answers are lost. */
class DatagramLookupTest {
    private static final int PORT = 7174;
    private static final PrivateData QUESTION = PrivateData.of((byte) 1, (byte) 2);
    private static final PrivateData ANSWER = PrivateData.of((byte) 3);

    private final List<PrivateData> asked = new ArrayList<>();
    private final List<SidrAnswer> answers = new ArrayList<>();

    private ConnectionRig rig(ConnectionRig.Provider provider, FaultPlan plan, SidrAnswer answer) {
        ConnectionRig rig = new ConnectionRig(provider, plan);
        rig.server.connections.manager().listenDatagrams(PORT, data -> {
            asked.add(data);
            return answer;
        });
        return rig;
    }

    private void ask(ConnectionRig rig, int port) {
        rig.client.connections.manager().resolveDatagrams(rig.server.host.gid(), port, QUESTION, answers::add);
        rig.client.connections.wake();
        rig.until(() -> !answers.isEmpty());
    }

    private static FaultPlan lost(FaultDirection direction) {
        return FaultPlan.of(FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Frames(List.of(1L)))
                .in(direction));
    }

    @ParameterizedTest
    @EnumSource
    void findsTheQueuePair(ConnectionRig.Provider provider) {
        SidrAnswer answer = new SidrAnswer(SidrAnswer.SUCCESS, 0x1234, 0x0123_4567, ANSWER);
        ConnectionRig rig = rig(provider, FaultPlan.NONE, answer);
        ask(rig, PORT);
        assertThat(answers).containsExactly(answer);
        assertThat(asked).containsExactly(QUESTION);
        assertThat(rig.messages)
                .extracting(m -> m.attribute())
                .containsExactly(CmAttribute.SIDR_REQ, CmAttribute.SIDR_REP);
        CmSidrReq req = (CmSidrReq) rig.messages.get(0);
        CmSidrRep rep = (CmSidrRep) rig.messages.get(1);
        assertThat(req.serviceId()).isEqualTo(0x0000_0000_0111_1C06L);
        assertThat(req.pkey()).isEqualTo(0xFFFF);
        assertThat(IpCmHeader.read(req.privateData()))
                .isEqualTo(new IpCmHeader(0x8000, rig.client.host.gid(), rig.server.host.gid()));
        assertThat(rep.serviceId()).isEqualTo(req.serviceId());
        assertThat(rep.remoteCommId()).isEqualTo(req.localCommId());
    }

    @ParameterizedTest
    @EnumSource
    void nobodyListens(ConnectionRig.Provider provider) {
        ConnectionRig rig = rig(provider, FaultPlan.NONE, SidrAnswer.refuse(SidrAnswer.REJECT, ANSWER));
        ask(rig, PORT + 1);
        assertThat(answers).containsExactly(SidrAnswer.refuse(SidrAnswer.UNSUPPORTED, PrivateData.NONE));
        answers.clear();
        ask(rig, PORT);
        assertThat(answers).containsExactly(SidrAnswer.refuse(SidrAnswer.REJECT, ANSWER));
        answers.clear();
        rig.server.connections.manager().unlistenDatagrams(PORT);
        ask(rig, PORT);
        assertThat(answers.get(0).status()).isEqualTo(SidrAnswer.UNSUPPORTED);
        assertThatThrownBy(() -> rig.client
                        .connections
                        .manager()
                        .resolveDatagrams(rig.server.host.gid(), 0, QUESTION, answers::add))
                .isInstanceOf(ConfigurationException.class);
    }

    @ParameterizedTest
    @EnumSource
    void aLostQuestionIsAskedAgain(ConnectionRig.Provider provider) {
        ConnectionRig rig = rig(provider, lost(FaultDirection.FORWARD), SidrAnswer.refuse(SidrAnswer.NO_QP, ANSWER));
        ask(rig, PORT);
        assertThat(rig.count(CmAttribute.SIDR_REQ)).isEqualTo(2);
        assertThat(asked).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void aLostAnswerIsGivenAgain(ConnectionRig.Provider provider) {
        ConnectionRig rig = rig(provider, lost(FaultDirection.BACKWARD), new SidrAnswer(0, 5, 6, ANSWER));
        ask(rig, PORT);
        assertThat(rig.count(CmAttribute.SIDR_REP)).isEqualTo(2);
        assertThat(asked).as("the application hears once").hasSize(1);
        assertThat(rig.messages.stream().filter(m -> m instanceof CmSidrRep).distinct())
                .hasSize(1);
        rig.run(500_000_000_000L);
        assertThat(rig.server.connections.manager().nextDeadline())
                .as("nothing is kept")
                .isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @EnumSource
    void nobodyAnswers(ConnectionRig.Provider provider) {
        FaultRule all = FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Always());
        ConnectionRig rig = rig(provider, FaultPlan.of(all), new SidrAnswer(0, 5, 6, ANSWER));
        ask(rig, PORT);
        assertThat(answers).extracting(SidrAnswer::status).containsExactly(SidrAnswer.UNREACHABLE);
        assertThat(rig.count(CmAttribute.SIDR_REQ)).isEqualTo(4);
        assertThat(rig.client.connections.manager().nextDeadline()).isEqualTo(Long.MAX_VALUE);
    }
}
