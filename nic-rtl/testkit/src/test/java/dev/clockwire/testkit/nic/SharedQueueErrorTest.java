package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.lab.PcieFaults;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.pcie.link.TlpFault;
import dev.clockwire.pcie.link.TlpFault.What;
import dev.clockwire.pcie.tlp.TlpType;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.verbs.AsyncEvent;
import dev.clockwire.roce.verbs.AsyncEventType;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveWorkRequest;
import dev.clockwire.roce.verbs.ScatterGather;
import dev.clockwire.roce.verbs.SendWorkRequest;
import dev.clockwire.roce.verbs.SharedReceiveQueue;
import dev.clockwire.roce.verbs.SrqAttributes;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each read of the device that owns a shared receive queue fails in turn. Where it was one of that queue the program is told with SRQ_ERR;
 * the queue pair whose message waited for a receive breaks, the other one and the queue go on.
 */
@SuppressWarnings("NullAway.Init") // by build
class SharedQueueErrorTest {
    private static final int MOST_READS = 16;
    private static final int BYTES = 300;
    private static final long US = 1_000_000;

    private Lab lab;
    private Pair p;
    private SharedReceiveQueue srq;
    private final List<QueuePair> senders = new ArrayList<>();
    private final List<QueuePair> receivers = new ArrayList<>();
    private final List<AsyncEvent> events = new ArrayList<>();

    private void build(TlpFault fault) {
        lab = Lab.twoHosts(
                Profiles.named("cx7-400g").with("pcie.completion_timeout_us", "100"),
                LabSpec.of(1).withPcieFaults(PcieFaults.ofServer(fault)));
        p = new Pair(lab, QpType.RC, Mtu.MTU_1024, Allocation.Kind.REAL);
        srq = lab.await(p.b.pd.createSrq(new SrqAttributes(16, 1, 0)));
        senders.clear();
        receivers.clear();
        events.clear();
        for (int i = 0; i < 2; i++) {
            senders.add(lab.await(p.a.pd.createQp(p.a.qp.init())));
            receivers.add(lab.await(p.b.pd.createQp(
                    QpInit.of(QpType.RC, p.b.cq, p.b.qp.init().capabilities()).withSrq(srq))));
            join(i);
        }
        listen();
    }

    private void join(int i) {
        Connections.join(lab, senders.get(i), lab.b().gid(), receivers.get(i).qpn(), 1, 2, Mtu.MTU_1024);
        Connections.join(lab, receivers.get(i), lab.a().gid(), senders.get(i).qpn(), 2, 1, Mtu.MTU_1024);
    }

    private void listen() {
        Completion<AsyncEvent> next = lab.b().context().asyncEvent();
        next.whenDone(event -> {
            events.add(event);
            listen();
        });
    }

    private void receive(int id) {
        srq.postReceive(ReceiveWorkRequest.into(id, ScatterGather.of(p.b.mr, id * 1024L, 1024)));
    }

    private void send(int from, int id) {
        byte[] data = new byte[BYTES];
        java.util.Arrays.fill(data, (byte) (id + 1));
        p.a.write(id * 1024, data);
        senders.get(from).postSend(SendWorkRequest.send(id, ScatterGather.of(p.a.mr, id * 1024L, BYTES)));
    }

    private void settle() {
        lab.sim().runUntil(p.a.cq::hasCompletion, lab.sim().now() + 20_000_000 * US);
        lab.sim().run(lab.sim().now() + 2000 * US);
    }

    private List<WorkCompletion> completions(Pair.Side side) {
        List<WorkCompletion> all = new ArrayList<>();
        while (side.cq.hasCompletion()) {
            WorkCompletion wc = p.next(side);
            WorkCompletion copy = new WorkCompletion();
            copy.wrId = wc.wrId;
            copy.status = wc.status;
            copy.qpNum = wc.qpNum;
            all.add(copy);
        }
        return all;
    }

    @ParameterizedTest
    @EnumSource(
            value = What.class,
            names = {"REFUSE", "ABORT", "LOSE"})
    void theProgramIsToldAndTheOtherQueuePairGoesOn(What what) {
        int told = 0;
        int broke = 0;
        for (int n = 1; n < MOST_READS; n++) {
            build(TlpFault.of(true, TlpType.MRD, n, what));
            String as = what + " of read " + n;
            receive(0);
            receive(1);
            send(0, 0);
            settle();
            AsyncEvent srqError = new AsyncEvent(AsyncEventType.SRQ_ERR, srq.number());
            AsyncEvent broken = new AsyncEvent(
                    AsyncEventType.QP_LAST_WQE_REACHED, receivers.get(0).qpn());
            List<WorkCompletion> sent = completions(p.a);
            List<WorkCompletion> received = completions(p.b);
            assertThat(sent).as(as).hasSize(1);
            boolean well = sent.get(0).status == WcStatus.SUCCESS;
            assertThat(receivers.get(1).state()).as(as).isEqualTo(QpState.RTS);
            if (well) {
                assertThat(received).as(as).extracting(w -> w.status).containsExactly(WcStatus.SUCCESS);
                assertThat(p.b.read((int) received.get(0).wrId * 1024, BYTES))
                        .as(as)
                        .containsOnly(1);
            } else {
                assertThat(receivers.get(0).state()).as(as).isEqualTo(QpState.ERR);
                assertThat(received).as(as).noneMatch(w -> w.status == WcStatus.SUCCESS);
            }
            if (events.contains(srqError)) {
                told++;
                broke += well ? 0 : 1;
                assertThat(events.stream().filter(srqError::equals)).as(as).hasSize(1);
                assertThat(events.contains(broken)).as(as + ": " + events).isEqualTo(!well);
            }
            again(as);
        }
        assertThat(told).as("runs in which a read of the shared queue failed").isGreaterThanOrEqualTo(2);
        assertThat(broke).as("with a message that waited for it").isPositive();
    }

    /** The other queue pair takes its receive, and the broken one works again after a reset. */
    private void again(String as) {
        receive(2);
        receive(3);
        send(1, 4);
        settle();
        assertThat(completions(p.a)).as(as).extracting(w -> w.status).containsExactly(WcStatus.SUCCESS);
        assertThat(completions(p.b)).as(as).extracting(w -> w.status).containsExactly(WcStatus.SUCCESS);
        if (receivers.get(0).state() == QpState.ERR) {
            lab.await(receivers.get(0).modify(new QpAttributes().state(QpState.RESET)));
            lab.await(senders.get(0).modify(new QpAttributes().state(QpState.RESET)));
            join(0);
        }
        send(0, 5);
        settle();
        assertThat(completions(p.a)).as(as).extracting(w -> w.status).containsExactly(WcStatus.SUCCESS);
        assertThat(completions(p.b)).as(as).extracting(w -> w.status).containsExactly(WcStatus.SUCCESS);
    }
}
