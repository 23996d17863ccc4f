package dev.clockwire.storage.offload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.driver.HwOffload;
import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nic.lab.LabParts;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.offload.OffloadDisk;
import dev.clockwire.nic.offload.OffloadMemory;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nvme.ctrl.NamespaceSpec;
import dev.clockwire.nvme.ctrl.NvmeController;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.nvme.driver.NvmeDriver;
import dev.clockwire.nvme.format.CqEntry;
import dev.clockwire.nvme.format.Opcodes;
import dev.clockwire.nvme.format.SqEntry;
import dev.clockwire.nvme.store.MemoryStore;
import dev.clockwire.pcie.fabric.PcieSwitch;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.verbs.AddressVector;
import dev.clockwire.roce.verbs.CompletionQueue;
import dev.clockwire.roce.verbs.DmaBuf;
import dev.clockwire.roce.verbs.MemoryRegion;
import dev.clockwire.roce.verbs.Mtu;
import dev.clockwire.roce.verbs.ProtectionDomain;
import dev.clockwire.roce.verbs.QpAttributes;
import dev.clockwire.roce.verbs.QpCapabilities;
import dev.clockwire.roce.verbs.QpInit;
import dev.clockwire.roce.verbs.QueuePair;
import dev.clockwire.roce.verbs.ReceiveBatch;
import dev.clockwire.roce.verbs.ReceiveEntry;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.fault.FaultPlan;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Two hosts; the second has an SSD behind the switch of its NIC, and serves it by the NIC or by a core. */
final class OffloadRig {
    static final int DEPTH = 32;
    static final int MOST = 1 << 16;
    static final int BLOCK = 512;
    static final long MS = 1_000_000_000L;
    private static final int ENTRIES = 64;
    private static final int CMB_BYTES = 8 << 20;
    private static final int CMBMSC = 0x50;
    private static final Mtu MTU = Mtu.MTU_4096;

    final Lab lab;
    final QueuePair near;
    final QueuePair far;
    final CompletionQueue nearCq;
    final CompletionQueue farCq;
    final MemoryRegion nearMemory;
    final List<NvmeController> ssds = new ArrayList<>();
    final List<MemoryStore> stores = new ArrayList<>();
    private final ProtectionDomain farPd;
    private final NvmeDriver driver;
    private final CpuCore setup;
    private final List<Integer> answers = new ArrayList<>();

    @Nullable
    HwOffload offload;

    private final String media;

    private final class Parts implements LabParts {
        @Override
        public void add(Sim sim, LabHost a, LabHost b) {
            b.host().addCore();
        }

        @Override
        public void behind(Sim sim, String host, PcieSwitch fabric) {
            if (host.equals("host1")) {
                NvmeSpec spec = NvmeSpec.of(media)
                        .withNamespaces(List.of(new NamespaceSpec(BLOCK, 4096)))
                        .withControllerMemory(CMB_BYTES);
                NamespaceSpec n = spec.namespaces().get(0);
                stores.add(new MemoryStore("ns1", n.blockBytes(), n.blocks(), PayloadMode.BYTES));
                NvmeController c = new NvmeController(sim.root(), "ssd0", spec, 0x3c00, List.copyOf(stores));
                fabric.attach(c.endpoint());
                ssds.add(c);
            }
        }
    }

    static Profile hardware(boolean offloads) {
        Profile p = Profiles.named(Profiles.DEFAULT).with("pcie.switch", "gen5").with("pcie.mps", "256");
        return offloads ? p.with("nic.nvmf.contexts", "64").with("nic.dm.bytes", "65536") : p;
    }

    OffloadRig(boolean offloads) {
        this(offloads, KernelMode.ACTIVITY);
    }

    OffloadRig(boolean offloads, KernelMode mode) {
        this(offloads, mode, "null");
    }

    OffloadRig(boolean offloads, KernelMode mode, String media) {
        this(offloads, mode, media, FaultPlan.NONE);
    }

