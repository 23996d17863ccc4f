package dev.clockwire.bench.replay;

import dev.clockwire.bench.perftest.Provider;
import dev.clockwire.roce.transport.Psn;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.RocePacket;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Posts the work requests that a capture shows to simulated requesters, when their first packet appears, feeds them the captured
 * answers and compares what they send: every packet as it was sent first.
 */
final class RequesterReplay {
    private static final int NOBODY = 0xF0_0000;
    /** Simulated hosts for one address: each is a whole machine. */
    private static final int MOST_HOSTS = 64;

    private final Capture capture;
    private final Provider provider;
    private final Map<Captured, Asking> byPacket = new HashMap<>();
    private final List<Asking> asking = new ArrayList<>();
    private final Map<Place, SimulatedHost> hosts = new LinkedHashMap<>();
    private final List<Sent> sent = new ArrayList<>();
    private int posted;
    private int matching;
    private int expected;

    /** A simulated host: queue pairs have one each, so that time passes for none while another one's timer is waited for. */
    private record Place(Gid address, int number) {}

    /** A queue pair that asks. */
    private static final class Asking {
        private final Endpoint own;
        private final Endpoint to;
        private final List<Work> works;
        private int next;
        /** PSN of the packet that was sent last. */
        private int newest;
        /** PSN of the packet that the simulated side sent last. */
        private int last;
        /** The simulated side has gone back by itself since the capture did last. */
        private boolean wentBack;

        private final Place place;

        Asking(Endpoint to, int number, int index) {
            this.to = to;
            place = new Place(to.peer(), index % MOST_HOSTS);
            own = new Endpoint(to, number);
            newest = Psn.plus(to.startPsn, -1);
            last = newest;
            works = WorkFinder.find(to);
        }

        void sends(int psn) {
            wentBack |= Psn.compare(psn, last) <= 0;
            last = psn;
        }

        /** Tells whether a packet belongs to a work request that is not posted yet. */
        boolean isNew(int psn) {
            return next < works.size() && Psn.compare(psn, works.get(next).firstPsn()) >= 0;
        }
    }

    RequesterReplay(Capture capture, Provider provider, @Nullable Given given) {
        this.capture = capture;
        this.provider = provider;
        for (Endpoint to : Endpoints.of(capture)) {
            if (given != null) {
                given.tell(to);
            }
            Asking a = new Asking(to, number(to), asking.size());
            asking.add(a);
            to.requests.forEach(r -> byPacket.put(r, a));
            to.answers.forEach(r -> byPacket.put(r, a));
        }
    }

    /** The number that answers tell; one that nobody has if none does. */
    private int number(Endpoint to) {
        boolean taken = asking.stream().anyMatch(a -> a.own.address.equals(to.peer()) && a.own.qpn == to.peerQpn);
        return taken || to.peerQpn == 0 ? NOBODY + asking.size() : to.peerQpn;
    }

    Replay run() {
        for (Asking a : asking) {
            hosts.computeIfAbsent(a.place, unused -> new DeviceHost(a.own, provider))
                    .connect(a.own);
        }
        for (Captured p : capture.packets()) {
            Asking a = byPacket.get(p);
            if (a != null) {
                SimulatedHost host = Objects.requireNonNull(hosts.get(a.place));
                if (p.isRequest()) {
                    request(a, p, host);
                } else {
                    RocePacket packet = new RocePacket();
                    packet.set(p.packet());
                    host.feed(packet);
                }
                host.takeSent().forEach(s -> {
                    Asking from = sender(s, a);
                    from.sends(s.psn);
                    sent.add(new Sent(p.frame(), from.own, s));
                });
            }
        }
        return new Replay(report(), sent);
    }

    /** Returns who sent a packet: another queue pair of the host may have been waiting. */
    private Asking sender(RocePacket packet, Asking usual) {
        return asking.stream()
                .filter(a -> a.place.equals(usual.place)
                        && a.to.qpn == packet.destQp
                        && a.to.address.hi() == packet.flow.dstHi
                        && a.to.address.lo() == packet.flow.dstLo)
                .findFirst()
                .orElse(usual);
    }

    private void request(Asking a, Captured p, SimulatedHost host) {
        // only where sending went back: the packets behind that one were not sent again for reasons of their own
        if (p.isRead() && Psn.compare(p.packet().psn, a.newest) <= 0) {
            if (!a.wentBack) {
                host.retransmit(a.own.qpn);
            }
            a.wentBack = false;
        }
        a.newest = p.packet().psn;
        while (a.isNew(p.packet().psn)) {
            Work work = a.works.get(a.next++);
            posted++;
            host.postSend(a.own.qpn, work.work(), work.payload());
        }
    }

    private ReplayReport report() {
        List<ReplayReport.Difference> differences = new ArrayList<>();
        int given = 0;
        for (Asking a : asking) {
            given += compare(a, differences);
        }
        differences.sort(Comparator.comparingLong(ReplayReport.Difference::frame));
        return new ReplayReport(
                capture.file(),
                "requester",
                provider.name().toLowerCase(Locale.ROOT),
                posted,
                expected,
                given,
                matching,
                List.of(),
                differences,
                List.of());
    }

    private int compare(Asking a, List<ReplayReport.Difference> differences) {
        Map<Integer, Sent> given = new LinkedHashMap<>();
        FirstSent own = new FirstSent(a.to.mtu);
        sent.stream()
                .filter(s -> s.from() == a.own && own.isFirst(s.packet()))
                .forEach(s -> given.put(s.packet().psn, s));
        int count = given.size();
        FirstSent captured = new FirstSent(a.to.mtu);
        for (Captured p : a.to.requests) {
            if (captured.isFirst(p.packet())) {
                expected++;
                Sent s = given.remove(p.packet().psn);
                int before = differences.size();
                fields(p, s == null ? null : s.packet(), differences);
                matching += differences.size() == before ? 1 : 0;
            }
        }
        for (Sent s : given.values()) {
            if (!isCutOff(a, s.packet().psn)) {
                differences.add(new ReplayReport.Difference(s.cause(), "packet", null, text(s.packet())));
            }
        }
        return count;
    }

    /** The rest of a message whose end the capture does not have is no surplus. */
    private static boolean isCutOff(Asking a, int psn) {
        return a.works.stream().anyMatch(w -> !w.whole() && Psn.inRange(psn, w.firstPsn(), w.packets()));
    }

    private static void fields(Captured p, @Nullable RocePacket got, List<ReplayReport.Difference> differences) {
        RocePacket want = p.packet();
        if (got == null) {
            differences.add(new ReplayReport.Difference(p.frame(), "packet", text(want), null));
            return;
        }
        if (want.opcode != got.opcode) {
            differences.add(new ReplayReport.Difference(
                    p.frame(),
                    "opcode",
                    p.opcode().name(),
                    Opcode.of(got.opcode).name()));
        }
        Differ differ = new Differ(p.frame(), differences);
        differ.compare("va", want.va, got.va);
        differ.compare("rkey", want.rkey & 0xFFFF_FFFFL, got.rkey & 0xFFFF_FFFFL);
        differ.compare("dma_len", want.dmaLen, got.dmaLen);
        differ.compare("payload_len", want.payloadLength, got.payloadLength);
    }

    private static String text(RocePacket p) {
        return Opcode.of(p.opcode).name() + " PSN " + Differ.hex(p.psn);
    }
}
