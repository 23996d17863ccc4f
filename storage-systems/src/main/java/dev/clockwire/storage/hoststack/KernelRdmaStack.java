package dev.clockwire.storage.hoststack;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabConnections;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nvme.fabrics.RdmaPrivateData;
import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.roce.cm.CmEventType;
import dev.clockwire.roce.cm.CmId;
import dev.clockwire.roce.cm.CmParameters;
import dev.clockwire.roce.cm.CmTimes;
import dev.clockwire.roce.cm.PrivateData;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.CompletionChannel;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.MemoryWindow;
import dev.clockwire.roce.verbs.MwType;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.sim.error.ConfigurationException;
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

/** NVMe over RDMA with both ends in the kernel, over two hosts' NICs. The connection manager is at work while connections are made; they stay until the end. */
public final class KernelRdmaStack extends KernelStack {
    /** What a command brings along: a page, as Linux's target has it. */
    private static final int IN_CAPSULE = 4096;

    private static final int PAGE = 4096;
    private static final int READS = 16;
    private static final int ENDLESS = 7;
    private static final long CONNECT_PS = 10_000_000_000_000L;
    private static final Set<AccessFlag> LOCAL = EnumSet.of(AccessFlag.LOCAL_WRITE);
    private static final Set<AccessFlag> WINDOWS = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND);
    private static final Set<AccessFlag> ACCESS =
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

    /** Both ends of a connection. */
    private record Ends(End host, End target) {}

    private static QpInit init(CompletionQueue cq, int entries) {
        return QpInit.of(QpType.RC, cq, new QpCapabilities(3 * entries, entries, 2, 1, 0));
    }

    /** Makes the queue pairs of a queue and connects them, as nvme-rdma and nvmet-rdma do. */
    private Ends connect(LabConnections from, LabConnections to, int qid, int entries) {
        Lab lab = lab();
        CompletionQueue hostCq = lab.await(lab.a().context().createCq(4 * entries, new CompletionChannel()));
        CompletionQueue targetCq = lab.await(lab.b().context().createCq(4 * entries, new CompletionChannel()));
        QueuePair[] accepted = new QueuePair[1];
        CmEventType[] last = new CmEventType[2];
        to.manager().listen(PORT, event -> {
            last[1] = event.type();
            if (event.type() == CmEventType.CONNECT_REQUEST) {
                CmId id = event.id();
                id.createQp(targetPd, init(targetCq, entries), ACCESS).whenDone(made -> {
                    accepted[0] = made;
                    id.accept(said(0, READS, RdmaPrivateData.reply(entries)));
                    to.wake();
                });
            }
        });
        CmId id = from.manager().createId(event -> last[0] = event.type());
        QueuePair pair = lab.await(id.createQp(hostPd, init(hostCq, entries), ACCESS));
        RdmaPrivateData.Request request = new RdmaPrivateData.Request(qid, entries, entries, qid == 0 ? 0 : 1);
        id.connect(lab.b().gid(), PORT, said(READS, 0, request.bytes()));
        from.wake();
        boolean up = lab.sim()
                .runUntil(
                        () -> last[0] == CmEventType.ESTABLISHED && last[1] == CmEventType.ESTABLISHED,
                        lab.sim().now() + CONNECT_PS);
        if (!up) {
            throw new ConfigurationException("", lab.sim().now(), "queue " + qid + " is not connected: " + last[0]);
        }
        to.manager().unlisten(PORT);
        return new Ends(new End(pair, hostCq), new End(accepted[0], targetCq));
    }

    private static CmParameters said(int resources, int depth, byte[] data) {
        return new CmParameters(resources, depth, false, ENDLESS, ENDLESS, PrivateData.of(data));
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
        LabConnections from = LabConnections.open(lab().sim(), lab().a(), CmTimes.LINUX);
        LabConnections to = LabConnections.open(lab().sim(), lab().b(), CmTimes.LINUX);
        HostSetup[] setup = new HostSetup[1];
        RdmaHostQueue admin = queue(connect(from, to, 0, ADMIN_ENTRIES), 0, ADMIN_ENTRIES, controller, backend, setup);
        List<RdmaHostQueue> io = new ArrayList<>();
        for (int i = 0; i < spec().connections(); i++) {
            RdmaHostQueue q = queue(
                    connect(from, to, i + 1, spec().entries()), i + 1, spec().entries(), controller, backend, setup);
            io.add(q);
            user().add(q, spec().entries() - 1);
        }
        setup[0] = new HostSetup(hostKernel(), admin, List.copyOf(io), NQN, spec().entries(), setupPage());
        return setup[0];
    }

    private RdmaHostQueue queue(
            Ends ends, int qid, int entries, NvmetController controller, SsdBackend backend, HostSetup[] setup) {
        End host = ends.host();
        End target = ends.target();
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
