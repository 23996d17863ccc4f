package dev.clockwire.nic.driver;

import dev.clockwire.nic.context.ContextTable;
import dev.clockwire.nic.context.CqContext;
import dev.clockwire.nic.context.QpContext;
import dev.clockwire.nic.context.SrqContext;
import dev.clockwire.nic.format.Cqe;
import dev.clockwire.nic.format.Wqe;
import dev.clockwire.nic.profile.QueueSpec;
import dev.clockwire.roce.transport.MemoryKey;
import dev.clockwire.roce.transport.MemoryKeys;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.AddressVector;
import dev.clockwire.roce.verbs.AsyncEvent;
import dev.clockwire.roce.verbs.AsyncEventType;
import dev.clockwire.roce.verbs.Completion;
import dev.clockwire.roce.verbs.CompletionQueueProvider;
import dev.clockwire.roce.verbs.ContextProvider;
import dev.clockwire.roce.verbs.DeviceLife;
import dev.clockwire.roce.verbs.DeviceMemoryProvider;
import dev.clockwire.roce.verbs.DmaBuf;
import dev.clockwire.roce.verbs.Errno;
import dev.clockwire.roce.verbs.MrKeys;
import dev.clockwire.roce.verbs.MrRange;
import dev.clockwire.roce.verbs.MwType;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePairProvider;
import dev.clockwire.roce.verbs.SharedReceiveQueue;
import dev.clockwire.roce.verbs.SharedReceiveQueueProvider;
import dev.clockwire.roce.verbs.SrqAttributes;
import dev.clockwire.roce.verbs.VerbsException;
import dev.clockwire.roce.wire.FlowAddress;
import dev.clockwire.sim.host.Cpu;
import dev.clockwire.sim.host.HostCost;
import dev.clockwire.sim.mem.Allocation;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An open device: lays rings out in host memory and tells the device of them. */
final class HwContext implements ContextProvider {
    /** Half of what a 16-bit index counts, so that old and new can be told apart. */
    private static final int MAX_SQ_BLOCKS = 1 << 15;

    private static final int SEGMENT = 16;
    private static final int RECORD_BYTES = 64;
    private static final int DATAGRAM_BYTES = 48;

    private final HwDevice device;
    private final Cpu cpu;
    private final Consumer<AsyncEvent> async;
    private final int opened;

    HwContext(HwDevice device, Cpu cpu, Consumer<AsyncEvent> async) {
        this.async = async;
        this.device = device;
        this.cpu = cpu;
        opened = device.nic().life().failures();
    }

    /** Whether the device has failed since it was opened. */
    boolean isLost() {
        return device.nic().life().failures() != opened;
    }

    /** Carries out a command that makes something; it fails if the device has failed. */
    private Runnable unlessLost(String verb, Completion<?> done, Runnable action) {
        return () -> {
            if (isLost()) {
                done.fail(DeviceLife.lost(verb, device.name()));
            } else {
                action.run();
            }
        };
    }

    private void command(String verb, Completion<?> done, Runnable action) {
        device.commands().submit(unlessLost(verb, done, action));
    }

    @Override
    public void close() {
        device.closed(this);
    }

    /** Tells the program, in a step of its core, of something that concerns the device. */
    void happened(AsyncEventType type, int number) {
        cpu.charge(HostCost.INTERRUPT, 1);
        async.accept(new AsyncEvent(type, number));
        cpu.wake();
    }

    Cpu cpu() {
        return cpu;
    }

    private ContextTable table() {
        return device.nic().parts().table();
    }

    @Override
    public void allocPd(Completion<Integer> done) {
        int pd = device.nextPd();
        command("alloc_pd", done, () -> done.complete(pd));
    }

    @Override
    public void deallocPd(int pd, Completion<Integer> done) {
        device.commands().submit(() -> done.complete(pd));
    }

    /** As ib_umem_get of Linux: what is pinned already counts, also by others who have opened the device. */
    private boolean mayPin(long bytes, Completion<MrKeys> done) {
        long most = device.registration().lockedBytes();
        if (most > 0 && device.pinned() + bytes > most) {
            done.fail(new VerbsException(
                    Errno.ENOMEM,
                    "reg_mr",
                    "Cannot allocate memory: " + bytes + " bytes cannot be pinned, of RLIMIT_MEMLOCK " + most
                            + " (ulimit -l) " + device.pinned() + " are in use"));
            return false;
        }
        return true;
    }

