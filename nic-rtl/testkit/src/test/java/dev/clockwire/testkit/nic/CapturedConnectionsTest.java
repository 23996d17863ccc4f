package dev.clockwire.testkit.nic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.LabConnections;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.lab.SoloLab;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.roce.cm.CmAttribute;
import dev.clockwire.roce.cm.CmDrep;
import dev.clockwire.roce.cm.CmDreq;
import dev.clockwire.roce.cm.CmEvent;
import dev.clockwire.roce.cm.CmEventType;
import dev.clockwire.roce.cm.CmId;
import dev.clockwire.roce.cm.CmMessage;
import dev.clockwire.roce.cm.CmParameters;
import dev.clockwire.roce.cm.CmPath;
import dev.clockwire.roce.cm.CmRep;
import dev.clockwire.roce.cm.CmReq;
import dev.clockwire.roce.cm.CmRtu;
import dev.clockwire.roce.cm.CmTimes;
import dev.clockwire.roce.cm.IpCmHeader;
import dev.clockwire.roce.cm.Mad;
import dev.clockwire.roce.cm.PrivateData;
import dev.clockwire.roce.cm.ServiceId;
import dev.clockwire.roce.soft.SoftSpec;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.DeviceAttributes;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.wire.FrameDecoder;
import dev.clockwire.roce.wire.PortAddress;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.EventPort;
import dev.clockwire.sim.Scope;
import dev.clockwire.sim.SimNode;
import dev.clockwire.sim.capture.CaptureReader;
import dev.clockwire.sim.state.Token;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each connection of a capture of Linux 6.1 (rping, ucmatose, an NVMe host), once with a live manager in the server's place and once in the
 * client's: what it says is compared with what Linux said there, field by field. Numbers that each side chooses for itself are its own.
 */
class CapturedConnectionsTest {
    private static final long MS = 1_000_000_000L;
    private static final long PEER_MAC = 0x0200_0000_0001L;

    /** One message with the packet that carried it. */
    private record Said(RocePacket packet, Mad mad) {
        CmMessage message() {
            return mad.message();
        }
    }

    /** A live manager whose peer is the test. */
    private static final class Live {
        final List<Mad> said = new ArrayList<>();
        final List<CmEvent> events = new ArrayList<>();
        final SoloLab lab;
        final LabConnections connections;
        final CompletionQueue cq;

        /** Takes the place of the receiver, or the sender, of a packet. */
        Live(boolean soft, RocePacket packet, boolean receiver) {
            int own = receiver ? packet.flow.dstIpv4() : (int) packet.flow.srcLo;
            int other = receiver ? (int) packet.flow.srcLo : packet.flow.dstIpv4();
            LabSpec spec = LabSpec.of(1).withSoft(soft ? SoftSpec.usual() : null);
            PortAddress address = new PortAddress(0x0200_0000_0002L, own, 0, 2);
            lab = SoloLab.of(Profiles.named("cx7-400g"), spec, address, (root, end) -> {
                Hand hand = new Hand(root);
                end.attach(hand.port);
            });
            lab.neighbours().add(Gid.ofIpv4(other), PEER_MAC);
            connections = LabConnections.open(lab.sim(), lab.host(), CmTimes.LINUX);
            cq = lab.await(lab.host().context().createCq(8));
        }

        /** Keeps what the manager sends. */
        private final class Hand extends SimNode {
            final EventPort port;

            Hand(Scope root) {
                super(root, "hand");
                port = new EventPort(this, "line") {
                    @Override
                    protected void event(int kind, long a, long b, @Nullable Token token) {
                        if (token instanceof RocePacket packet && packet.destQp == 1) {
                            said.add(mad(packet));
                        }
                    }
                };
            }
        }

        QpInit init() {
            return QpInit.of(QpType.RC, cq, new QpCapabilities(4, 4, 1, 1, 0));
        }

        DeviceAttributes limits() {
            return lab.host().device().attributes();
        }

        /** Lets the manager have a message in a packet like a captured one. */
        void hears(RocePacket like, Mad mad) {
            byte[] bytes = new byte[Mad.BYTES];
            mad.encode(bytes, 0);
            RocePacket packet = new RocePacket();
            packet.set(like);
            packet.payload.clear();
            packet.payload.appendBytes(bytes, 0, bytes.length);
            lab.link().b().transmit(lab.sim().now(), packet);
            lab.sim().run(lab.sim().now() + 5 * MS);
        }

        <T extends CmMessage> T last(Class<T> type) {
            return type.cast(said.get(said.size() - 1).message());
        }

        List<CmEventType> types() {
            return events.stream().map(CmEvent::type).toList();
        }
    }

    private static Mad mad(RocePacket packet) {
        byte[] bytes = new byte[packet.payloadLength];
        packet.payload.copyTo(0, bytes, 0, bytes.length);
        return Objects.requireNonNull(Mad.decode(bytes, 0, bytes.length));
    }

