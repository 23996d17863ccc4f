package dev.clockwire.bench.live;

import dev.clockwire.bench.text.Count;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.verbs.AddressVector;
import dev.clockwire.roce.verbs.AsyncEvent;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.Gid;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.Numbering;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.mem.Allocation;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The peer of a verbs program that agreed on all values beforehand: a queue pair with a fixed number and PSN, 64 KiB of memory with two keys, and receives. It only responds.
 */
final class VerbsPeer implements LiveProgram {
    private static final int QPN = 0x100;
    private static final int FIRST_PSN = 0x222220;
    private static final int PEER_QPN = 0x11;
    private static final int PEER_PSN = 0x111110;
    private static final int KEY = 0x1234;
    private static final int READ_KEY = 0x5678;
    private static final int RECEIVE_KEY = 0x9ABC;
    private static final long ADDRESS = 0x2000_0000_0000L;
    private static final int BYTES = 1 << 16;
    private static final Gid PEER = Gid.ofIpv4(0x0A00_0001);

    private static final int RECEIVES = 16;
    private static final int RD_ATOMIC = 16;
    private static final int RNR_TIMER = 20; // 10.24 ms
    private static final int TIMEOUT = 18; // 1 s: the peer is an emulated machine
    private static final int RETRIES = 7;
    private static final long PS_PER_MS = 1_000_000_000L;

    private final Station station;
    private final LiveSpec spec;
    private final Consumer<String> events;
    private final WorkCompletion[] wc = WorkCompletion.array(RECEIVES);
    private final ReceiveBatch batch = new ReceiveBatch(1, 1);
    private @Nullable Sockets open;
    private long received;
    private long postAt = LiveSpec.NEVER;

    /** What exists once the peer is known. */
    private record Sockets(CompletionQueue cq, QueuePair qp, Allocation buffers, MemoryRegion region) {}

    VerbsPeer(Station station, LiveSpec spec, Consumer<String> events) {
        this.station = station;
        this.spec = spec;
        this.events = events;
    }

    /** Returns the numbers that the peer expects, for the device. */
    static Numbering numbers() {
        return Numbering.given(new int[] {QPN}, new int[] {KEY, READ_KEY, RECEIVE_KEY});
    }

    @Override
    public void begin() {
        ProtectionDomain pd = station.await(station.context().allocPd());
        Allocation memory = station.memory().allocateAt("peer.memory", ADDRESS, BYTES, Allocation.Kind.REAL);
        for (int i = 0; i < BYTES; i++) {
            station.memory().putByte(memory.address() + i, (byte) ~(i * 7 + (i >> 8)));
        }
        register(
                pd,
                memory,
                ADDRESS,
                EnumSet.of(
                        AccessFlag.LOCAL_WRITE,
                        AccessFlag.REMOTE_WRITE,
                        AccessFlag.REMOTE_READ,
                        AccessFlag.REMOTE_ATOMIC));
        register(pd, memory, ADDRESS, EnumSet.of(AccessFlag.REMOTE_READ));
        Allocation buffers = station.memory()
                .allocate("peer.receives", (long) RECEIVES * spec.receiveBytes(), Allocation.Kind.REAL, 4096);
        MemoryRegion region = register(pd, buffers, buffers.address(), EnumSet.of(AccessFlag.LOCAL_WRITE));
        CompletionQueue cq = station.await(station.context().createCq(2 * RECEIVES));
        QueuePair qp = station.await(pd.createQp(QpInit.of(QpType.RC, cq, new QpCapabilities(1, RECEIVES, 1, 1, 0))));
        connect(qp);
        open = new Sockets(cq, qp, buffers, region);
        postAt = spec.receiveDelayMs() == LiveSpec.NEVER
                ? LiveSpec.NEVER
                : station.sim().now() + spec.receiveDelayMs() * PS_PER_MS;
        postDue();
        watch(station.context().asyncEvent());
    }

    private MemoryRegion register(ProtectionDomain pd, Allocation memory, long iova, Set<AccessFlag> access) {
        return station.await(pd.regMrIova(memory.address(), memory.length(), iova, access));
    }

    private void connect(QueuePair qp) {
        Set<AccessFlag> access = EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);
        station.await(qp.modify(
                new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).access(access)));
        station.await(qp.modify(new QpAttributes()
                .state(QpState.RTR)
                .addressVector(AddressVector.to(PEER))
                .pathMtu(Mtu.ofBytes(spec.mtu()))
                .destQpn(PEER_QPN)
                .rqPsn(PEER_PSN)
                .maxDestRdAtomic(RD_ATOMIC)
                .minRnrTimer(RNR_TIMER)));
        station.await(qp.modify(new QpAttributes()
                .state(QpState.RTS)
                .sqPsn(FIRST_PSN)
                .maxRdAtomic(RD_ATOMIC)
                .timeout(TIMEOUT)
                .retryCount(RETRIES)
                .rnrRetry(RETRIES)));
    }

    private void watch(Completion<AsyncEvent> next) {
        next.whenDone(event -> {
            events.accept("event " + event);
            station.context().ackAsyncEvent(event);
            watch(station.context().asyncEvent());
        });
    }

    private void postDue() {
        Sockets o = open;
        if (o != null && station.sim().now() >= postAt) {
            postAt = LiveSpec.NEVER;
            for (int i = 0; i < RECEIVES; i++) {
                post(o, i);
            }
        }
    }

    private void post(Sockets o, int slot) {
        batch.clear();
        var receive = batch.add();
        receive.wrId = slot;
        receive.sges()
                .add(
                        o.buffers().address() + (long) slot * spec.receiveBytes(),
                        spec.receiveBytes(),
                        o.region().lkey());
        o.qp().postReceive(batch);
    }

    @Override
    public void poll() {
        Sockets o = open;
        if (o == null) {
            return;
        }
        postDue();
        int n = o.cq().hasCompletion() ? o.cq().poll(wc) : 0;
        for (int i = 0; i < n; i++) {
            events.accept(wc[i].toString());
            if (wc[i].status == WcStatus.SUCCESS) {
                received++;
                post(o, (int) wc[i].wrId);
            }
        }
    }

    @Override
    public boolean isOver() {
        return false;
    }

    @Override
    public String summary() {
        return Count.of(received, "message") + " received";
    }
}
