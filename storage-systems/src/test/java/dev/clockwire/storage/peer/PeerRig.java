package dev.clockwire.storage.peer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clockwire.nic.lab.Lab;
import dev.clockwire.nic.lab.LabHost;
import dev.clockwire.nic.lab.LabParts;
import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.nic.profile.Profile;
import dev.clockwire.nic.profile.Profiles;
import dev.clockwire.nvme.ctrl.NamespaceSpec;
import dev.clockwire.nvme.ctrl.NvmeController;
import dev.clockwire.nvme.ctrl.NvmeSpec;
import dev.clockwire.nvme.store.MemoryStore;
import dev.clockwire.pcie.endpoint.WindowMemory;
import dev.clockwire.pcie.fabric.PcieSwitch;
import dev.clockwire.pcie.host.CpuCore;
import dev.clockwire.roce.transport.AccessFlag;
import dev.clockwire.roce.transport.QpState;
import dev.clockwire.roce.transport.QpType;
import dev.clockwire.roce.transport.WcStatus;
import dev.clockwire.roce.transport.WrOpcode;
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
import dev.clockwire.roce.verbs.SendBatch;
import dev.clockwire.roce.verbs.SendEntry;
import dev.clockwire.roce.verbs.SendFlag;
import dev.clockwire.roce.verbs.WorkCompletion;
import dev.clockwire.sim.KernelMode;
import dev.clockwire.sim.Sim;
import dev.clockwire.sim.SimSpec;
import dev.clockwire.sim.mem.Allocation;
import dev.clockwire.sim.mem.Payload;
import dev.clockwire.sim.mem.PayloadMode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Two hosts; the second has an SSD with memory of both kinds behind the switch of its NIC, or at a root port, and a region over the controller memory buffer. */
final class PeerRig {
    static final long US = 1_000_000;
    static final int BYTES = 1 << 20;
    static final Set<AccessFlag> ALL = EnumSet.of(
            AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);
    private static final int CMBMSC = 0x50;

    final Lab lab;
    final List<NvmeController> ssds = new ArrayList<>();
    final List<MemoryStore> stores = new ArrayList<>();
    final ProtectionDomain nearPd;
    final ProtectionDomain farPd;
    final QueuePair near;
    final QueuePair far;
    final CompletionQueue nearCq;
    final CompletionQueue farCq;
    final MemoryRegion nearMemory;
    final MemoryRegion cmb;
    final long window;

    private final class Parts implements LabParts {
        @Override
        public void add(Sim sim, LabHost a, LabHost b) {
            b.host().addCore();
            if (b.pcieSwitch() == null) {
                b.host().attach(ssd(sim).endpoint(), 0);
            }
        }

        @Override
        public void behind(Sim sim, String host, PcieSwitch fabric) {
            if (host.equals("host1")) {
                fabric.attach(ssd(sim).endpoint());
            }
        }

        private NvmeController ssd(Sim sim) {
            NamespaceSpec n = new NamespaceSpec(512, 4096);
            NvmeSpec spec = NvmeSpec.of("null")
                    .withNamespaces(List.of(n))
                    .withControllerMemory(BYTES)
                    .withPersistentMemory(BYTES);
            stores.add(new MemoryStore("ns1", n.blockBytes(), n.blocks(), PayloadMode.BYTES));
            NvmeController c = new NvmeController(sim.root(), "ssd0", spec, 0x3c00, List.copyOf(stores));
            ssds.add(c);
            return c;
        }
    }

    static Profile hardware() {
        return Profiles.named(Profiles.DEFAULT).with("pcie.switch", "gen5").with("pcie.mps", "256");
    }

    PeerRig() {
        this(hardware(), KernelMode.ACTIVITY, PayloadMode.BYTES);
    }

    PeerRig(Profile profile, KernelMode mode, PayloadMode payload) {
        LabSpec spec = LabSpec.of(1)
                .withKernel(SimSpec.of(1).withWatchdogPs(0).withMode(mode))
                .withJourneys(1 << 12)
                .withPayload(payload);
        lab = Lab.twoHosts(profile, spec, new Parts());
        nearPd = lab.await(lab.a().context().allocPd());
        farPd = lab.await(lab.b().context().allocPd());
        nearCq = lab.await(lab.a().context().createCq(256));
        farCq = lab.await(lab.b().context().createCq(256));
        QpCapabilities room = new QpCapabilities(64, 8, 1, 1, 0);
        near = lab.await(nearPd.createQp(QpInit.of(QpType.RC, nearCq, room)));
        far = lab.await(farPd.createQp(QpInit.of(QpType.RC, farCq, room)));
        Allocation a = lab.a().host().memory().allocate("io", 2 * BYTES, Allocation.Kind.BULK, 4096);
        nearMemory = lab.await(nearPd.regMr(a.address(), a.length(), ALL));
        window = ssds.get(0).endpoint().barAddress(2);
        setup().mmioWrite(ssds.get(0).endpoint().barAddress(0) + CMBMSC, window | 3, 8);
        lab.sim().run(lab.sim().now() + 5 * US);
        cmb = lab.await(farPd.regDmabufMr(new DmaBuf("ssd0.cmb", window, BYTES), 0, BYTES, 0, ALL));
        join(near, lab.b(), far.qpn());
        join(far, lab.a(), near.qpn());
    }

    CpuCore setup() {
        return lab.b().host().core(1);
    }

    private void join(QueuePair qp, LabHost to, int dest) {
        lab.await(qp.modify(new QpAttributes()
                .state(QpState.INIT)
                .pkeyIndex(0)
                .port(1)
                .access(EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC))));
        lab.await(qp.modify(new QpAttributes()
                .state(QpState.RTR)
                .addressVector(AddressVector.to(to.gid()))
                .pathMtu(Mtu.MTU_4096)
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

    WindowMemory memory() {
        return Objects.requireNonNull(ssds.get(0).controllerMemory());
    }

    /** What lies in the controller memory buffer. */
    byte[] content(long at, int n) {
        Payload p = new Payload();
        memory().peek(at, n, p);
        byte[] b = new byte[n];
        p.copyTo(0, b, 0, n);
        return b;
    }

    /** Posts one work request of the first host and returns how it ended. */
    WcStatus run(WrOpcode opcode, long local, int bytes, long remote, int rkey) {
        return run(near, nearCq, opcode, local, nearMemory.lkey(), bytes, remote, rkey);
    }

    WcStatus run(
            QueuePair qp, CompletionQueue cq, WrOpcode opcode, long local, int lkey, int bytes, long remote, int rkey) {
        SendBatch batch = new SendBatch(1, 1);
        SendEntry e = batch.add();
        e.wrId = 1;
        e.opcode = opcode;
        e.flags = SendFlag.SIGNALED.code();
        e.remoteAddress = remote;
        e.rkey = rkey;
        e.swapAdd = 5;
        e.sges().add(local, bytes, lkey);
        qp.postSend(batch);
        assertThat(lab.sim().runUntil(cq::hasCompletion, lab.sim().now() + 100_000 * US))
                .isTrue();
        WorkCompletion[] wc = WorkCompletion.array(1);
        assertThat(cq.poll(wc)).isEqualTo(1);
        return wc[0].status;
    }

    long stat(String name) {
        return lab.sim().stats().value(name);
    }

    /** Bytes that have gone to the second host's memory, or come from there. */
    long hostBytes() {
        return stat("host1.pcieSwitch.up.data_bytes") + stat("host1.root.port0Down.data_bytes");
    }
}