    private Runnable region(String verb, int pd, MrRange range, Completion<MrKeys> done) {
        return unlessLost(verb, done, () -> {
            int key = device.numbering().nextKey();
            if (free(verb, key, done)) {
                keys().addRegion(key, pd, range.iova(), range.length(), range.address(), range.access());
                device.tables().region(key, range.address(), range.length());
                done.complete(new MrKeys(key, key));
            }
        });
    }

    /** Nothing is pinned, and what lies in one piece is one entry for the device. */
    @Override
    public void regDmabufMr(int pd, DmaBuf memory, MrRange range, Completion<MrKeys> done) {
        int id = device.nic().endpoint().id();
        if (!device.host().reaches(id, range.address(), range.length())) {
            String why =
                    device.name() + " has no way to " + memory.name() + " at 0x" + Long.toHexString(range.address())
                            + ": both must be behind one PCIe switch, or host.peer_ns above 0";
            done.fail(new VerbsException(Errno.EOPNOTSUPP, "reg_dmabuf_mr", why));
            return;
        }
        Runnable command = region("reg_dmabuf_mr", pd, range, done);
        RegistrationSpec cost = device.registration();
        if (cost.isFree()) {
            device.commands().submit(command);
        } else {
            device.commands().submit(cost.mttPs(), cpu.now(), command);
        }
    }

    @Override
    public void regMr(int pd, MrRange range, Completion<MrKeys> done) {
        if (!mayPin(range.length(), done)) {
            return;
        }
        device.pin(range.length());
        Runnable command = region("reg_mr", pd, range, done);
        RegistrationSpec cost = device.registration();
        if (cost.isFree()) {
            device.commands().submit(command);
            return;
        }
        long pages = device.pages(range.address(), range.length());
        cpu.charge(pages * cost.pinPs());
        device.commands().submit(pages * cost.mttPs(), cpu.now(), command);
    }

    private boolean free(String verb, int key, Completion<?> done) {
        boolean free = !keys().taken(key);
        if (!free) {
            String text = "key index 0x" + Integer.toHexString(key >>> 8) + " is in use";
            done.fail(new VerbsException(Errno.EINVAL, verb, text));
        }
        return free;
    }

    private MemoryKeys keys() {
        return table().keys();
    }

    @Override
    public void allocMw(int pd, MwType type, Completion<Integer> done) {
        command("alloc_mw", done, () -> {
            int key = device.numbering().nextKey();
            if (free("alloc_mw", key, done)) {
                boolean first = type == MwType.TYPE_1;
                device.tables().window(key);
                keys().addWindow(first ? MemoryKey.Kind.WINDOW_1 : MemoryKey.Kind.WINDOW_2, key, pd);
                done.complete(key);
            }
        });
    }

    @Override
    public void deallocMw(int key, Completion<Integer> done) {
        device.commands().submit(() -> {
            MemoryKey window = keys().findIndex(key);
            if (window != null) {
                keys().remove(window);
                device.tables().remove(key);
            }
            done.complete(key);
        });
    }

    @Override
    public void deregMr(MrKeys keys, Completion<MrKeys> done) {
        device.commands().submit(() -> {
            MemoryKey region = keys().find(keys.lkey());
            if (region != null && region.windows() > 0) {
                String text = region.windows() + " memory windows are bound to it";
                done.fail(new VerbsException(Errno.EBUSY, "dereg_mr", text));
                return;
            }
            if (region != null) {
                keys().remove(region);
                device.tables().remove(keys.lkey());
                unpin(region.address(), region.length());
                device.pin(-region.length());
            }
            done.complete(keys);
        });
    }

    private void unpin(long address, long length) {
        RegistrationSpec cost = device.registration();
        if (!cost.isFree()) {
            cpu.charge(cost.unpinPs() * device.pages(address, length));
        }
    }

