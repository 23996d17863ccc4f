package dev.clockwire.bench.replay;

import dev.clockwire.bench.perftest.Provider;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.lab.SoloLab;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.pcie.host.Placement;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.AckTimeout;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.SendWork;
import dev.clockwire.roce.transport.Syndrome;
import dev.clockwire.roce.verbs.AddressVector;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.Errno;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.MemoryWindow;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.MwBind;
import dev.clockwire.roce.verbs.MwType;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveWorkRequest;
import dev.clockwire.roce.verbs.ScatterGather;
import dev.clockwire.roce.verbs.SendWorkRequest;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.roce.wire.Opcode;
import dev.clockwire.roce.wire.PortAddress;
import dev.clockwire.roce.wire.RocePacket;
import dev.clockwire.sim.mem.Allocation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A host with a simulated device, a NIC in cycles or the software one. The replayer is at the other end of its line. */
final class DeviceHost implements SimulatedHost {
    private static final String PROFILE = "cx7-400g";
    private static final int PAGE = 4096;
    private static final int VARIANT_BITS = 8;
    private static final int WORK_REQUESTS = 256;
    private static final int COMPLETIONS = 1 << 14;
    private static final int RETRIES = 7;
    /** The number of all receives; sends have others. */
    private static final long RECEIVE = -1;

    private static final int RD_ATOMIC = 16;
    /** About a second: nothing but {@link #retransmit} waits so long. */
    private static final int TIMEOUT = 18;

    private static final int LATEST_DETECTION = 4;
    /** Far beyond what any operation takes: what has not happened by then will not happen by itself. */
    private static final long SETTLED_PS = 200_000_000;

    private static final Set<AccessFlag> ALL_RIGHTS = EnumSet.of(
            AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);

    private final SoloLab lab;
    private final FarEnd line;
    private final GivenNumbers numbers = new GivenNumbers();
    private @Nullable ProtectionDomain domain;
    private @Nullable CompletionQueue completions;
    private final Map<Integer, Side> sides = new HashMap<>();
    private final Map<Integer, MemoryRegion> regions = new HashMap<>();
    private final Map<Integer, MemoryWindow> windows = new HashMap<>();
    /** Keys that SENDs invalidate, and the queue pairs at which they do. */
    private final Map<Integer, Side> invalidated = new HashMap<>();

    private final WorkCompletion[] polled = new WorkCompletion[64];
    private @Nullable MemoryRegion scratch;

    /** A queue pair and the receives that wait for room in its queue. */
    private static final class Side {
        private final QueuePair qp;
        private final Deque<Long> receives = new ArrayDeque<>();
        private int posted;

        Side(QueuePair qp) {
            this.qp = qp;
        }
    }

    /**
     * Builds the host of the queue pairs of one address.
     *
     * @param any one of them
     * @param provider what its device is
     */
    DeviceHost(Endpoint any, Provider provider) {
        boolean ipv4 = any.address.isIpv4();
        PortAddress port = new PortAddress(
                any.flow.srcMac,
                ipv4 ? any.address.ipv4() : 0,
                ipv4 ? 0 : any.address.hi(),
                ipv4 ? 0 : any.address.lo());
        List<FarEnd> ends = new ArrayList<>();
        lab = SoloLab.of(
                Profiles.named(PROFILE),
                LabSpec.of(1).withNumbering(numbers, null).withSoft(provider.soft()),
                port,
                (root, end) -> ends.add(new FarEnd(root, end)));
        line = ends.get(0);
        for (int i = 0; i < polled.length; i++) {
            polled[i] = new WorkCompletion();
        }
    }

    /** Created when first needed: the captured memory comes first, wherever it is, and the device's own goes around it. */
    private ProtectionDomain pd() {
        ProtectionDomain present = domain;
        if (present == null) {
            present = lab.await(lab.host().context().allocPd());
            domain = present;
        }
        return present;
    }

    private CompletionQueue cq() {
        CompletionQueue present = completions;
        if (present == null) {
            present = lab.await(lab.host().context().createCq(COMPLETIONS));
            completions = present;
        }
        return present;
    }

    @Override
    public void reserve(long va, long length) {
        Allocation memory = lab.host().host().memory().allocateAt("captured", va, length, Allocation.Kind.REAL);
        lab.host().host().hostMemory().place(memory, Placement.cache(0));
    }

