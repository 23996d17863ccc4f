package dev.clockwire.storage.hoststack;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.AddressVector;
import dev.clockwire.roce.verbs.CompletionChannel;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.MemoryWindow;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.MwType;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.sim.error.InvariantViolation;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.storage.hoststack.block.HostSetup;
import dev.clockwire.storage.hoststack.nvmerdma.RdmaHostQueue;
import dev.clockwire.storage.hoststack.nvmerdma.RdmaTarget;
import dev.clockwire.storage.hoststack.nvmet.NvmetController;
import dev.clockwire.storage.hoststack.nvmet.SsdBackend;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** NVMe over RDMA with both ends in the kernel, over two hosts' NICs. The queue pairs are joined without a connection manager. */
public final class KernelRdmaStack extends KernelStack {
    /** What a command brings along: a page, as Linux's target has it. */
    private static final int IN_CAPSULE = 4096;

    private static final int PAGE = 4096;
    private static final int READS = 16;
    private static final int RNR_TIMER = 12;
    private static final int ENDLESS = 7;
    private static final int TIMEOUT = 14;
    private static final Set<AccessFlag> LOCAL = EnumSet.of(AccessFlag.LOCAL_WRITE);
    private static final Set<AccessFlag> WINDOWS = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND);
    private static final Set<AccessFlag> REMOTE =
            EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE, AccessFlag.MW_BIND);

    private final List<MemoryRegion> data = new ArrayList<>();
    private final List<RdmaHostQueue> hostQueues = new ArrayList<>();
    private final List<RdmaTarget> targetQueues = new ArrayList<>();
    private final ProtectionDomain hostPd;
    private final ProtectionDomain targetPd;

    /** Builds hosts, NICs and the SSD. */
    public KernelRdmaStack(HostStackSpec spec) {
        super(spec, spec.profile());
        hostPd = lab().await(lab().a().context().allocPd());
        targetPd = lab().await(lab().b().context().allocPd());
        user().registerBy((va, bytes) -> data.add(lab().await(hostPd.regMr(va, bytes, WINDOWS))));
    }

    /** Returns why a queue is of no use any more, empty if all are. */
    public String failure() {
        StringBuilder all = new StringBuilder();
        hostQueues.forEach(q -> all.append(q.failure()));
        targetQueues.forEach(q -> all.append(q.failure()));
        return all.toString();
    }

    @Override
    protected String transport() {
        return "RDMA";
    }

    /** A queue pair and its completion queue. */
    private record End(QueuePair qp, CompletionQueue cq) {}

    private End end(LabHost host, ProtectionDomain pd, int entries) {
        Lab lab = lab();
        CompletionQueue cq = lab.await(host.context().createCq(4 * entries, new CompletionChannel()));
        QpCapabilities sizes = new QpCapabilities(3 * entries, entries, 2, 1, 0);
        return new End(lab.await(pd.createQp(QpInit.of(QpType.RC, cq, sizes))), cq);
    }

    private void ready(QueuePair qp, LabHost peer, int peerQpn) {
        Lab lab = lab();
        lab.await(qp.modify(
                new QpAttributes().state(QpState.INIT).pkeyIndex(0).port(1).access(REMOTE)));
        lab.await(qp.modify(new QpAttributes()
                .state(QpState.RTR)
                .addressVector(AddressVector.to(peer.gid()))
                .pathMtu(Mtu.ofBytes(lab.profile().integer("link.mtu")))
                .destQpn(peerQpn)
                .rqPsn(0)
                .maxDestRdAtomic(READS)
                .minRnrTimer(RNR_TIMER)));
        lab.await(qp.modify(new QpAttributes()
                .state(QpState.RTS)
                .sqPsn(0)
                .maxRdAtomic(READS)
                .timeout(TIMEOUT)
                .retryCount(ENDLESS)
                .rnrRetry(ENDLESS)));
    }

    @Override
    protected HostSetup join() {
        NvmetController controller =
                new NvmetController(NQN, ssd().blockBytes(), ssd().blocks(), IN_CAPSULE, HostStackSpec.MOST_ENTRIES);
        SsdBackend backend = new SsdBackend(
                targetKernel(),
                ssd().blockBytes(),
                (owner, status) -> targetQueues.get((int) (owner >>> 32)).ended((int) owner, status));
        ssd().attach(lab().sim(), backend);
        HostSetup[] setup = new HostSetup[1];
        RdmaHostQueue admin = queue(0, ADMIN_ENTRIES, controller, backend, setup);
        List<RdmaHostQueue> io = new ArrayList<>();
        for (int i = 0; i < spec().connections(); i++) {
            RdmaHostQueue q = queue(i + 1, spec().entries(), controller, backend, setup);
            io.add(q);
            user().add(q, spec().entries() - 1);
        }
        setup[0] = new HostSetup(hostKernel(), admin, List.copyOf(io), NQN, spec().entries(), setupPage());
        return setup[0];
    }

    private RdmaHostQueue queue(
            int qid, int entries, NvmetController controller, SsdBackend backend, HostSetup[] setup) {
        End host = end(lab().a(), hostPd, entries);
        End target = end(lab().b(), targetPd, entries);
        ready(host.qp(), lab().b(), target.qp().qpn());
        ready(target.qp(), lab().a(), host.qp().qpn());
        RdmaTarget t = new RdmaTarget(
                targetKernel(),
                target.qp(),
                target.cq(),
                new RdmaTarget.Resources(
                        region(lab().b(), targetPd, RdmaTarget.Resources.bytes(entries, IN_CAPSULE, MOST_BYTES)),
                        qid,
                        qid,
                        entries,
                        IN_CAPSULE,
                        MOST_BYTES),
                controller,
                (stage, tag, ps) -> user().tap(qid - 1).ended(stage, tag, ps));
        t.use(backend);
        targetQueues.add(t);
        List<MemoryWindow> windows = new ArrayList<>();
        for (int i = 0; i < entries; i++) {
            windows.add(lab().await(hostPd.allocMw(MwType.TYPE_2)));
        }
        RdmaHostQueue.Resources own = new RdmaHostQueue.Resources(
                region(lab().a(), hostPd, (long) entries * (SqEntry.BYTES + CqEntry.BYTES)),
                this::regionOf,
                windows,
                entries,
                IN_CAPSULE);
        RdmaHostQueue h = new RdmaHostQueue(
                hostKernel(),
                host.qp(),
                host.cq(),
                own,
                (tag, status, result) -> {
                    if (qid > 0 && setup[0].isDone()) {
                        user().ended(qid - 1, tag, status);
                    } else {
                        setup[0].ended(tag, status, result);
                    }
                },
                (stage, tag, ps) -> {
                    if (qid > 0) {
                        user().tap(qid - 1).ended(stage, tag, ps);
                    }
                });
        hostQueues.add(h);
        return h;
    }

    private MemoryRegion region(LabHost host, ProtectionDomain pd, long bytes) {
        Allocation m = host.host().memory().allocate("nvme.rdma", bytes, Allocation.Kind.REAL, PAGE);
        return lab().await(pd.regMr(m.address(), bytes, LOCAL));
    }

    private MemoryRegion regionOf(long va, int length) {
        for (int i = 0; i < data.size(); i++) {
            MemoryRegion r = data.get(i);
            if (va >= r.address() && va + length <= r.address() + r.length()) {
                return r;
            }
        }
        throw new InvariantViolation("data at " + va + " are in no region");
    }
}
