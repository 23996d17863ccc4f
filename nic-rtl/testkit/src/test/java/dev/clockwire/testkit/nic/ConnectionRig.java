package dev.clockwire.testkit.nic;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabConnections;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.cm.CmAttribute;
import dev.clockwire.roce.cm.CmEvent;
import dev.clockwire.roce.cm.CmEventType;
import dev.clockwire.roce.cm.CmId;
import dev.clockwire.roce.cm.CmMessage;
import dev.clockwire.roce.cm.CmParameters;
import dev.clockwire.roce.cm.CmTimes;
import dev.clockwire.roce.cm.Mad;
import dev.clockwire.roce.cm.PrivateData;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveWorkRequest;
import dev.clockwire.roce.verbs.ScatterGather;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Two hosts of a lab with connection managers, a server that accepts, and what went over the line. */
final class ConnectionRig {
    static final int PORT = 7174;
    /** 67 ms, 3 times; time wait 134 ms. */
    static final CmTimes QUICK = new CmTimes(14, 3, 15);

    private static final EnumSet<AccessFlag> ACCESS =
            EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);

    /** Who may be tested. */
    enum Provider {
        HARDWARE,
        SOFTWARE
    }

    final Lab lab;
    final Side client;
    final Side server;
    final List<CmMessage> messages = new ArrayList<>();
    final List<RocePacket> packets = new ArrayList<>();

    /** One host. */
    final class Side {
        final LabHost host;
        final LabConnections connections;
        final CompletionQueue cq;
        final MemoryRegion mr;
        final Allocation memory;
        final List<CmEvent> events = new ArrayList<>();
        CmParameters answer = CmParameters.usual();
        boolean refuses;
        /** The application does not answer requests by itself. */
        boolean waits;

        PrivateData lastWord = PrivateData.NONE;

        Side(LabHost host) {
            this.host = host;
            connections = LabConnections.open(lab.sim(), host, QUICK);
            cq = lab.await(host.context().createCq(64));
            memory = host.host().memory().allocate("data", 1 << 16, Allocation.Kind.REAL, 4096);
            mr = lab.await(connections.pd().regMr(memory.address(), memory.length(), ACCESS));
        }

        Completion<QueuePair> createQp(CmId id) {
            QpInit init = QpInit.of(QpType.RC, cq, new QpCapabilities(16, 16, 1, 1, 0));
            return id.createQp(connections.pd(), init, ACCESS);
        }

        void event(CmEvent event) {
            events.add(event);
            if (event.type() == CmEventType.CONNECT_RESPONSE) {
                event.id().readyWith(lastWord);
            }
            if (event.type() != CmEventType.CONNECT_REQUEST || waits) {
                return;
            }
            if (refuses) {
                event.id().reject(answer.privateData());
            } else {
                accept(event.id());
            }
        }

        void accept(CmId id) {
            createQp(id).whenDone(qp -> {
                postReceive(qp);
                id.accept(answer);
            });
        }

        void postReceive(QueuePair qp) {
            qp.postReceive(new ReceiveWorkRequest(7, List.of(new ScatterGather(memory.address(), 4096, mr.lkey()))));
        }

        List<CmEventType> types() {
            return events.stream().map(CmEvent::type).toList();
        }

        boolean saw(CmEventType type) {
            return types().contains(type);
        }
    }

    ConnectionRig(Provider provider, FaultPlan faults) {
        LabSpec spec = LabSpec.of(1).withFaults(faults);
        lab = Lab.twoHosts(
                Profiles.named("cx7-400g"), provider == Provider.SOFTWARE ? spec.withSoft(SoftSpec.usual()) : spec);
        client = new Side(lab.a());
        server = new Side(lab.b());
        lab.tapFrames((ps, end, frame) -> {
            if (frame instanceof RocePacket packet) {
                note(packet);
            }
        });
        server.connections.manager().listen(PORT, server::event);
    }

    private void note(RocePacket packet) {
        if (packet.opcode == Opcode.UD_SEND_ONLY.code() && packet.destQp == 1) {
            byte[] bytes = new byte[packet.payloadLength];
            packet.payload.copyTo(0, bytes, 0, bytes.length);
            Mad mad = Mad.decode(bytes, 0, bytes.length);
            if (mad != null) {
                messages.add(mad.message());
            }
        }
        RocePacket copy = new RocePacket();
        copy.set(packet);
        packets.add(copy);
    }

    CmId connect(int port, CmParameters parameters) {
        CmId id = client.connections.manager().createId(client::event);
        lab.await(client.createQp(id));
        client.postReceive(id.qp());
        id.connect(server.host.gid(), port, parameters);
        client.connections.wake();
        return id;
    }

    /** Connects and waits until both ends are established. */
    CmId established() {
        CmId id = connect(PORT, CmParameters.usual());
        until(() -> client.saw(CmEventType.ESTABLISHED) && server.saw(CmEventType.ESTABLISHED));
        return id;
    }

    void until(BooleanSupplier done) {
        if (!lab.sim().runUntil(done, lab.sim().now() + 2_000_000_000_000L)) {
            throw new AssertionError("not within 2 s: client " + client.types() + ", server " + server.types());
        }
    }

    void run(long ps) {
        lab.sim().run(lab.sim().now() + ps);
    }

    long count(CmAttribute attribute) {
        return messages.stream().filter(m -> m.attribute() == attribute).count();
    }
}