    @Override
    public void connect(Endpoint e) {
        lab.neighbours().add(e.peer(), e.flow.dstMac);
        numbers.giveQpn(e.qpn);
        QpCapabilities sizes = new QpCapabilities(WORK_REQUESTS, WORK_REQUESTS, 1, 1, 0);
        QueuePair qp = lab.await(pd().createQp(QpInit.of(e.type, cq(), sizes)));
        lab.await(qp.modify(
                new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).access(ALL_RIGHTS)));
        AddressVector path = AddressVector.to(e.peer());
        QpAttributes receive = new QpAttributes()
                .state(QpState.RTR)
                .addressVector(e.address.isIpv4() ? path : path.withSgidIndex(1))
                .pathMtu(Mtu.ofBytes(e.mtu))
                .destQpn(e.peerQpn)
                .rqPsn(e.startPsn);
        QpAttributes send = new QpAttributes().state(QpState.RTS).sqPsn(e.sendPsn);
        if (e.type == QpType.RC) {
            receive.maxDestRdAtomic(e.kept()).minRnrTimer(e.rnrTimer);
            send.maxRdAtomic(RD_ATOMIC).timeout(TIMEOUT).retryCount(RETRIES).rnrRetry(RETRIES);
        }
        lab.await(qp.modify(receive));
        lab.await(qp.modify(send));
        Side side = new Side(qp);
        sides.put(e.qpn, side);
        e.requests.stream()
                .filter(r -> r.opcode().hasIeth())
                .forEach(r -> invalidated.put(r.packet().invalidateKey, side));
    }

    @Override
    public void register(Given.Region r) {
        regions.keySet().stream()
                .filter(key -> key >>> VARIANT_BITS == r.key() >>> VARIANT_BITS)
                .toList()
                .forEach(this::deregister);
        EnumSet<AccessFlag> rights = EnumSet.of(AccessFlag.LOCAL_WRITE);
        for (AccessFlag flag : ALL_RIGHTS) {
            if (flag.in(r.access())) {
                rights.add(flag);
            }
        }
        Side invalidates = invalidated.get(r.key());
        MemoryRegion window = invalidates == null ? null : window(invalidates.qp, r, rights);
        if (window != null) {
            regions.put(r.key(), window);
            return;
        }
        numbers.giveKey(r.key());
        regions.put(r.key(), lab.await(pd().regMr(r.va(), r.length(), rights)));
    }

    /**
     * A key that the peer's SENDs invalidate is that of a window: a region that a verb registers keeps its key.
     *
     * @return the region behind the window; null if the device has no windows
     */
    private @Nullable MemoryRegion window(QueuePair qp, Given.Region r, Set<AccessFlag> rights) {
        numbers.giveFreeKey();
        MemoryRegion behind =
                lab.await(pd().regMr(r.va(), r.length(), EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND)));
        numbers.giveKey(r.key());
        MemoryWindow window;
        try {
            window = lab.await(pd().allocMw(MwType.TYPE_2));
        } catch (VerbsException e) {
            if (e.errno() != Errno.EOPNOTSUPP) {
                throw e;
            }
            lab.await(behind.dereg());
            return null;
        }
        EnumSet<AccessFlag> remote = EnumSet.copyOf(rights);
        remote.remove(AccessFlag.LOCAL_WRITE);
        qp.postSend(SendWorkRequest.bindMw(0, r.key(), new MwBind(window, behind, r.va(), r.length(), remote)));
        settle(0);
        windows.put(r.key(), window);
        return behind;
    }

    @Override
    public void deregister(int key) {
        MemoryWindow window = windows.remove(key);
        if (window != null) {
            lab.await(window.dealloc());
        }
        MemoryRegion region = regions.remove(key);
        if (region != null) {
            lab.await(region.dereg());
        }
    }

    /** The content of receives is compared with nothing: one buffer serves all. */
    private MemoryRegion scratch(long size) {
        MemoryRegion present = scratch;
        if (present == null || present.length() < size) {
            present = buffer(Math.max(size, PAGE));
            scratch = present;
        }
        return present;
    }

    private MemoryRegion buffer(long size) {
        Allocation memory = lab.host()
                .host()
                .hostMemory()
                .allocate("buffer", Math.max(1, size), Allocation.Kind.REAL, PAGE, Placement.cache(0));
        numbers.giveFreeKey();
        return lab.await(pd().regMr(memory.address(), memory.length(), ALL_RIGHTS));
    }

    @Override
    public void postReceives(int qpn, long size, int count) {
        Side side = side(qpn);
        for (int i = 0; i < count; i++) {
            side.receives.addLast(size);
        }
        postWhatFits(side);
    }

    private Side side(int qpn) {
        return Objects.requireNonNull(sides.get(qpn));
    }

    private void postWhatFits(Side side) {
        while (!side.receives.isEmpty() && side.posted < WORK_REQUESTS) {
            long size = side.receives.removeFirst();
            MemoryRegion into = scratch(size);
            side.posted++;
            side.qp.postReceive(ReceiveWorkRequest.into(RECEIVE, new ScatterGather(into.address(), size, into.lkey())));
        }
    }

    @Override
    public void poke(long va, byte[] bytes) {
        lab.host().host().memory().putBytes(va, bytes, 0, bytes.length);
    }

    @Override
    public void postSend(int qpn, SendWork work, byte[] payload) {
        Side side = side(qpn);
        MemoryRegion local = buffer(work.length);
        poke(local.address(), payload);
        side.qp.postSend(WorkRequests.of(work, new ScatterGather(local.address(), work.length, local.lkey())));
        settle(0);
    }

    @Override
    public void retransmit(int qpn) {
        // no longer than until it sends: waiting on would use up its retries
        lab.sim().runUntil(line::hasArrived, lab.sim().now() + LATEST_DETECTION * AckTimeout.ps(TIMEOUT));
        settle(0);
    }

    @Override
    public void feed(RocePacket packet) {
        line.send(packet);
        boolean wait = packet.opcode == Opcode.RC_ACKNOWLEDGE.code() && Syndrome.isRnr(packet.syndrome);
        settle(wait ? Syndrome.rnrWaitPs(packet.syndrome) : 0);
    }

    /** Lets everything happen that is under way, and some more time pass. */
    private void settle(long longer) {
        lab.sim().run(lab.sim().now() + longer + SETTLED_PS);
        for (int n = cq().poll(polled); n > 0; n = cq().poll(polled)) {
            for (int i = 0; i < n; i++) {
                if (polled[i].wrId == RECEIVE) {
                    side(polled[i].qpNum).posted--;
                }
            }
        }
        sides.values().forEach(this::postWhatFits);
    }

    @Override
    public List<RocePacket> takeSent() {
        return line.take();
    }
}
