package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.ScatterGather;
import dev.clockwire.roce.verbs.SendWorkRequest;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultDirection;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.sim.mem.Allocation;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One program with all operations, whose PSNs wrap; each frame of it in turn, alone and with a later one, is lost, doubled, overtaken,
 * late or damaged. Everything succeeds, once, in order, whichever it was.
 */
class EveryFaultTest {
    /** More than the program sends in a direction without faults. */
    private static final int FRAMES = 36;

    private static final int THEIRS = 100_000;
    private static final int RECEIVES = 200_000;
    private static final int COUNTER = 50_000;

    private final byte[] data = new byte[2000];
    private final byte[] theirs = new byte[2000];

    EveryFaultTest() {
        Random random = new Random(3);
        random.nextBytes(data);
        random.nextBytes(theirs);
    }

    /** The software device is tried with the same tests. */
    LabSpec spec() {
        return LabSpec.of(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"FORWARD", "BACKWARD"})
    void everythingSucceedsOnce(FaultDirection direction) {
        List<FaultAction> actions = List.of(
                new FaultAction.Drop(),
                new FaultAction.Duplicate(),
                new FaultAction.Reorder(),
                new FaultAction.Delay(),
                new FaultAction.Corrupt(400));
        for (FaultAction action : actions) {
            for (long k = 1; k < FRAMES; k++) {
                for (List<Long> frames : List.of(List.of(k), List.of(k, k + 1), List.of(k, k + 5))) {
                    check(FaultRule.of(action, new FaultTrigger.Frames(frames))
                            .in(direction)
                            .lasting(action instanceof FaultAction.Delay ? 3_000_000 : 0));
                }
            }
        }
    }

    private void check(FaultRule rule) {
        Lab lab = Lab.twoHosts(Profiles.named("cx7-400g"), spec().withFaults(FaultPlan.of(rule)));
        Pair p = new Pair(lab, QpType.RC, Mtu.MTU_256, Allocation.Kind.REAL, 64, rts -> rts.timeout(4));
        p.a.write(0, data);
        p.b.write(THEIRS, theirs);
        Posts b = new Posts(p.b, p.a);
        b.receive(RECEIVES, 1000);
        b.receive(RECEIVES + 1000, 1000);
        List<SendWorkRequest> program = program(p);
        program.forEach(p.a.qp::postSend);
        for (int i = 1; i <= program.size(); i++) {
            WorkCompletion wc = p.next(p.a);
            assertThat(List.of(wc.wrId, wc.status)).as("%s", rule).isEqualTo(List.of((long) i, WcStatus.SUCCESS));
        }
        lab.sim().run(lab.sim().now() + 20_000_000);
        for (int length : new int[] {700, 0}) {
            WorkCompletion wc = p.next(p.b);
            assertThat(List.of(wc.byteLength, wc.status)).isEqualTo(List.of((long) length, WcStatus.SUCCESS));
        }
        assertThat(Stream.of(p.a, p.b).noneMatch(side -> side.cq.hasCompletion()))
                .as("%s", rule)
                .isTrue();
        memory(p, rule);
    }

    private List<SendWorkRequest> program(Pair p) {
        int key = p.b.mr.rkey();
        return List.of(
                SendWorkRequest.write(1, p.b.at(0), key, ScatterGather.of(p.a.mr, 0, 1000)),
                SendWorkRequest.send(2, ScatterGather.of(p.a.mr, 1000, 700)),
                SendWorkRequest.read(3, p.b.at(THEIRS), key, ScatterGather.of(p.a.mr, 20_000, 1200)),
                SendWorkRequest.fetchAndAdd(4, p.b.at(COUNTER), key, 5, ScatterGather.of(p.a.mr, 30_000, 8)),
                SendWorkRequest.read(5, p.b.at(COUNTER), key, ScatterGather.of(p.a.mr, 31_000, 8)),
                SendWorkRequest.write(6, p.b.at(60_000), key, ScatterGather.of(p.a.mr, 0, 0)),
                SendWorkRequest.fetchAndAdd(7, p.b.at(COUNTER), key, 7, ScatterGather.of(p.a.mr, 30_008, 8)),
                SendWorkRequest.send(8, ScatterGather.of(p.a.mr, 0, 0)),
                SendWorkRequest.read(9, p.b.at(THEIRS + 1200), key, ScatterGather.of(p.a.mr, 21_200, 600)),
                SendWorkRequest.write(10, p.b.at(1000), key, ScatterGather.of(p.a.mr, 1000, 257)));
    }

    private void memory(Pair p, FaultRule rule) {
        assertThat(p.b.read(0, 1257)).as("%s", rule).isEqualTo(Arrays.copyOf(data, 1257));
        assertThat(p.b.read(RECEIVES, 700)).as("%s", rule).isEqualTo(Arrays.copyOfRange(data, 1000, 1700));
        assertThat(p.a.read(20_000, 1800)).as("%s", rule).isEqualTo(Arrays.copyOf(theirs, 1800));
        assertThat(p.b.read(COUNTER, 2)).as("%s", rule).containsExactly(12, 0);
        assertThat(p.a.read(30_000, 16))
                .as("%s", rule)
                .isEqualTo(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0});
        assertThat(p.a.read(31_000, 1)[0])
                .as("read again, if it must, behind the second: %s", rule)
                .isIn((byte) 5, (byte) 12);
    }
}