    OffloadRig(boolean offloads, KernelMode mode, String media, FaultPlan faults) {
        this.media = media;
        LabSpec spec = LabSpec.of(1)
                .withKernel(SimSpec.of(1).withWatchdogPs(0).withMode(mode))
                .withPayload(PayloadMode.BYTES)
                .withFaults(faults);
        lab = Lab.twoHosts(hardware(offloads), spec, new Parts());
        fillDisk();
        ProtectionDomain nearPd = lab.await(lab.a().context().allocPd());
        farPd = lab.await(lab.b().context().allocPd());
        nearCq = lab.await(lab.a().context().createCq(256));
        farCq = lab.await(lab.b().context().createCq(256));
        QpCapabilities room = new QpCapabilities(2 * DEPTH, DEPTH, 1, 1, 0);
        near = lab.await(nearPd.createQp(QpInit.of(QpType.RC, nearCq, room)));
        far = lab.await(farPd.createQp(QpInit.of(QpType.RC, farCq, room)));
        nearMemory = region(lab.a(), nearPd, Initiator.bytes(DEPTH));
        setup = lab.b().host().core(1);
        driver = new NvmeDriver(setup, ssds.get(0).endpoint().barAddress(0), 4);
        attach();
    }

    private void fillDisk() {
        MemoryStore store = stores.get(0);
        byte[] b = new byte[BLOCK];
        for (int lba = 0; lba < 4096; lba++) {
            for (int i = 0; i < BLOCK; i++) {
                b[i] = content(lba, i);
            }
            Payload p = new Payload();
            p.appendBytes(b, 0, BLOCK);
            store.write(lba, 1, p, 0);
        }
    }

    static byte content(long lba, int at) {
        return (byte) (lba * 31 + at * 7L + (lba >> 8));
    }