    @Override
    public void createCq(int cqe, Runnable events, Completion<CompletionQueueProvider> done) {
        command("create_cq", done, () -> {
            int log = log2(cqe);
            Allocation ring = allocate("cq", (long) Cqe.BYTES << log);
            Allocation record = allocate("cqrec", RECORD_BYTES);
            CqContext context = new CqContext(table().nextCqn(), ring.address(), log, record.address());
            table().add(context);
            device.tables().completionQueue(context.cqn());
            table().compress(context.cqn(), device.nic().spec().queues().compression() == QueueSpec.Compression.ALL);
            HwCompletionQueue cq =
                    new HwCompletionQueue(context, new CompletionRing(cpu.memory(), ring.address(), log), device, cpu);
            cq.tell(events, async);
            device.events().add(cq);
            done.complete(cq);
        });
    }

    @Override
    public void createQp(int pd, QpInit init, Completion<QueuePairProvider> done) {
        command("create_qp", done, () -> {
            long blocks = sendBlocks(init);
            int bytes = wqeBytes(init);
            if (blocks > MAX_SQ_BLOCKS || bytes > Wqe.MAX_BYTES) {
                done.fail(new VerbsException(
                        Errno.EINVAL,
                        "create_qp",
                        "a send queue of " + blocks + " blocks with WQEs of up to " + bytes + " bytes: at most "
                                + MAX_SQ_BLOCKS + " blocks of 64 bytes and " + Wqe.MAX_BYTES + " bytes a WQE"));
                return;
            }
            int qpn = init.gsi() ? QpInit.GSI_QPN : device.numbering().nextQpn();
            if (taken(qpn)) {
                done.fail(new VerbsException(
                        Errno.EINVAL, "create_qp", "queue pair number 0x" + Integer.toHexString(qpn) + " is in use"));
            } else if (!table().hasUar()) {
                done.fail(new VerbsException(Errno.ENOMEM, "create_qp", "all UAR pages are in use"));
            } else {
                done.complete(createQp(pd, init, qpn));
            }
        });
    }

    /** The number of a destroyed queue pair can be had again when nothing of it is under way. */
    private boolean taken(int qpn) {
        QpContext old = table().qp(qpn);
        return old != null && (!old.closed || old.resetting || old.state != QpState.RESET);
    }

    @Override
    public void createSrq(int pd, SrqAttributes size, Completion<SharedReceiveQueueProvider> done) {
        command("create_srq", done, () -> {
            int log = log2(size.maxWr());
            int stride = SEGMENT << log2(Math.max(1, size.maxSge()));
            Allocation ring = allocate("srq", (long) stride << log);
            Allocation record = allocate("srqrec", RECORD_BYTES);
            SrqContext context = new SrqContext(table().srqCount(), ring.address(), log, stride, record.address());
            table().add(context);
            ReceiveRing receives = new ReceiveRing(ring.address(), log, stride, record.address(), true);
            HwSharedQueue srq = new HwSharedQueue(device, context, receives, size, cpu, async);
            device.events().add(srq);
            done.complete(srq);
        });
    }

    @Override
    public void allocDm(long length, Completion<DeviceMemoryProvider> done) {
        command("alloc_dm", done, () -> {
            Allocation piece = device.nic().chipMemory().allocate(length);
            if (piece == null) {
                done.fail(new VerbsException(Errno.ENOMEM, "alloc_dm", "no piece of " + length + " bytes is free"));
            } else {
                done.complete(new HwDeviceMemory(device, cpu, piece));
            }
        });
    }

    @Override
    public void regDmMr(int pd, DeviceMemoryProvider memory, MrRange range, Completion<MrKeys> done) {
        if (memory instanceof HwDeviceMemory own) {
            long address = own.address() + range.address();
            regMr(pd, new MrRange(address, range.length(), range.iova(), range.access()), done);
        } else {
            done.fail(new VerbsException(Errno.EINVAL, "reg_dm_mr", "the memory belongs to another device"));
        }
    }

    private static @Nullable HwSharedQueue shared(QpInit init) {
        SharedReceiveQueue srq = init.srq();
        if (srq == null) {
            return null;
        }
        if (srq.provider() instanceof HwSharedQueue shared) {
            return shared;
        }
        throw new VerbsException(Errno.EINVAL, "create_qp", "the shared receive queue belongs to another device");
    }

