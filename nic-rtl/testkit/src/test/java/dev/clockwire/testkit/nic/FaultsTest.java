package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.lab.FaultCount;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
import dev.clockwire.roce.verbs.AsyncEvent;
import dev.clockwire.roce.verbs.AsyncEventType;
import dev.clockwire.roce.verbs.Context;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.error.ConfigurationException;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a fault plan does to hosts and to their link, as programs on both devices see it. */
class FaultsTest {
    private static final long US = 1_000_000;
    private static final long AT = 1_000 * US;
    /** Code 8 is 1.05 ms; four tries, each noticed within four times that. */
    private static final long GIVES_UP = 40_000 * US;

    private static FaultRule at(FaultAction action) {
        return FaultRule.of(action, new FaultTrigger.At(AT));
    }

    private static FaultRule on(NodeFault what, String node) {
        return at(new FaultAction.OnNode(what, node));
    }

    private static Pair pair(boolean soft, FaultRule... rules) {
        LabSpec spec = LabSpec.of(1).withSoft(soft ? SoftSpec.usual() : null).withFaults(FaultPlan.of(rules));
        Lab lab = Lab.twoHosts(Profiles.named("cx7-400g"), spec);
        return new Pair(
                lab,
                QpType.RC,
                Mtu.MTU_1024,
                Allocation.Kind.REAL,
                256,
                rts -> rts.timeout(8).retryCount(3).rnrRetry(3));
    }

    private static void runTo(Pair p, long ps) {
        p.lab.sim().run(ps);
    }