    MemoryRegion region(LabHost host, ProtectionDomain pd, long bytes) {
        Allocation a = host.host().memory().allocate("io", bytes, Allocation.Kind.REAL, 4096);
        return lab.await(pd.regMr(
                a.address(),
                a.length(),
                EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ)));
    }

    private void attach() {
        setup.run(c -> {
            boolean moved = driver.poll();
            if (driver.stage().compareTo(NvmeDriver.Stage.IDENTIFY) < 0) {
                return;
            }
            if (moved) {
                c.wake();
            } else {
                c.idle(Objects.requireNonNull(driver.admin()).next(), CqEntry.BYTES);
            }
        });
        assertThat(lab.sim()
                        .runUntil(
                                () -> driver.stage() == NvmeDriver.Stage.READY,
                                lab.sim().now() + 10_000 * MS))
                .as(driver.failure())
                .isTrue();
    }

    private void connect() {
        join(near, lab.b(), far.qpn());
        join(far, lab.a(), near.qpn());
    }

    private void join(QueuePair qp, LabHost to, int dest) {
        lab.await(qp.modify(new QpAttributes()
                .state(QpState.INIT)
                .pkeyIndex(0)
                .port(1)
                .access(EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ))));
        lab.await(qp.modify(new QpAttributes()
                .state(QpState.RTR)
                .addressVector(AddressVector.to(to.gid()))
                .pathMtu(MTU)
                .destQpn(dest)
                .rqPsn(100)
                .maxDestRdAtomic(16)
                .minRnrTimer(1)));
        lab.await(qp.modify(new QpAttributes()
                .state(QpState.RTS)
                .sqPsn(100)
                .timeout(14)
                .retryCount(7)
                .rnrRetry(7)
                .maxRdAtomic(16)));
    }

    /** Commands and data pass through the memory of the host. */
    OffloadRig byNic() {
        return byNic(OffloadMemory.Place.HOST);
    }

    /** Makes the memory that commands and data pass through, with its lists, and a region of it. */
    private MemoryRegion staging(OffloadMemory.Place place, int contexts) {
        long bytes = new OffloadMemory(0, ENTRIES, contexts, MOST).bytes();
        if (place == OffloadMemory.Place.HOST) {
            MemoryRegion all = region(lab.b(), farPd, bytes);
            OffloadMemory m = new OffloadMemory(all.address(), ENTRIES, contexts, MOST);
            lab.b().host().memory().putBytes(m.lists(), m.listContent(), 0, m.listBytes());
            return all;
        }
        long window = ssds.get(0).endpoint().barAddress(2);
        OffloadMemory m = new OffloadMemory(window, ENTRIES, contexts, MOST);
        setup.mmioWrite(ssds.get(0).endpoint().barAddress(0) + CMBMSC, window | 3, 8);
        setup.mmioWrite(m.lists(), m.listContent(), 0, m.listBytes());
        DmaBuf cmb = new DmaBuf("ssd0.cmb", window, CMB_BYTES);
        return lab.await(farPd.regDmabufMr(cmb, 0, bytes, window, EnumSet.of(AccessFlag.LOCAL_WRITE)));
    }

    /** Gives the SSD's queue pair 1 to the NIC and marks the queue pair. */
    OffloadRig byNic(OffloadMemory.Place place) {
        HwOffload nic = lab.b().offload();
        offload = nic;
        MemoryRegion staging = staging(place, nic.contexts());
        OffloadMemory where = new OffloadMemory(staging.address(), ENTRIES, nic.contexts(), MOST);
        SqEntry cq = new SqEntry().command(Opcodes.CREATE_CQ, 0, 0).prp(nic.window(), 0);
        command(cq.dword(10, (ENTRIES - 1) << 16 | 1).dword(11, 1));
        SqEntry submission = new SqEntry().command(Opcodes.CREATE_SQ, 0, 0).prp(where.sq(), 0);
        command(submission.dword(10, (ENTRIES - 1) << 16 | 1).dword(11, 1 << 16 | 1));
        long bar = ssds.get(0).endpoint().barAddress(0);
        nic.serve(new OffloadDisk(
                1,
                BLOCK,
                4096,
                ENTRIES,
                where.sq(),
                bar + 0x1008,
                bar + 0x100C,
                where.staging(),
                staging.lkey(),
                MOST,
                where.lists()));
        var dm = lab.await(lab.b().context().allocDm(DEPTH * 64L));
        MemoryRegion capsules =
                lab.await(farPd.regDmMr(dm, 0, DEPTH * 64L, EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.ZERO_BASED)));
        connect();
        ReceiveBatch receives = new ReceiveBatch(1, 1);
        for (int i = 0; i < DEPTH; i++) {
            receives.clear();
            ReceiveEntry r = receives.add();
            r.wrId = i;
            r.sges().add(capsules.address() + 64L * i, 64, capsules.lkey());
            far.postReceive(receives);
        }
        lab.await(nic.mark(far, new HwOffload.Capsules(capsules.lkey(), capsules.address(), 64), DEPTH));
        return this;
    }

    private void command(SqEntry entry) {
        int before = answers.size();
        assertThat(driver.command(entry, (tag, status, result) -> answers.add(status)))
                .isTrue();
        setup.wakeFrom(setup.now() + 1);
        assertThat(lab.sim().runUntil(() -> answers.size() > before, lab.sim().now() + 100 * MS))
                .isTrue();
        assertThat(answers.get(before)).isZero();
    }

    /** Has a core serve the queue pair. */
    OffloadRig byCore() {
        MemoryRegion memory = region(lab.b(), farPd, DEPTH * (MOST + 80L));
        CoreTarget target = new CoreTarget(lab.b(), far, farCq, memory, DEPTH, MOST);
        List<Integer> made = new ArrayList<>();
        var pair = driver.createQueuePair(
                lab.b().core(), ENTRIES, true, (tag, status, result) -> target.done(tag, status), made::add);
        setup.wakeFrom(setup.now() + 1);
        assertThat(lab.sim().runUntil(() -> !made.isEmpty(), lab.sim().now() + 100 * MS))
                .isTrue();
        target.use(pair);
        connect();
        for (int i = 0; i < DEPTH; i++) {
            target.receive(i);
        }
        lab.b().core().run(target);
        return this;
    }

    /** Runs commands until all are answered, or something has failed. */
    Initiator run(int depth, int count, Initiator.Command command) {
        Initiator i = new Initiator(lab.a(), near, nearCq, nearMemory, depth, count, command);
        lab.a().core().run(i);
        assertThat(lab.sim().runUntil(i::isDone, lab.sim().now() + 1000 * MS))
                .as(i.responses.size() + " of " + count + " responses")
                .isTrue();
        return i;
    }

    /** Returns the bytes at an address of the first host. */
    byte[] bytes(long va, int length) {
        byte[] b = new byte[length];
        lab.a().host().memory().getBytes(va, b, 0, length);
        return b;
    }
}