    private HwQueuePair createQp(int pd, QpInit init, int qpn) {
        QpCapabilities cap = init.capabilities();
        int logSq = log2(Math.max(4, (int) sendBlocks(init)));
        int stride = SEGMENT << log2(Math.max(1, cap.maxRecvSge()));
        HwSharedQueue srq = shared(init);
        int logRq = cap.maxRecvWr() == 0 || srq != null ? -1 : log2(cap.maxRecvWr());
        long rqBytes = logRq < 0 ? 0 : (long) stride << logRq;
        Allocation rings = allocate("qp", ((long) Wqe.BLOCK << logSq) + Math.max(RECORD_BYTES, rqBytes));
        Allocation record = allocate("dbrec", RECORD_BYTES);
        HwCompletionQueue send = queue(init.sendCq().provider());
        HwCompletionQueue receive = queue(init.recvCq().provider());
        long rqBase = rings.address() + ((long) Wqe.BLOCK << logSq);
        QpContext context = new QpContext(
                qpn,
                init.type(),
                pd,
                rings.address(),
                logSq,
                rqBase,
                logRq,
                stride,
                record.address(),
                send.number(),
                receive.number());
        device.tables().queuePair(context);
        context.managedSends = init.managedSends();
        context.srq = srq == null ? null : srq.context();
        table().add(context);
        device.nic().registers().rates().show(context.uar, context.rate);
        SendRing sq = new SendRing(
                qpn,
                rings.address(),
                logSq,
                record.address(),
                device.nic().doorbell(context),
                device.nic().blueflame(context, 0),
                device.nic().blueflame(context, 1),
                device.nic().spec().blueflame(),
                device.nic().spec().doorbellCarriesPi());
        ReceiveRing rq = srq == null
                ? new ReceiveRing(rqBase, Math.max(0, logRq), stride, record.address(), false)
                : srq.receives();
        HwQueuePair qp = new HwQueuePair(device, this, context, sq, rq, init, cpu, async, send, receive);
        device.events().add(qp);
        send.attach(qp);
        receive.attach(qp);
        return qp;
    }

    /** Blocks that have room for the WQEs asked for at their largest, as a power of two. */
    private static long sendBlocks(QpInit init) {
        int each = (wqeBytes(init) + Wqe.BLOCK - 1) / Wqe.BLOCK;
        long wanted = Math.max(1, init.capabilities().maxSendWr()) * (long) each;
        return Long.highestOneBit(wanted - 1 | 1) << 1;
    }

    /** Bytes of the largest WQE of a queue pair: a datagram, an atomic or a WRITE, with SGEs or inline data. */
    private static int wqeBytes(QpInit init) {
        QpCapabilities cap = init.capabilities();
        boolean datagram = init.type() == QpType.UD;
        int elements = SEGMENT * Math.max(1, cap.maxSendSge());
        int inline = cap.maxInlineData() == 0 ? 0 : cap.maxInlineData() + 4 + SEGMENT - 1 & -SEGMENT;
        int remote = datagram ? DATAGRAM_BYTES : SEGMENT;
        int withElements = SEGMENT + remote + (datagram ? 0 : SEGMENT) + elements;
        return Math.max(withElements, SEGMENT + remote + inline);
    }

    private static HwCompletionQueue queue(CompletionQueueProvider provider) {
        if (provider instanceof HwCompletionQueue cq) {
            return cq;
        }
        throw new VerbsException(Errno.EINVAL, "create_qp", "the completion queue belongs to another device");
    }

    private Allocation allocate(String what, long bytes) {
        return device.allocate(what, bytes);
    }

    static int log2(int atLeast) {
        return 32 - Integer.numberOfLeadingZeros(Math.max(1, atLeast) - 1);
    }

    @Override
    public void createAh(int pd, AddressVector to, Completion<FlowAddress> done) {
        command("create_ah", done, () -> {
            FlowAddress flow = new FlowAddress();
            if (device.resolve(to, 0, 0, flow)) {
                done.complete(flow);
            } else {
                done.fail(new VerbsException(Errno.ETIMEDOUT, "create_ah", "nobody has the address " + to.dgid()));
            }
        });
    }
}