    private static List<Said> captured() throws URISyntaxException {
        Path file = Path.of(Objects.requireNonNull(CapturedConnectionsTest.class.getResource("linux-cm.pcap"))
                .toURI());
        List<Said> all = new ArrayList<>();
        FrameDecoder decoder = new FrameDecoder();
        try (CaptureReader reader = CaptureReader.open(file)) {
            while (reader.next()) {
                RocePacket packet = new RocePacket();
                decoder.decode(reader.data(), reader.dataOffset(), reader.length(), packet);
                packet.icrcOk = true;
                all.add(new Said(packet, mad(packet)));
            }
        }
        return all;
    }

    private static List<Said> of(List<Said> all, CmReq req, CmAttribute attribute) {
        return all.stream()
                .filter(s -> s.message().attribute() == attribute)
                .filter(s -> s.message().remoteCommId() == req.localCommId()
                        || s.message().localCommId() == req.localCommId())
                .toList();
    }

    private static CmParameters asked(CmReq req) {
        return new CmParameters(
                req.responderResources(),
                req.initiatorDepth(),
                req.flowControl(),
                req.retryCount(),
                req.rnrRetry(),
                IpCmHeader.application(req.privateData()));
    }

    private static CmParameters answered(CmRep rep) {
        return new CmParameters(
                rep.responderResources(),
                rep.initiatorDepth(),
                rep.flowControl(),
                7,
                rep.rnrRetry(),
                rep.privateData());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theServerSaysWhatLinuxSaid(boolean soft) throws URISyntaxException {
        List<Said> all = captured();
        int connections = 0;
        for (Said said : all) {
            if (said.message() instanceof CmReq req) {
                serve(soft, said, req, all);
                connections++;
            }
        }
        assertThat(connections).isGreaterThanOrEqualTo(3);
    }

    private static void serve(boolean soft, Said asked, CmReq req, List<Said> all) {
        Said answer = of(all, req, CmAttribute.REP).get(0);
        CmRep linux = (CmRep) answer.message();
        Live live = new Live(soft, asked.packet(), true);
        live.connections.manager().listen(ServiceId.port(req.serviceId()), event -> {
            live.events.add(event);
            if (event.type() == CmEventType.CONNECT_REQUEST) {
                assertThat(event.privateData()).isEqualTo(IpCmHeader.application(req.privateData()));
                event.id()
                        .createQp(live.connections.pd(), live.init(), EnumSet.of(AccessFlag.REMOTE_WRITE))
                        .whenDone(qp -> event.id().accept(answered(linux)));
            }
        });
        live.hears(asked.packet(), asked.mad());
        CmRep ours = live.last(CmRep.class);
        CmRep expected = new CmRep(
                ours.localCommId(),
                linux.remoteCommId(),
                linux.qkey(),
                ours.qpn(),
                ours.startingPsn(),
                Math.min(linux.responderResources(), live.limits().maxQpRdAtomic()),
                Math.min(linux.initiatorDepth(), live.limits().maxQpInitRdAtomic()),
                linux.targetAckDelay(),
                linux.failover(),
                linux.flowControl(),
                linux.rnrRetry(),
                linux.srq(),
                linux.eecn(),
                live.limits().nodeGuid(),
                linux.privateData());
        assertThat(ours).isEqualTo(expected);
        assertThat(live.said.get(0).transactionId()).isEqualTo(answer.mad().transactionId());
        CmId id = live.events.get(0).id();
        assertThat(id.qp().query().destQpn()).isEqualTo(req.qpn());
        assertThat(id.qp().query().rqPsn()).isEqualTo(ours.startingPsn());
        assertThat(id.qp().query().sqPsn()).isEqualTo(req.startingPsn());
        live.hears(asked.packet(), asked.mad());
        assertThat(live.said).as("asked twice").hasSize(2);
        assertThat(live.last(CmRep.class)).isEqualTo(ours);
        for (Said rtu : of(all, req, CmAttribute.RTU)) {
            CmRtu ready = (CmRtu) rtu.message();
            live.hears(
                    rtu.packet(),
                    new Mad(
                            rtu.mad().transactionId(),
                            new CmRtu(ready.localCommId(), ours.localCommId(), ready.privateData())));
            assertThat(live.types()).contains(CmEventType.ESTABLISHED);
        }
        for (Said bye : of(all, req, CmAttribute.DREQ)) {
            ends(live, asked, bye, req, ours, all);
        }
    }

    private static void ends(Live live, Said asked, Said bye, CmReq req, CmRep ours, List<Said> all) {
        boolean fromClient = bye.packet().flow.srcLo == asked.packet().flow.srcLo;
        if (!fromClient || !live.types().contains(CmEventType.ESTABLISHED)) {
            return;
        }
        CmDreq linux = (CmDreq) bye.message();
        live.hears(
                bye.packet(),
                new Mad(
                        bye.mad().transactionId(),
                        new CmDreq(linux.localCommId(), ours.localCommId(), ours.qpn(), linux.privateData())));
        CmDrep drep = live.last(CmDrep.class);
        assertThat(drep).isEqualTo(new CmDrep(ours.localCommId(), req.localCommId(), PrivateData.NONE));
        assertThat(live.said.get(live.said.size() - 1).transactionId())
                .isEqualTo(bye.mad().transactionId());
        assertThat(of(all, req, CmAttribute.DREP)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theClientSaysWhatLinuxSaid(boolean soft) throws URISyntaxException {
        List<Said> all = captured();
        for (Said said : all) {
            if (said.message() instanceof CmReq req) {
                connect(soft, said, req, all);
            }
        }
    }

    private static void connect(boolean soft, Said asked, CmReq linux, List<Said> all) {
        Live live = new Live(soft, asked.packet(), false);
        CmId id = live.connections.manager().createId(live.events::add);
        live.lab.await(id.createQp(live.connections.pd(), live.init(), EnumSet.of(AccessFlag.REMOTE_WRITE)));
        id.connect(Gid.ofIpv4(asked.packet().flow.dstIpv4()), ServiceId.port(linux.serviceId()), asked(linux));
        live.connections.wake();
        live.lab.sim().run(live.lab.sim().now() + 5 * MS);
        CmReq ours = live.last(CmReq.class);
        IpCmHeader there = Objects.requireNonNull(IpCmHeader.read(linux.privateData()));
        IpCmHeader here = Objects.requireNonNull(IpCmHeader.read(ours.privateData()));
        assertThat(here).isEqualTo(new IpCmHeader(here.sourcePort(), there.source(), there.destination()));
        assertThat(linux.primary().flowLabel()).isEqualTo(label(there.sourcePort(), linux));
        assertThat(ours.primary().flowLabel()).isEqualTo(label(here.sourcePort(), ours));
        assertThat(withoutOwn(ours, ours, linux, live)).isEqualTo(withoutOwn(linux, ours, linux, live));
        Said answer = of(all, linux, CmAttribute.REP).get(0);
        CmRep rep = (CmRep) answer.message();
        Mad toUs = new Mad(
                live.said.get(0).transactionId(),
                new CmRep(
                        rep.localCommId(),
                        ours.localCommId(),
                        rep.qkey(),
                        rep.qpn(),
                        rep.startingPsn(),
                        rep.responderResources(),
                        Math.min(rep.initiatorDepth(), live.limits().maxQpRdAtomic()),
                        rep.targetAckDelay(),
                        rep.failover(),
                        rep.flowControl(),
                        rep.rnrRetry(),
                        rep.srq(),
                        rep.eecn(),
                        rep.caGuid(),
                        rep.privateData()));
        live.hears(answer.packet(), toUs);
        assertThat(live.types()).containsExactly(CmEventType.CONNECT_RESPONSE, CmEventType.ESTABLISHED);
        assertThat(live.events.get(0).privateData()).isEqualTo(rep.privateData());
        for (Said rtu : of(all, linux, CmAttribute.RTU)) {
            CmRtu ready = (CmRtu) rtu.message();
            assertThat(live.last(CmRtu.class))
                    .isEqualTo(new CmRtu(ours.localCommId(), ready.remoteCommId(), ready.privateData()));
        }
        assertThat(id.qp().query().destQpn()).isEqualTo(rep.qpn());
        assertThat(id.qp().query().sqPsn()).isEqualTo(rep.startingPsn());
        assertThat(id.qp().query().rqPsn()).isEqualTo(ours.startingPsn());
    }

    private static int label(int sourcePort, CmReq req) {
        return (31 * sourcePort + ServiceId.port(req.serviceId())) & 0xF_FFFF;
    }

    /** Returns a request with the numbers that its sender chose, and what follows from device and port, taken from ours. */
    private static CmReq withoutOwn(CmReq r, CmReq ours, CmReq linux, Live live) {
        return new CmReq(
                ours.localCommId(),
                r.serviceId(),
                ours.caGuid(),
                r.qkey(),
                ours.qpn(),
                Math.min(r.responderResources(), live.limits().maxQpRdAtomic()),
                Math.min(r.initiatorDepth(), live.limits().maxQpInitRdAtomic()),
                r.remoteResponseTimeout(),
                r.transport(),
                r.flowControl(),
                ours.startingPsn(),
                r.localResponseTimeout(),
                r.retryCount(),
                r.pkey(),
                ours.mtu(),
                r.rdcExists(),
                r.rnrRetry(),
                r.maxCmRetries(),
                r.srq(),
                r.extendedTransport(),
                r.localEecn(),
                r.remoteEecn(),
                new CmPath(
                        r.primary().localLid(),
                        r.primary().remoteLid(),
                        r.primary().localGid(),
                        r.primary().remoteGid(),
                        ours.primary().flowLabel(),
                        r.primary().packetRate(),
                        r.primary().trafficClass(),
                        r.primary().hopLimit(),
                        r.primary().serviceLevel(),
                        r.primary().subnetLocal(),
                        r.primary().ackTimeout()),
                r.alternate(),
                new IpCmHeader(0, linux.primary().localGid(), linux.primary().remoteGid())
                        .with(IpCmHeader.application(r.privateData())));
    }
}
