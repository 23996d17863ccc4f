package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.rpc.RpcEndpoint;
import dev.clockwire.roce.rpc.RpcSpec;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.Syndrome;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RpcEndpointTest {
    private static final RpcSpec SPEC = new RpcSpec(4, 3000);

    private final RandomStream random = new RandomStream(3);
    private int rnr;

    private Pair pair(ConnectionRig.Provider provider, FaultPlan faults) {
        LabSpec spec = LabSpec.of(1).withFaults(faults);
        Lab lab = Lab.twoHosts(
                Profiles.named("cx7-400g"),
                provider == ConnectionRig.Provider.SOFTWARE ? spec.withSoft(SoftSpec.usual()) : spec);
        lab.tapFrames((ps, end, frame) -> {
            if (frame instanceof RocePacket p
                    && p.opcode == Opcode.RC_ACKNOWLEDGE.code()
                    && Syndrome.isRnr(p.syndrome)) {
                rnr++;
            }
        });
        return new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
    }

    private static byte[] turned(byte[] body) {
        byte[] answer = body.clone();
        for (int i = 0; i < answer.length; i++) {
            answer[i] = (byte) ~body[body.length - 1 - i];
        }
        return answer;
    }

    private static RpcEndpoint endpoint(Pair.Side side) {
        RpcEndpoint end = new RpcEndpoint(
                side.qp, side.cq, side.mr, side.host.host().memory(), SPEC, body -> Completion.of(turned(body)));
        side.host.core().run(core -> {
            if (end.poll()) {
                core.wake();
            } else {
                side.host.idleUntil(side.cq);
            }
        });
        return end;
    }

    @ParameterizedTest
    @CsvSource({"HARDWARE, 0", "SOFTWARE, 0", "HARDWARE, 0.02", "SOFTWARE, 0.02"})
    void everyCallIsAnsweredAndNobodySendsTooMuch(ConnectionRig.Provider provider, double loss) {
        FaultRule rule = FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Probability(loss));
        Pair pair = pair(provider, loss > 0 ? FaultPlan.of(rule) : FaultPlan.NONE);
        RpcEndpoint a = endpoint(pair.a);
        RpcEndpoint b = endpoint(pair.b);
        pair.lab.sim().run(pair.lab.sim().now() + 1_000_000);
        List<byte[]> bodies = new ArrayList<>();
        List<Completion<byte[]>> answers = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            byte[] body = new byte[random.below(SPEC.messageBytes() + 1)];
            Arrays.fill(body, (byte) i);
            bodies.add(body);
            answers.add((i % 3 == 0 ? b : a).call(body));
        }
        assertThat(pair.lab.sim().runUntil(() -> a.openCalls() + b.openCalls() == 0, 60_000_000_000_000L))
                .isTrue();
        for (int i = 0; i < bodies.size(); i++) {
            assertThat(answers.get(i).get()).isEqualTo(turned(bodies.get(i)));
        }
        assertThat(rnr).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aBrokenConnectionEndsTheCalls(ConnectionRig.Provider provider) {
        Pair pair = pair(provider, FaultPlan.NONE);
        RpcEndpoint a = endpoint(pair.a);
        Completion<byte[]> unanswered = a.call(new byte[10]);
        pair.lab.await(pair.a.qp.modify(new QpAttributes().state(QpState.ERR)));
        assertThat(pair.lab.sim().runUntil(unanswered::isDone, pair.lab.sim().now() + 1_000_000_000L))
                .isTrue();
        assertThatThrownBy(unanswered::get).isInstanceOf(VerbsException.class).hasMessageContaining("broken");
        assertThat(a.call(new byte[1]).isFailed()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void tooLongIsRefused(ConnectionRig.Provider provider) {
        RpcEndpoint a = endpoint(pair(provider, FaultPlan.NONE).a);
        assertThatThrownBy(() -> a.call(new byte[3001]))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("3001 bytes: at most 3000");
    }
}
