package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clockwire.nic.lab.LabConnections;
import dev.clockwire.roce.cm.CmEvent;
import dev.clockwire.roce.cm.CmEventType;
import dev.clockwire.roce.cm.CmId;
import dev.clockwire.roce.cm.CmParameters;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.verbs.AsyncEvent;
import dev.clockwire.roce.verbs.AsyncEventType;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.Context;
import dev.clockwire.roce.verbs.Errno;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveWorkRequest;
import dev.clockwire.roce.verbs.ScatterGather;
import dev.clockwire.roce.verbs.SendWorkRequest;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.fault.FaultAction;
import dev.clockwire.sim.fault.FaultAction.NodeFault;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.fault.FaultRule;
import dev.clockwire.sim.fault.FaultTrigger;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A device that fails and is started anew: what was opened before is lost, what is opened afterwards works. */
class DeviceReturnTest {
    private static final long MS = 1_000_000_000L;
    private static final long AT = 300 * MS;
    private static final EnumSet<AccessFlag> ACCESS = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);

    private static ConnectionRig rig(ConnectionRig.Provider provider, String... nodes) {
        List<FaultRule> rules = new ArrayList<>();
        for (String node : nodes) {
            rules.add(FaultRule.of(
                            new FaultAction.OnNode(NodeFault.RESET, node), new FaultTrigger.At(AT + rules.size() * MS))
                    .restartingAfter(10 * MS));
        }
        return new ConnectionRig(provider, FaultPlan.of(rules.toArray(FaultRule[]::new)));
    }

    private static void runTo(ConnectionRig rig, long ps) {
        rig.lab.sim().run(ps);
    }

    /** Returns why a verb failed. */
    private static Errno refusal(ConnectionRig rig, Completion<?> verb) {
        Errno[] why = new Errno[1];
        verb.whenFailed(error -> why[0] = error.errno());
        rig.until(verb::isDone);
        return why[0];
    }

    @ParameterizedTest
    @EnumSource
    void whatWasOpenedBeforeIsLost(ConnectionRig.Provider provider) {
        ConnectionRig rig = rig(provider, "host1");
        CmId id = rig.established();
        CmId other = rig.server.events.get(0).id();
        Completion<AsyncEvent> event = rig.server.host.context().asyncEvent();
        runTo(rig, AT + MS);
        assertThat(event.get()).isEqualTo(new AsyncEvent(AsyncEventType.DEVICE_FATAL, 0));
        assertThat(other.qp().state()).isEqualTo(QpState.ERR);
        assertThat(id.qp().state()).as("the peer hears nothing").isEqualTo(QpState.RTS);
        WorkCompletion[] wc = WorkCompletion.array(4);
        assertThat(rig.server.cq.poll(wc)).isEqualTo(1);
        assertThat(wc[0].status).isEqualTo(WcStatus.WR_FLUSH_ERR);

        assertThat(rig.server.host.device().isPresent()).isFalse();
        assertThatThrownBy(() -> rig.server.host.device().open(rig.server.host.core()))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("ENODEV")
                .hasMessageContaining("not back yet");
        runTo(rig, AT + 20 * MS);
        Context old = rig.server.host.context();
        assertThat(rig.server.host.device().isPresent()).isTrue();
        assertThat(refusal(rig, old.allocPd())).isEqualTo(Errno.EIO);
        assertThat(refusal(rig, old.createCq(8))).isEqualTo(Errno.EIO);
        assertThat(refusal(rig, rig.server.connections.pd().regMr(rig.server.memory.address(), 4096, ACCESS)))
                .isEqualTo(Errno.EIO);
        assertThat(refusal(rig, rig.server.createQp(other))).isEqualTo(Errno.EIO);
        rig.lab.await(other.qp().destroy());
        rig.lab.await(rig.server.mr.dereg());
    }

    /** Verbs that were under way when the device failed end with an error, and make nothing that lives on. */
    @ParameterizedTest
    @EnumSource
    void verbsThatWereUnderWayFail(ConnectionRig.Provider provider) {
        ConnectionRig rig = rig(provider, "host1");
        runTo(rig, AT - 100);
        Context old = rig.server.host.context();
        Completion<MemoryRegion> region = rig.server.connections.pd().regMr(rig.server.memory.address(), 4096, ACCESS);
        Completion<CompletionQueue> queue = old.createCq(8);
        assertThat(refusal(rig, region)).isEqualTo(Errno.EIO);
        assertThat(refusal(rig, queue)).isEqualTo(Errno.EIO);
    }

    /** Queue pair 1 is made anew, memory is registered again, and a connection of before is unknown to both sides. */
    @ParameterizedTest
    @EnumSource
    void whatIsOpenedAnewWorks(ConnectionRig.Provider provider) {
        for (String[] nodes : new String[][] {{"host1"}, {"host0"}, {"host0", "host1"}, {"host1", "host1"}}) {
            ConnectionRig rig = rig(provider, nodes);
            rig.established();
            runTo(rig, AT + 5 * MS);
            for (ConnectionRig.Side side : List.of(rig.client, rig.server)) {
                if (List.of(nodes).contains(side.host.name())) {
                    side.connections.manager().deviceRemoved();
                    assertThat(side.types()).endsWith(CmEventType.DEVICE_REMOVAL);
                }
            }
            runTo(rig, AT + 30 * MS);
            Anew a = new Anew(rig, rig.client);
            Anew b = new Anew(rig, rig.server);
            b.connections.manager().listen(ConnectionRig.PORT + 1, b::event);
            CmId id = a.connections.manager().createId(a::event);
            rig.lab.await(a.createQp(id));
            id.connect(b.side.host.gid(), ConnectionRig.PORT + 1, CmParameters.usual());
            a.connections.wake();
            rig.until(() -> a.up && b.up);
            a.side.host.host().memory().putBytes(a.side.memory.address(), new byte[] {7, 8, 9}, 0, 3);
            id.qp().postSend(SendWorkRequest.send(1, ScatterGather.of(a.mr, 0, 3)));
            rig.until(b.cq::hasCompletion);
            byte[] got = new byte[3];
            b.side.host.host().memory().getBytes(b.side.memory.address(), got, 0, 3);
            assertThat(got).containsExactly(7, 8, 9);
        }
    }

    /** A side whose device was opened again. */
    private static final class Anew {
        final ConnectionRig.Side side;
        final LabConnections connections;
        final CompletionQueue cq;
        final MemoryRegion mr;
        boolean up;

        Anew(ConnectionRig rig, ConnectionRig.Side side) {
            this.side = side;
            Context context = side.host.device().open(side.host.core());
            if (side.types().contains(CmEventType.DEVICE_REMOVAL)) {
                connections = side.connections.reopen(rig.lab.sim(), context);
            } else {
                connections = side.connections;
            }
            cq = rig.lab.await((connections == side.connections ? side.host.context() : context).createCq(8));
            mr = rig.lab.await(connections.pd().regMr(side.memory.address(), 4096, ACCESS));
        }

        Completion<QueuePair> createQp(CmId id) {
            QpInit init = QpInit.of(QpType.RC, cq, new QpCapabilities(4, 4, 1, 1, 0));
            return id.createQp(connections.pd(), init, ACCESS);
        }

        void event(CmEvent e) {
            up |= e.type() == CmEventType.ESTABLISHED;
            if (e.type() == CmEventType.CONNECT_REQUEST) {
                createQp(e.id()).whenDone(qp -> {
                    qp.postReceive(new ReceiveWorkRequest(
                            7, List.of(new ScatterGather(mr.address(), mr.length(), mr.lkey()))));
                    e.id().accept(CmParameters.usual());
                });
            }
        }
    }
}