    private static List<Long> polled(Pair.Side side) {
        WorkCompletion[] wc = WorkCompletion.array(64);
        int n = side.cq.poll(wc);
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            assertThat(wc[i].status).isEqualTo(WcStatus.SUCCESS);
            ids.add(wc[i].wrId);
        }
        return ids;
    }

    private static List<AsyncEvent> events(Context context) {
        List<AsyncEvent> seen = new ArrayList<>();
        context.asyncEvent().whenDone(e -> more(context, seen, e));
        return seen;
    }

    private static void more(Context context, List<AsyncEvent> seen, AsyncEvent event) {
        seen.add(event);
        context.asyncEvent().whenDone(e -> more(context, seen, e));
    }

    private static AsyncEvent port(AsyncEventType type) {
        return new AsyncEvent(type, 1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void completionsChangePlaces(boolean soft) {
        FaultRule rule = FaultRule.of(
                new FaultAction.OnNode(NodeFault.CQE_ORDER, "host0"), new FaultTrigger.Frames(List.of(2L, 5L)));
        Pair p = pair(soft, rule);
        Posts a = new Posts(p.a, p.b);
        for (int i = 0; i < 5; i++) {
            a.post(WrOpcode.RDMA_WRITE, 100);
        }
        runTo(p, p.lab.sim().now() + 5 * US);
        assertThat(polled(p.a)).as("the last one is still held").containsExactly(1L, 3L, 2L, 4L);
        runTo(p, p.lab.sim().now() + 10 * US);
        assertThat(polled(p.a)).containsExactly(5L);
        assertThat(p.lab.faults()).extracting(FaultCount::hits).containsExactly(2L);
        assertThat(p.lab.faults().toString()).isEqualTo("[Fault 1 (cqe_order: host0): 2 times]");
        // places of the send queue are free again, each once
        for (int round = 0; round < 4; round++) {
            for (int i = 0; i < 60; i++) {
                a.post(WrOpcode.RDMA_WRITE, 100);
            }
            runTo(p, p.lab.sim().now() + 100 * US);
            assertThat(polled(p.a)).hasSize(60);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void receivesChangePlaces(boolean soft) {
        FaultRule rule = FaultRule.of(
                        new FaultAction.OnNode(NodeFault.CQE_ORDER, "host1"), new FaultTrigger.Frames(List.of(1L)))
                .lasting(50 * US);
        Pair p = pair(soft, rule);
        Posts a = new Posts(p.a, p.b);
        Posts b = new Posts(p.b, p.a);
        b.receive(0, 100);
        b.receive(200, 100);
        a.post(WrOpcode.SEND, 10);
        a.post(WrOpcode.SEND, 20);
        runTo(p, p.lab.sim().now() + 20 * US);
        assertThat(polled(p.b)).containsExactly(2L, 1L);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void bothSidesHearOfTheirLink(boolean soft) {
        Pair p = pair(soft, at(new FaultAction.LinkDown("link")).lasting(500 * US));
        List<AsyncEvent> a = events(p.a.host.context());
        List<AsyncEvent> b = events(p.b.host.context());
        runTo(p, AT);
        assertThat(a).isEmpty();
        runTo(p, AT + 5 * US);
        assertThat(a).containsExactly(port(AsyncEventType.PORT_ERR));
        assertThat(b).containsExactly(port(AsyncEventType.PORT_ERR));
        assertThat(p.a.host.device().port(1).active()).isFalse();
        runTo(p, AT + 499 * US);
        assertThat(a).hasSize(1);
        runTo(p, AT + 510 * US);
        assertThat(a).containsExactly(port(AsyncEventType.PORT_ERR), port(AsyncEventType.PORT_ACTIVE));
        assertThat(b).isEqualTo(a);
        assertThat(p.a.host.device().port(1).active()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFrameMayTakeTheLinkDown(boolean soft) {
        FaultRule rule = FaultRule.of(new FaultAction.LinkDown("link"), new FaultTrigger.Frames(List.of(1L)))
                .lasting(20 * US);
        Pair p = pair(soft, rule);
        List<AsyncEvent> a = events(p.a.host.context());
        List<AsyncEvent> b = events(p.b.host.context());
        new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 10);
        assertThat(p.next(p.a, GIVES_UP).status).isEqualTo(WcStatus.SUCCESS);
        assertThat(a).startsWith(port(AsyncEventType.PORT_ERR), port(AsyncEventType.PORT_ACTIVE));
        assertThat(b).startsWith(port(AsyncEventType.PORT_ERR), port(AsyncEventType.PORT_ACTIVE));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void withoutALinkBothSidesGiveUp(boolean soft) {
        Pair p = pair(soft, at(new FaultAction.LinkDown("link")));
        runTo(p, AT);
        new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 5000);
        new Posts(p.b, p.a).post(WrOpcode.RDMA_READ, 5000);
        runTo(p, AT + GIVES_UP);
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.RETRY_EXC_ERR);
        assertThat(p.next(p.b).status).isEqualTo(WcStatus.RETRY_EXC_ERR);
        assertThat(p.a.qp.state()).isEqualTo(QpState.ERR);
        assertThat(p.b.qp.state()).isEqualTo(QpState.ERR);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPausedHostAnswersLater(boolean soft) {
        Pair p = pair(soft, on(NodeFault.PAUSE, "host1").lasting(300 * US));
        runTo(p, AT + US);
        new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 3000);
        runTo(p, AT + 299 * US);
        assertThat(p.a.cq.hasCompletion()).isFalse();
        runTo(p, AT + 310 * US);
        assertThat(p.next(p.a).status).isEqualTo(WcStatus.SUCCESS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anEventMayPauseAHost(boolean soft) {
        FaultRule rule = FaultRule.of(
                        new FaultAction.OnNode(NodeFault.PAUSE, "host1"),
                        new FaultTrigger.AtEvent("request", frame -> true))
                .lasting(100 * US);
        Pair p = pair(soft, rule);
        long start = p.lab.sim().now();
        new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 10);
        assertThat(p.next(p.a, GIVES_UP).status).isEqualTo(WcStatus.SUCCESS);
        assertThat(p.lab.sim().now() - start).isBetween(100 * US, 105 * US);
        assertThat(p.lab.faults().get(0).hits()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCrashedHostIsGone(boolean soft) {
        Pair p = pair(soft, on(NodeFault.CRASH, "host1"));
        List<AsyncEvent> a = events(p.a.host.context());
        runTo(p, AT + 10 * US);
        assertThat(a).containsExactly(port(AsyncEventType.PORT_ERR));
        assertThat(p.b.host.core().isHalted()).isTrue();
        assertThat(p.a.host.core().isHalted()).isFalse();
        new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 10);
        assertThat(p.next(p.a, GIVES_UP).status).isEqualTo(WcStatus.RETRY_EXC_ERR);
    }

    @ParameterizedTest
    @EnumSource(
            value = NodeFault.class,
            names = {"CRASH", "RESTART"})
    void aHostThatIsBackKnowsNoConnection(NodeFault what) {
        for (boolean soft : new boolean[] {false, true}) {
            Pair p = pair(soft, on(what, "host1").restartingAfter(2_000 * US));
            List<AsyncEvent> a = events(p.a.host.context());
            byte[] before = p.b.read(0, 16);
            runTo(p, AT + 10 * US);
            p.a.write(0, new byte[] {1, 2, 3});
            new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 16);
            assertThat(p.next(p.a, GIVES_UP).status).isEqualTo(WcStatus.RETRY_EXC_ERR);
            assertThat(a).startsWith(port(AsyncEventType.PORT_ERR), port(AsyncEventType.PORT_ACTIVE));
            assertThat(p.b.read(0, 16)).as("written after it came back").isEqualTo(before);
            assertThat(p.b.qp.state()).isEqualTo(QpState.ERR);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aResetDeviceFlushesAndItsPeerGivesUp(boolean soft) {
        Pair p = pair(soft, on(NodeFault.RESET, "host1"));
        List<AsyncEvent> b = events(p.b.host.context());
        long receive = new Posts(p.b, p.a).receive(0, 100);
        runTo(p, AT + 10 * US);
        assertThat(b).containsExactly(new AsyncEvent(AsyncEventType.DEVICE_FATAL, 0));
        WorkCompletion wc = p.next(p.b);
        assertThat(wc.status).isEqualTo(WcStatus.WR_FLUSH_ERR);
        assertThat(wc.wrId).isEqualTo(receive);
        new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 10);
        assertThat(p.next(p.a, GIVES_UP).status).isEqualTo(WcStatus.RETRY_EXC_ERR);
        assertThat(p.b.host.core().isHalted()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRuleThatNeverStrikesIsKnown(boolean soft) {
        FaultRule lost = FaultRule.of(new FaultAction.Drop(), new FaultTrigger.Frames(List.of(1000L)));
        FaultRule late = FaultRule.of(new FaultAction.Delay(), new FaultTrigger.Frames(List.of(1L)));
        FaultRule never = FaultRule.of(new FaultAction.LinkDown("link"), new FaultTrigger.At(GIVES_UP));
        Pair p = pair(soft, lost, late, never, on(NodeFault.PAUSE, "host0").lasting(US));
        new Posts(p.a, p.b).post(WrOpcode.RDMA_WRITE, 10);
        runTo(p, AT + US);
        assertThat(p.lab.faults()).extracting(FaultCount::hits).containsExactly(0L, 2L, 0L, 1L);
    }

    @ParameterizedTest
    @EnumSource(
            value = NodeFault.class,
            names = {"DISK_SLOW", "DISK_ERROR", "PAUSE"})
    void aLabRefusesWhatItCannotDo(NodeFault what) {
        assertThatThrownBy(() -> pair(false, on(what, "host1")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("host1");
    }
}
